import type { RegisterRow } from '../../agents/determinations/provenance/register-row.ts';
import { tryAddress } from '../../agents/determinations/wallet/address.ts';
import { type ListContent, ListError, parsed, UNREADABLE } from './list-content.ts';

/** What Etherscan's labels call those who stole or deceived. Other labels, such as exchanges, accuse nobody. */
const ADVERSE =
  /phish|scam|hack|heist|exploit|drainer|fraud|rug-?pull|ponzi|stolen|theft|blocked|compromised/i;

/**
 * Reads eth-labels' published JSON: a list of objects with `address`, `label` and perhaps `nameTag` and `chainId`. Only
 * labels of those who stole or deceived are rows; the others are counted by label.
 * @throws ListError
 */
export function readEthLabels(text: string): ListContent {
  const value = parsed(text);
  if (!Array.isArray(value)) throw new ListError('it is no list of labels');
  const rows = new Map<string, RegisterRow>();
  const [kept, left] = [new Map<string, number>(), new Map<string, number>()];
  let unread = 0;
  for (const item of value as unknown[]) {
    const { address, label, nameTag } = (item ?? {}) as Readonly<Record<string, unknown>>;
    const read = typeof address === 'string' ? tryAddress(address.trim()) : null;
    if (read === null || typeof label !== 'string') {
      unread += 1;
      continue;
    }
    const named = plain(label);
    const counts = ADVERSE.test(label) ? kept : left;
    counts.set(named, (counts.get(named) ?? 0) + 1);
    if (counts === left) continue;
    const name = typeof nameTag === 'string' ? plain(nameTag) : '';
    rows.set(read.key, { key: read.key, detail: { label: named, ...(name === '' ? {} : { name }) } });
  }
  requireReadable(unread, value.length);
  const counted = { ...inOrder(left), ...(unread === 0 ? {} : { unreadable: unread }) };
  return { rows: [...rows.values()], kept: inOrder(kept), left: counted, published: null };
}

/** Reads one address a line, with whatever follows it after white space or a comma; `#` and `//` begin a comment. @throws ListError */
export function readPlain(text: string): ListContent {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|\/\/)/.test(line));
  const rows = new Map<string, RegisterRow>();
  let unread = 0;
  for (const line of lines) {
    const read = tryAddress((/^[^\s,;]+/.exec(line) ?? [''])[0].replaceAll('"', ''));
    if (read === null) unread += 1;
    else rows.set(read.key, { key: read.key, detail: {} });
  }
  requireReadable(unread, lines.length);
  return {
    rows: [...rows.values()],
    kept: {},
    left: unread === 0 ? {} : { unreadable: unread },
    published: null,
  };
}

/** @throws ListError */
function requireReadable(unread: number, all: number): void {
  if (unread * UNREADABLE > all) throw new ListError(`${unread} of its ${all} entries are no addresses`);
}

function plain(text: string): string {
  return text
    .replaceAll(/\p{Cc}|\p{Surrogate}/gu, '')
    .trim()
    .slice(0, 100);
}

/** The twenty labels with the most entries; the others together. */
function inOrder(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  const all = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const rest = all.slice(20).reduce((sum, [, n]) => sum + n, 0);
  return Object.fromEntries([...all.slice(0, 20), ...(rest === 0 ? [] : [['others', rest] as const])]);
}
