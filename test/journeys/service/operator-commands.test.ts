import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../agents/canonical.ts';
import { until } from '../../../runtime/cli/demo/client.ts';
import { registerCommand } from '../../../runtime/cli/register.ts';
import { runCommand } from '../../fixtures/service.ts';
import { type WireStage, wireStage } from '../wire/wire-stage.ts';

/** What an operator does by command while the service runs: manage keys, and the lists that determinations use. */

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
  it('opens what it was made for at once, and is stored only as its hash', async () => {
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

  it('ends at once when it is revoked, and cannot be revoked twice', async () => {
    const { id, key } = await create('gone tomorrow', 'registers', 'pledges');
    expect((await importRow(key)).status).toBe(201);
    expect((await command('revoke', id)).code).toBe(0);
    expect((await importRow(key)).status).toBe(403);
    const again = await command('revoke', id);
    expect([again.code, again.stderr]).toEqual([
      2,
      `No live key has the id ${id}: "operator-key list" shows them.\n`,
    ]);
  });

  it('is not made for something that does not exist', async () => {
    const refused = await command('create', '--name', 'x', '--scope', 'everything');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('use one of registers, pledges, outcomes, metrics, queues, *');
  });
});

describe('the lists', () => {
  const SDN = new URL('../../fixtures/lists/SDN.XML', import.meta.url).pathname;
  const ETH = '0xee537b02da06adcb649a6d51c90a2683824127e5';
  const BAD = `0x${'bad'.padStart(40, '0')}`;
  let publishers: Server;
  let broken = false;
  let sources: string;

  beforeAll(async () => {
    // Like the treasury: the published address redirects to the file.
    publishers = createServer((request, response) => {
      if (request.url === '/SDN.XML') return response.writeHead(302, { location: '/store/sdn' }).end();
      if (request.url !== '/store/sdn') return response.end(JSON.stringify([ETH, BAD]));
      const today = new Date().toISOString().replace(/^(\d+)-(\d+)-(\d+)T.*$/, '$2/$3/$1');
      const published = readFileSync(SDN, 'utf8').replace('09/04/2024', today);
      response.end(broken ? published.slice(0, 4_000) : published);
    });
    await new Promise<void>((resolve) => publishers.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(publishers.address() as AddressInfo).port}`;
    sources = `sanctions/ofac=ofac-sdn+${url}/SDN.XML#minimum=1 known-scam/sniffer=scamsniffer+${url}/address.json#minimum=1`;
  });
  afterAll(() => {
    publishers?.closeAllConnections();
    publishers?.close();
  });

  const register = (...args: string[]) =>
    runCommand(['register', ...args], { env: { ...env, REGISTER_SOURCES: sources } });
  /** Runs the same command in this process. @returns what it printed */
  const here = async (...args: string[]): Promise<string[]> => {
    const lines: string[] = [];
    const command = registerCommand({ ...env, REGISTER_SOURCES: sources }, (line) => lines.push(line));
    await command.parseAsync(args, { from: 'user' });
    return lines;
  };
  const file = (name: string, text: string): string => {
    const path = join(stage.env.DATA_DIR as string, name);
    writeFileSync(path, text);
    return path;
  };
  const keysOf = async (source: string) =>
    (await stage.db.selectFrom('register_entries').select('key').where('source', '=', source).execute()).map(
      (r) => r.key,
    );

  it('are fetched by command, each reports what was kept and what was left out, and the service has them at once', async () => {
    const fetched = await register('refresh');
    expect([fetched.code, fetched.stderr]).toEqual([0, '']);
    const [ofac, sniffer] = fetched.stdout.split('\n');
    expect(ofac).toMatch(/^fetched {2}sanctions\/ofac: 4 rows as of /);
    expect(ofac).toContain(
      '; kept 1 BSC, 2 ETH, 1 SOL, 1 USDT; left out, since nobody is asked about these here: ',
    );
    expect(ofac).toContain('1 LTC, 1 TRX, 1 USDT, 2 XBT, 1 XMR');
    expect(sniffer).toMatch(
      /^fetched {2}known-scam\/sniffer: 2 rows of no date: they cannot say "not listed"$/,
    );
    expect(await keysOf('ofac')).toContain(ETH);
    // A part that a busy machine answers too late is missing from one answer.
    const lists = await until('the lists', async () => {
      const { registers } = (await stage.api.get('/health')).body.checks;
      return (registers.lists ?? null) as { list: string; rows: number }[] | null;
    });
    const held = lists.map((l) => [l.list, l.rows]);
    expect(held).toEqual(
      expect.arrayContaining([
        ['sanctions/ofac', 4],
        ['known-scam/sniffer', 2],
      ]),
    );
  });

  it('are searched by the name of a person or a company', async () => {
    await here('refresh', 'sanctions/ofac');
    const found = await here('find', 'exchange', 'EXAMPLE');
    expect(found.length).toBeGreaterThan(0);
    for (const line of found)
      expect(line).toMatch(/^0x[0-9a-f]{40} {2}EXAMPLE EXCHANGE \(sanctions\/ofac\)$/);
    const [first] = await here('find', 'EXAMPLE EXCHANGE', '--json');
    expect(JSON.parse(first!)).toMatchObject({ list: 'sanctions/ofac', name: 'EXAMPLE EXCHANGE' });
    expect(await here('find', '100%', 'EXCHANGE')).toEqual([
      'No held list names anybody by "100% EXCHANGE".',
    ]);
  });

  it('stay as they were when one download breaks off, which the command and the status report', async () => {
    await here('refresh', 'sanctions/ofac');
    broken = true;
    const failed = await register('refresh', 'sanctions/ofac', '--json');
    broken = false;
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({ list: 'sanctions/ofac', ok: false, rows: 0 });
    expect((await here('status')).join('\n')).toMatch(
      /^failing {2}sanctions\/ofac: 4 rows as of .*, good for 7 days; it is no well-formed XML/m,
    );
    expect(await keysOf('ofac')).toHaveLength(4);
  });

  it('are imported from a file, with the date that it shows, and never in part', async () => {
    const [whole] = await here(
      'import',
      'sanctions/by-hand',
      SDN,
      '--format',
      'ofac-sdn',
      '--minimum',
      '1',
      '--json',
    );
    expect(JSON.parse(whole ?? '')).toMatchObject({
      ok: true,
      rows: 4,
      asOf: '2024-09-04T00:00:00.000Z',
      left: { LTC: 1, TRX: 1, USDT: 1, XBT: 2, XMR: 1 },
    });
    const stolen = file('stolen.csv', 'vin,reference\n1HGCM82633A004352,case 7\n');
    const dated = ['--complete-as-of', '2024-11-01'];
    const csv = ['--format', 'csv', '--minimum', '1'];
    // The file's own date proves nothing, because somebody may have written an old list yesterday.
    expect(await here('import', 'stolen/police', stolen, ...csv)).toEqual([
      'imported stolen/police: 1 row of no date: they cannot say "not listed"',
    ]);
    expect(await here('import', 'stolen/police', stolen, ...csv, ...dated)).toEqual([
      'imported stolen/police: 1 row as of 2024-11-01T00:00:00.000Z',
    ]);
    const acts = (await runCommand(['operator', 'log', 'list'], { env })).stdout;
    expect(acts).toContain(sha256Hex(readFileSync(stolen, 'utf8')));
    const torn = file('torn.csv', 'vin\n1M8GDM9AXKP042788\n?\n');
    const refused = await register('import', 'stolen/police', torn, '--format', 'csv');
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringContaining('FAILED   stolen/police: line 3'),
    ]);
    expect(await keysOf('police')).toEqual(['serial:vin:1HGCM82633A004352']);
    // What is held under no name is waited for under none.
    expect((await register('import', 'stolen/oops', torn, '--format', 'csv')).code).toBe(1);
    expect((await here('status')).join('\n')).not.toContain('stolen/oops');
  });

  it.each([
    [['sanctions', 'SDN.XML', '--format', 'ofac-sdn'], 'sanctions/ofac'],
    [['stolen/x', 'SDN.XML', '--format', 'ofac-sdn'], '"stolen/x" as ofac-sdn'],
    [['sanctions/x', '/nowhere/at/all', '--format', 'csv'], 'no file "/nowhere/at/all"'],
    [
      ['sanctions/x', 'SDN.XML', '--format', 'csv', '--complete-as-of', '2999-01-01'],
      '--complete-as-of "2999-01-01"',
    ],
  ] as const)('are refused as %j', async (args, says) => {
    await expect(here('import', ...args.map((a) => (a === 'SDN.XML' ? SDN : a)))).rejects.toThrow(says);
  });
});

describe('what was set aside', () => {
  it('is shown and tried again under the name that the list gives it, jobs of the service too', async () => {
    await sql`update effects set failures = 3, error = 'the node was away', next_attempt_at = now() + interval '1 hour'
      where actor_id is null and status = 'pending' and kind = 'rebroadcast'`.execute(stage.db);
    const quarantine = (...args: string[]) => runCommand(['quarantine', ...args], { env });
    const { stdout } = await quarantine('list');
    const id = /job-\d+/.exec(stdout)?.[0] ?? '';
    expect(id, stdout).not.toBe('');
    for (const act of ['show', 'retry']) {
      const done = await quarantine(act, id);
      expect([done.code, done.stderr], act).toEqual([0, '']);
    }
  });
});
