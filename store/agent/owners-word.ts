import type { Database, Trx } from '../database.ts';

/**
 * An order's number below this is a person's: it goes on in hexadecimal, where an agent's own has an `s`
 * (`agents/agent/order-id.ts`).
 */
const BY_A_PERSON_BELOW = 'ord_s';

/**
 * Whether an owner has given a word for an agent: signed an act of it or an order by it, or paid for it from the very
 * wallet. Anybody has an agent minted for any wallet, and by a card nobody signs.
 * @param of.owner the agent's beneficial owner, lower case
 */
export async function hasOwnersWord(
  db: Database | Trx,
  of: { readonly handle: string; readonly owner: string },
): Promise<boolean> {
  const act = await db
    .selectFrom('owner_acts')
    .select('id')
    .where('handle', '=', of.handle)
    .where('beneficial_owner', '=', of.owner)
    .where('status', 'in', ['signed', 'done'])
    .limit(1)
    .executeTakeFirst();
  if (act !== undefined) return true;
  const order = await db
    .selectFrom('orders')
    .select('order_id')
    .where('handle', '=', of.handle)
    .where('owner', '=', of.owner)
    .where('order_id', '<', BY_A_PERSON_BELOW)
    .limit(1)
    .executeTakeFirst();
  if (order !== undefined) return true;
  const agent = await db
    .selectFrom('agents')
    .select('checkout_id')
    .where('handle', '=', of.handle)
    .executeTakeFirst();
  if (agent === undefined) return false;
  const paid = await db
    .selectFrom('checkouts')
    .select('processor_session')
    .where('id', '=', agent.checkout_id)
    .where('pay', '=', 'usdc')
    .executeTakeFirst();
  // The payment's id (`network:payer:nonce`) after a prefix.
  return paid?.processor_session?.toLowerCase().split(':').includes(of.owner) ?? false;
}

/** Which of these agents their owner has given a word for. */
export async function withOwnersWord(
  db: Database | Trx,
  owner: string,
  handles: readonly string[],
): Promise<ReadonlySet<string>> {
  const asked = [...new Set(handles)];
  const given = await Promise.all(asked.map((handle) => hasOwnersWord(db, { handle, owner })));
  return new Set(asked.filter((_, n) => given[n]));
}
