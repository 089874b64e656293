import { domainName } from '../../agents/determinations/origin/host.ts';
import type { Register, RegisterRow } from '../../agents/determinations/provenance/register-row.ts';
import { type ListContent, ListError, parsed, UNREADABLE } from './list-content.ts';

export function isOfDomains(register: Register): boolean {
  return register === 'phishing-domains' || register === 'known-domains';
}

/**
 * Reads the configuration of MetaMask's eth-phishing-detect: its blocked domains, or for a register of known names those
 * that it allows and those that it says are imitated. Its members have two names each, by its version.
 * @throws ListError
 */
export function readPhishingDetect(text: string, register: Register): ListContent {
  const value = parsed(text) as Readonly<Record<string, unknown>> | null;
  const members = (...names: readonly string[]): readonly unknown[] =>
    names.flatMap((name) => (Array.isArray(value?.[name]) ? (value[name] as unknown[]) : []));
  const blocked = members('blocklist', 'blacklist');
  const allowed = members('allowlist', 'whitelist');
  if (blocked.length === 0 || allowed.length === 0)
    throw new ListError('it lacks a list of blocked or of allowed domains');
  if (register !== 'known-domains') return rowsOf(blocked);
  // What it allows are names that are like those that are imitated, most of them of no renown themselves.
  const content = rowsOf([...allowed, ...members('fuzzylist')]);
  const worth = new Set(rowsOf(members('fuzzylist')).rows.map(({ key }) => key));
  const rows = content.rows.map((row) => (worth.has(row.key) ? row : { ...row, detail: { imitated: 'no' } }));
  return { ...content, rows };
}

/** Reads ScamSniffer's published JSON of domains: a list of names. @throws ListError */
export function readDomains(text: string): ListContent {
  const value = parsed(text);
  if (!Array.isArray(value)) throw new ListError('it is no list of domains');
  return rowsOf(value);
}

/** Reads a domain a line; lines that begin with # or // are comments, and hosts files are read by their names. @throws ListError */
export function readPlainDomains(text: string): ListContent {
  const lines = text.split('\n').map((line) => line.trim());
  return rowsOf(
    lines
      .filter((line) => line !== '' && !/^(?:#|\/\/)/.test(line))
      .map((line) => line.replace(/^(?:0\.0\.0\.0|127\.0\.0\.1)\s+/, '').replace(/[\s,;#].*$/, '')),
  );
}

function rowsOf(items: readonly unknown[]): ListContent {
  const rows = new Map<string, RegisterRow>();
  let unread = 0;
  for (const item of items) {
    const key = typeof item === 'string' ? domainName(item) : null;
    if (key === null) unread += 1;
    else rows.set(key, { key, detail: {} });
  }
  if (unread * UNREADABLE > items.length)
    throw new ListError(`${unread} of its ${items.length} entries are no domain names`);
  return {
    ...{ rows: [...rows.values()], kept: {}, published: null },
    left: unread === 0 ? {} : { unreadable: unread },
  };
}
