import { sql } from 'kysely';
import type { Database } from '../database.ts';

/** A budget and how much of it may be spent in a day: `wallet:0x…`, `address:…`, `all`. */
export interface Spender {
  readonly name: string;
  readonly perDay: number;
}

/**
 * Takes one request to a model out of the budgets of all spenders for the day (UTC) of `now`, or out of none. If
 * several processes want the last one, one gets it. Rows are locked in the order given, which must be the same for all
 * callers.
 * @returns false when one of the budgets is spent
 */
export async function takeModelAsk(db: Database, spenders: readonly Spender[], now: Date): Promise<boolean> {
  if (spenders.some(({ perDay }) => perDay <= 0)) return false;
  const day = now.toISOString().slice(0, 10);
  try {
    await db.transaction().execute(async (trx) => {
      for (const { name, perDay } of spenders) {
        const { rows } = await sql`
          insert into model_asks as m (day, spender, asked) values (${day}, ${name}, 1)
          on conflict (day, spender) do update set asked = m.asked + 1 where m.asked < ${perDay}
          returning spender`.execute(trx);
        if (rows.length === 0) throw new Spent();
      }
    });
    return true;
  } catch (error) {
    if (error instanceof Spent) return false;
    throw error;
  }
}

/** Rolls the transaction back, which returns what was taken from the other budgets. */
class Spent extends Error {
  override readonly name = 'Spent';
}

/** Deletes the days before the one of `before`, which no budget uses any more. */
export async function deleteModelAsksBefore(db: Database, before: Date): Promise<bigint> {
  const { numDeletedRows } = await db
    .deleteFrom('model_asks')
    .where('day', '<', sql<Date>`${before.toISOString().slice(0, 10)}::date`)
    .executeTakeFirst();
  return numDeletedRows;
}
