import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';
import { type ServiceFolder, serviceFolder } from '../../fixtures/service.ts';

/** A start that fails once the queue and the pool are open, as on a database that takes no writes. */

let database: TestDatabase;
let folder: ServiceFolder;

beforeAll(async () => {
  [database, folder] = await Promise.all([testDatabase(), serviceFolder()]);
  await sql`alter table register_fetches rename to away`.execute(database.db);
});
afterAll(async () => {
  await folder?.remove();
  await database?.drop();
});

it('ends the process with its reason, and leaves nothing open', async () => {
  const service = folder.attempt({ DATABASE_URL: database.url });
  expect(await service.ended).toBe(2);
  expect(service.errors()).toContain('register_fetches');
});
