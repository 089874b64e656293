import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { RegisterName } from '../tables.ts';
import type { HeldList } from './registers.ts';

export interface RegisterFetch {
  readonly register: RegisterName;
  readonly source: string;
  readonly triedAt: Date;
  readonly succeededAt: Date | null;
  /** Of the latest attempt; null when it succeeded. */
  readonly fault: string | null;
  readonly publishedAt: Date | null;
}

/**
 * Has each list that is to be fetched stand as one that has not come, until it does: without it nobody could tell, before
 * its first fetch, that a register lacks one. What is not to be fetched any more, and never came, is forgotten.
 */
export async function expectLists(
  db: Database,
  sources: readonly { readonly register: RegisterName; readonly name: string }[],
): Promise<void> {
  const names = sources.map(({ register, name }) => `${register}/${name}`);
  await db.transaction().execute(async (trx) => {
    await sql`
      delete from register_fetches where succeeded_at is null and register || '/' || source <> all(${names}::text[])`.execute(
      trx,
    );
    if (sources.length === 0) return;
    // Tried so long ago that it is due at once.
    const never = { tried_at: new Date(0), fault: 'it has not been fetched yet' };
    await trx
      .insertInto('register_fetches')
      .values(sources.map(({ register, name }) => ({ register, source: name, ...never })))
      .onConflict((conflict) => conflict.columns(['register', 'source']).doNothing())
      .execute();
  });
}

/** What came of an attempt to fetch a list. One that failed leaves what the latest success was. */
export async function noteFetch(
  db: Database,
  fetch: Pick<RegisterFetch, 'register' | 'source' | 'triedAt' | 'fault' | 'publishedAt'>,
): Promise<void> {
  const { register, source, triedAt, fault, publishedAt } = fetch;
  const success = fault === null ? { succeeded_at: triedAt, published_at: publishedAt } : {};
  await db
    .insertInto('register_fetches')
    .values({
      register,
      source,
      tried_at: triedAt,
      fault,
      succeeded_at: null,
      published_at: null,
      ...success,
    })
    .onConflict((conflict) =>
      conflict.columns(['register', 'source']).doUpdateSet({ tried_at: triedAt, fault, ...success }),
    )
    .execute();
}

export async function listFetches(db: Database): Promise<RegisterFetch[]> {
  const rows = await db
    .selectFrom('register_fetches')
    .selectAll()
    .orderBy('register')
    .orderBy('source')
    .execute();
  return rows.map((r) => ({
    register: r.register,
    source: r.source,
    triedAt: r.tried_at,
    succeededAt: r.succeeded_at,
    fault: r.fault,
    publishedAt: r.published_at,
  }));
}

/** Every list of every register, as it stands. */
export async function allLists(db: Database): Promise<(HeldList & { register: RegisterName })[]> {
  const rows = await db
    .selectFrom('register_lists')
    .select([
      'register',
      'source',
      'as_of',
      'basis',
      'minimum',
      'synthetic',
      'root',
      sql<string>`rows::text`.as('rows'),
    ])
    .orderBy('register')
    .orderBy('source')
    .execute();
  return rows.map(({ as_of: asOf, minimum, rows: n, ...r }) => ({
    ...r,
    ...{ asOf, rows: Number(n), minimum: Number(minimum) },
  }));
}
