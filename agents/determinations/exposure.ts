import { check } from './judging.ts';
import { listSources, type RegisterState, usable } from './lists.ts';
import type { Ground } from './scorecard.ts';
import type { Check, Source } from './types.ts';

/** Another's agent with which an address settled deals; addresses in lower case, the owner as last known. */
export interface Counterparty {
  readonly account: string;
  readonly owner: string;
  readonly dealings: number;
  /** ISO 8601: the latest of them. */
  readonly last: string;
}

/** With whom an address settled deals on this platform, and which lists name them: all of one moment. */
export interface Exposure {
  readonly days: number;
  /** So many counterparties are looked up at most, the latest first. */
  readonly most: number;
  /** All counterparties and dealings of these days, also those beyond `most`. */
  readonly counterparties: number;
  readonly dealings: number;
  /** Those looked up. */
  readonly parties: readonly Counterparty[];
  /** Hits among their accounts and owners; without any party nothing is looked up. */
  readonly registers: readonly Omit<RegisterState, 'lookedUp'>[];
}

const RULES = [
  { register: 'sanctions', rule: 'any sanctioned counterparty' },
  { register: 'known-scam', rule: 'any known-scam counterparty' },
] as const;
const NAMED = 5;

/**
 * Did it deal with anybody who is listed? Never a hard flag: its counterparty is listed, and not the address itself. A
 * hit stands even on an old list; absence counts only on fresh ones; who never dealt has nobody to be looked up.
 */
export function exposureCheck(exposure: Exposure, at: string): Check {
  const { counterparties, dealings, days, most, parties } = exposure;
  const sources: Source[] = [
    {
      name: 'whom this address has settled deals with',
      asOf: at,
      limit: `dealings on this platform only, no transfers elsewhere; the last ${days} days; agents' accounts and their owners as last known, at most ${most} counterparties, the newest first`,
    },
    ...exposure.registers.flatMap((r) => listSources(r, at)),
  ];
  const id = 'exposure-one-hop';
  const flagged = RULES.flatMap(({ register, rule }) => {
    const named = against(exposure, register);
    const more = named.length > NAMED ? ` and ${named.length - NAMED} more` : '';
    return named.length > 0 ? [`${rule}: ${named.slice(0, NAMED).join(', ')}${more}`] : [];
  });
  const beyond = parties.length < counterparties ? `the newest ${parties.length} of ` : '';
  const who = `${beyond}${counterparties} counterparties in ${dealings} dealings`;
  if (flagged.length > 0) return check(id, 'FLAG', `${flagged.join('; ')}; of ${who}`, sources);
  if (counterparties === 0 && parties.length === 0)
    return check(id, 'PASS', 'it has settled no deal here, so there is nobody to look up', sources);
  const gaps = [
    ...RULES.flatMap(({ register }) => {
      const state = exposure.registers.find((r) => r.register === register);
      return state !== undefined && usable(state, at)
        ? []
        : [`the register ${register} is empty, too old or was not read`];
    }),
    ...(parties.length < Math.min(counterparties, most) ? [`only ${who} were looked up`] : []),
  ];
  if (gaps.length > 0) return check(id, 'INCONCLUSIVE', `${gaps.join('; ')}: ${who}`, sources);
  return check(id, 'PASS', `no list names any of ${who}`, sources);
}

/** Every listed counterparty by its address, with the lists that name it and its part of all dealings. */
function against({ registers, parties, dealings }: Exposure, register: RegisterState['register']): string[] {
  const hits = registers.filter((r) => r.register === register).flatMap((r) => r.hits);
  return [...new Set(hits.map((h) => h.key))].sort().map((key) => {
    const lists = [...new Set(hits.filter((h) => h.key === key).map((h) => h.list))].sort().join(', ');
    const theirs = parties
      .filter((p) => p.account === key || p.owner === key)
      .reduce((sum, p) => sum + p.dealings, 0);
    return `${key} is on ${lists} (${theirs} of ${dealings} dealings)`;
  });
}

/** The same in numbers, from the dealings and not from the hits. `coverage` as of a scorecard. */
export function exposureScore(exposure: Exposure, at: string) {
  const listed = new Map(exposure.registers.map((r) => [r.register, new Set(r.hits.map((h) => h.key))]));
  const share = (register: RegisterState['register']) => {
    const keys = listed.get(register);
    const exposed = exposure.parties.filter(
      (p) => keys?.has(p.account) === true || keys?.has(p.owner) === true,
    );
    const theirs = exposed.reduce((sum, p) => sum + p.dealings, 0);
    return { count: exposed.length, theirs };
  };
  const wanted = Math.min(exposure.counterparties, exposure.most);
  const known = new Set(exposure.registers.filter((r) => usable(r, at)).map((r) => r.register));
  const idle = exposure.parties.length === 0 && wanted === 0;
  const lists = known.has('sanctions') && known.has('known-scam') ? 1 : 0;
  const coverage = idle ? 1 : Math.min(lists, wanted === 0 ? 1 : exposure.parties.length / wanted);
  return {
    features: (['sanctions', 'known-scam'] as const).map((register) => {
      const { count, theirs } = share(register);
      return {
        name: `exposure-${register}`,
        value: count,
        weight: 60,
        meaning: `${count} of ${exposure.parties.length} counterparties on ${register}, ${theirs} of ${exposure.dealings} dealings`,
      };
    }),
    coverage,
    missing: coverage < 1 ? ['its counterparties could not all be looked up on fresh lists'] : [],
  };
}

/** What the adversary makes of it: any hit at all, and any gap while there is anybody to look up. */
export function exposureGrounds(exposure: Exposure | undefined, at: string): Ground[] {
  if (exposure === undefined) return [];
  const { parties, registers, counterparties } = exposure;
  const fresh = registers.filter((r) => usable(r, at)).map((r) => r.register);
  return [
    {
      holds: registers.some((r) => r.hits.length > 0),
      says: 'it has dealt with somebody whom a list names',
    },
    {
      holds:
        counterparties + parties.length > 0 &&
        (parties.length < Math.min(counterparties, exposure.most) || new Set(fresh).size < RULES.length),
      unread: true,
      says: 'it has dealt with somebody who could not be looked up',
    },
  ];
}
