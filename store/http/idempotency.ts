import type { Database } from '../database.ts';
import type { KeptAnswer } from '../json-columns.ts';
import { parsed, parsedOrNull } from '../parsed.ts';

export type { KeptAnswer } from '../json-columns.ts';

export type Claim =
  | { readonly kind: 'first' }
  | { readonly kind: 'under-way' }
  | { readonly kind: 'other-body' }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer };

/** Who asks: the key, where it counts (caller, method and path, as one hash), and what was sent. */
export interface IdempotencyClaim {
  readonly scope: string;
  readonly key: string;
  /** sha-256 of the raw body, hex. */
  readonly bodyHash: string;
}

/**
 * Takes the key, or tells what became of it. A request that never ended (its process died) is taken over once
 * `staleBefore` lies after its start.
 */
export async function claimKey(
  db: Database,
  claim: IdempotencyClaim,
  now: Date,
  staleBefore: Date,
): Promise<Claim> {
  const taken = await db
    .insertInto('idempotency_keys')
    .values({
      key: claim.key,
      scope: claim.scope,
      body_hash: claim.bodyHash,
      response: null,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'key'])
        .doUpdateSet({ body_hash: claim.bodyHash, created_at: now })
        .where('idempotency_keys.response', 'is', null)
        .where('idempotency_keys.created_at', '<', staleBefore),
    )
    .returning('key')
    .executeTakeFirst();
  if (taken) return { kind: 'first' };

  const row = await db
    .selectFrom('idempotency_keys')
    .select(['body_hash', 'response'])
    .where('scope', '=', claim.scope)
    .where('key', '=', claim.key)
    .executeTakeFirst();
  // Given up between the two statements: the caller asks again.
  if (!row) return { kind: 'under-way' };
  parsed('idempotency_keys', row);
  if (row.response === null) return { kind: 'under-way' };
  if (row.body_hash !== claim.bodyHash) return { kind: 'other-body' };
  return { kind: 'answered', answer: row.response };
}

/** The answer to a request that succeeded under this key with this very body; null where there is none. */
export async function findAnswer(db: Database, claim: IdempotencyClaim): Promise<KeptAnswer | null> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select('response')
    .where('scope', '=', claim.scope)
    .where('key', '=', claim.key)
    .where('body_hash', '=', claim.bodyHash)
    .executeTakeFirst();
  return parsedOrNull('idempotency_keys', row)?.response ?? null;
}

/** Keeps the answer of a request that holds the key. */
export async function keepAnswer(db: Database, claim: IdempotencyClaim, answer: KeptAnswer): Promise<void> {
  await db
    .updateTable('idempotency_keys')
    .set({ response: JSON.stringify(answer) })
    .where('scope', '=', claim.scope)
    .where('key', '=', claim.key)
    .where('body_hash', '=', claim.bodyHash)
    .execute();
}

/** Lets the key go: the request did nothing that an equal one should be answered with. */
export async function releaseKey(db: Database, claim: IdempotencyClaim): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('scope', '=', claim.scope)
    .where('key', '=', claim.key)
    .where('body_hash', '=', claim.bodyHash)
    .where('response', 'is', null)
    .execute();
}

/** How long the answer to a request is kept under its key, with a payment or without. */
export const KEY_KEPT_MS = 24 * 3_600_000;

export async function deleteKeysOlderThan(db: Database, before: Date): Promise<bigint> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', before)
    .executeTakeFirst();
  return numDeletedRows;
}
