import { check } from './judging.ts';
import { type Absence, provesAbsence } from './sorted-tree.ts';
import type { Check, Source } from './types.ts';

/** One imported list of a register. */
export interface ListSource {
  readonly name: string;
  /**
   * ISO 8601: the publisher's date, or the date for which an operator says the list was complete; never the time of
   * fetching.
   */
  readonly asOf: string;
  readonly rows: number;
  /** Nobody says for which date the list is complete, so `asOf` is when it was imported. Absent otherwise. */
  readonly undated?: true;
  /** A list with fewer rows is not the list that it is declared to be. Absent in evidence of earlier releases. */
  readonly minimum?: number;
  /** Made up for demonstration and tests. Absent otherwise. */
  readonly synthetic?: true;
  /**
   * The root of the Merkle tree of its sorted keys, hex, by which its silence is proved. Absent where no tree is made, and
   * in evidence of earlier releases.
   */
  readonly root?: string;
}

/** A register when the evidence was gathered: its lists, and the hits among the keys that were looked up. */
export interface RegisterState {
  readonly register:
    | 'sanctions'
    | 'known-scam'
    | 'stolen'
    | 'recalled'
    | 'phishing-domains'
    | 'known-domains';
  readonly maxAgeDays: number;
  readonly lists: readonly ListSource[];
  /** Configured lists of which nothing is held, because no fetch of them has succeeded. Absent when there are none. */
  readonly missing?: readonly string[];
  readonly lookedUp: readonly string[];
  readonly hits: readonly {
    readonly key: string;
    readonly list: string;
    /** Whose it is by the list, such as a name and programs. */
    readonly whose?: string;
  }[];
  /** For each list with a root, and each key that was looked up and is not on it: that it is not. */
  readonly proofs?: readonly Absence[];
  /** Which of the keys were on a list and are no more, times in ISO 8601. Told, and held against nobody. */
  readonly retracted?: readonly {
    readonly key: string;
    readonly list: string;
    readonly listed: string;
    readonly until: string;
  }[];
}

const DAY = 86_400_000;

/** What a register contains, independently of who is looked up in it. */
type Lists = Pick<RegisterState, 'register' | 'maxAgeDays' | 'lists' | 'missing'>;

/** Whether nothing is held, and nothing is waited for. */
export function isEmpty({ lists, missing = [] }: Pick<Lists, 'lists' | 'missing'>): boolean {
  return lists.every((l) => l.rows === 0) && missing.length === 0;
}

export function isStale(register: Lists, list: ListSource, at: string): boolean {
  const age = Date.parse(at) - Date.parse(list.asOf);
  return !(age <= register.maxAgeDays * DAY);
}

/** Whether the register can say "not on these lists". A hit counts in any case. */
export function usable(register: Lists, at: string): boolean {
  return whyUnusable(register, at) === null;
}

/**
 * Why a register cannot say "not on these lists"; null when it can: none of its lists is missing or too old, and at least
 * one is dated and as long as it is declared to be. A list that is undated or too short only contributes hits.
 */
export function whyUnusable(register: Lists, at: string): string | null {
  const { missing = [] } = register;
  if (missing.length > 0) return `never fetched whole: ${missing.join(', ')}`;
  const filled = register.lists.filter((l) => l.rows > 0);
  if (filled.length === 0) return `the register ${register.register} is empty`;
  const stale = filled.filter((l) => l.undated !== true && isStale(register, l, at));
  if (stale.length > 0)
    return `too old to say "not listed": ${stale
      .map((l) => `${l.name} of ${l.asOf}`)
      .sort()
      .join(', ')}`;
  if (filled.some(carries)) return null;
  return filled
    .map((l) =>
      l.undated === true
        ? `${l.name} does not say as of when it is complete: import it with its publisher's date (publishedAt), or with the day as of which you vouch for it (completeAsOf)`
        : `${l.name} has ${l.rows} rows, fewer than the ${l.minimum} that it is declared to have at least`,
    )
    .sort()
    .join('; ');
}

/** Whether a list may say "not on it" at all. */
function carries({ undated, rows, minimum = 1 }: ListSource): boolean {
  return undated !== true && rows >= minimum;
}

export function listSources(register: Lists, at: string): Source[] {
  const filled = register.lists.filter((l) => l.rows > 0);
  const missing = (register.missing ?? []).map((name) => ({
    ...{ name, asOf: at, limit: 'never fetched whole: nothing is known of what it lists' },
  }));
  if (isEmpty(register)) {
    return [{ name: `register ${register.register}`, asOf: at, limit: 'no list has been imported' }];
  }
  const held = filled.map((l) => ({
    name: l.name,
    asOf: l.asOf,
    limit: `${l.synthetic === true ? 'SYNTHETIC, made up for demonstration; ' : ''}${l.undated === true ? 'undated, names only; ' : ''}${l.rows} rows; finds listed keys only, nothing newer than its date; too old after ${register.maxAgeDays} days`,
  }));
  return [...held, ...missing];
}

/** Checks whether this key is on the lists. A hit counts even on an old list; absence counts only on fresh ones. */
export function listCheck(id: string, register: RegisterState, key: string, at: string): Check {
  const sources = listSources(register, at);
  const hits = register.hits.filter((h) => h.key === key);
  if (hits.length > 0) {
    const names = [...new Set(hits.map((h) => (h.whose === undefined ? h.list : `${h.list} (${h.whose})`)))];
    return check(id, 'FLAG', `on ${names.sort().join(', ')}`, sources, { hard: true });
  }
  const why = whyUnusable(register, at);
  if (why !== null) return check(id, 'INCONCLUSIVE', why, sources);
  if (!register.lookedUp.includes(key)) return check(id, 'INCONCLUSIVE', `${key} was not looked up`, sources);
  const open = unproved(register, key);
  if (open.length > 0)
    return check(id, 'INCONCLUSIVE', `nothing proves that it is not on ${open.join(', ')}`, sources);
  const filled = register.lists.filter((l) => l.rows > 0 && l.undated !== true);
  const named = filled.map((l) => `${l.name} as of ${l.asOf}`).sort();
  return check(id, 'PASS', `not on ${named.join(', ')}${toldOf(register, key)}`, sources);
}

/** The lists with a root for which no proof shows that this key is not on them. */
export function unproved({ lists, proofs }: Pick<RegisterState, 'lists' | 'proofs'>, key: string): string[] {
  return lists
    .filter(({ name, root, rows }) => {
      if (root === undefined || rows === 0) return false;
      const proof = proofs?.find((p) => p.list === name && p.key === key);
      return proof === undefined || !provesAbsence(proof, root, rows);
    })
    .map((l) => l.name)
    .sort();
}

/** What was said of the key before and is said no more. */
function toldOf({ retracted }: RegisterState, key: string): string {
  const before = (retracted ?? []).filter((r) => r.key === key);
  const each = before.map((r) => `${r.list} from ${r.listed} until ${r.until}`);
  return before.length === 0 ? '' : `; it was on ${each.join(', ')}, which is told and held against nobody`;
}
