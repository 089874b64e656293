import { badField } from '../errors.ts';
import { formatUsd, type Micro } from '../money.ts';

/**
 * The lowest price for which the chain lets a listed asset be sold: half of the ask at which it was listed, rounded up to the micro-dollar.
 * Everybody can read it on chain. It is computed from the ask alone, so that it tells nothing about the private floor.
 */
export function listingMinimum(ask: Micro): Micro {
  return (ask + 1n) / 2n;
}

/**
 * Refuses a seller's price below the minimum that the chain enforces.
 * @param ask the one that was listed, wherever an order has moved it since
 * @param field the field of the body that holds the price
 * @throws AppError bad-request naming the field
 */
export function requireMinimum(ask: Micro, price: Micro, field: string): void {
  if (price >= listingMinimum(ask)) return;
  throw badField(
    field,
    `must be at least ${formatUsd(listingMinimum(ask))}, half of the ask at which it was listed: the chain sells this listing for no less`,
  );
}
