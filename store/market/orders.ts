import type { Database, Trx } from '../database.ts';
import type { OrderRow } from './lots.ts';

export async function findOrder(db: Database | Trx, orderId: string): Promise<OrderRow | null> {
  const row = await db.selectFrom('orders').selectAll().where('order_id', '=', orderId).executeTakeFirst();
  return row ?? null;
}

/**
 * The orders that an agent placed for one owner, newest first, at most `limit` rows.
 * @param owner the agent's beneficial owner at that time, lower case
 * @param page begins after the order of this `seq`
 */
export async function ordersOf(
  db: Database,
  { handle, owner }: { readonly handle: string; readonly owner: string },
  page: { limit: number; offset: number; after?: bigint },
): Promise<OrderRow[]> {
  const rows = db.selectFrom('orders').selectAll().where('handle', '=', handle).where('owner', '=', owner);
  return await (page.after === undefined ? rows : rows.where('seq', '<', page.after))
    .orderBy('seq', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

/**
 * On how many listings an agent has had an order on the book, each side by itself, and how many of its deals were
 * matched: what has been issued to it. How often an order was re-priced is not counted: the count is public, and an
 * automatic limit moves by a known rule, so the number of its moves would tell where it ends.
 */
export async function issuedTo(
  db: Database | Trx,
  handle: string,
): Promise<{ orders: number; matches: number }> {
  const { orders } = await db
    .selectFrom((from) =>
      from
        .selectFrom('orders')
        .select(['listing_ref', 'side'])
        .distinct()
        .where('handle', '=', handle)
        .where('rested_at', 'is not', null)
        .as('begun'),
    )
    .select((eb) => eb.fn.countAll<bigint>().as('orders'))
    .executeTakeFirstOrThrow();
  const { matches } = await db
    .selectFrom('deals')
    .select((eb) => eb.fn.countAll<bigint>().as('matches'))
    .where((eb) => eb.or([eb('seller', '=', handle), eb('buyer', '=', handle)]))
    .executeTakeFirstOrThrow();
  return { orders: Number(orders), matches: Number(matches) };
}
