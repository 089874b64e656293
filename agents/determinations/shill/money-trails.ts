import { NOBODY } from '../../ids.ts';
import type { Micro } from '../../money.ts';
import { DUST_USD } from '../wallet/flows.ts';

/**
 * Where the money of one bidder came from, outside of trade, as shares of all of it in twentieths. Nobody's address is
 * kept, and no amount: who bids is private, and the chain is not.
 */
export interface BidderMoney {
  readonly bidder: string;
  /** Came from the seller's side, also through others. */
  readonly fromSeller: number;
  /** Came from somebody who pays few others, and from whom much of the seller's own money came. */
  readonly shared: number;
  /** The share of the seller's own money that came from this bidder's. */
  readonly toSeller: number;
  /** Bidders with the same mark have most of their money from the same one who pays few others; null for the rest. */
  readonly group: string | null;
  /** On how many of the seller's lots, of any category, it bid; absent where the history tells. */
  readonly lots?: number;
}

/** The money of all bidders of one seller. */
export interface MoneyTrails {
  /** Over how many transfers money was followed back. */
  readonly hops: number;
  readonly bidders: readonly BidderMoney[];
  /** Why the transfers could not be read, or not all of them; null when they were. */
  readonly fault: string | null;
}

/** Payments outside of trade between two addresses, summed up. Addresses in lower case. */
export interface Paid {
  readonly from: string;
  readonly to: string;
  readonly usd: Micro;
}

export interface Side {
  readonly name: string;
  readonly addresses: readonly string[];
}

/** Money is followed back over this many transfers. */
export const TRAIL_HOPS = 3;
/** Whoever pays more addresses than this has customers, like an exchange. */
const REACH = 8;
/** A common payer counts when at least this share of the seller's own money is from it: a gift cannot frame a seller. */
const SELLERS_SHARE = 0.25;
/** Of those whom a payer with many customers pays, this share bids at hardly any other seller: then it has none. */
const DEVOTED = 0.8;
const MOSTLY = 0.5;

/** From this share on money whose way is not known leaves open whose it is. */
const MUCH_UNSEEN = 0.2;

interface Question {
  readonly seller: Side;
  readonly bidders: readonly Side[];
  readonly payments: readonly Paid[];
  /** Known as exchanges, bridges and mixers. */
  readonly known: ReadonlySet<string>;
  /** The bidders who bid at hardly any other seller; null where there is hardly another seller. */
  readonly attached: ReadonlySet<string> | null;
  /** To whom more was paid than was looked at; left out: to nobody. */
  readonly cut?: ReadonlySet<string>;
}

/**
 * Follows the money of each bidder back, in proportion to its value (Möser, Böhme, Breuker, "Towards Risk Scoring of
 * Bitcoin Transactions", 2014): to the seller's side, to payers whom both have, to the public, or to nowhere known.
 */
export function moneyTrails(question: Question): BidderMoney[] {
  const { seller, bidders } = question;
  const walk = walkOf(question);
  const sellers = new Set(seller.addresses);
  const sellersOwn = ancestors(walk, seller.addresses);
  const common = new Set([...sellersOwn].filter(([, share]) => share >= SELLERS_SHARE).map(([a]) => a));
  const traced = bidders.map((side) => ({
    ...sharesOf(walk, side.addresses, { sellers, common }),
    toSeller: rounded(side.addresses.reduce((sum, address) => sum + (sellersOwn.get(address) ?? 0), 0)),
    name: side.name,
    from: dominant(ancestors(walk, side.addresses), sellers),
  }));
  const groups = marks(traced.map(({ from }) => from));
  return traced.map(({ name, from, ...shares }) => ({
    bidder: name,
    ...shares,
    group: from === null ? null : (groups.get(from) ?? null),
  }));
}

/** Of these sides, whose money came too much by way of addresses to whom more was paid than was looked at. */
export function halfSeen(question: Question): string[] {
  const { seller, bidders, cut = new Set() } = question;
  if (cut.size === 0) return [];
  const walk = walkOf(question);
  return [seller, ...bidders]
    .filter(({ addresses }) => unseenOf(walk, addresses, cut) >= MUCH_UNSEEN)
    .map(({ name }) => name);
}

function walkOf({ seller, bidders, payments, known, attached }: Question): Walk {
  const into = grouped(payments, (p) => p.to);
  const out = grouped(payments, (p) => p.from);
  const sellers = new Set(seller.addresses);
  const sideOf = new Map(bidders.flatMap(({ name, addresses }) => addresses.map((a) => [a, name] as const)));
  const reach = (payer: string): number => new Set((out.get(payer) ?? []).map((p) => p.to)).size;
  /** One address of an exchange into which many pay, and which hands everything on to one that pays many. */
  const isCollector = (payer: string, paid: ReadonlySet<string>): boolean =>
    paid.size > 0 &&
    [...paid].every((to) => reach(to) > REACH) &&
    severalPayers(into.get(payer) ?? []) > REACH;
  const look = (payer: string): Kind => {
    if (known.has(payer) || payer === NOBODY) return 'public';
    const paid = new Set((out.get(payer) ?? []).map((p) => p.to));
    if (paid.size <= REACH) return isCollector(payer, paid) ? 'public' : 'private';
    const payers = new Set((into.get(payer) ?? []).map((p) => p.from));
    if (payers.size > REACH) return 'public';
    const others = [...paid].filter((to) => !sellers.has(to));
    const devoted = others.filter((to) => attached?.has(sideOf.get(to) ?? '') === true);
    if (devoted.length >= DEVOTED * others.length) return 'private';
    return payers.size === 0 ? 'public' : 'hub';
  };
  // The same payers stand behind many bidders.
  const kinds = new Map<string, Kind>();
  const kindOf = (payer: string): Kind => {
    const kind = kinds.get(payer) ?? look(payer);
    kinds.set(payer, kind);
    return kind;
  };
  return { into, kindOf };
}

/**
 * `public`: known as such, or with many payers and many customers, or with customers and no payer that is known.
 * `hub`: pays many, on behalf of few; what it paid is followed on to those, and is nothing that two have in common.
 */
type Kind = 'public' | 'hub' | 'private';

interface Walk {
  readonly into: ReadonlyMap<string, readonly Paid[]>;
  readonly kindOf: (address: string) => Kind;
}

/** The payers of these addresses, each with its share of what came in. */
function payersOf({ into }: Walk, addresses: readonly string[]): [string, number][] {
  const own = new Set(addresses);
  const sums = new Map<string, Micro>();
  for (const { from, usd } of addresses.flatMap((a) => into.get(a) ?? []))
    if (!own.has(from)) sums.set(from, (sums.get(from) ?? 0n) + usd);
  const counted = [...sums].filter(([, usd]) => usd >= DUST_USD);
  const total = counted.reduce((sum, [, usd]) => sum + usd, 0n);
  return counted.map(([from, usd]) => [from, Number(usd) / Number(total)]);
}

function sharesOf(
  walk: Walk,
  addresses: readonly string[],
  { sellers, common }: { readonly sellers: ReadonlySet<string>; readonly common: ReadonlySet<string> },
): Omit<BidderMoney, 'bidder' | 'group' | 'toSeller'> {
  const found = { fromSeller: 0, shared: 0 };
  const follow = (of: readonly string[], weight: number, hops: number, seen: ReadonlySet<string>): void => {
    for (const [payer, share] of payersOf(walk, of)) {
      const part = weight * share;
      if (sellers.has(payer)) found.fromSeller += part;
      else if (walk.kindOf(payer) === 'public') continue;
      else if (common.has(payer)) found.shared += part;
      else if (hops < TRAIL_HOPS && !seen.has(payer))
        follow([payer], part, hops + 1, new Set([...seen, payer]));
    }
  };
  follow(addresses, 1, 1, new Set(addresses));
  return { fromSeller: rounded(found.fromSeller), shared: rounded(found.shared) };
}

/** Everybody without customers through whom the money of these addresses came, with the share that did. */
function ancestors(walk: Walk, addresses: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  const follow = (of: readonly string[], weight: number, hops: number, seen: ReadonlySet<string>): void => {
    for (const [payer, share] of payersOf(walk, of)) {
      const kind = walk.kindOf(payer);
      if (seen.has(payer) || kind === 'public') continue;
      if (kind === 'private') found.set(payer, (found.get(payer) ?? 0) + weight * share);
      if (hops < TRAIL_HOPS) follow([payer], weight * share, hops + 1, new Set([...seen, payer]));
    }
  };
  follow(addresses, 1, 1, new Set(addresses));
  return found;
}

/** The share of what came to these addresses that came by way of some to whom more was paid than was looked at. */
function unseenOf(walk: Walk, addresses: readonly string[], cut: ReadonlySet<string>): number {
  const follow = (of: readonly string[], weight: number, hops: number, seen: ReadonlySet<string>): number => {
    if (hops === TRAIL_HOPS) return 0;
    if (of.some((address) => cut.has(address))) return weight;
    return payersOf(walk, of)
      .filter(([payer]) => !seen.has(payer) && walk.kindOf(payer) !== 'public')
      .map(([payer, share]) => follow([payer], weight * share, hops + 1, new Set([...seen, payer])))
      .reduce((sum, part) => sum + part, 0);
  };
  return follow(addresses, 1, 0, new Set(addresses));
}

/** As how many payers of equal sums these count (inverse of Simpson's index). */
function severalPayers(paid: readonly Paid[]): number {
  const total = paid.reduce((sum, { usd }) => sum + Number(usd), 0);
  const squares = [...grouped(paid, (p) => p.from).values()].reduce(
    (sum, of) => sum + of.reduce((all, { usd }) => all + Number(usd) / total, 0) ** 2,
    0,
  );
  return total === 0 ? 0 : 1 / squares;
}

/** The farthest payer from whom most of the money came, outside the seller's side. */
function dominant(from: ReadonlyMap<string, number>, sellers: ReadonlySet<string>): string | null {
  const most = [...from].filter(([address, share]) => share >= MOSTLY && !sellers.has(address));
  return most.at(-1)?.[0] ?? null;
}

function rounded(share: number): number {
  return Math.round(Math.min(1, share) * 20) / 20;
}

/** A mark for each payer whom several have. */
function marks(from: readonly (string | null)[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const payer of from) if (payer !== null) counts.set(payer, (counts.get(payer) ?? 0) + 1);
  const several = [...counts].filter(([, n]) => n > 1).map(([payer]) => payer);
  return new Map(several.map((payer, i) => [payer, `group-${i + 1}`]));
}

function grouped(payments: readonly Paid[], by: (p: Paid) => string): Map<string, Paid[]> {
  const found = new Map<string, Paid[]>();
  for (const payment of payments) {
    const held = found.get(by(payment));
    if (held === undefined) found.set(by(payment), [payment]);
    else held.push(payment);
  }
  return found;
}
