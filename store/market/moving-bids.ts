import { sql } from 'kysely';

/**
 * Of an order `o`: whether it is a bid that could move the price. It lay on the book, and its agent's account, which anybody
 * can read, held what the chain would sell for: half of the ask at which its lot was listed. Its limit decides nothing here,
 * for what is told of bids is public (`store/migrations/0014-bids-by-listed-ask.sql`).
 */
export const isMovingBid = sql<boolean>`(o.moves_price and o.rested_at is not null)`;
