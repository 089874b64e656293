import { sql } from 'kysely';
import type { BidHistory } from '../../../../agents/determinations/shill/bid-history.ts';
import { attachedBidders } from '../../../../agents/determinations/shill/loyalty.ts';
import type { Side } from '../../../../agents/determinations/shill/payers.ts';
import type { LotBook } from '../../../../agents/determinations/shill/shill-evidence.ts';
import { beneficialOf } from '../../../../store/agent/beneficial-owners.ts';
import type { Database } from '../../../../store/database.ts';
import type { DealMatch } from '../../../../store/deal/deals.ts';
import type { EvidenceDeps } from '../../deps.ts';
import { gatherMoneyTrails } from './bidder-money.ts';
import { type BidRow, readBids } from './seller-bids.ts';

/** Of a deal, so many of the newest are looked at, and everybody's of the same days: its record holds them. */
const MAX_DEAL_BIDS = 400;

/**
 * The bidding history of the seller of a lot, how others bid in this market, and where the bidders' money is from; with
 * labels for the bidders and without amounts: who bids how much is private, and this evidence is published. It tells
 * nothing of a limit: which orders count as bids goes by what the bidder's account held.
 * @param lotRef a listing's reference or an asset's key
 * @param seller its handle, account or owner
 * @returns null when there is no such lot here
 */
export async function gatherBook(
  deps: EvidenceDeps,
  { lotRef, seller, now }: { readonly lotRef: string; readonly seller: string; readonly now: Date },
): Promise<LotBook | null> {
  const { db } = deps;
  const listing = await db
    .selectFrom('listings')
    .innerJoin('agents', 'agents.handle', 'listings.handle')
    .select([
      'listing_ref',
      'listings.handle',
      'agents.owner',
      beneficialOf(sql.ref('agents.owner')).as('beneficial_owner'),
      'agents.account',
      'agents.session_key',
      'chain_id',
      'category',
    ])
    .where((eb) => eb.or([eb('listing_ref', '=', lotRef), eb('asset_key', '=', lotRef)]))
    .orderBy('listings.seq', 'desc')
    .executeTakeFirst();
  if (listing === undefined) return null;
  const owner = listing.beneficial_owner;
  const account = listing.account.toLowerCase();
  const addresses = [...new Set([owner, listing.owner.toLowerCase(), account])];
  const names = [listing.handle, ...addresses];
  const { read, labels, history } = await readBids(db, {
    ...{ listingRef: listing.listing_ref, category: listing.category, now },
    seller: { owner, account, sessionKey: listing.session_key.toLowerCase() },
  });
  const side = new Map(
    read.flatMap((r) =>
      r.by === null || r.owner === null ? [] : [[labels.get(r.owner) ?? '', r.by] as const],
    ),
  );
  const money = await gatherMoneyTrails(deps, {
    chainId: listing.chain_id,
    seller: { name: listing.handle, addresses },
    bidders: sidesOf(read, labels, owner),
    attached: attachedBidders(history),
    lotsOf: lotsBidOn(read, labels),
  });
  return {
    listingRef: listing.listing_ref,
    sellerListed: names.includes(seller.toLowerCase()),
    sellerSide: [...side].map(([bidder, by]) => ({ bidder, by })),
    history,
    ...(money === undefined ? {} : { money }),
  };
}

/**
 * The bids on the lots of a deal's seller and in its market, as {@link gatherBook} reads them.
 * @param most bidders on all lots that are looked at
 */
export async function gatherDealBids(
  db: Database,
  deal: DealMatch,
  now: Date,
  most = MAX_DEAL_BIDS,
): Promise<BidHistory> {
  const { history } = await readBids(db, {
    ...{ listingRef: deal.listing_ref, category: deal.category, now },
    seller: {
      owner: deal.seller_owner,
      account: deal.account.toLowerCase(),
      sessionKey: deal.session_key.toLowerCase(),
    },
    most,
  });
  return history;
}

/** On how many of the seller's lots, of any category, each bidder bid. */
function lotsBidOn(rows: readonly BidRow[], labels: ReadonlyMap<string, string>): Map<string, number> {
  const lots = new Map<string, Set<string>>();
  for (const { owner, listing } of rows) {
    const bidder = owner === null ? undefined : labels.get(owner);
    if (bidder !== undefined) lots.set(bidder, (lots.get(bidder) ?? new Set()).add(listing));
  }
  return new Map([...lots].map(([bidder, on]) => [bidder, on.size]));
}

/** Each bidder with the accounts that bid for it. */
function sidesOf(rows: readonly BidRow[], labels: ReadonlyMap<string, string>, seller: string): Side[] {
  const accounts = new Map<string, Set<string>>();
  for (const { owner, account } of rows) {
    if (owner === null || owner === seller) continue;
    const own = accounts.get(owner) ?? new Set([owner]);
    accounts.set(owner, account === null ? own : own.add(account));
  }
  return [...accounts].map(([owner, own]) => ({ name: labels.get(owner) ?? '', addresses: [...own] }));
}
