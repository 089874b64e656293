import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../agents/canonical.ts';
import { runCommand } from '../fixtures/service.ts';
import { type WireStage, wireStage } from './wire-stage.ts';

/** Operator keys, made and ended by command while the service runs. */

let stage: WireStage;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  stage = await wireStage();
  env = { ...stage.env, DATABASE_URL: stage.databaseUrl };
});
afterAll(() => stage.stop());

const command = (...args: string[]) => runCommand(['operator-key', ...args], { env });

async function create(name: string, ...scopes: string[]): Promise<{ id: string; key: string }> {
  const made = await command('create', '--name', name, ...scopes.flatMap((scope) => ['--scope', scope]));
  expect([made.code, made.stderr]).toEqual([0, '']);
  return JSON.parse(made.stdout) as { id: string; key: string };
}

const importRow = (key: string) =>
  fetch(`${stage.baseUrl}/register/known-scam?source=test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    body: '{"address":"0x00000000000000000000000000000000deadbeef"}\n',
  });

describe('an operator key', () => {
  it('opens what it was made for, at once, and is kept as its hash alone', async () => {
    const { id, key } = await create('risk desk', 'registers');
    expect((await importRow(key)).status).toBe(201);
    const row = await stage.db
      .selectFrom('operator_keys')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row).toMatchObject({ name: 'risk desk', scopes: ['registers'], hash: sha256Hex(key) });
    expect(JSON.stringify(row)).not.toContain(key);
    const listed = await command('list');
    expect(listed.stdout).toContain(id);
    expect(listed.stdout).not.toContain(key);
    expect(listed.stdout).not.toContain(sha256Hex(key));
  });

  it('opens nothing else', async () => {
    const { key } = await create('metrics reader', 'metrics');
    const refused = await importRow(key);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      403,
      'operator-key-invalid',
    ]);
  });

  it('is over at once when it is revoked, and cannot be revoked twice', async () => {
    const { id, key } = await create('gone tomorrow', 'registers', 'pledges');
    expect((await importRow(key)).status).toBe(201);
    expect((await command('revoke', id)).code).toBe(0);
    expect((await importRow(key)).status).toBe(403);
    const again = await command('revoke', id);
    expect([again.code, again.stderr]).toEqual([2, `No live key has the id ${id}.\n`]);
  });

  it('for a thing that does not exist is not made', async () => {
    const refused = await command('create', '--name', 'x', '--scope', 'everything');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('use one of registers, pledges, metrics, queues, *');
  });
});
