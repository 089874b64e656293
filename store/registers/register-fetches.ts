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
