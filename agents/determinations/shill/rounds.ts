import { components, graphOf } from './graph.ts';
import type { DealHistory, Trade } from './shill-evidence.ts';

/** How a lot circulates once a deal is done, and what else circulates with it. */
interface Rounds {
  /** The owners among whom it circulates; empty when it does not. */
  readonly owners: readonly string[];
  /** How often its seller sold it to this buyer before. */
  readonly laps: number;
  /** How many lots, including this one, circulated among these owners. */
  readonly lots: number;
  /** The share of these circulating deals in all deals that the busier side settled, including this deal. */
  readonly share: number;
  /** No deal here shows how it came back. */
  readonly hidden: boolean;
  /** Its seller sold it before to others than this buyer, and no deal here shows how it has it again. */
  readonly again: boolean;
}

export function roundsOf(history: DealHistory): Rounds {
  const { trades, lot, seller, buyer, deals } = history;
  const { owners, hidden } = circle(history);
  if (owners.length === 0) return { owners, laps: 0, lots: 0, share: 0, hidden, again: isBack(history) };
  const inside = trades.filter((t) => owners.includes(t.seller) && owners.includes(t.buyer));
  const others = [...new Set(inside.map((t) => t.lot))].filter((other) => other !== lot);
  const round = others.filter((other) =>
    components(graphOf(inside.filter((t) => t.lot === other).map((t) => [t.seller, t.buyer] as const))).some(
      (members) => members.length > 1,
    ),
  );
  const going = inside.filter((t) => t.lot === lot || round.includes(t.lot));
  const share = (who: string, settled: number): number =>
    Math.min(1, (1 + going.filter((t) => t.seller === who || t.buyer === who).length) / (1 + settled));
  return {
    owners,
    laps: trades.filter((t) => t.lot === lot && t.seller === seller && t.buyer === buyer).length,
    lots: 1 + round.length,
    share: Math.min(share(seller, deals.seller), share(buyer, deals.buyer)),
    hidden,
    again: false,
  };
}

/** Whether the lot goes round, or its seller has it again, as far as deals here tell. */
export function comesBack({ owners, again }: Rounds): boolean {
  return owners.length > 0 || again;
}

/** Dealers who resell get a few things back, but these are less than this share of all their trade. */
const MOSTLY = 1 / 3;

/**
 * Whether the circulation goes on: the lot goes the same way again; or a second lot circulates among the same three or
 * more owners, or a third one between the same two, who may return things to each other. In each case it must be a good
 * part of everything that both sides trade. What came back outside of deals once may have been given back and sold again.
 */
export function goesOn({ owners, laps, lots, share, hidden }: Rounds): boolean {
  return share >= MOSTLY && (laps > (hidden ? 1 : 0) || lots > (owners.length === 2 ? 2 : 1));
}

type Lot = Pick<DealHistory, 'trades' | 'lot' | 'seller' | 'buyer'>;
type Way = readonly [from: string, to: string];

/** The owners among whom the lot circulates once this deal is done; empty when it does not circulate. */
export function ringOf(history: Lot): readonly string[] {
  return circle(history).owners;
}

function circle({ trades, lot, seller, buyer }: Lot): Pick<Rounds, 'owners' | 'hidden'> {
  const sold = [...trades.filter((t) => t.lot === lot), { seller, buyer }];
  const seen = sold.map((t): Way => [t.seller, t.buyer]);
  const around = (ways: readonly Way[]): readonly string[] =>
    components(graphOf(ways)).find((all) => all.includes(seller) && all.includes(buyer) && all.length > 1) ??
    [];
  const owners = around(seen);
  if (owners.length > 0) return { owners, hidden: false };
  return { owners: around([...seen, ...outside({ trades, lot, seller, buyer })]), hidden: true };
}

/** Books, recordings and trade items stand under one number however many there are. */
const EDITIONS = /^serial:(?:isbn|isrc|gtin):/;

/**
 * The ways of one thing that no deal here shows: whoever sells it must have it from who bought it last. Nothing is told of
 * what there are several of, and by deals whose order is not known.
 */
function outside(history: Lot): Way[] {
  const sold = [...inOrder(history), history];
  return sold
    .slice(1)
    .map((next, i): Way => [sold[i]!.buyer, next.seller])
    .filter(([from, to]) => from !== to);
}

function isBack(history: Lot): boolean {
  const sold = inOrder(history);
  return sold.some((t) => t.seller === history.seller) && sold.at(-1)?.buyer !== history.seller;
}

/** The earlier deals over one thing, the first one first. */
function inOrder({ trades, lot }: Lot): readonly Trade[] {
  if (EDITIONS.test(lot)) return [];
  return trades
    .flatMap((t) => (t.lot === lot && t.place !== undefined ? [{ ...t, place: t.place }] : []))
    .sort((a, b) => a.place - b.place || (a.dealId < b.dealId ? -1 : 1));
}
