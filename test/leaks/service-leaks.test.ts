import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { compare } from './compare.ts';
import { writeTrade } from './service-script.ts';
import { serviceTheatre } from './service-theatre.ts';
import type { Theatre } from './theatre.ts';

/** Two whole services, each with its own chains, run the same histories with different limits, floors and rooms. */

let databases: TestDatabase[] = [];
let stages: [Theatre, Theatre] | null = null;

beforeAll(async () => {
  databases = [await testDatabase({ max: 2 }), await testDatabase({ max: 2 })];
  const [one, other] = await Promise.all(databases.map((database) => serviceTheatre(database)));
  stages = [one!, other!];
}, 900_000);
afterAll(async () => {
  await Promise.all((stages ?? []).map((stage) => stage.stop()));
  for (const database of databases) await database.drop();
}, 900_000);

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? String(v) : v));

// This takes half a minute on a quiet machine.
const timeout = 900_000;

it('two services show the same to the public in lists, pages, records with their evidence, events, on chain and to a stranger', {
  timeout,
}, async () => {
  // In one history nothing matches and in the other something does; in both an order expires and a close call is
  // published.
  const { leak, ...sum } = await compare(stages!, { from: 9, histories: 2, write: writeTrade });
  expect(leak && shown(leak)).toBeNull();
  process.stdout.write(`${shown(sum)} of two services: nothing differs\n`);
  expect(sum).toMatchObject({ matches: 1, closeCalls: 2 });
  expect(sum.numbers).toBeGreaterThan(1);
});

it('two services would be told apart if a lot came first whenever an order with an even limit expired', {
  timeout,
}, async () => {
  for (const { db } of databases)
    await sql
      .raw(`create function leak() returns trigger language plpgsql as $$ begin
        if new.side = 'buy' and new.status = 'expired' and new.limit_price / 10000 % 2 = 0 then
          update listings set featured = true where listing_ref = new.listing_ref;
        end if; return null; end $$;
        create trigger leak after update of status on orders for each row execute function leak()`)
      .execute(db);
  const { leak } = await compare(stages!, { from: 51, histories: 1, write: writeTrade });
  expect(leak?.seen).toContain('event: listing');
});
