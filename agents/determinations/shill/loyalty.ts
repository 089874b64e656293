import { type BidHistory, lotsByBidder } from './bid-history.ts';
import type { BidRing } from './bid-rings.ts';
import { commonTail } from './chances.ts';

/**
 * Why a ring may be honest. Honest low bidders also meet at one seller and never win, if there is hardly another
 * seller, or if others come back to this one too. A rule of behaviour alone condemns too many (Dong, Shatz and Xu,
 * "Reasoning under Uncertainty for Shill Detection in Online Auctions Using Dempster-Shafer Theory", 2010, ask for
 * evidence of several kinds), so each of these reasons leaves the ring unjudged. Null when no honest reason is known.
 */
export function honestReason(history: BidHistory, ring: BidRing): string | null {
  const share = shareOfMarket(history);
  if (share > WIDE)
    return `this seller has ${percent(share)} of the lots that the market bids on, so that whoever bids at all comes back here`;
  const customers = loyalWinners(history);
  if (customers.length >= ring.members.length)
    return `${customers.length} others come back here as they do, and win: a seller with customers`;
  return null;
}

/**
 * The same by chance: null only if, in addition, each of the first three members comes here more often than chance
 * explains in this market.
 */
export function honestChance(history: BidHistory, ring: BidRing): string | null {
  const own = lotsByBidder(history.lots);
  const live = history.lots.filter((lot) => lot.bids.length > 0).length;
  const likeliest = Math.max(
    ...ring.members.slice(0, 3).map((member) => {
      const here = own.get(member)?.size ?? 0;
      const everywhere = Math.max(here, history.lotsOf[member] ?? here);
      return commonTail(here, Math.max(history.market, live), live, everywhere);
    }),
  );
  const tried = Object.keys(history.lotsOf).length;
  if (likeliest * tried >= UNLIKELY)
    return `among ${tried} bidders one comes to this seller as often by chance`;
  return honestReason(history, ring);
}

/** When one seller has more than this share of a market, coming back to it proves nothing. */
export const WIDE = 0.25;
const UNLIKELY = 0.01;
/** A customer belongs to this seller like a ring member and wins more than a member may: see `bid-rings.ts`. */
const CUSTOMER = { lots: 2, attached: 0.5, wins: 0.2 } as const;

/** The bidders who bid at hardly any other seller; null where this seller is much of the market. */
export function attachedBidders(history: BidHistory): ReadonlySet<string> | null {
  if (shareOfMarket(history) > WIDE) return null;
  const own = [...lotsByBidder(history.lots)];
  return new Set(
    own
      .filter(([bidder, lots]) => lots.size >= CUSTOMER.attached * (history.lotsOf[bidder] ?? lots.size))
      .map(([bidder]) => bidder),
  );
}

export function shareOfMarket({ lots, market }: BidHistory): number {
  const live = lots.filter((lot) => lot.bids.length > 0).length;
  return live / Math.max(1, market, live);
}

function loyalWinners({ lots, lotsOf }: BidHistory): string[] {
  const won = new Map<string | null, number>();
  for (const { winner } of lots) won.set(winner, (won.get(winner) ?? 0) + 1);
  return [...lotsByBidder(lots)]
    .filter(
      ([bidder, own]) =>
        own.size >= CUSTOMER.lots &&
        own.size >= CUSTOMER.attached * (lotsOf[bidder] ?? own.size) &&
        (won.get(bidder) ?? 0) > CUSTOMER.wins * own.size,
    )
    .map(([bidder]) => bidder);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} percent`;
}
