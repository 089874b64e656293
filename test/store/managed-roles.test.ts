import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../../store/database.ts';
import { migrate } from '../../store/migrate.ts';
import { logOperatorAct } from '../../store/operators/operator-log.ts';
import { DATABASE_ROLES, rolesSql } from '../../store/roles.ts';

/** As at a managed Postgres: whoever owns the database may make roles, and is no superuser. */

const id = randomBytes(4).toString('hex');
const owner = `owner_${id}`;
/** Roles are the whole server's: these are made for this file alone. */
const ours = (text: string): string => text.replaceAll('handshake_', `managed_${id}_`);
const roles = Object.values(DATABASE_ROLES).map(ours);
const password = randomBytes(12).toString('hex');
const urlOf = (username: string): string =>
  Object.assign(new URL(inject('postgresUrl')), { username, password, pathname: `/${owner}` }).href;

async function query(url: string, ...statements: readonly string[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let last: pg.QueryResult | null = null;
    for (const statement of statements) last = await client.query(statement);
    return last!;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  await query(
    inject('postgresUrl'),
    `create role ${owner} login nosuperuser createrole password '${password}'`,
    `create database ${owner} owner ${owner}`,
  );
  await migrate(urlOf(owner));
});
afterAll(async () => {
  await query(
    inject('postgresUrl'),
    `drop database if exists ${owner} with (force)`,
    ...[...roles, owner].map((role) => `drop role if exists ${role}`),
  );
});

const applied = () => query(urlOf(owner), 'begin', ...rolesSql().map(ours), 'commit');

describe('whoever may make roles and is no superuser', () => {
  it('makes the roles and gives them the tables, once and again', async () => {
    await applied();
    const { rows } = await query(
      urlOf(owner),
      "select distinct tableowner from pg_tables where schemaname = 'public' order by 1",
    );
    expect(rows.map(({ tableowner }) => tableowner)).toEqual([
      ours(DATABASE_ROLES.migrate),
      ours(DATABASE_ROLES.worker),
    ]);
    await query(urlOf(owner), 'create table of_the_owner ()');
    await applied();
  });

  it('goes on to act on the database by commands', async () => {
    const db = openDatabase(urlOf(owner));
    try {
      const by = { kind: 'command', user: 'a', host: 'b' } as const;
      await logOperatorAct(db, { by, act: 'database roles', subject: null, detail: {} });
    } finally {
      await db.destroy();
    }
  });

  it('has made roles that serve and bring the schema forward', async () => {
    const [migrating, api, worker] = [DATABASE_ROLES.migrate, DATABASE_ROLES.api, DATABASE_ROLES.worker].map(
      ours,
    ) as [string, string, string];
    await query(urlOf(owner), ...roles.map((role) => `alter role ${role} password '${password}'`));
    await query(urlOf(migrating), 'alter table deals add column note text', 'create table made_later ()');
    await query(urlOf(api), 'select from made_later', 'delete from mailbox');
    await query(urlOf(worker), 'drop table public_events_0');
    await expect(query(urlOf(api), 'delete from transfers')).rejects.toMatchObject({ code: '42501' });
  });
});
