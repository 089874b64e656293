import { sql } from 'kysely';
import type { Database } from './database.ts';

/** What there is to do for the service itself. Each is found by an index, however much is done already. */
export interface PendingWork {
  /** Changes of the market that nobody was told of. */
  readonly marketChanges: boolean;
  /** Orders whose time is over. */
  readonly overdueOrders: boolean;
  /** Orders that wait for money. */
  readonly unfundedOrders: boolean;
  /** Disputes that were decided, and of which something is still to follow. */
  readonly decidedDisputes: boolean;
  /** Listings that are over and still stand on chain. */
  readonly listingsOver: boolean;
  /** Owners of agents of whom it was not read who stands behind them. */
  readonly newOwners: boolean;
  /** What owners are to be notified of. */
  readonly notifications: boolean;
  /** Records in no batch, or batches that are not anchored. */
  readonly openRecords: boolean;
  /** What each of the service's keys has used of its nonces, by `chain:address`. */
  readonly nonces: Readonly<Record<string, number>>;
}

/** Whether rows ask for nothing. What keys have sent says only something where it differs from before. */
export function isNothing({ nonces: _, ...work }: PendingWork): boolean {
  return Object.values(work).every((there) => !there);
}

/** Looks in one statement, so that a service at rest asks no more than that. */
export async function pendingWork(db: Database, now: Date): Promise<PendingWork> {
  const { rows } = await sql<PendingWork>`
    select
      exists (select from market_changes) as "marketChanges",
      exists (select from orders where status in ('resting', 'unfunded') and expires_at <= ${now}) as "overdueOrders",
      exists (select from orders where status = 'unfunded') as "unfundedOrders",
      exists (select from certificate_disputes where decision is not null
        and (record_id is null or (second_decision is not null and second_record_id is null)
          or (closed_at is null and coalesce(second_decision, decision) = 'upheld'))) as "decidedDisputes",
      exists (select from chain_listings where over_at <= ${now}) as "listingsOver",
      exists (select from new_owners) as "newOwners",
      exists (select from owner_notifications) as notifications,
      exists (select from records where batch_id is null)
        or exists (select from batches where status = 'open') as "openRecords",
      coalesce((select json_object_agg(chain_id || ':' || lower(address), next_nonce) from signer_keys), '{}') as nonces`.execute(
    db,
  );
  return rows[0]!;
}
