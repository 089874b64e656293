import type { Database } from './database.ts';

export interface OperatorKey {
  readonly id: string;
  readonly name: string;
  /** sha-256 of the key, hex: the key itself is kept nowhere. */
  readonly hash: string;
  readonly scopes: readonly string[];
}

/** Writes a key down, or gives a known one its present name and scopes. A revoked key stays revoked. */
export async function saveOperatorKey(db: Database, key: OperatorKey): Promise<void> {
  await db
    .insertInto('operator_keys')
    .values({ id: key.id, name: key.name, hash: key.hash, scopes: [...key.scopes], revoked_at: null })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet({ name: key.name, scopes: [...key.scopes] }),
    )
    .execute();
}

/** The key with this hash, unless it was revoked. */
export async function findOperatorKey(db: Database, hash: string): Promise<OperatorKey | null> {
  const row = await db
    .selectFrom('operator_keys')
    .select(['id', 'name', 'hash', 'scopes'])
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}

/** Ends a key at once, in every process. False when no live key has this id. */
export async function revokeOperatorKey(db: Database, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('operator_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Names of what a key may open; `*` opens everything. */
export const OPERATOR_SCOPES = ['registers', 'pledges', 'metrics', 'queues', '*'] as const;

export interface ListedKey extends Omit<OperatorKey, 'hash'> {
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

/** Every key that was ever made, oldest first, without its hash. */
export async function listOperatorKeys(db: Database): Promise<ListedKey[]> {
  const rows = await db
    .selectFrom('operator_keys')
    .select(['id', 'name', 'scopes', 'created_at', 'revoked_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ created_at, revoked_at, ...key }) => ({
    ...key,
    createdAt: created_at,
    revokedAt: revoked_at,
  }));
}
