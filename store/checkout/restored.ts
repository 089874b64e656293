import { sql } from 'kysely';
import type { Database, Trx } from '../database.ts';

/** What a database that was restored to an earlier moment asks of its checkouts, and mends in them. */

/** A card page that nobody paid, as far as this database knows. */
export interface UnpaidPage {
  readonly id: string;
  readonly kind: string;
  readonly handle: string | null;
  readonly session: string;
}

/** Card pages that nobody is known to have paid, in the order of their ids, after `after`. */
export async function unpaidPages(db: Database, after: string, limit: number): Promise<UnpaidPage[]> {
  return await db
    .selectFrom('checkouts')
    .select(['id', 'kind', 'handle', 'processor_session as session'])
    .where('pay', '=', 'card')
    .where('paid_at', 'is', null)
    .where('processor_session', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .$narrowType<{ session: string }>()
    .execute();
}

/** A checkout of an agent that is not here. */
export interface UnservedCheckout {
  readonly id: string;
  readonly isPaid: boolean;
  /** Its purchase came to nothing: what was paid is returned. */
  readonly isFailed: boolean;
  readonly isCard: boolean;
}

/** All checkouts of agents that have no agent here. */
export async function checkoutsWithoutAgent(db: Database): Promise<UnservedCheckout[]> {
  const rows = await db
    .selectFrom('checkouts')
    .leftJoin('agents', 'agents.checkout_id', 'checkouts.id')
    .select([
      'checkouts.id',
      'checkouts.paid_at',
      'checkouts.status',
      'checkouts.pay',
      'checkouts.processor_session',
    ])
    .where('checkouts.kind', '=', 'agent')
    .where('agents.handle', 'is', null)
    .execute();
  return rows.map(({ id, paid_at: paid, status, pay, processor_session: session }) => ({
    ...{ id, isPaid: paid !== null, isFailed: status === 'failed' },
    isCard: pay === 'card' && session !== null,
  }));
}

/** A sequence of which nobody took a number yet says 1 as well. */
const LAST = sql`case when is_called then last_value else 0 end`;

/** The last number that was taken from the sequence of session keys, as far as this database knows; 0: none was. */
export async function lastSessionKey(db: Database): Promise<bigint> {
  const { rows } = await sql<{ last: string }>`select (${LAST})::text as last from session_key_index`.execute(
    db,
  );
  return BigInt(rows[0]!.last);
}

/** Takes the numbers of session keys up to one that was given out: no second agent gets its key. */
export async function passSessionKey(db: Database | Trx, number: bigint): Promise<void> {
  await sql`
    select nextval('session_key_index')
    from session_key_index, generate_series(1, ${number}::bigint - (${LAST}))`.execute(db);
}

/** Names the session key with which a checkout's agent was minted, unless it is named. */
export async function nameSessionKey(trx: Trx, checkoutId: string, index: bigint): Promise<void> {
  await sql`
    update checkouts set details = details || jsonb_build_object('sessionKeyIndex', ${index.toString()}::text)
    where id = ${checkoutId} and not details ? 'sessionKeyIndex'`.execute(trx);
}

/**
 * Names the session key with which a checkout's agent was minted, in place of the one that was taken for it since, and
 * passes its number over.
 * @param base of the seed's version in use
 */
export async function adoptSessionKey(
  trx: Trx,
  checkoutId: string,
  index: bigint,
  base: bigint,
): Promise<void> {
  await passSessionKey(trx, index - base);
  await sql`
    update checkouts set details = details || jsonb_build_object('sessionKeyIndex', ${index.toString()}::text)
    where id = ${checkoutId}`.execute(trx);
}
