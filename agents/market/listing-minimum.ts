import { badField } from '../errors.ts';
import { formatUsd, type Micro } from '../money.ts';

/**
 * The least that a listing's asset is sold for, which stands on chain for everybody to see: half of its ask, rounded up
 * to the micro-dollar. It follows from the ask alone, so that it says nothing about the seller's private floor.
 */
export function listingMinimum(ask: Micro): Micro {
  return (ask + 1n) / 2n;
}

/**
 * Holds a price below which the seller does not go to what the chain lets through.
 * @param field which of the body's fields says the price
 * @throws AppError bad-request naming the field
 */
export function requireMinimum(ask: Micro, price: Micro, field: string): void {
  if (price >= listingMinimum(ask)) return;
  throw badField(
    field,
    `must be at least ${formatUsd(listingMinimum(ask))}, half of the ask: the chain sells this listing for no less`,
  );
}
