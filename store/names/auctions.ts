import type { Selectable } from 'kysely';
import { Refusal } from '../../agents/errors.ts';
import { dutchPrice, leastBid } from '../../agents/market/auction.ts';
import type { Micro } from '../../agents/money.ts';
import { lockActiveAgent } from '../agent/reservations.ts';
import type { Database, Trx } from '../database.ts';
import { findListing, type ListingRow, liveListingOf } from '../market/listings.ts';
import { lockLot } from '../market/lots.ts';
import { type Allows, type Match, type MatchIds, writeMatch } from '../market/matches.ts';
import { closeListing, leaveBook } from '../market/withdrawals.ts';
import type { Tables } from '../tables.ts';
import { type Auctioned, bidsOf } from './auction-price.ts';
import { bindingSell, winnerOf } from './auction-winner.ts';
import { stoppedBids } from './binding-orders.ts';
import { afterEnd, putOff } from './passed-over.ts';

export type AuctionRow = Selectable<Tables['auctions']>;

/** How long an auction's orders outlast its end, so that they do not expire first, however often it is extended. */
const SLACK_MS = 30 * 86_400_000;

export interface NewAuction {
  readonly auctionId: string;
  readonly assetKey: string;
  /** The selling agent. */
  readonly handle: string;
  readonly format: 'dutch' | 'ascending';
  /** For a Dutch auction only; null starts at the ask. */
  readonly start: Micro | null;
  readonly reserve: Micro;
  readonly durationMs: number;
  readonly windowMs: number;
  readonly extensionMs: number;
  readonly now: Date;
  /** Judges a sale at the reserve by the seller's mandate, with the agent locked. Throws to refuse. */
  readonly judge: (listing: ListingRow) => Promise<void>;
}

/**
 * Opens the auction of a listed name. A name has one auction at a time.
 * @throws Refusal not-listed, conflict, agent-not-active, bad-request when the price would not fall, and whatever
 *   `judge` throws
 */
export async function openAuction(trx: Trx, auction: NewAuction): Promise<AuctionRow> {
  const { now, format, reserve } = auction;
  await lockLot(trx, auction.assetKey);
  const listing = await requireName(trx, auction.assetKey);
  if (listing.handle !== auction.handle) {
    throw new Refusal('not-listed', `${auction.assetKey} is not listed by "${auction.handle}".`);
  }
  if (await runningAuction(trx, listing.listing_ref)) {
    throw new Refusal('conflict', 'An auction of this name is under way.');
  }
  const start = format === 'dutch' ? (auction.start ?? listing.ask) : null;
  if (start !== null && start <= reserve) {
    throw new Refusal('bad-request', 'startUsd, or the ask in its place, must be above reserveUsd.', {
      errors: [{ path: 'startUsd', message: 'must be above reserveUsd; left out, it is the ask' }],
    });
  }
  await lockActiveAgent(trx, auction.handle);
  await auction.judge(listing);
  const endsAt = new Date(now.getTime() + auction.durationMs);
  await trx
    .updateTable('orders')
    .set((eb) => ({ expires_at: eb.fn('greatest', ['expires_at', eb.val(withSlack(endsAt))]) }))
    .where('listing_ref', '=', listing.listing_ref)
    .where('side', '=', 'sell')
    .where('status', '=', 'resting')
    .execute();
  return await trx
    .insertInto('auctions')
    .values({
      auction_id: auction.auctionId,
      listing_ref: listing.listing_ref,
      format,
      start_price: start,
      reserve,
      window_ms: auction.windowMs,
      extension_ms: auction.extensionMs,
      starts_at: now,
      ends_at: endsAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function withSlack(endsAt: Date): Date {
  return new Date(endsAt.getTime() + SLACK_MS);
}

/** @throws Refusal not-listed, conflict when it is in a deal. The caller holds the lot's lock. */
export async function requireName(trx: Trx, assetKey: string): Promise<ListingRow> {
  const listing = await liveListingOf(trx, assetKey);
  if (!listing) throw new Refusal('not-listed', `${assetKey} is not listed.`);
  if (listing.status === 'live') return listing;
  throw new Refusal('conflict', `${assetKey} is in a deal: it is listed again if the deal does not settle.`);
}

/** The running auction of a listing, including one whose end has come and was not carried out yet. */
export async function runningAuction(db: Database | Trx, listingRef: string): Promise<AuctionRow | null> {
  const row = await db
    .selectFrom('auctions')
    .selectAll()
    .where('listing_ref', '=', listingRef)
    .where('status', '=', 'open')
    .executeTakeFirst();
  return row ?? null;
}

/** The one public figure of an auction: what a better offer must clear at this moment. */
export function figureOf(
  auction: Pick<AuctionRow, 'format' | 'start_price' | 'reserve' | 'starts_at' | 'ends_at' | 'price'>,
  at: Date,
): Micro {
  if (auction.format === 'ascending') return leastBid(auction.reserve, auction.price);
  const schedule = {
    start: auction.start_price as Micro,
    reserve: auction.reserve,
    startsAt: auction.starts_at.getTime(),
    endsAt: auction.ends_at.getTime(),
  };
  return dutchPrice(schedule, at.getTime());
}

export type Closing =
  /** The end has not come, or was put off. */
  | { readonly outcome: 'early'; readonly waitMs: number }
  | { readonly outcome: 'won'; readonly dealId: string; readonly match: Match | null }
  | { readonly outcome: 'unsold' | 'withdrawn' };

/**
 * Carries out the end of an auction, once: the caller tells its actor, in the same transaction. The highest bid of an
 * agent that may buy wins, at the price set by the other bids that may. Where bids that may not had made the price,
 * the auction goes on without them and nobody wins yet. The other bids remain until the winner's deal has settled,
 * unless they are cancelled. Without a winner every bid is released. What a stop of its agent would have taken off the
 * book during the auction leaves now. Repeated calls return the same result.
 * @throws Error when there is no such auction, and whatever `allows` throws
 */
export async function closeAuction(
  trx: Trx,
  input: { auctionId: string; ids: MatchIds; allows: Allows; now: Date },
): Promise<Closing> {
  const { auctionId, now } = input;
  const named = await findAuction(trx, auctionId);
  const listing = (await findListing(trx, named.listing_ref)) as ListingRow;
  await lockLot(trx, listing.asset_key);
  const auction = await findAuction(trx, auctionId);
  if (auction.status === 'won') return { outcome: 'won', dealId: auction.deal_id as string, match: null };
  if (auction.status !== 'open') return { outcome: auction.status };
  const waitMs = auction.ends_at.getTime() - now.getTime();
  if (waitMs > 0) return { outcome: 'early', waitMs };
  const present = await liveListingOf(trx, listing.asset_key);
  if (present?.listing_ref !== listing.listing_ref || present.status !== 'live') {
    // It has ended, or its fee is disputed: then it may come back, and these bids were not for that.
    await releaseBids(trx, listing, now);
    return { outcome: 'withdrawn' };
  }
  const sell = await bindingSell(trx, present);
  if (sell !== null && auction.format === 'ascending') {
    const { match, goesOnMs } = await award(trx, { ...input, listing: present, auction, sell });
    if (goesOnMs !== null) return { outcome: 'early', waitMs: goesOnMs };
    if (match !== null) {
      const stopped = await stoppedBids(trx, listing);
      await leaveBook(trx, listing.asset_key, stopped, 'cancelled', now);
      return { outcome: 'won', dealId: match.dealId, match };
    }
  }
  await releaseBids(trx, listing, now);
  if (sell === null) await closeListing(trx, present, 'dropped', now);
  return { outcome: 'unsold' };
}

/** What the bids of an ascending auction come to. */
interface Award {
  /** The best bid that may buy has the name. */
  readonly match: Match | null;
  /** How long the auction goes on, in milliseconds; null: it does not, and without a match nobody has the name. */
  readonly goesOnMs: number | null;
}

/** What becomes of an auction whose winner's deal was undone. */
export interface PassedOn extends Award {
  readonly auctionId: string;
}

/**
 * Passes over the bids that may not buy, and then puts the end of the auction off, or matches the best of those that are
 * left, or does neither. The caller holds the lot's lock.
 */
async function award(
  trx: Trx,
  input: Parameters<typeof winnerOf>[1] & {
    readonly auction: AuctionRow;
    readonly ids: MatchIds;
  },
): Promise<Award> {
  const { listing, auction, ids, now } = input;
  const pair = await winnerOf(trx, input);
  const next = await afterEnd(trx, listing, auction);
  if (next === 'go-on') return { match: null, goesOnMs: await putOff(trx, listing, auction, now) };
  const isAwarded = next === 'award' && pair !== null;
  return { match: isAwarded ? await writeMatch(trx, listing, pair, ids, now) : null, goesOnMs: null };
}

/**
 * Does after a winner's deal of an ascending auction that cannot settle what its end does after passing over bids. Where
 * what has left since then had made the price, the auction goes on without it; else the best bid that is left has the
 * name. When none may buy, or the listing is not paid for, all are released and the name is for sale at its ask. The caller
 * holds the lot's lock, and the seller's order rests again.
 * @param input.dealId the deal that was undone
 * @returns null where no such auction gave the name to that deal. Otherwise the caller tells the auction's actor.
 */
export async function awardNext(
  trx: Trx,
  input: { dealId: string; listing: ListingRow; ids: MatchIds; allows: Allows; now: Date },
): Promise<PassedOn | null> {
  const { listing, now } = input;
  const auction = await trx
    .selectFrom('auctions')
    .selectAll()
    .where('deal_id', '=', input.dealId)
    .where('format', '=', 'ascending')
    .executeTakeFirst();
  if (!auction) return null;
  const sell = listing.status === 'live' ? await bindingSell(trx, listing) : null;
  const nothing = { match: null, goesOnMs: null };
  const awarded = sell === null ? nothing : await award(trx, { ...input, auction, sell });
  if (awarded.match === null && awarded.goesOnMs === null) await releaseBids(trx, listing, now);
  return { auctionId: auction.auction_id, ...awarded };
}

async function releaseBids(trx: Trx, listing: Auctioned, now: Date): Promise<void> {
  const bids = await bidsOf(trx, listing);
  const ids = bids.map((b) => b.order_id);
  await leaveBook(trx, listing.asset_key, ids, 'expired', now);
}

/** The listing that is, or was, in an auction. @throws Error when there is no such auction */
export async function listingOfAuction(db: Database, auctionId: string): Promise<Auctioned> {
  return await db
    .selectFrom('auctions')
    .innerJoin('listings', 'listings.listing_ref', 'auctions.listing_ref')
    .select(['listings.listing_ref', 'listings.asset_key'])
    .where('auction_id', '=', auctionId)
    .executeTakeFirstOrThrow();
}

async function findAuction(trx: Trx, auctionId: string): Promise<AuctionRow> {
  return await trx
    .selectFrom('auctions')
    .selectAll()
    .where('auction_id', '=', auctionId)
    .executeTakeFirstOrThrow();
}
