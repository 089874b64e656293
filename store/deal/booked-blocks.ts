import type { Database, Trx } from '../database.ts';

/** The last block that is known to have booked the cost of a deal of this agent; null when there is none. */
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
