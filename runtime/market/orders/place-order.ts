import { AppError, type Refusal } from '../../../agents/errors.ts';
import { clearingPrice, overlapping } from '../../../agents/market/book.ts';
import { isNameLot } from '../../../agents/names/name.ts';
import type { Database, Trx } from '../../../store/database.ts';
import { findListing, isLive, isOfAnotherMaker, standingListingOf } from '../../../store/market/listings.ts';
import type { OrderRow } from '../../../store/market/lots.ts';
import type { OrderSnapshot } from '../../../store/market/order-context.ts';
import {
  type AskedOrder,
  type JudgedOrder,
  matchPlaced,
  type Placed,
  writeOrder,
} from '../../../store/market/place-order.ts';
import { dropLot } from '../../../store/market/withdrawals.ts';
import { insertRecord } from '../../../store/records/records.ts';
import { knownOwner } from '../../agent/public.ts';
import { startDeal, wakeStartedDeal } from '../../deal/public.ts';
import { lotOf } from '../../determinations/public.ts';
import { recordIdOf, signRecord } from '../../records/public.ts';
import type { LastCall, Services } from '../../services.ts';
import { AssetLeft } from '../listings/prove-control.ts';
import { readAgents } from '../matching/judge-pair.ts';
import { type PairProofs, UnprovenPair, withProofs } from '../matching/prove-pair.ts';
import { mayMatch, type ScreenedPair } from '../matching/screen-pair.ts';
import { isInForce, whyNotInForce } from './judge-order.ts';
import { judgePlacing } from './judge-placing.ts';
import { LookAgain } from './look-again.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { OrderTerms } from './order-terms.ts';
import { lookAtLot, type OrderingAgent, readOrderingAgent } from './read-ordering-agent.ts';

interface Beside {
  readonly nonce?: string;
  readonly useUp?: () => Promise<void>;
  readonly also?: (trx: Trx, placed: Placed) => Promise<void>;
}

/**
 * Places an order within its agent's mandate and live caps, including open deals, and starts the match that it makes.
 * It reads the chain and the book without a lock, judges what it read, and writes under the locks if nothing has
 * changed. If something has, it reads again, up to three times. An order that its account cannot cover is written
 * unfunded. A refused order leaves a public record that shows no amount.
 * @param first what was already read
 * @param beside.nonce the nonce of the signature on the request; it is used up together with the order
 * @param beside.useUp uses up the nonce when the order is refused, before the refusal is recorded, so that nobody can
 *   create more records by sending a used request again
 * @param beside.also writes something else in the order's transaction; throws to refuse the order
 * @throws AppError not-listed, agent-not-active, mandate-exceeded, conflict, unavailable, signature-used
 */
export async function placeOrder(
  services: Services,
  first: OrderingAgent,
  terms: OrderTerms,
  lastCall: LastCall,
  beside: Beside = {},
): Promise<Placed> {
  const { handle } = first.agent;
  const { lot, listingRef } = await listingOf(services, terms, first.look);
  const orderId = services.newId('ord');
  const order = { ...terms, orderId, ...(beside.nonce === undefined ? {} : { nonce: beside.nonce }) };
  const seen: Seen = { agent: first, look: first.look };
  try {
    const placed = await withProofs(services, async (proofs) => {
      // The book is another one where an order was found short; this one may be it.
      const short = proofs.takeShort();
      if (short.size > 0) seen.look = null;
      if (short.has(orderId)) seen.agent = null;
      if (seen.agent === null) {
        seen.agent = await readOrderingAgent(services, handle, listingRef);
        seen.look = seen.agent.look;
      }
      const agent = seen.agent;
      const owner = knownOwner(handle, agent.beneficialOwner);
      return await oneAtATime(services.db, [lot, handle], async () => {
        const look = seen.look ?? (await lookAtLot(services, { listingRef, handle, owner }));
        if (look === null) throw new AppError('not-listed', `${lot} is not listed.`);
        const judged = judgeSeen(seen, agent, look, order);
        const pair = pairOf(judged);
        // What was read may still be current after the chain has been asked about the pair.
        seen.look = look;
        if (pair !== null && !proofs.knows(pair)) {
          const agents = await readAgents(services.db, pair);
          if (agents !== null && (await mayMatch(services.db, pair, look.asked.now, agents)))
            throw new UnprovenPair(pair, { ...agents, listing: judged.listing });
        }
        return await write(services, judged, { proofs, lastCall, also: beside.also }).catch(
          (error: unknown) => {
            if (!(error instanceof UnprovenPair)) seen.look = null;
            throw error;
          },
        );
      });
    });
    if (placed.match) {
      services.crash('after-match-before-settlement');
      wakeStartedDeal(services);
    }
    return placed;
  } catch (error) {
    if (error instanceof AssetLeft) {
      await services.db.transaction().execute((trx) => dropLot(trx, error.lot, services.now()));
      throw new AppError('not-listed', error.message);
    }
    if (error instanceof AppError && error.code === 'mandate-exceeded') {
      await beside.useUp?.();
      await recordRefusal(services, { handle, orderId, lot, error, now: services.now() });
    }
    throw error;
  }
}

/** What was read last; null when it must be read again. */
interface Seen {
  agent: OrderingAgent | null;
  look: OrderSnapshot | null;
}

/**
 * Judges an order by what was read. @throws LookAgain when the chain was read too early for it, AppError to refuse the
 * order
 */
function judgeSeen(
  seen: Seen,
  agent: OrderingAgent,
  look: OrderSnapshot,
  order: AskedOrder & Pick<OrderTerms, 'category'>,
): JudgedOrder {
  const { before } = look;
  const isCurrent = look.asked.owner === agent.beneficialOwner && before.agentEpoch === agent.agent.epoch;
  if (isCurrent && isInForce(agent, before, order.side)) return judgePlacing(look, order, agent.agent, agent);
  Object.assign(seen, { agent: null, look: null });
  throw new LookAgain(
    isCurrent ? whyNotInForce(agent, before) : `The agent "${agent.agent.handle}" was being changed`,
  );
}

/** The pair that a buyer's order makes, if the two overlap. */
function pairOf({ look, order, listing, short, priceToBeat }: JudgedOrder): ScreenedPair | null {
  const { sell } = look.before;
  if (priceToBeat !== null || short !== null || order.side === 'sell' || sell === null) return null;
  const { orderId, limit } = order;
  const { handle, owner, now } = look.asked;
  const [bid] = overlapping(sell, [{ orderId, owner, seq: 1n, limit, openingBid: limit }]);
  if (bid === undefined) return null;
  const { category, listing_ref, asset_key } = listing;
  const about = { category, listing_ref, asset_key, placed_at: null };
  return {
    sell: {
      ...about,
      order_id: sell.orderId,
      handle: sell.handle,
      owner: sell.owner,
      limit_price: sell.limit,
      created_at: sell.since,
    },
    buy: { ...about, order_id: orderId, handle, owner, limit_price: limit, created_at: now },
    price: clearingPrice(listing, sell, bid),
  };
}

/**
 * Writes what was judged, in one statement if nothing else must be written. @throws LookAgain, AppError signature-used
 */
async function write(
  services: Services,
  judged: JudgedOrder,
  { proofs, lastCall, also }: { proofs: PairProofs; lastCall: LastCall; also: Beside['also'] | undefined },
): Promise<Placed> {
  const { priceToBeat, short } = judged;
  if (priceToBeat !== null && also === undefined) {
    lastCall();
    return { order: await written(services.db, judged), priceToBeat, match: null, short };
  }
  return await services.db.transaction().execute(async (trx) => {
    const order = await written(trx, judged);
    const { now } = judged.look.asked;
    const ids = { matchId: services.newId('mat'), dealId: services.newId('deal') };
    const placed =
      priceToBeat === null
        ? await matchPlaced(trx, judged, order, { ids, allows: proofs.allows(trx, now) })
        : { order, priceToBeat, match: null, short };
    if (placed.match) await startDeal(services, trx, placed.match, now);
    await also?.(trx, placed);
    lastCall();
    return placed;
  });
}

/** @throws LookAgain, AppError signature-used */
async function written(db: Database | Trx, judged: JudgedOrder): Promise<OrderRow> {
  const order = await writeOrder(db, judged);
  if (order === 'changed') throw new LookAgain('The lot, or what the agent holds, changed');
  if (order === 'signature-used') throw new AppError('signature-used', 'Each signature counts once.');
  return order;
}

/**
 * The lot for which the order is meant, as it is listed, in whatever spelling. @throws AppError not-listed, conflict
 * for a name
 */
async function listingOf(
  services: Services,
  { asset, listingRef }: OrderTerms,
  look: OrderSnapshot | null,
): Promise<{ readonly lot: string; readonly listingRef: string }> {
  if (asset === null) {
    const ref = listingRef as string;
    const lot = look?.lot ?? (await findListing(services.db, ref))?.asset_key;
    if (lot === undefined) throw new AppError('not-listed', `There is no listing "${ref}".`);
    return { lot: requireNoName(lot), listingRef: ref };
  }
  const { key } = await lotOf(services.evidence, asset);
  requireNoName(key);
  const listing = await standingListingOf(services.db, key);
  if (listing === null || !isLive(listing)) throw new AppError('not-listed', `${key} is not listed.`);
  // One number is promised once, whoever made the thing; but who orders the one maker's does not mean the other's.
  if (isOfAnotherMaker(listing.asset_key, key))
    throw new AppError(
      'not-listed',
      `${key} is not listed, and ${listing.asset_key} is: give listingRef "${listing.listing_ref}" if you mean that one.`,
    );
  return { lot: requireNoName(listing.asset_key), listingRef: listing.listing_ref };
}

function requireNoName(lot: string): string {
  if (!isNameLot(lot)) return lot;
  throw new AppError('conflict', `${lot} is a name: buy it, or bid on it, by POST /domains/{name}/….`);
}

/** Leaves a public record that a mandate refused an order; it shows no amount. */
export async function recordRefusal(
  services: Services,
  refusal: { handle: string; orderId: string; lot: string; error: Refusal; now: Date },
): Promise<void> {
  const { handle, lot, error, now } = refusal;
  const limit = String(error.extra.limit ?? 'mandate');
  const signed = await signRecord(services.signRecord, {
    recordId: recordIdOf('order-refused', refusal.orderId),
    kind: 'order-refused',
    issuedAt: now,
    subject: lot,
    parties: [handle],
    summary: `An order of ${handle} was refused by its mandate (${limit}).`,
    content: { lot, check: limit },
    handle,
  });
  await services.db.transaction().execute((trx) => insertRecord(trx, signed));
}
