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
}

export interface Follow {
  readonly who: string;
  readonly flows: readonly Flows[];
  readonly listed: readonly ListedFlow[];
  readonly labels: ReadonlyMap<string, Label>;
  /** Addresses through which everybody's money passes: this service's contracts, and none at all (a mint). */
  readonly through: ReadonlySet<string>;
  readonly nativeDust: bigint;
}

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
 * mixer counts as a listed address one hop further away.
 */
export function leads(follow: Follow): Lead[] {
  return (['in', 'out'] as const).flatMap((way) => from(follow, way, follow.who, 1, 1, [follow.who]));
}

function from(
  follow: Follow,
  way: Flows['way'],
  of: string,
  distance: number,
  weight: number,
  path: readonly string[],
): Lead[] {
  const flows = follow.flows.find((f) => f.of === of && f.way === way);
  if (flows === undefined) return [];
  return flows.parties.flatMap((party): Lead[] => {
    const { address } = party;
    const share = weight * shareOf(flows, party, follow.nativeDust);
    if (share === 0 || path.includes(address)) return [];
    const hit = follow.listed.find((h) => h.key === address && wasListed(h, way, party.last));
    if (hit !== undefined) return [{ way, distance, address, share }];
    const label = follow.labels.get(address);
    if (label === 'mixer')
      return distance < MOST_HOPS ? [{ way, distance: distance + 1, address, share }] : [];
    if (label !== undefined || follow.through.has(address) || distance === MOST_HOPS) return [];
    return from(follow, way, address, distance + 1, share, [...path, address]);
  });
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
  readonly addresses: readonly string[];
  /** Whether it counts against the address. */
  readonly counts: boolean;
}

export function weigh(found: readonly Lead[]): Weighed[] {
  return (['in', 'out'] as const).flatMap((way) =>
    SHARE_AT[way].flatMap((least, i) => {
      const distance = i + 1;
      const here = found.filter((l) => l.way === way && l.distance === distance);
      if (here.length === 0) return [];
      const share = here.reduce((sum, l) => sum + l.share, 0);
      const addresses = [...new Set(here.map((l) => l.address))].sort();
      return [{ way, distance, share, addresses, counts: share >= least }];
    }),
  );
}
