import type { Database, Trx } from './database.ts';

/** Stands for the block of a settlement that does not say its own: no reading is known to have it. */
export const NO_BLOCK = 2n ** 63n - 1n;

/** The last block that is known to have booked what a deal cost this agent; null where none is. */
export async function lastBookedBlock(db: Database | Trx, handle: string): Promise<bigint | null> {
  const row = await db
    .selectFrom('deals')
    .select('settled_block')
    .where('buyer', '=', handle)
    .where('state', 'in', ['settled', 'recorded'])
    .where('settled_block', 'is not', null)
    .orderBy('settled_block', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.settled_block ?? null;
}
