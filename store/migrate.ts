import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { ADVISORY_LOCKS } from './advisory-locks.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

/** The numbered files of `migrations/`, in order. */
function migrations(): { version: number; name: string; sql: string }[] {
  return readdirSync(FOLDER)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      version: Number(name.slice(0, 4)),
      name,
      sql: readFileSync(new URL(name, FOLDER), 'utf8'),
    }));
}

/** The database was made by a newer release. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
}

/**
 * Brings the schema forward, each file in its own transaction, never back.
 * @returns the versions applied now
 * @throws NewerSchema when the database was made by a newer release
 */
export async function migrate(connectionString: string): Promise<number[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migrations]);
    // Asked first: a role that may not make tables may start on a schema that is up to date.
    const { rows: made } = await client.query("select to_regclass('schema_versions') is not null as held");
    if (!made[0].held)
      await client.query(
        'create table schema_versions (version integer primary key, name text not null, applied_at timestamptz not null default now())',
      );
    const { rows } = await client.query<{ version: number }>('select version from schema_versions');
    const known = migrations();
    const newest = Math.max(0, ...rows.map((r) => r.version));
    if (newest > (known.at(-1)?.version ?? 0)) {
      throw new NewerSchema(
        `the database has schema ${newest}, which a newer release made: run that release, or another database`,
      );
    }
    const applied: number[] = [];
    for (const { version, name, sql } of known) {
      if (rows.some((r) => r.version === version)) continue;
      await client.query('begin');
      try {
        await client.query(sql);
        await client.query('insert into schema_versions (version, name) values ($1, $2)', [version, name]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw error;
      }
      applied.push(version);
    }
    return applied;
  } finally {
    await client.end();
  }
}
