import type { Micro } from '../../agents/money.ts';
import type { Database, Trx } from '../database.ts';

/** What an agent sold, in flight included, in micro-dollars: the chain counts spending, so sales are counted here. */
export interface Sales {
  readonly day: Micro;
  readonly week: Micro;
  /** The UTC calendar month. */
  readonly month: Micro;
  readonly total: Micro;
}

export async function soldBy(db: Database | Trx, handle: string, now: Date): Promise<Sales> {
  const since = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const row = await db
    .selectFrom('deals')
    .innerJoin('matches', 'matches.match_id', 'deals.match_id')
    .select(({ fn }) => [
      fn.sum<string | null>('deals.price').filterWhere('matches.matched_at', '>', since(1)).as('day'),
      fn.sum<string | null>('deals.price').filterWhere('matches.matched_at', '>', since(7)).as('week'),
      fn.sum<string | null>('deals.price').filterWhere('matches.matched_at', '>=', month).as('month'),
      fn.sum<string | null>('deals.price').as('total'),
    ])
    .where('deals.seller', '=', handle)
    .where('deals.state', 'not in', ['stopped', 'failed'])
    .executeTakeFirstOrThrow();
  return {
    day: BigInt(row.day ?? 0),
    week: BigInt(row.week ?? 0),
    month: BigInt(row.month ?? 0),
    total: BigInt(row.total ?? 0),
  };
}
