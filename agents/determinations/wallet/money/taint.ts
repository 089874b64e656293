import { DUST_USD, type Flows, type Label, type ListedFlow } from './flows.ts';

/** How far money is followed. */
export const MOST_HOPS = 3;

/** Value that leads to somebody whom a list names. */
export interface Lead {
  readonly way: Flows['way'];
  /** 1: the address dealt with the listed one itself. */
  readonly distance: number;
  readonly address: string;
  /** Of what came in to the address, or went out of it: 0 to 1. */
  readonly share: number;
  /** About how many dollars those are. */
  readonly worth: number;
}

export interface Follow {
  readonly who: string;
  readonly flows: readonly Flows[];
  readonly listed: readonly ListedFlow[];
  readonly labels: ReadonlyMap<string, Label>;
  /** Addresses through which everybody's money passes: this service's contracts, and none at all (a mint). */
  readonly through: ReadonlySet<string>;
  readonly nativeDust: bigint;
  /** Whether the flows of the address are all that it ever moved. */
  readonly whole: boolean;
  /** Whoever was not looked at whole is taken for one who deals with a listed address. */
  readonly suspicious?: true;
}

/**
 * What came in and is worth less than this, in dollars, counts only where the address has spent it: anybody can send a
 * few dollars to somebody in order to have them accused.
 */
export const UNASKED_USD = 10;

/** Sums of dollars are fractions: a difference below this is none. */
export const CENT = 0.01;

/**
 * From which share on value counts against an address, by way and distance. What somebody pays is an act of its own, so
 * any payment above dust to a listed address counts; what comes in is judged by its share, because anybody can send
 * anything to anybody. What a payee's payees do further on is told and not judged.
 */
export const SHARE_AT: Readonly<Record<Flows['way'], readonly number[]>> = {
  in: [0.05, 0.25, 0.5],
  out: [0, 0.5, Number.POSITIVE_INFINITY],
};

/**
 * Follows value over up to three hops, each party by its share of what moved (the haircut rule of Möser, Böhme and
 * Breuker, "Towards Risk Scoring of Bitcoin Transactions", 2014). An exchange, a bridge and a burn address end a path; a
 * mixer counts as a listed address one hop further away, and to the suspicious so does whoever was not looked at whole.
 */
export function leads(follow: Follow): Lead[] {
  return (['in', 'out'] as const).flatMap((way) =>
    from(follow, { way, of: follow.who, distance: 1, share: 1, worth: null, path: [follow.who] }),
  );
}

/** How far a path has been followed, and how much of the address's money is left on it. */
interface Path extends Omit<Lead, 'address' | 'worth'> {
  readonly of: string;
  /** Null at the address itself. */
  readonly worth: number | null;
  readonly path: readonly string[];
}

function from(follow: Follow, { way, of, distance, share: before, worth: left, path }: Path): Lead[] {
  const flows = follow.flows.find((f) => f.of === of && f.way === way);
  if (flows === undefined) return [];
  return flows.parties.flatMap((party): Lead[] => {
    const { address } = party;
    const part = shareOf(flows, party, follow.nativeDust);
    const share = before * part;
    if (share === 0 || path.includes(address)) return [];
    const worth = left === null ? dollarsOf(party, follow.nativeDust) : left * part;
    const lead = { way, distance, address, share, worth };
    const hit = follow.listed.find((h) => h.key === address && wasListed(h, way, party.last));
    if (hit !== undefined) return [lead];
    const label = follow.labels.get(address);
    const further = { ...lead, distance: distance + 1 };
    if (label === 'mixer') return distance < MOST_HOPS ? [further] : [];
    if (label !== undefined || follow.through.has(address) || distance === MOST_HOPS) return [];
    if (follow.suspicious && isCut(follow, address, way)) return [further];
    return from(follow, { ...further, of: address, path: [...path, address] });
  });
}

function isCut({ flows }: Follow, of: string, way: Flows['way']): boolean {
  return flows.some((f) => f.of === of && f.way === way && f.cut === true);
}

/** About how many dollars moved: of the native currency, dust is one. */
export function dollarsOf(moved: { readonly usd: string; readonly native: string }, dust: bigint): number {
  const native = dust === 0n ? 0 : Number((BigInt(moved.native) * 1_000n) / dust) / 1_000;
  return Number(BigInt(moved.usd)) / 1_000_000 + native;
}

/**
 * Whether more went out of the address than others brought in, so that some of what these leads brought was spent. Of an
 * address whose older transfers are unknown nobody can say so.
 */
export function hasSpent({ who, flows, nativeDust, whole }: Follow, found: readonly Lead[]): boolean {
  const total = (way: Flows['way']): number =>
    flows.filter((f) => f.of === who && f.way === way).reduce((sum, f) => sum + dollarsOf(f, nativeDust), 0);
  const brought = found.filter((l) => l.way === 'in').reduce((sum, l) => sum + l.worth, 0);
  return whole && total('out') > total('in') - brought + CENT;
}

/** Nobody who pays can know of a later listing; where money came from does not change by it. */
function wasListed({ since }: ListedFlow, way: Flows['way'], last: string): boolean {
  return way === 'in' || since === undefined || !(Date.parse(since) > Date.parse(last));
}

/** A party's share of the dollars or of the native currency, whichever is larger; dust has none. */
function shareOf(flows: Flows, party: Flows['parties'][number], nativeDust: bigint): number {
  const usd = part(BigInt(party.usd), BigInt(flows.usd), DUST_USD);
  const native = part(BigInt(party.native), BigInt(flows.native), nativeDust);
  return Math.max(usd, native);
}

function part(amount: bigint, total: bigint, dust: bigint): number {
  if (amount < dust || total === 0n) return 0;
  return Number((amount * 1_000_000n) / total) / 1_000_000;
}

/** The shares of all leads of one way and distance together, with whom they lead to. */
export interface Weighed {
  readonly way: Flows['way'];
  readonly distance: number;
  readonly share: number;
  readonly worth: number;
  readonly addresses: readonly string[];
  /** Whether it counts against the address. */
  readonly counts: boolean;
}

/** @param spent as {@link hasSpent} says */
export function weigh(found: readonly Lead[], spent: boolean): Weighed[] {
  const brought = found.filter((l) => l.way === 'in').reduce((sum, l) => sum + l.worth, 0);
  const asked = spent || brought >= UNASKED_USD;
  return (['in', 'out'] as const).flatMap((way) =>
    SHARE_AT[way].flatMap((least, i) => {
      const distance = i + 1;
      const here = found.filter((l) => l.way === way && l.distance === distance);
      if (here.length === 0) return [];
      const share = here.reduce((sum, l) => sum + l.share, 0);
      const worth = here.reduce((sum, l) => sum + l.worth, 0);
      const addresses = [...new Set(here.map((l) => l.address))].sort();
      const counts = share >= least && (way === 'out' || asked);
      return [{ way, distance, share, worth, addresses, counts }];
    }),
  );
}
