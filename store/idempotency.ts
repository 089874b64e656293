import type { Database } from './database.ts';

/** An answer as it went out, kept to be given again. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** sha-256 of what authorised the first request; null when nothing did. */
  readonly authorisation: string | null;
  /** The wallet that signed the first request, lower case. */
  readonly wallet: string | null;
}

export type Claim =
  | { readonly kind: 'first' }
  | { readonly kind: 'under-way' }
  /** With what the other body was answered. */
  | { readonly kind: 'other-body'; readonly answer: KeptAnswer }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer };

/** Who asks: the key, where it counts (method and path), and what was sent. */
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
  if (row.response === null) return { kind: 'under-way' };
  const answer = row.response as KeptAnswer;
  return { kind: row.body_hash === claim.bodyHash ? 'answered' : 'other-body', answer };
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

export async function deleteKeysOlderThan(db: Database, before: Date): Promise<bigint> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', before)
    .executeTakeFirst();
  return numDeletedRows;
}
