import { sql } from 'kysely';
import { ADVISORY_LOCKS } from '../advisory-locks.ts';
import type { Database, Trx } from '../database.ts';

export interface OperatorKey {
  readonly id: string;
  readonly name: string;
  /** sha-256 of the key, hex: the key itself is kept nowhere. */
  readonly hash: string;
  readonly scopes: readonly string[];
}

/** Names of what a key may open; `*` opens everything. */
export const OPERATOR_SCOPES = ['registers', 'pledges', 'outcomes', 'metrics', 'queues', '*'] as const;

/** Serialises starts that bring different configured keys; any constant will do. */
const CONFIGURED_LOCK = ADVISORY_LOCKS.configuredKey;

/**
 * Whether a row opens anything now, by the database's clock. A key that was rotated lives until its overlap ends; a key
 * of the configuration only while it is the one that stands.
 */
const LIVE = sql<boolean>`(revoked_at is null and case when expires_at is null
  then configured or origin = 'command' else expires_at > now() end)`;

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

/** What became of the key that a start brought: it stands already, it stands now, or it was ended by command. */
export type ConfiguredKey =
  | { readonly outcome: 'stands' | 'ended' }
  | { readonly outcome: 'set'; readonly replaced: string | null };

/**
 * Makes the key of the configuration the one that stands, in every process: it opens everything, and the one that stood
 * before opens nothing from then on. The latest start decides, also against processes that run with another key. A key
 * that was revoked or rotated by command is ended for good: a start that brings it changes nothing.
 * @param key its id counts only where the key was never seen before
 */
export async function setConfiguredKey(
  db: Database,
  key: Omit<OperatorKey, 'scopes'>,
): Promise<ConfiguredKey> {
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${CONFIGURED_LOCK})`.execute(trx);
    const known = await trx
      .selectFrom('operator_keys')
      .select(['configured', 'revoked_at', 'expires_at'])
      .where('hash', '=', key.hash)
      .forUpdate()
      .executeTakeFirst();
    if (known && (known.revoked_at !== null || known.expires_at !== null)) return { outcome: 'ended' };
    if (known?.configured) return { outcome: 'stands' };
    const before = await trx
      .updateTable('operator_keys')
      .set({ configured: false })
      .where('configured', '=', true)
      .returning('id')
      .executeTakeFirst();
    await trx
      .insertInto('operator_keys')
      .values({ ...key, scopes: ['*'], origin: 'configuration', configured: true, revoked_at: null })
      .onConflict((conflict) => conflict.column('hash').doUpdateSet({ configured: true }))
      .execute();
    return { outcome: 'set', replaced: before?.id ?? null };
  });
}

/** The key with this hash, unless it has ended. The configured key opens everything. */
export async function findOperatorKey(db: Database, hash: string): Promise<OperatorKey | null> {
  const row = await db
    .selectFrom('operator_keys')
    .select(['id', 'name', 'hash', 'scopes', 'configured'])
    .where('hash', '=', hash)
    .where(LIVE)
    .executeTakeFirst();
  if (!row) return null;
  const { configured, ...key } = row;
  return configured ? { ...key, scopes: ['*'] } : key;
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

export interface Rotation {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** The key that was replaced. */
  readonly replaced: { readonly id: string; readonly hash: string; readonly endsAt: Date };
  /** The new key stands as the configured one: the next start must bring it. */
  readonly configured: boolean;
}

/**
 * Makes a new key with the name and scopes of an old one, which ends after an overlap, for good. Of several who rotate
 * the same key at once, one does.
 * @param old the id of the old key, or `configured` for the one of the configuration
 * @param overlapSeconds for how long both open; 0 ends the old one at once
 * @returns null when no live key has this id; `rotated` when it was rotated before and its overlap has not ended
 */
export async function rotateOperatorKey(
  db: Database,
  old: string,
  made: { readonly id: string; readonly hash: string },
  overlapSeconds: number,
): Promise<Rotation | 'rotated' | null> {
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${CONFIGURED_LOCK})`.execute(trx);
    const before = await lockLive(trx, old);
    if (!before) return null;
    if (before.expires_at !== null) return 'rotated';
    const { expires_at: endsAt } = await trx
      .updateTable('operator_keys')
      .set({
        configured: false,
        expires_at: sql<Date>`now() + make_interval(secs => ${overlapSeconds})`,
        ...(overlapSeconds === 0 ? { revoked_at: sql<Date>`now()` } : {}),
      })
      .where('id', '=', before.id)
      .returning('expires_at')
      .executeTakeFirstOrThrow();
    const { name, configured, origin } = before;
    const scopes = configured ? ['*'] : before.scopes;
    await trx
      .insertInto('operator_keys')
      .values({ ...made, name, scopes, origin, configured, revoked_at: null })
      .execute();
    return {
      ...{ id: made.id, name, scopes, configured },
      replaced: { id: before.id, hash: before.hash, endsAt: endsAt! },
    };
  });
}

async function lockLive(trx: Trx, id: string) {
  return await trx
    .selectFrom('operator_keys')
    .selectAll()
    .where((eb) => (id === 'configured' ? eb('configured', '=', true) : eb('id', '=', id)))
    .where(LIVE)
    .forUpdate()
    .executeTakeFirst();
}

export interface ListedKey extends Omit<OperatorKey, 'hash'> {
  readonly state: 'live' | 'configured' | 'ending' | 'replaced' | 'ended';
  readonly createdAt: Date;
  /** When a key that was rotated stops, or stopped. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Every key that was ever made, oldest first, without its hash. */
export async function listOperatorKeys(db: Database): Promise<ListedKey[]> {
  const rows = await db
    .selectFrom('operator_keys')
    .select(['id', 'name', 'scopes', 'created_at', 'revoked_at', 'expires_at', 'configured'])
    .select(LIVE.as('live'))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ created_at, revoked_at, expires_at, configured, live, ...key }) => ({
    ...key,
    state: stateOf({ live, configured, ending: expires_at !== null, revoked: revoked_at !== null }),
    createdAt: created_at,
    expiresAt: expires_at,
    revokedAt: revoked_at,
  }));
}

/** A replaced key came from the configuration and would stand again if a start brought it. */
function stateOf(key: { live: boolean; configured: boolean; ending: boolean; revoked: boolean }) {
  if (key.live) return key.ending ? 'ending' : key.configured ? 'configured' : 'live';
  return key.ending || key.revoked ? 'ended' : 'replaced';
}
