import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSchema } from '../../runtime/open-schema.ts';
import { leastRoles, type RoleUrls } from '../fixtures/database-roles.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

let database: TestDatabase;
let urls: RoleUrls;

beforeAll(async () => {
  database = await testDatabase();
  urls = await leastRoles(database.url);
});
afterAll(() => database?.drop());

it('a login that serves starts on a schema of this release, and is told who goes first on an earlier one', async () => {
  await openSchema(urls.api);
  await sql`delete from schema_versions where version = (select max(version) from schema_versions)`.execute(
    database.db,
  );
  await expect(openSchema(urls.api)).rejects.toThrow(
    /its schema is of another release, and this login may not change tables: start one process of this release as the login that migrates/,
  );
});

it.each([
  ['a wrong password', { password: 'wrong-word' }, /set the password of this login/],
  ['no such database', { pathname: '/none' }, /create it, or set DATABASE_URL/],
  ['nobody there', { port: '9' }, /; start it, or set DATABASE_URL to another\.$/],
])('a start says what to do about %s, without the password', async (_, change, remedy) => {
  const url = Object.assign(new URL(urls.api), change);
  const refused = openSchema(url.href);
  await expect(refused).rejects.toThrow(remedy);
  await expect(refused).rejects.not.toThrow(url.password);
});

it('a start on the schema of a newer release says what to do, and not to start a database that runs', async () => {
  await sql`insert into schema_versions (version, name) values (9999, '9999-later.sql')`.execute(database.db);
  await expect(openSchema(urls.api)).rejects.toThrow(
    /which a newer release made: run that release, or another database\.$/,
  );
});
