import { sql } from 'kysely';

/**
 * Of an order `o`: whether it is a bid that could move the price. It lay on the book, its agent's account, which anybody can
 * read, held what the chain would sell for, half of the ask at which its lot was listed, and its limit was no less by a power
 * of two. What is told of bids is public, so that no more than this decides of the limit
 * (`store/migrations/0012-bids-in-earnest.sql`, `0015-bids-by-listed-ask.sql`).
 */
export const isMovingBid = sql<boolean>`(o.moves_price and o.rested_at is not null)`;
