import {
  type BidHistory,
  type BidLot,
  type JoinedSellers,
  lotsByBidder,
  type MarketHabits,
} from './bid-history.ts';
import { groupAmong, isComparable, type LikelyGroup, LOSING } from './bid-likelihood.ts';
import { biddingRules } from './bidding-rules.ts';
import { logChoose } from './chances.ts';
import { type MarketLot, populationOf } from './market-habits.ts';

/** One owner's wallets sell at most so many at a time; more sellers with the same bidders are a market. */
const MOST_SELLERS = 4;
/** Where they are more of the market than this, whoever bids at all bids at them. */
const MOST_SHARE = 0.5;
/** A bidder keeps to the sellers on so many, and so much, of whose lots it bids; and to nobody else's beyond this share. */
const KEEPS = { lots: 2, rate: 0.25, inside: 0.8 } as const;
/** A bidder is this seller's when it bids here at least so often, as a share of how often it bids at the joined ones. */
const ALIKE = 0.5;
/** So many sets of sellers are compared, those to which most bidders keep. */
const MOST_SETS = 20;
/** The name of whoever won a joined lot and does not bid at the seller in question. */
const ELSE = '';

/** A group that bids at several sellers as if one stood behind them. */
export interface JoinedGroup extends LikelyGroup {
  /** How many sellers, the one in question among them. */
  readonly sellers: number;
}

/**
 * The sellers at whom the bidders of one seller bid as if all were one: a seller split over wallets, or sellers who bid for
 * one another. Of the sets to which single bidders keep, the one whose group stands out most.
 * @param lots all lots of the category
 * @returns null where no bidder keeps to two to four sellers
 */
export function joinedSellers(lots: readonly MarketLot[], seller: string): JoinedSellers | null {
  const live = lots.filter(({ bidders }) => bidders.length > 0);
  const { lotsOf, market, habits } = populationOf(lots, seller);
  const own = live.filter((lot) => lot.seller === seller).map(asBidLot);
  const others = new Set(live.map((lot) => lot.seller)).size - 1;
  let best: { readonly set: ReadonlySet<string>; readonly weight: number } | null = null;
  for (const set of setsOf(live, seller, lotsOf)) {
    const joined = joinedBy(live, { seller, set, others, habits });
    const group = joinedGroup({
      bidding: 5,
      days: 0,
      complete: true,
      lots: own,
      lotsOf,
      market,
      habits,
      joined,
    });
    if (group !== null && (best === null || group.weight > best.weight)) best = { set, weight: group.weight };
  }
  if (best === null) return null;
  const { set } = best;
  const asOne = live.map((lot) => (set.has(lot.seller) ? { ...lot, seller } : lot));
  return joinedBy(live, { seller, set, others, habits: populationOf(asOne, seller).habits });
}

/**
 * The group that stands out most among those who bid at the seller and at the joined ones; how many sets of sellers could
 * have been joined is taken off, too.
 * @returns null where the evidence tells of none, and of one bidder alone: a taste that few sellers serve is no finding
 */
export function joinedGroup(history: BidHistory, except?: ReadonlySet<string>): JoinedGroup | null {
  const { joined, lots, lotsOf, market } = history;
  if (joined == null || !isComparable(history)) return null;
  const all = [...lots.filter((lot) => lot.bids.length > 0), ...joined.lots.map(bidLotOf)];
  if (all.length > MOST_SHARE * market) return null;
  const others = new Set([...(except ?? []), ...elsewhereRather(history, joined)]);
  const rules = biddingRules(history, true);
  const group = groupAmong({ lots: all, lotsOf, market, habits: joined.habits }, others, rules);
  if (group === null || group.members.length < 2) return null;
  const weight = group.weight - logChoose(joined.among, joined.sellers - 1);
  return { ...group, weight, sellers: joined.sellers };
}

/** Those who bid at the joined sellers far more than here: what they do there says nothing of this seller. */
function elsewhereRather({ lots }: BidHistory, joined: JoinedSellers): string[] {
  const live = lots.filter((lot) => lot.bids.length > 0);
  const there = lotsByBidder(joined.lots.map(bidLotOf));
  return [...lotsByBidder(live)]
    .filter(([bidder, here]) => {
      const joint = (there.get(bidder)?.size ?? 0) / joined.lots.length;
      return here.size / live.length < ALIKE * joint;
    })
    .map(([bidder]) => bidder);
}

/**
 * The bidders who keep to the seller and the joined ones, where they win what they bid on between them: a style that few
 * sell has such customers, and most of them lose.
 * @returns nobody where they win next to nothing between them, as whoever bids for a seller does
 */
export function customersOf({ joined, lots, lotsOf }: BidHistory): ReadonlySet<string> {
  if (joined == null) return new Set();
  const live = lots.filter((lot) => lot.bids.length > 0);
  const there = joined.lots.map(bidLotOf);
  const all = [...live, ...there];
  const [own, other] = [lotsByBidder(live), lotsByBidder(there)];
  const keeping = [...own].flatMap(([bidder, here]) => {
    const joint = other.get(bidder)?.size ?? 0;
    const often = here.size >= KEEPS.rate * live.length && joint >= KEEPS.rate * there.length;
    const inside = here.size + joint >= LOSING.attached * (lotsOf[bidder] ?? 0);
    return often && inside ? [bidder] : [];
  });
  const customers = new Set(keeping);
  const won = all.filter(({ winner }) => winner !== null && customers.has(winner)).length;
  const decided = all.filter(({ winner }) => winner !== null).length;
  return won > LOSING.wins * decided ? customers : new Set();
}

/** The sets of sellers to which single bidders of this seller keep, those of most bidders first. */
function setsOf(
  lots: readonly MarketLot[],
  seller: string,
  lotsOf: Readonly<Record<string, number>>,
): ReadonlySet<string>[] {
  const sold = new Map<string, number>();
  const bidAt = new Map<string, Map<string, number>>();
  for (const { seller: by, bidders } of lots) {
    sold.set(by, (sold.get(by) ?? 0) + 1);
    for (const bidder of new Set(bidders)) {
      const at = bidAt.get(bidder) ?? new Map<string, number>();
      bidAt.set(bidder, at.set(by, (at.get(by) ?? 0) + 1));
    }
  }
  const sets = new Map<string, { readonly set: ReadonlySet<string>; bidders: number }>();
  for (const [bidder, at] of bidAt) {
    const kept = [...at].filter(([by, n]) => n >= KEEPS.lots && n >= KEEPS.rate * (sold.get(by) ?? 0));
    const inside = kept.reduce((sum, [, n]) => sum + n, 0);
    // Whoever sells and bids for others is one of them.
    const set = new Set([...kept.map(([by]) => by), ...(sold.has(bidder) ? [bidder] : [])]);
    if (!set.has(seller) || set.size < 2 || set.size > MOST_SELLERS) continue;
    if (inside < KEEPS.inside * (lotsOf[bidder] ?? inside)) continue;
    const key = [...set].sort().join(' ');
    const known = sets.get(key) ?? { set, bidders: 0 };
    known.bidders += 1;
    sets.set(key, known);
  }
  return [...sets]
    .sort(([a, one], [b, other]) => other.bidders - one.bidders || (a < b ? -1 : 1))
    .slice(0, MOST_SETS)
    .map(([, { set }]) => set);
}

/** What evidence keeps of the other sellers: whoever also bids at the one in question, and how many bid beside. */
function joinedBy(
  lots: readonly MarketLot[],
  {
    seller,
    set,
    others,
    habits,
  }: {
    readonly seller: string;
    readonly set: ReadonlySet<string>;
    readonly others: number;
    readonly habits: Required<MarketHabits>;
  },
): JoinedSellers {
  // The seller itself may bid for the others.
  const here = new Set([
    seller,
    ...lots.filter((lot) => lot.seller === seller).flatMap((lot) => lot.bidders),
  ]);
  return {
    sellers: set.size,
    among: others,
    lots: lots
      .filter((lot) => lot.seller !== seller && set.has(lot.seller))
      .map(({ bidders, winner }) => ({
        bidders: [...new Set(bidders)].filter((bidder) => here.has(bidder)),
        crowd: new Set(bidders).size,
        winner: winner === null || here.has(winner) ? winner : ELSE,
      })),
    habits,
  };
}

function asBidLot({ lot, bidders, winner }: MarketLot): BidLot {
  const bids = bidders.map((bidder) => ({ bidder, minute: 0, amount: null }));
  return { lot, minutes: 0, bids, winner, priceToAsk: null };
}

function bidLotOf({ bidders, crowd, winner }: JoinedSellers['lots'][number]): BidLot & { crowd: number } {
  return { ...asBidLot({ lot: '', seller: '', bidders, winner }), crowd };
}
