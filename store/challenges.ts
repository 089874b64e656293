import type { Database } from './database.ts';

/** What a wallet was asked to sign, and for which request it counts. */
export interface Challenge {
  readonly nonce: string;
  /** Lower case. */
  readonly wallet: string;
  readonly method: string;
  /** With query string. */
  readonly path: string;
  /** sha-256 of the raw body, hex. */
  readonly bodyHash: string;
  readonly message: string;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

export async function insertChallenge(db: Database, challenge: Omit<Challenge, 'usedAt'>): Promise<void> {
  await db
    .insertInto('signature_challenges')
    .values({
      nonce: challenge.nonce,
      wallet: challenge.wallet,
      method: challenge.method,
      path: challenge.path,
      body_hash: challenge.bodyHash,
      message: challenge.message,
      expires_at: challenge.expiresAt,
    })
    .execute();
}

export async function findChallenge(db: Database, nonce: string): Promise<Challenge | null> {
  const row = await db
    .selectFrom('signature_challenges')
    .selectAll()
    .where('nonce', '=', nonce)
    .executeTakeFirst();
  if (!row) return null;
  return {
    nonce: row.nonce,
    wallet: row.wallet,
    method: row.method,
    path: row.path,
    bodyHash: row.body_hash,
    message: row.message,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
  };
}

/** Marks a challenge used. False when another request, in this process or another, was first. */
export async function consumeChallenge(db: Database, nonce: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('signature_challenges')
    .set({ used_at: now })
    .where('nonce', '=', nonce)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Forgets challenges that expired before `before`; an unknown nonce is refused like an expired one. */
export async function deleteChallengesExpiredBefore(db: Database, before: Date): Promise<bigint> {
  const { numDeletedRows } = await db
    .deleteFrom('signature_challenges')
    .where('expires_at', '<', before)
    .executeTakeFirst();
  return numDeletedRows;
}
