import type { Database } from '../database.ts';

/** How many orders are read in one run. */
const MOST = 500n;

/** The number of the newest order; 0 before the first. */
export async function newestOrder(db: Database): Promise<bigint> {
  const { newest } = await db
    .selectFrom('orders')
    .select((eb) => eb.fn.max('seq').as('newest'))
    .executeTakeFirstOrThrow();
  return BigInt(newest ?? 0);
}

/**
 * The active agents that have an order on a lot where another agent's owner has placed a new one. Orders that an agent
 * placed by itself are left out: otherwise two agents could keep answering each other for ever.
 * @param byItself the prefix of the ids of such orders
 */
export async function concernedBy(
  db: Database,
  change: { readonly after: bigint; readonly newest: bigint; readonly byItself: string },
): Promise<{ readonly upTo: bigint; readonly handles: readonly string[] }> {
  const { after, newest, byItself } = change;
  const upTo = newest - after > MOST ? after + MOST : newest;
  const rows = await db
    .selectFrom('orders as news')
    .innerJoin('orders as mine', 'mine.asset_key', 'news.asset_key')
    .innerJoin('agents', 'agents.handle', 'mine.handle')
    .select('mine.handle')
    .distinct()
    .where('news.seq', '>', after)
    .where('news.seq', '<=', upTo)
    .where('news.order_id', 'not like', `${byItself}%`)
    // Nobody is told of an order that is on no book.
    .where('news.status', '!=', 'unfunded')
    .where('mine.status', 'in', ['resting', 'unfunded'])
    .whereRef('mine.handle', '!=', 'news.handle')
    .where('agents.tier', '=', 'AGENT')
    .where('agents.status', '=', 'active')
    .orderBy('mine.handle')
    .execute();
  return { upTo, handles: rows.map(({ handle }) => handle) };
}
