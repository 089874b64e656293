import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { migrate } from '../../store/migrate.ts';
import { queryOnce } from '../fixtures/query-once.ts';

const FOLDER = new URL('../../store/migrations/', import.meta.url);
const ALL = readdirSync(FOLDER).map((name) => Number(name.slice(0, 4)));

const name = `empty_${randomBytes(6).toString('hex')}`;
let url: string;

const query = <T>(statement: string, database = url): Promise<T[]> => queryOnce<T>(database, statement);

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

  it('bring a database of the first release forward with what is in it', async () => {
    const first = `first_${randomBytes(6).toString('hex')}`;
    const own = new URL(inject('postgresUrl'));
    await query(`create database ${first}`, inject('postgresUrl'));
    own.pathname = `/${first}`;
    try {
      await query(
        'create table schema_versions (version integer primary key, name text not null, applied_at timestamptz not null default now())',
        own.href,
      );
      await query(readFileSync(new URL('0001-initial.sql', FOLDER), 'utf8'), own.href);
      await query("insert into schema_versions (version, name) values (1, '0001-initial.sql')", own.href);
      await query(
        `set session_replication_role = replica;
        insert into listings (listing_ref, handle, asset_key, asset, category, chain, description, ask, negotiable, gate,
          proven, status) values ('lst', 'ann', 'serial:name:a.x', '{}', 'digital-products', 'eip155:1002', 'a', 1, false,
          'deposit', true, 'live');
        insert into orders (order_id, handle, owner, side, asset_key, listing_ref, category, limit_price, status, expires_at)
          values ('ord_1', 'ann', '0xa', 'sell', 'serial:name:a.x', 'lst', 'digital-products', 3, 'cancelled', now()),
            ('ord_2', 'ann', '0xa', 'sell', 'serial:name:a.x', 'lst', 'digital-products', 1, 'resting', now());
        insert into auctions (auction_id, listing_ref, format, reserve, window_ms, extension_ms, starts_at, ends_at)
          values ('auc', 'lst', 'ascending', 1, 1, 1, now(), now() + interval '1 hour');
        insert into sales_versions (category, version) values ('digital-products', 7);
        insert into public_events (first_id, last_id, events) values (1, 2, '[]'), (1500000, 1500001, '[]');`,
        own.href,
      );
      expect(await migrate(own.href)).toEqual(ALL.slice(1));
      expect(
        await query(
          'select a.listing_seq = l.seq as placed from auctions a join listings l using (listing_ref)',
          own.href,
        ),
      ).toEqual([{ placed: true }]);
      expect(await query('select ask, listed_ask from listings', own.href)).toEqual([
        { ask: '1', listed_ask: '3' },
      ]);
      expect(await query('select version, changed from sales_versions', own.href)).toEqual([
        { version: '7', changed: [] },
      ]);
      expect(
        await query(
          'select first_id, tableoid::regclass::text as part from public_events order by 1',
          own.href,
        ),
      ).toEqual([
        { first_id: '1', part: 'public_events_0' },
        { first_id: '1500000', part: 'public_events_default' },
      ]);
    } finally {
      await query(`drop database if exists ${first} with (force)`, inject('postgresUrl'));
    }
  });
});
