import { check } from '../../panel/judging.ts';
import { listSources, type RegisterState, usable } from '../../panel/lists.ts';
import type { Ground } from '../../panel/scorecard.ts';
import type { Check, Source } from '../../panel/types.ts';

/** Somebody else's agent with whom an address settled deals; addresses in lower case, with the owner last known. */
export interface Counterparty {
  readonly account: string;
  readonly owner: string;
  readonly dealings: number;
  /** The time of the latest dealing, ISO 8601. */
  readonly last: string;
}

/** With whom an address settled deals on this platform, and which lists name them, all at one moment. */
export interface Exposure {
  readonly days: number;
  /** At most this many counterparties are looked up, the latest first. */
  readonly most: number;
  /** The number of all counterparties and dealings of these days, including those beyond `most`. */
  readonly counterparties: number;
  readonly dealings: number;
  /** The counterparties that were looked up. */
  readonly parties: readonly Counterparty[];
  /** Hits among the parties' accounts and owners; without any party nothing is looked up. */
  readonly registers: readonly (Omit<RegisterState, 'lookedUp' | 'hits'> & {
    readonly hits: readonly ListedParty[];
  })[];
}

export interface ListedParty {
  readonly key: string;
  readonly list: string;
  /**
   * ISO 8601: since when the party is listed. Absent in evidence of earlier releases, which counted a hit whatever its
   * date.
   */
  readonly since?: string;
}

const RULES = [
  { register: 'sanctions', rule: 'any sanctioned counterparty' },
  { register: 'known-scam', rule: 'any known-scam counterparty' },
] as const;
const NAMED = 5;

/** Whether a counterparty was already listed at the last dealing; nobody could have known of a later listing. */
function wasListed(hit: ListedParty, parties: readonly Counterparty[]): boolean {
  const { key, since } = hit;
  if (since === undefined) return true;
  const theirs = parties.filter((p) => p.account === key || p.owner === key);
  return theirs.length === 0 || theirs.some((p) => !(Date.parse(since) > Date.parse(p.last)));
}

/**
 * Checks whether the address dealt with anybody who was listed at the time. A later listing is reported but does not
 * count against the address. It is never a hard flag, because the counterparty is listed and not the address itself. A
 * hit counts even on an old list; absence counts only on fresh ones; an address that never dealt passes.
 */
export function exposureCheck(exposure: Exposure, at: string): Check {
  const { counterparties, dealings, days, most, parties } = exposure;
  const sources: Source[] = [
    {
      name: 'whom this address has settled deals with',
      asOf: at,
      limit: `dealings on this platform only, no transfers elsewhere; the last ${days} days; agents' accounts and their owners as they were then, at most ${most} counterparties, the newest first`,
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
      if (state?.missing !== undefined) return [`never fetched whole: ${state.missing.join(', ')}`];
      return state !== undefined && usable(state, at)
        ? []
        : [`the register ${register} is empty, too old, undated, too short or was not read`];
    }),
    ...(parties.length < Math.min(counterparties, most) ? [`only ${who} were looked up`] : []),
  ];
  if (gaps.length > 0) return check(id, 'INCONCLUSIVE', `${gaps.join('; ')}: ${who}`, sources);
  const later = [
    ...new Set(
      exposure.registers.flatMap((r) => r.hits.filter((h) => !wasListed(h, parties)).map((h) => h.key)),
    ),
  ].sort();
  const told =
    later.length === 0
      ? ''
      : `; listed only after the last deal with it: ${later.slice(0, NAMED).join(', ')}`;
  const none = later.length === 0 ? 'no list names' : 'no list named at the time of its deals';
  return check(id, 'PASS', `${none} any of ${who}${told}`, sources);
}

/** One text for each listed counterparty: its address, the lists that name it, and its share of all dealings. */
function against({ registers, parties, dealings }: Exposure, register: RegisterState['register']): string[] {
  const hits = registers
    .filter((r) => r.register === register)
    .flatMap((r) => r.hits.filter((h) => wasListed(h, parties)));
  return [...new Set(hits.map((h) => h.key))].sort().map((key) => {
    const lists = [...new Set(hits.filter((h) => h.key === key).map((h) => h.list))].sort().join(', ');
    const theirs = parties
      .filter((p) => p.account === key || p.owner === key)
      .reduce((sum, p) => sum + p.dealings, 0);
    return `${key} is on ${lists} (${theirs} of ${dealings} dealings)`;
  });
}

/** The earliest listing of each key, in milliseconds; minus infinity when no date is given. */
function earliest(hits: readonly ListedParty[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const { key, since } of hits) {
    const at = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
    first.set(key, Math.min(first.get(key) ?? Number.POSITIVE_INFINITY, at));
  }
  return first;
}

/** The same in numbers, computed from the dealings instead of the hits. `coverage` as in a scorecard. */
export function exposureScore(exposure: Exposure, at: string) {
  const listed = new Map(exposure.registers.map((r) => [r.register, earliest(r.hits)]));
  const share = (register: RegisterState['register']) => {
    const since = listed.get(register);
    const exposed = exposure.parties.filter((p) =>
      [p.account, p.owner].some((who) => (since?.get(who) ?? Number.POSITIVE_INFINITY) <= Date.parse(p.last)),
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

/** The adversary's grounds: any hit at all, and any gap as long as there is a counterparty to look up. */
export function exposureGrounds(exposure: Exposure | undefined, at: string): Ground[] {
  if (exposure === undefined) return [];
  const { parties, registers, counterparties } = exposure;
  const fresh = registers.filter((r) => usable(r, at)).map((r) => r.register);
  return [
    {
      holds: registers.some((r) =>
        r.hits.some((h) =>
          parties.some((p) => h.since === undefined || (p.last >= h.since && names(p, h.key))),
        ),
      ),
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

function names({ account, owner }: Counterparty, key: string): boolean {
  return account === key || owner === key;
}
