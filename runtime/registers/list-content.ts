import {
  type Register,
  type RegisterRow,
  rowReader,
} from '../../agents/determinations/provenance/register-row.ts';
import { tryAddress } from '../../agents/determinations/wallet/address.ts';
import { Refusal } from '../../agents/errors.ts';

/** A whole list as it was read. */
export interface ListContent {
  readonly rows: readonly RegisterRow[];
  /** Entries that are rows now, by what the list calls them; none where it calls them nothing. */
  readonly kept: KindCounts;
  /** Entries that are well formed and no row of this register, such as addresses of chains that nobody asks about here. */
  readonly left: KindCounts;
  /** The date that the list itself carries. */
  readonly published: Date | null;
}

export type KindCounts = Readonly<Record<string, number>>;

/** A list that cannot be taken, in half a sentence that says why and names no address of a server. */
export class ListError extends Error {
  override readonly name = 'ListError';
}

/** One row in so many may be unreadable in a list of others before it is taken for something else. */
export const UNREADABLE = 100;

/**
 * Reads ScamSniffer's published JSON: a list of addresses (`address.json`), or lists of addresses by domain
 * (`combined.json`).
 * @throws ListError
 */
export function readScamSniffer(text: string): ListContent {
  const value = parsed(text);
  const entries: [unknown, Record<string, string>][] = [];
  if (Array.isArray(value)) for (const item of value) entries.push([item, {}]);
  else if (typeof value === 'object' && value !== null) {
    for (const [domain, items] of Object.entries(value)) {
      if (!Array.isArray(items)) throw new ListError('it maps a domain to something that is no list');
      for (const item of items)
        entries.push([item, { domain: domain.replaceAll(/\p{Cc}/gu, '').slice(0, 200) }]);
    }
  } else throw new ListError('it is neither a list nor lists by domain');
  const rows = new Map<string, RegisterRow>();
  let skipped = 0;
  for (const [item, detail] of entries) {
    const address = typeof item === 'string' ? tryAddress(item.trim()) : null;
    if (address === null) skipped += 1;
    else rows.set(address.key, { key: address.key, detail });
  }
  if (skipped * UNREADABLE > entries.length)
    throw new ListError(`${skipped} of its ${entries.length} entries are no addresses`);
  const left: KindCounts = skipped === 0 ? {} : { unreadable: skipped };
  return { rows: [...rows.values()], kept: {}, left, published: null };
}

/** Reads lines as `POST /register/{name}` does: every line is a row of the register, or nothing is taken. @throws ListError */
export function readLines(text: string, register: Register, format: 'csv' | 'jsonl'): ListContent {
  const read = rowReader(register, format);
  const rows = new Map<string, RegisterRow>();
  try {
    for (const [i, line] of text.split('\n').entries()) {
      const row = read(line, i + 1);
      if (row !== null) rows.set(row.key, row);
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new ListError(error.message.slice(0, 200), { cause: error });
  }
  return { rows: [...rows.values()], kept: {}, left: {}, published: null };
}

/** @throws ListError */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ListError('it is no JSON', { cause });
  }
}
