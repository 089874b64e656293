import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../agents/canonical.ts';
import type { App } from '../../../api/http/app.ts';
import { operatorKeys } from '../../../api/http/auth/operator-key.ts';
import { revokeOperatorKey, saveOperatorKey } from '../../../store/http/operator-keys.ts';
import { testDatabase } from '../../fixtures/postgres.ts';
import { server } from './server-fixture.ts';

const KEY = 'operator-key-0123456789abcdef';
let database: Awaited<ReturnType<typeof testDatabase>>;
let app: App;

beforeAll(async () => {
  database = await testDatabase();
  const requireOperator = operatorKeys({ db: database.db });
  app = await server({
    db: database.db,
    routes: [
      (a) =>
        void a.get('/registers', async (request) => ({
          name: (await requireOperator(request, 'registers')).name,
        })),
      (a) =>
        void a.get('/metrics', async (request) => ({
          name: (await requireOperator(request, 'metrics')).name,
        })),
    ],
  });
  await saveOperatorKey(database.db, { id: 'k1', name: 'desk', hash: sha256Hex(KEY), scopes: ['registers'] });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const ask = (url: string, authorization?: string) =>
  app.inject({ url, headers: authorization === undefined ? {} : { authorization } });

describe('an operator key', () => {
  it('opens what it is for and nothing else', async () => {
    expect((await ask('/registers', `Bearer ${KEY}`)).json()).toEqual({ name: 'desk' });
    expect((await ask('/metrics', `Bearer ${KEY}`)).json()).toMatchObject({
      code: 'operator-key-invalid',
      status: 403,
    });
  });

  it.each([
    undefined,
    'Bearer',
    `Bearer ${KEY}x`,
    `Basic ${KEY}`,
    'Bearer short',
    `Bearer ${sha256Hex(KEY)}`,
  ])('presented as %s is refused', async (authorization) => {
    const answer = await ask('/registers', authorization);
    expect(answer.json()).toMatchObject({ code: 'operator-key-invalid', status: 403 });
    expect(answer.body).not.toContain(KEY);
  });

  it('is kept as a hash only, and ends when it is revoked, for good', async () => {
    const rows = await database.db.selectFrom('operator_keys').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(KEY);
    expect(await revokeOperatorKey(database.db, 'k1', new Date())).toBe(true);
    expect((await ask('/registers', `Bearer ${KEY}`)).statusCode).toBe(403);
    await saveOperatorKey(database.db, { id: 'k2', name: 'desk', hash: sha256Hex(KEY), scopes: ['*'] });
    expect((await ask('/registers', `Bearer ${KEY}`)).statusCode).toBe(403);
  });
});
