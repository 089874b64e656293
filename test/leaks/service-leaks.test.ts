import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { compare } from './compare.ts';
import { serviceTheatre, writeTrade } from './service-theatre.ts';
import type { Theatre } from './theatre.ts';

/** Two whole services, each with its chains, are played the same histories with other limits, floors and rooms. */

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

// Seconds on a quiet machine.
const timeout = 900_000;

it('say the same to the public in lists, pages, records with their evidence, and events', {
  timeout,
}, async () => {
  const { leak, ...sum } = await compare(stages!, { from: 10, histories: 2, write: writeTrade });
  expect(leak && shown(leak)).toBeNull();
  process.stdout.write(`${shown(sum)} of two services: nothing differs\n`);
  expect(sum.numbers).toBeGreaterThan(1);
  expect(sum.matches).toBeGreaterThan(0);
});

it('would be told apart if a lot came first where a limit is even', { timeout }, async () => {
  await sql
    .raw(`create function leak() returns trigger language plpgsql as $$ begin
      if new.side = 'buy' and new.limit_price / 10000 % 2 = 0 then
        update listings set featured = true where listing_ref = new.listing_ref;
      end if; return null; end $$;
      create trigger leak after insert on orders for each row execute function leak()`)
    .execute(databases[1]!.db);
  const { leak } = await compare(stages!, { from: 121, histories: 1, write: writeTrade });
  expect(leak).not.toBeNull();
});
