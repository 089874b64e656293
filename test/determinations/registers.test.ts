import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../agents/canonical.ts';
import { listCheck } from '../../agents/determinations/panel/lists.ts';
import type { App } from '../../api/http/app.ts';
import { operatorKeys } from '../../api/http/auth/operator-key.ts';
import { registerRoutes } from '../../api/registers/registers.ts';
import { buildServer } from '../../api/server.ts';
import { gatherRegister } from '../../runtime/determinations/evidence/registers/lists.ts';
import { saveOperatorKey } from '../../store/http/operator-keys.ts';
import { type LoggedAct, logEntries } from '../../store/operators/operator-log.ts';
import { importRegister, listsOf, lookUp } from '../../store/registers/registers.ts';
import { testDatabase } from '../fixtures/postgres.ts';

type Row = { key: string; detail: object };

const NOW = new Date('2026-11-21T08:00:00.000Z');
const KEY = 'operator-key-of-a-test';
const address = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;

let database: Awaited<ReturnType<typeof testDatabase>>;
let app: App;

beforeAll(async () => {
  database = await testDatabase();
  const { db } = database;
  await saveOperatorKey(db, { id: 'op_1', name: 'test', hash: sha256Hex(KEY), scopes: ['registers'] });
  app = await buildServer({
    baseUrl: 'http://127.0.0.1:1',
    limits: { reads: 10_000, writes: 10_000 },
    newRequestId: () => 'req_test',
    idempotency: { db, clock: () => NOW },
    routes: [(a) => registerRoutes(a, { db, requireOperator: operatorKeys({ db }), now: () => NOW })],
  });
});

afterAll(async () => {
  await app?.close();
  await database?.drop();
});

async function* rows(list: readonly Row[]): AsyncGenerator<Row> {
  yield* list;
}

const entry = (n: number): Row => ({ key: address(n), detail: { n: String(n) } });

describe('a register', () => {
  it('finds what was imported, and tells each list with its date and rows', async () => {
    const { db } = database;
    const list = { register: 'stolen', source: 'a', asOf: NOW, mode: 'add' } as const;
    const many = Array.from({ length: 2500 }, (_, i) => entry(i));
    expect(await importRegister(db, { ...list, rows: rows(many) })).toMatchObject({
      rows: 2500,
      total: 2500,
    });
    await importRegister(db, { ...list, source: 'b', rows: rows([entry(1)]) });
    expect(await lookUp(db, 'stolen', [address(1), address(9999)])).toEqual([
      { key: address(1), source: 'a' },
      { key: address(1), source: 'b' },
    ]);
    expect(await listsOf(db, 'stolen')).toMatchObject([
      { source: 'a', asOf: NOW, rows: 2500, basis: 'attested', synthetic: false },
      { source: 'b', asOf: NOW, rows: 1 },
    ]);
    expect((await gatherRegister(db, 'sanctions', [address(1)])).lists).toEqual([]);
  });

  it('drops what is no longer on a list that is replaced, and only of that list', async () => {
    const { db } = database;
    const list = { register: 'comparables', asOf: NOW } as const;
    await importRegister(db, { ...list, source: 'a', mode: 'add', rows: rows([entry(1), entry(2)]) });
    await importRegister(db, { ...list, source: 'b', mode: 'add', rows: rows([entry(1)]) });
    const done = await importRegister(db, {
      ...list,
      source: 'a',
      mode: 'replace',
      rows: rows([entry(2), entry(3)]),
    });
    expect(done.total).toBe(2);
    expect(await lookUp(db, 'comparables', [1, 2, 3].map(address))).toEqual([
      { key: address(1), source: 'b' },
      { key: address(2), source: 'a' },
      { key: address(3), source: 'a' },
    ]);
  });

  it('takes rows of two importers at once', async () => {
    const { db } = database;
    const one = (from: number) => Array.from({ length: 1500 }, (_, i) => entry(from + i));
    await Promise.all(
      [50_000, 50_700, 51_000].map((from) =>
        importRegister(db, {
          register: 'known-scam',
          source: 'race',
          asOf: NOW,
          mode: 'add',
          rows: rows(one(from)),
        }),
      ),
    );
    expect((await listsOf(db, 'known-scam')).find((l) => l.source === 'race')?.rows).toBe(2500);
  });
});

describe('POST /register/{name}', () => {
  const post = (path: string, payload: string, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: path,
      payload,
      headers: { 'content-type': 'text/csv', authorization: `Bearer ${KEY}`, ...headers },
    });

  it('imports CSV and JSON lines', async () => {
    const csv = await post(
      '/register/sanctions?source=ofac&mode=replace&publishedAt=2026-11-20&minimum=1',
      `address,program\n${address(7)},SDN\n`,
    );
    expect([csv.statusCode, csv.json()]).toEqual([
      201,
      {
        ...{ register: 'sanctions', source: 'ofac', asOf: '2026-11-20T00:00:00.000Z' },
        ...{ rows: 1, total: 1, usable: true },
      },
    ]);
    const lines = `{"address":"${address(8)}"}\n{"address":"${address(9)}"}`;
    const jsonl = await post('/register/sanctions', lines, { 'content-type': 'application/x-ndjson' });
    expect(jsonl.json()).toMatchObject({ source: 'operator', rows: 2 });
    const state = await gatherRegister(database.db, 'sanctions', [address(7), address(8)]);
    expect(state.hits.map((h) => h.list)).toEqual(['sanctions/ofac', 'sanctions/operator']);
  });

  it('says that a list is useless, and why: too old, of no date, too short', async () => {
    const told = async (query: string, register = 'sanctions') => {
      const { usable, why } = (await post(`/register/${register}?source=told&${query}`, address(7))).json();
      return [usable, why];
    };
    expect(await told('mode=add')).toEqual([false, 'of no date']);
    const whole = 'mode=replace&publishedAt';
    expect(await told(`${whole}=2026-10-01&minimum=1`)).toEqual([false, 'older than 7 days']);
    expect(await told(`${whole}=2026-11-20&minimum=50`)).toEqual([
      false,
      '1 row, fewer than the 50 of its minimum',
    ]);
    expect(await told(`${whole}=2026-11-20&minimum=1`)).toEqual([true, undefined]);
  });

  it('of one row in each register permits no CLEAN, dated or not, and says why', async () => {
    const outcome = async (name: string) => {
      const state = await gatherRegister(database.db, 'recalled', ['serial:generic:SN0009']);
      const own = { ...state, lists: state.lists.filter((l) => l.name === `recalled/${name}`) };
      return listCheck('list-recalled', own, 'serial:generic:SN0009', NOW.toISOString());
    };
    const send = (query: string) => post(`/register/recalled?${query}`, 'serial:generic:SN0001\n');
    const now = NOW.toISOString();
    await send('source=bare');
    expect(await outcome('bare')).toMatchObject({ outcome: 'INCONCLUSIVE' });
    await send(`source=junk&mode=replace&completeAsOf=${now}`);
    expect(await outcome('junk')).toMatchObject({
      outcome: 'INCONCLUSIVE',
      detail: expect.stringContaining('1 rows, fewer than the 10'),
    });
    await send(`source=demo&mode=replace&completeAsOf=${now}&minimum=1&synthetic=true`);
    const vouched = await outcome('demo');
    expect(vouched.outcome).toBe('PASS');
    expect(vouched.sources[0]?.limit).toContain('SYNTHETIC');
    // Rows that are added later without a date leave the date as it was.
    await post('/register/recalled?source=demo', 'serial:generic:SN0002\n');
    expect((await outcome('demo')).outcome).toBe('PASS');
  });

  it('takes no list in the place of another that has lost more than it may, unless that is accepted', async () => {
    const rows = (n: number) =>
      Array.from({ length: n }, (_, i) => `serial:generic:SN${1000 + i}`).join('\n');
    const replace = (n: number, more = '') =>
      post(`/register/recalled?source=whole&mode=replace${more}`, rows(n));
    expect((await replace(20)).statusCode).toBe(201);
    const shrunk = await replace(9);
    expect([shrunk.statusCode, shrunk.json().code]).toEqual([409, 'conflict']);
    expect((await replace(19, '&largestShrink=1')).statusCode).toBe(409);
    expect((await listsOf(database.db, 'recalled')).find((l) => l.source === 'whole')?.rows).toBe(20);
    expect((await replace(9, '&acceptShrunk=true')).json()).toMatchObject({ total: 9 });
  });

  it('dates only a whole list: whom it names no more is cleared by the newer date, and rows to add carry none', async () => {
    const rows = (n: number) => Array.from({ length: n }, (_, i) => address(500 + i)).join('\n');
    const send = (n: number, query: string) => post(`/register/sanctions?source=dated&${query}`, rows(n));
    const held = async () => (await listsOf(database.db, 'sanctions')).find((l) => l.source === 'dated');
    expect((await send(60, 'mode=replace&completeAsOf=2026-11-19')).statusCode).toBe(201);
    for (const date of ['completeAsOf=2026-11-20', 'publishedAt=2026-11-20'])
      for (const mode of ['', '&mode=add']) {
        const refused = await send(58, `${date}${mode}`);
        expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, 'mode']);
        expect(refused.json().detail).toContain('mode=replace');
      }
    expect(await held()).toMatchObject({ rows: 60, asOf: new Date('2026-11-19') });
    expect((await send(58, 'mode=replace&completeAsOf=2026-11-20')).json()).toMatchObject({ total: 58 });
    expect(await lookUp(database.db, 'sanctions', [address(559)])).toEqual([]);
    expect(await held()).toMatchObject({ rows: 58, asOf: new Date('2026-11-20') });
  });

  it('has in the operators’ log who asked, and with what is taken the hash of what was sent', async () => {
    const acts = async () => {
      const all = [];
      for await (const { body } of logEntries(database.db)) all.push(JSON.parse(body) as LoggedAct);
      return all;
    };
    const before = (await acts()).length;
    const [path, csv] = ['/register/known-scam?source=logged', `${address(1)}\n${address(2)}\n`];
    expect((await post(path, csv)).statusCode).toBe(201);
    expect((await post(path, `${csv}not-an-address\n`)).statusCode).toBe(400);
    const by = { kind: 'key', id: 'op_1', name: 'test' };
    const asked = { by, act: 'POST /register/:name', subject: path, detail: {} };
    const taken = { by, act: 'list taken', subject: path, detail: { body: sha256Hex(csv) } };
    const found = (await acts()).slice(before);
    expect(found.map(({ by, act, subject, detail }) => ({ by, act, subject, detail }))).toEqual([
      asked,
      taken,
      asked,
    ]);
  });

  it('imports a list far longer than other bodies may be', async () => {
    const csv = Array.from({ length: 20_000 }, (_, i) => address(1_000_000 + i)).join('\n');
    expect(csv.length).toBeGreaterThan(64 * 1024 * 10);
    const answer = await post('/register/known-scam?source=long', csv);
    expect([answer.statusCode, answer.json().total]).toEqual([201, 20_000]);
  });

  it('refuses a bad row by its line and imports nothing of the list', async () => {
    const csv = [...Array.from({ length: 2000 }, (_, i) => address(i)), 'not-an-address', address(2001)].join(
      '\n',
    );
    const answer = await post('/register/known-scam?source=broken', csv);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'bad-request', errors: [{ path: 'line 2001' }] });
    expect((await listsOf(database.db, 'known-scam')).map((l) => l.source)).not.toContain('broken');
    expect(await lookUp(database.db, 'known-scam', [address(3)])).toEqual([]);
  });

  it.each<[string, string, string, Record<string, string>, number, string]>([
    ['an unknown register', '/register/rumours', address(1), {}, 400, 'bad-request'],
    [
      'a date in the future',
      '/register/sanctions?mode=replace&completeAsOf=2027-01-01',
      address(1),
      {},
      400,
      'bad-request',
    ],
    [
      'a date that is none',
      '/register/sanctions?mode=replace&publishedAt=soon',
      address(1),
      {},
      400,
      'bad-request',
    ],
    ['an unknown parameter', '/register/sanctions?sorce=x', address(1), {}, 400, 'bad-request'],
    ['an empty list to add', '/register/sanctions', '# nothing\n', {}, 400, 'bad-request'],
    [
      'another key',
      '/register/sanctions',
      address(1),
      { authorization: 'Bearer not-the-operator-key' },
      403,
      'operator-key-invalid',
    ],
    [
      'another media type',
      '/register/sanctions',
      '<a/>',
      { 'content-type': 'application/xml' },
      400,
      'bad-request',
    ],
  ])('refuses %s', async (_, path, payload, headers, status, code) => {
    const answer = await post(path, payload, headers);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });

  it('refuses bytes that are not UTF-8, by their line', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/register/sanctions',
      payload: Buffer.concat([Buffer.from(`${address(1)}\n`), Buffer.from([0xc3, 0x28, 0x0a])]),
      headers: { 'content-type': 'text/csv', authorization: `Bearer ${KEY}` },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'bad-request']);
  });
});
