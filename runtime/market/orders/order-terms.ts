import { type Asset, type AssetInput, normaliseAsset } from '../../../agents/assets.ts';
import type { Category } from '../../../agents/categories.ts';
import { badField } from '../../../agents/errors.ts';
import { type Micro, parseUsd } from '../../../agents/money.ts';
import { readTime } from '../../../agents/times.ts';

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
  /** Null: a seller's order ends with the one that it replaces. */
  readonly expiresAt: Date | null;
}

const DAY_MS = 86_400_000;

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
    expiresAt:
      request.expiresAt === undefined && request.side === 'sell' ? null : readExpiry(request.expiresAt, now),
  };
}

/** When an order ends: seven days from now where the body says nothing; at most ninety. */
export function readExpiry(text: string | undefined, now: Date): Date {
  if (text === undefined) return new Date(now.getTime() + 7 * DAY_MS);
  const at = readTime(text, 'expiresAt').getTime();
  if (at <= now.getTime()) throw badField('expiresAt', 'must lie in the future');
  if (at > now.getTime() + 90 * DAY_MS) throw badField('expiresAt', 'must be at most 90 days ahead');
  return new Date(at);
}
