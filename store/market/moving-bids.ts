import { sql } from 'kysely';

/**
 * Of an order `o`: whether it is a bid that could move the price. It lay on the book, and so was covered by its agent's
 * account, at a limit for which the chain would sell.
 */
export const isMovingBid = sql<boolean>`(o.moves_price and o.rested_at is not null)`;
