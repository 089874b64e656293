import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTransfers, forgetTransfers } from '../../store/chain-sync/transfers.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { migrate } from '../../store/migrate.ts';
import { archivedMonths, archiveRecords, dropArchived } from '../../store/records/archive.ts';
import { dropEventParts, makeEventParts } from '../../store/records/event-parts.ts';
import { DATABASE_ROLES, rolesSql } from '../../store/roles.ts';
import { leastRoles, type RoleUrls } from '../fixtures/database-roles.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

type Role = keyof RoleUrls;

let database: TestDatabase;
let urls: RoleUrls;
const clients = new Map<Role, pg.Client>();

beforeAll(async () => {
  database = await testDatabase();
  urls = await leastRoles(database.url);
  for (const role of Object.keys(DATABASE_ROLES) as Role[]) {
    const client = new pg.Client({ connectionString: urls[role] });
    await client.connect();
    clients.set(role, client);
  }
});
afterAll(async () => {
  for (const client of clients.values()) await client.end();
  await database?.drop();
});

const REFUSED = '42501';

/** What becomes of a statement in a transaction that is rolled back: `done`, or the code of the error. */
async function outcome(role: Role, statement: string): Promise<string> {
  const client = clients.get(role)!;
  await client.query('begin');
  try {
    await client.query(statement);
    return 'done';
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query('rollback');
  }
}

const outcomes = async (role: Role, statements: readonly string[]): Promise<string[]> => {
  const all: string[] = [];
  for (const statement of statements) all.push(`${await outcome(role, statement)}  ${statement}`);
  return all;
};
const every = (what: string, statements: readonly string[]): string[] =>
  statements.map((statement) => `${what}  ${statement}`);

describe('roles that serve', () => {
  it('see which workers are connected, whoever these log in as', async () => {
    const name = 'worker_of_another_role';
    const other = new pg.Client({ connectionString: urls.api, application_name: name });
    await other.connect();
    try {
      for (const role of ['api', 'worker'] as const) {
        const { rows } = await clients
          .get(role)!
          .query('select application_name as name from pg_stat_activity where application_name = $1', [name]);
        expect(rows).toEqual([{ name }]);
      }
    } finally {
      await other.end();
    }
  });
});

const DEFINES = [
  'alter table deals add column note text',
  'drop table deals',
  'truncate deals',
  'create index on deals (price)',
  'alter table operator_log disable trigger operator_log_append_only',
  'drop trigger operator_log_append_only on operator_log',
  "create or replace function claim_key(asset_key text) returns text language sql as 'select asset_key'",
  'create role another',
  'create extension if not exists dblink',
  "copy deals to program 'cat'",
  "insert into schema_versions (version, name) values (99, 'another')",
];
const WRITES = [
  "insert into owner_settings (wallet, beneficial_owner) values ('0x00', '0x00')",
  "update actors set kind = 'deal'",
  'delete from mailbox',
  "insert into operator_log (seq, body, hash) values (1, '{}', 'a')",
];

describe('the roles of the database', () => {
  it('let API and worker read and write rows, and change nothing of the tables', async () => {
    for (const role of ['api', 'worker'] as const) {
      expect(await outcomes(role, WRITES)).toEqual(every('done', WRITES));
      expect(await outcomes(role, DEFINES)).toEqual(every(REFUSED, DEFINES));
      const changes = ["update operator_log set body = '{}'", 'delete from operator_log'];
      expect(await outcomes(role, changes)).toEqual(every(REFUSED, changes));
    }
  });

  it('let the read-only role read what is no secret, and write nothing', async () => {
    const reads = [
      'select from deals',
      'select from records',
      'select from operator_log',
      'select payer, amount, status from payments',
    ];
    const secrets = [
      'select hash from operator_keys',
      'select secret from webhook_subscriptions',
      'select response from idempotency_keys',
      'select response from payments',
      'select evidence, record_body from payments',
      'select path from payments',
    ];
    expect(await outcomes('readOnly', reads)).toEqual(every('done', reads));
    const refused = [
      ...secrets,
      ...WRITES,
      ...DEFINES,
      'select from deals for update',
      'create table mine ()',
    ];
    expect(await outcomes('readOnly', refused)).toEqual(every(REFUSED, refused));
  });

  it('let workers alone keep transfers, and make and drop their partitions', async () => {
    const keeps = [
      'create table transfers_7 partition of transfers for values in (7) partition by range (block)',
      'delete from transfers',
      "insert into chain_cursors (name, block) values ('a', 1)",
    ];
    expect(await outcomes('worker', keeps)).toEqual(every('done', keeps));
    expect(await outcomes('api', keeps)).toEqual(every(REFUSED, keeps));
  });

  it('let workers alone make and drop the parts of events and of the archive, and the API number events', async () => {
    const keeps = [
      'create table public_events_7 partition of public_events for values from (7000000) to (8000000)',
      'drop table public_events_0',
      "create table record_archive_202611 partition of record_archive for values from ('2026-11-01') to ('2026-12-01')",
      'delete from record_archive',
    ];
    expect(await outcomes('worker', keeps)).toEqual(every('done', keeps));
    expect(await outcomes('api', keeps)).toEqual(every(REFUSED, keeps));
    const numbers = [
      "insert into public_events (first_id, last_id, events) values (1, 1, '[]')",
      'delete from public_events',
      'select from record_archive',
    ];
    expect(await outcomes('api', numbers)).toEqual(every('done', numbers));
  });

  it('refuse the API the partitions of transfers themselves, also when they are made again over standing ones', async () => {
    const worker = clients.get('worker')!;
    await worker.query('create table transfers_8 partition of transfers for values in (8)');
    for (const statement of rolesSql()) await pgQuery(database.url, statement);
    expect(await outcome('api', 'delete from transfers_8')).toBe(REFUSED);
    expect(await outcome('worker', 'drop table transfers_8')).toBe('done');
  });

  it('let the migrating role bring the schema forward, and give the others rights on what it makes', async () => {
    const client = clients.get('migrate')!;
    await client.query('alter table deals add column note text');
    await client.query('create table made_later (id integer)');
    expect(await outcome('api', 'insert into made_later values (1)')).toBe('done');
    expect(await outcome('readOnly', 'select from made_later')).toBe('done');
    expect(await outcome('readOnly', 'insert into made_later values (1)')).toBe(REFUSED);
    expect(await outcome('migrate', 'create role another')).toBe(REFUSED);
    expect(await outcome('migrate', 'drop table transfers')).toBe('done');
  });

  it('start on a schema that is up to date without the right to make tables', async () => {
    expect(await migrate(urls.api)).toEqual([]);
    expect(await migrate(urls.worker)).toEqual([]);
  });
});

describe('parts that the migrating role made, as the first process of a release does', () => {
  const CHAIN = 9;
  const later = () => new Date(Date.now() + 60_000);
  let opened: Record<'migrate' | 'worker', Database>;

  beforeAll(() => {
    opened = { migrate: openDatabase(urls.migrate), worker: openDatabase(urls.worker) };
  });
  afterAll(async () => {
    for (const db of Object.values(opened ?? {})) await db.destroy();
  });

  const transfersAt = (db: Database, fromBlock: bigint, toBlock: bigint) =>
    addTransfers(db, CHAIN, { fromBlock, toBlock }, [{ block: toBlock, hash: `0x${toBlock}` }], {
      transfers: [],
      created: [],
    });
  /** A record of a month that is on chain. */
  const anchored = async (id: string, at: string) => {
    await pgQuery(
      database.url,
      `with b as (insert into batches (root, size, status) values ('0x', 1, 'anchored') returning batch_id)
       insert into records (record_id, kind, subject, summary, body, hash, signature, batch_id, leaf_index, created_at)
       select '${id}', 'deal', 's', 's', '', '${id}', '0x', batch_id, 0, '${at}' from b`,
    );
  };

  it('are dropped and added to by workers, and no request writes them', async () => {
    const { migrate: first, worker } = opened;
    await pgQuery(database.url, 'update event_counter set last = 3500000');
    await makeEventParts(first);
    expect(await transfersAt(first, 999_990n, 1_000_010n)).toBe(true);
    await anchored('rec_october', '2026-10-05T00:00:00Z');
    expect(await archiveRecords(first, new Date('2026-10-09T00:00:00Z'))).toBe(1);

    const writes = [
      `delete from transfers_${CHAIN}`,
      `delete from transfers_${CHAIN}_0`,
      'delete from record_archive_202610',
    ];
    expect(await outcomes('api', writes)).toEqual(every(REFUSED, writes));

    await pgQuery(database.url, 'update event_counter set last = 4500000');
    await makeEventParts(worker);
    await dropEventParts(worker, later());
    const kept = await sql<{ name: string }>`select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'public_events'::regclass order by inhrelid`.execute(worker);
    expect(kept.rows.map(({ name }) => name)).toEqual(
      ['default', '4000000', '5000000'].map((part) => `public_events_${part}`),
    );
    expect(await transfersAt(worker, 1_000_011n, 2_000_010n)).toBe(true);
    await forgetTransfers(worker, later());
    const ranges = worker.selectFrom('transfer_ranges').select(['from_block', 'to_block']);
    expect(await ranges.where('chain_id', '=', BigInt(CHAIN)).execute()).toEqual([
      { from_block: 2_000_000n, to_block: 2_000_010n },
    ]);
    await anchored('rec_late_october', '2026-10-06T00:00:00Z');
    expect(await archiveRecords(worker, new Date('2026-10-09T00:00:00Z'))).toBe(1);
    expect(await dropArchived(worker, '2026-10', 2)).toBe(true);
    expect(await archivedMonths(worker)).toEqual([]);
  });
});

async function pgQuery(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
