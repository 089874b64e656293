import { components, graphOf } from './graph.ts';
import type { DealHistory } from './shill-evidence.ts';

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
}

export function roundsOf(history: DealHistory): Rounds {
  const { trades, lot, seller, buyer, deals } = history;
  const owners = ringOf(history);
  if (owners.length === 0) return { owners, laps: 0, lots: 0, share: 0 };
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
  };
}

/** Dealers who resell get a few things back, but these are less than this share of all their trade. */
const MOSTLY = 1 / 3;

/**
 * Whether the circulation goes on: the lot goes the same way again; or a second lot circulates among the same three or
 * more owners, or a third one between the same two, who may return things to each other. In each case it must be a good
 * part of everything that both sides trade.
 */
export function goesOn({ owners, laps, lots, share }: Rounds): boolean {
  return share >= MOSTLY && (laps > 0 || lots > (owners.length === 2 ? 2 : 1));
}

/** The owners among whom the lot circulates once this deal is done; empty when it does not circulate. */
export function ringOf({
  trades,
  lot,
  seller,
  buyer,
}: Pick<DealHistory, 'trades' | 'lot' | 'seller' | 'buyer'>): string[] {
  const edges = trades.filter((t) => t.lot === lot).map((t) => [t.seller, t.buyer] as const);
  const found = components(graphOf([...edges, [seller, buyer]]));
  return (
    found.find((members) => members.includes(seller) && members.includes(buyer) && members.length > 1) ?? []
  );
}
