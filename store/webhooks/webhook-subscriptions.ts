import type { Selectable } from 'kysely';
import { Refusal } from '../../agents/errors.ts';
import { lockNamed } from '../advisory-locks.ts';
import type { Database, Trx } from '../database.ts';
import type { Tables } from '../tables.ts';

export type SubscriptionRow = Selectable<Tables['webhook_subscriptions']>;

export interface NewSubscription {
  readonly id: string;
  /** Lower case. */
  readonly wallet: string;
  /** Who stands behind the wallet as it subscribes, lower case: once somebody else does, it is told nothing more. */
  readonly beneficialOwner: string;
  readonly url: string;
  /** Empty: all. */
  readonly kinds: readonly string[];
  /** Sealed. */
  readonly secret: string;
  readonly now: Date;
}

/** How many a wallet may have, of whoever stands behind it. */
export const MOST_SUBSCRIPTIONS = 10;

/** @throws Refusal conflict when whoever stands behind the wallet has as many as it may */
export async function requireRoom(
  db: Database | Trx,
  { wallet, beneficialOwner }: Pick<NewSubscription, 'wallet' | 'beneficialOwner'>,
): Promise<void> {
  const standing = await db
    .selectFrom('webhook_subscriptions')
    .select('id')
    .where('wallet', '=', wallet)
    .where('beneficial_owner', '=', beneficialOwner)
    .execute();
  if (standing.length >= MOST_SUBSCRIPTIONS) {
    throw new Refusal('conflict', `A wallet has at most ${MOST_SUBSCRIPTIONS} subscriptions: end one first.`);
  }
}

/**
 * Ends those that somebody else made when the wallet was theirs: nobody can see them or is told by them any more.
 * @throws Refusal conflict when whoever stands behind the wallet has as many as it may
 */
export async function insertSubscription(trx: Trx, made: NewSubscription): Promise<SubscriptionRow> {
  const { now, beneficialOwner, ...row } = made;
  // One at a time of each wallet, so that two at once do not make one too many.
  await lockNamed(trx, `webhooks:${row.wallet}`);
  await trx
    .deleteFrom('webhook_subscriptions')
    .where('wallet', '=', row.wallet)
    .where('beneficial_owner', '!=', beneficialOwner)
    .execute();
  await requireRoom(trx, made);
  return await trx
    .insertInto('webhook_subscriptions')
    .values({
      ...row,
      beneficial_owner: beneficialOwner,
      kinds: [...row.kinds],
      failing_since: null,
      reason: null,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A wallet's, newest first; without one, everybody's. */
export async function listSubscriptions(db: Database, wallet?: string): Promise<SubscriptionRow[]> {
  const rows = db.selectFrom('webhook_subscriptions').selectAll();
  return await (wallet === undefined ? rows : rows.where('wallet', '=', wallet))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

export async function findSubscription(db: Database | Trx, id: string): Promise<SubscriptionRow | null> {
  const row = await db
    .selectFrom('webhook_subscriptions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** Ends a subscription with all that waits for it. @returns false when it had ended already */
export async function deleteSubscription(trx: Trx, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('webhook_subscriptions')
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** The subscriptions of a wallet that want to be told this, made by whoever stands behind the wallet now. */
export async function subscribersOf(
  db: Database | Trx,
  { wallet, beneficialOwner }: Pick<NewSubscription, 'wallet' | 'beneficialOwner'>,
  kind: string,
): Promise<SubscriptionRow[]> {
  const rows = await db
    .selectFrom('webhook_subscriptions')
    .selectAll()
    .where('wallet', '=', wallet)
    .where('beneficial_owner', '=', beneficialOwner)
    .where('status', '=', 'active')
    .orderBy('id')
    .execute();
  return rows.filter((row) => row.kinds.length === 0 || row.kinds.includes(kind));
}
