import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../store/migrate.ts';

const FOLDER = new URL('../../store/migrations/', import.meta.url);
const ALL = readdirSync(FOLDER).map((name) => Number(name.slice(0, 4)));

const name = `empty_${randomBytes(6).toString('hex')}`;
let url: string;

async function query<T>(statement: string, database = url): Promise<T[]> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    return (await client.query(statement)).rows as T[];
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  const server = inject('postgresUrl');
  await query(`create database ${name}`, server);
  const own = new URL(server);
  own.pathname = `/${name}`;
  url = own.href;
});
afterAll(() => query(`drop database if exists ${name} with (force)`, inject('postgresUrl')));

describe('migrations', () => {
  it('are numbered without a gap', () => {
    expect([...ALL].sort((a, b) => a - b)).toEqual(ALL.map((_, i) => i + 1));
  });

  it('are each applied once when several processes start at once on an empty database', async () => {
    const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(applied.flat().sort((a, b) => a - b)).toEqual([...ALL].sort((a, b) => a - b));
    expect(await migrate(url)).toEqual([]);
    expect(await query('select id from actors')).toEqual([]);
  });

  it('refuse a database that a newer release made', async () => {
    await query(`insert into schema_versions (version, name) values (9999, '9999-future.sql')`);
    await expect(migrate(url)).rejects.toThrow('the database has schema 9999, which a newer release made');
  });
});
