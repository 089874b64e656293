import { components, graphOf } from './graph.ts';
import type { DealHistory } from './shill-evidence.ts';

/** How a lot goes round once a deal is done, and what else goes round with it. */
interface Rounds {
  /** Among whom; none where it does not. */
  readonly owners: readonly string[];
  /** How often its seller sold it to this buyer before. */
  readonly laps: number;
  /** How many lots, this one counted, came round among these owners. */
  readonly lots: number;
  /** Of all that the busier side of the deal settled, this deal counted, the share that went round so. */
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

/** Of dealers who sell on what they buy a few things come back; this share of all their trade does not. */
const MOSTLY = 1 / 3;

/**
 * Whether it goes on: the same way again, a second lot among the same three or more, a third between the same two, who
 * may return things to each other; and that is a good part of all that both sides trade.
 */
export function goesOn({ owners, laps, lots, share }: Rounds): boolean {
  return share >= MOSTLY && (laps > 0 || lots > (owners.length === 2 ? 2 : 1));
}

/** The owners among whom the lot goes round once this deal is done; none where it does not. */
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
