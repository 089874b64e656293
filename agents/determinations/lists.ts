import { check } from './judging.ts';
import type { Check, Source } from './types.ts';

/** One imported list of a register. */
export interface ListSource {
  readonly name: string;
  /** ISO 8601: the state the list says it shows. */
  readonly asOf: string;
  readonly rows: number;
}

/** A register as it stood when the evidence was gathered: its lists, and the hits among the keys looked up. */
export interface RegisterState {
  readonly register: 'sanctions' | 'known-scam' | 'stolen' | 'recalled';
  readonly maxAgeDays: number;
  readonly lists: readonly ListSource[];
  readonly lookedUp: readonly string[];
  readonly hits: readonly { readonly key: string; readonly list: string }[];
}

const DAY = 86_400_000;

/** What a register holds, whoever was looked up in it. */
type Lists = Pick<RegisterState, 'register' | 'maxAgeDays' | 'lists'>;

export function isStale(register: Lists, list: ListSource, at: string): boolean {
  const age = Date.parse(at) - Date.parse(list.asOf);
  return !(age <= register.maxAgeDays * DAY);
}

/** True when the register can say "not on these lists": it has rows and none of its lists is past its age. */
export function usable(register: Lists, at: string): boolean {
  const filled = register.lists.filter((l) => l.rows > 0);
  return filled.length > 0 && !filled.some((l) => isStale(register, l, at));
}

export function listSources(register: Lists, at: string): Source[] {
  const filled = register.lists.filter((l) => l.rows > 0);
  if (filled.length === 0) {
    return [{ name: `register ${register.register}`, asOf: at, limit: 'no list has been imported' }];
  }
  return filled.map((l) => ({
    name: l.name,
    asOf: l.asOf,
    limit: `${l.rows} rows; finds listed keys only, nothing newer than its date; too old after ${register.maxAgeDays} days`,
  }));
}

/** Is this key on the lists? A hit stands even on an old list; absence counts only on fresh ones. */
export function listCheck(id: string, register: RegisterState, key: string, at: string): Check {
  const sources = listSources(register, at);
  const hits = register.hits.filter((h) => h.key === key);
  if (hits.length > 0) {
    const names = [...new Set(hits.map((h) => h.list))].sort();
    return check(id, 'FLAG', `on ${names.join(', ')}`, sources, { hard: true });
  }
  const filled = register.lists.filter((l) => l.rows > 0);
  if (filled.length === 0)
    return check(id, 'INCONCLUSIVE', `the register ${register.register} is empty`, sources);
  if (!register.lookedUp.includes(key)) return check(id, 'INCONCLUSIVE', `${key} was not looked up`, sources);
  const stale = filled.filter((l) => isStale(register, l, at));
  if (stale.length > 0) {
    const names = stale.map((l) => `${l.name} of ${l.asOf}`).sort();
    return check(id, 'INCONCLUSIVE', `too old to say "not listed": ${names.join(', ')}`, sources);
  }
  const named = filled.map((l) => `${l.name} as of ${l.asOf}`).sort();
  return check(id, 'PASS', `not on ${named.join(', ')}`, sources);
}
