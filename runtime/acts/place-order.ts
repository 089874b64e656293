import { type Asset, type AssetInput, normaliseAsset } from '../../agents/assets.ts';
import type { Category } from '../../agents/categories.ts';
import { AppError, badField } from '../../agents/errors.ts';
import type { Micro } from '../../agents/money.ts';
import { parseUsd } from '../../agents/money.ts';
import { isNameLot } from '../../agents/names/name.ts';
import { readTime } from '../../agents/times.ts';
import type { Trx } from '../../store/database.ts';
import { findListing, liveListingOf } from '../../store/listings.ts';
import { type Placed, placeOrder as rest } from '../../store/orders.ts';
import { insertRecord } from '../../store/records.ts';
import { dropLot } from '../../store/withdrawals.ts';
import { lotOf } from '../evidence/lots.ts';
import { recordIdOf, signRecord } from '../records.ts';
import type { LastCall, Services } from '../services.ts';
import { judgeOrder } from './judge-order.ts';
import { beneficialOwner, type OrderingAgent } from './live-agent.ts';
import { AssetLeft } from './prove-control.ts';
import { pairHolds } from './prove-pair.ts';
import { isInForce, requireCategory, restLooked } from './rest-looked.ts';
import { startDeal } from './start-deal.ts';

export interface OrderRequest {
  readonly side: 'buy' | 'sell';
  readonly asset?: AssetInput;
  readonly listingRef?: string;
  readonly category: Category;
  readonly limitUsd: number | string;
  readonly openingBidUsd?: number | string;
  readonly expiresAt?: string;
}

/** An order as its body states it, checked before anybody is asked to sign. Amounts in micro-dollars. */
export interface OrderTerms {
  readonly side: 'buy' | 'sell';
  readonly asset: Asset | null;
  readonly listingRef: string | null;
  readonly category: Category;
  readonly limit: Micro;
  readonly openingBid: Micro | null;
  readonly expiresAt: Date;
}

const DAY_MS = 86_400_000;

interface Beside {
  readonly nonce?: string;
  readonly useUp?: () => Promise<void>;
  readonly also?: (trx: Trx, placed: Placed) => Promise<void>;
}

/** @throws AppError bad-request naming the field */
export function readOrder(request: OrderRequest, now: Date): OrderTerms {
  if ((request.asset === undefined) === (request.listingRef === undefined)) {
    throw badField('asset', 'give asset or listingRef, one of them');
  }
  const limit = parseUsd(request.limitUsd, 'limitUsd', 2);
  if (limit === 0n) throw badField('limitUsd', 'must be more than nothing');
  const openingBid =
    request.openingBidUsd === undefined ? null : parseUsd(request.openingBidUsd, 'openingBidUsd', 2);
  if (openingBid !== null && request.side === 'sell')
    throw badField('openingBidUsd', 'belongs to a buy order: leave it out');
  if (openingBid !== null && openingBid > limit)
    throw badField('openingBidUsd', 'must not be above limitUsd');
  if (openingBid === 0n) throw badField('openingBidUsd', 'must be more than nothing');
  return {
    side: request.side,
    asset: request.asset === undefined ? null : normaliseAsset(request.asset),
    listingRef: request.listingRef ?? null,
    category: request.category,
    limit,
    openingBid,
    expiresAt: readExpiry(request.expiresAt, now),
  };
}

/** Mandatory, and seven days where the body says nothing; at most ninety. */
export function readExpiry(text: string | undefined, now: Date): Date {
  if (text === undefined) return new Date(now.getTime() + 7 * DAY_MS);
  const at = readTime(text, 'expiresAt').getTime();
  if (at <= now.getTime()) throw badField('expiresAt', 'must lie in the future');
  if (at > now.getTime() + 90 * DAY_MS) throw badField('expiresAt', 'must be at most 90 days ahead');
  return new Date(at);
}

/**
 * Rests an order inside its agent's mandate and live caps, with what is in flight counted, and fires the match it
 * makes. A refused order leaves a public record that shows no amount.
 * @param beside.nonce of the signature that asks for it: used up with it
 * @param beside.useUp uses it up where the order is refused, before the record of it is written: nobody makes one by
 *   sending again what was used before
 * @param beside.also what else is written with it, in its transaction; throws to refuse
 * @throws AppError not-listed, agent-not-active, mandate-exceeded, conflict, unavailable, signature-used
 */
export async function placeOrder(
  services: Services,
  live: OrderingAgent,
  terms: OrderTerms,
  lastCall: LastCall,
  { nonce, useUp, also }: Beside = {},
): Promise<Placed> {
  const { agent, readied } = live;
  const now = services.now();
  const [lot, owner] = await Promise.all([
    lotKeyOf(services, terms, readied?.lot),
    beneficialOwner(services, live),
  ]);
  if (isNameLot(lot)) {
    throw new AppError('conflict', `${lot} is a name: buy it, or bid on it, by POST /domains/{name}/….`);
  }
  const orderId = services.newId('ord');
  const asked = { ...terms, orderId, ...(nonce === undefined ? {} : { nonce }) };
  const rested = also === undefined ? await restLooked(services, live, asked, { owner, lastCall }) : null;
  if (rested) return rested;
  try {
    const placed = await services.db.transaction().execute(async (trx) => {
      const result = await rest(trx, {
        orderId,
        handle: agent.handle,
        owner,
        side: terms.side,
        assetKey: lot,
        limit: terms.limit,
        openingBid: terms.openingBid,
        expiresAt: terms.expiresAt,
        now,
        probes: services.config.ordersPerLot,
        ids: { matchId: services.newId('mat'), dealId: services.newId('deal') },
        ...(nonce === undefined ? {} : { nonce }),
        judge: async (held, listing, before) => {
          requireCategory(listing, terms.category);
          const stands = readied !== undefined && isInForce(readied, before);
          await judgeOrder(services, trx, agent, {
            side: terms.side,
            limit: terms.limit,
            listing,
            held,
            now,
            known: before,
            standing: stands ? readied.standing : null,
          });
        },
        allows: pairHolds(services, trx, now),
      });
      if (result.match) await startDeal(services, trx, result.match, now);
      await also?.(trx, result);
      lastCall();
      return result;
    });
    if (placed.match) {
      services.crash('after-match-before-settlement');
      services.bell.actor(`deal:${placed.match.dealId}`);
    }
    return placed;
  } catch (error) {
    if (error instanceof AssetLeft) {
      await services.db.transaction().execute((trx) => dropLot(trx, error.lot, services.now()));
      throw new AppError('not-listed', error.message);
    }
    if (error instanceof AppError && error.code === 'mandate-exceeded') {
      await useUp?.();
      await recordRefusal(services, { handle: agent.handle, orderId, lot, error, now });
    }
    throw error;
  }
}

/** The key of the lot that is meant, as it is listed: however the order spells it. */
async function lotKeyOf(
  services: Services,
  { asset, listingRef }: OrderTerms,
  known: string | null = null,
): Promise<string> {
  if (asset === null) {
    if (known !== null) return known;
    const listing = await findListing(services.db, listingRef as string);
    if (!listing) throw new AppError('not-listed', `There is no listing "${listingRef}".`);
    return listing.asset_key;
  }
  const { key } = await lotOf(services.evidence, asset);
  return (await liveListingOf(services.db, key))?.asset_key ?? key;
}

/** Leaves a public record that a mandate refused an order; it shows no amount. */
export async function recordRefusal(
  services: Services,
  refusal: { handle: string; orderId: string; lot: string; error: AppError; now: Date },
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
