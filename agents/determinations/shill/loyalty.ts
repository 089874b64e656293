import { type BidHistory, lotsByBidder } from './bid-history.ts';
import type { BidRing } from './bid-rings.ts';
import { commonTail } from './chances.ts';

/**
 * Why a ring is no finding: bidders who always meet at one seller and never win are also what honest low bidders are,
 * where there is hardly another seller to go to, or where others come back to this one too. A rule of behaviour alone
 * convicts too many (Dong, Shatz and Xu, "Reasoning under Uncertainty for Shill Detection in Online Auctions Using
 * Dempster-Shafer Theory", 2010: evidence of several kinds together, or none), so each of these leaves it unjudged.
 * Null where nothing honest is known to look so.
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

/** The same by chance: null too only where each of the first three is here beyond what the market makes of chance. */
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

/** The most of a market that one seller may have where coming back to it says something. */
const WIDE = 0.25;
const UNLIKELY = 0.01;
/** Who belongs to this seller as ring members do, and wins more than they may: see `bid-rings.ts`. */
const CUSTOMER = { lots: 2, attached: 0.5, wins: 0.2 } as const;

function shareOfMarket({ lots, market }: BidHistory): number {
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
