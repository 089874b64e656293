import type { Micro } from '../../agents/money.ts';
import type { Database, Trx } from '../database.ts';
import { countsFrom, type OwnedAgent, settledUnderMandate, underMandate } from './reservations.ts';

/**
 * What an agent sold for one owner, in flight included, in micro-dollars: the chain counts spending, so sales are counted
 * here.
 */
export interface Sales {
  readonly day: Micro;
  readonly week: Micro;
  /** The UTC calendar month. */
  readonly month: Micro;
  /** In flight, or settled since the mandate in force was signed. */
  readonly total: Micro;
}

export async function soldBy(db: Database | Trx, { handle, owner }: OwnedAgent, now: Date): Promise<Sales> {
  const since = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const from = await countsFrom(db, handle);
  const row = await db
    .selectFrom('deals')
    .innerJoin('matches', 'matches.match_id', 'deals.match_id')
    .select(({ fn }) => [
      fn.sum<string | null>('deals.price').filterWhere('matches.matched_at', '>', since(1)).as('day'),
      fn.sum<string | null>('deals.price').filterWhere('matches.matched_at', '>', since(7)).as('week'),
      fn.sum<string | null>('deals.price').filterWhere('matches.matched_at', '>=', month).as('month'),
      fn
        .sum<string | null>('deals.price')
        .filterWhere((has) => has.or(underMandate(has, from)))
        .as('total'),
    ])
    .where('deals.seller', '=', handle)
    .where('matches.seller_owner', '=', owner)
    .where('deals.state', 'not in', ['stopped', 'failed'])
    .executeTakeFirstOrThrow();
  return {
    day: BigInt(row.day ?? 0),
    week: BigInt(row.week ?? 0),
    month: BigInt(row.month ?? 0),
    total: BigInt(row.total ?? 0),
  };
}

/**
 * Of what an agent sold, what counts as long as its mandate is in force: what has settled. A window frees again, and a
 * deal under way may come to nothing, so neither takes an order off the book.
 */
export async function soldForGood(db: Database | Trx, { handle, owner }: OwnedAgent): Promise<Sales> {
  const from = await countsFrom(db, handle);
  const { total } = await db
    .selectFrom('deals')
    .innerJoin('matches', 'matches.match_id', 'deals.match_id')
    .select(({ fn }) => fn.sum<string | null>('deals.price').as('total'))
    .where('deals.seller', '=', handle)
    .where('matches.seller_owner', '=', owner)
    .where('deals.state', 'not in', ['stopped', 'failed'])
    .where((eb) => settledUnderMandate(eb, from))
    .executeTakeFirstOrThrow();
  return { day: 0n, week: 0n, month: 0n, total: BigInt(total ?? 0) };
}
