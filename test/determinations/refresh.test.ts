import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listCheck, usable } from '../../agents/determinations/panel/lists.ts';
import { requireForm } from '../../agents/evaluation/form.ts';
import { Origin } from '../../agents/evaluation/forms/transaction-forms.ts';
import { withProofs } from '../../runtime/determinations/evidence/registers/list-proofs.ts';
import { gatherRegister } from '../../runtime/determinations/evidence/registers/lists.ts';
import { gatherOrigin } from '../../runtime/determinations/evidence/registers/origin.ts';
import { gatherExposure } from '../../runtime/determinations/evidence/wallet/exposure.ts';
import type { EffectContext } from '../../runtime/durable/jobs/effect.ts';
import { ListError } from '../../runtime/registers/list-content.ts';
import { refreshList, refreshListsJob } from '../../runtime/registers/refresh.ts';
import { type ListFormat, type ListSource, readRegisterSettings } from '../../runtime/registers/settings.ts';
import { registerHealth, registerStatus } from '../../runtime/registers/status.ts';
import { expectLists, listFetches } from '../../store/registers/register-fetches.ts';
import { importRegister, listsOf } from '../../store/registers/registers.ts';
import { testDatabase } from '../fixtures/postgres.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-11-21T08:00:00.000Z');
const address = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;
const many = (n: number): string[] => Array.from({ length: n }, (_, i) => address(i + 1));

let database: Awaited<ReturnType<typeof testDatabase>>;
let listener: RequestListener = (_, response) => response.end();
let url: string;
let clock = START;
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  listener(request, response);
});
const deps = () => ({ db: database.db, now: () => new Date(clock) });

beforeAll(async () => {
  database = await testDatabase();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  clock = START;
  asked.length = 0;
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await database?.drop();
});

const source = (name: string, format: ListFormat = 'scamsniffer'): ListSource => ({
  register: format === 'ofac-sdn' ? 'sanctions' : 'known-scam',
  name,
  format,
  url: `${url}/${name}?key=secret`,
  minimum: 1,
});
/** Settings that fetch these lists, and ask a register of stolen goods that others keep. */
const of = (sources: readonly ListSource[]) => ({
  sources,
  lookups: [{ register: 'stolen' as const, template: 'https://x/{key}' }],
});
const serve = (body: unknown): void => {
  listener = (_, response) => response.end(typeof body === 'string' ? body : JSON.stringify(body));
};
const held = async (name: string) =>
  (await listsOf(database.db, name === 'ofac' ? 'sanctions' : 'known-scam')).find((l) => l.source === name);
const sdn = (day: string, wallets: readonly string[]): string =>
  `<sdnList><publshInformation><Publish_Date>${day}</Publish_Date><Record_Count>1</Record_Count></publshInformation>` +
  `<sdnEntry><uid>1</uid><lastName>X</lastName><idList>${wallets
    .map((w) => `<id><idType>Digital Currency Address - ETH</idType><idNumber>${w}</idNumber></id>`)
    .join('')}</idList></sdnEntry></sdnList>`;

describe('a published list', () => {
  it('takes the place of what was held: what is no longer on it is no longer found', async () => {
    serve([...many(4)]);
    expect(await refreshList(deps(), source('whole'))).toMatchObject({ ok: true, rows: 4, fault: null });
    serve([address(2), address(3), address(9)]);
    await refreshList(deps(), source('whole'));
    const keys = [address(1), address(9)];
    const register = await gatherRegister(database.db, 'known-scam', keys);
    expect(register.hits.map((h) => h.key)).toEqual([address(9)]);
    expect(await held('whole')).toMatchObject({ rows: 3, basis: null });
  });

  it('is followed to where its publisher keeps it', async () => {
    listener = (request, response) => {
      if (request.url?.startsWith('/moved')) response.writeHead(302, { location: '../file.json' }).end();
      else response.end(JSON.stringify(many(5)));
    };
    expect(await refreshList(deps(), source('moved'))).toMatchObject({ ok: true, rows: 5 });
  });

  it.each<[string, RequestListener]>([
    ['redirects for ever', (_, response) => response.writeHead(302, { location: '/again' }).end()],
    ['does not come', (_, response) => response.writeHead(503).end('busy')],
    [
      'breaks off',
      (_, response) => {
        response.writeHead(200, { 'content-length': 9_999 }).write(JSON.stringify(many(9)));
        setTimeout(() => response.destroy(), 20);
      },
    ],
    [
      'breaks off in chunks',
      (_, response) => {
        response.write(JSON.stringify(many(9)).slice(0, 100));
        setTimeout(() => response.destroy(), 20);
      },
    ],
    ['is a page that says sorry', (_, response) => response.end('<html>sorry</html>')],
    ['is empty', (_, response) => response.end('[]')],
    ['has lost more than half of its rows', (_, response) => response.end(JSON.stringify(many(3)))],
    [
      'holds what are no addresses',
      (_, response) => response.end(JSON.stringify([...many(9), 'one', 'two'])),
    ],
  ])('that %s leaves what was held, and says why', async (_, broken) => {
    serve(many(8));
    await refreshList(deps(), source('kept'));
    clock += 60_000;
    listener = broken;
    const done = await refreshList(deps(), source('kept'));
    expect(done).toMatchObject({ ok: false, fault: expect.any(String) });
    expect(await held('kept')).toMatchObject({ rows: 8 });
    const fetch = (await listFetches(database.db)).find((f) => f.source === 'kept');
    expect(fetch).toMatchObject({
      fault: done.fault,
      succeededAt: new Date(START),
      triedAt: new Date(clock),
    });
    expect(JSON.stringify([done, fetch])).not.toContain('secret');
  });

  it('that shrank is taken by whoever says so', async () => {
    serve(many(8));
    await refreshList(deps(), source('shrunk'));
    serve(many(2));
    expect((await refreshList(deps(), source('shrunk'), { acceptShrunk: true })).ok).toBe(true);
    expect(await held('shrunk')).toMatchObject({ rows: 2 });
  });

  it('of sanctions is as old as its publication, however often it is fetched, and never goes back', async () => {
    const ofac = source('ofac', 'ofac-sdn');
    const published = '2026-11-18T00:00:00.000Z';
    serve(sdn('11/18/2026', many(2)));
    expect(await refreshList(deps(), ofac)).toMatchObject({ ok: true, asOf: published });
    serve(sdn('11/17/2026', many(2)));
    expect(await refreshList(deps(), ofac)).toMatchObject({
      ok: false,
      fault: expect.stringContaining('before'),
    });
    const outcome = async () => {
      const register = await gatherRegister(database.db, 'sanctions', [address(77)]);
      const [proved] = await withProofs(database.db, [register]);
      return listCheck('list-sanctions', proved!, address(77), new Date(clock).toISOString()).outcome;
    };
    expect(await outcome()).toBe('PASS');
    // Frozen at its publisher, changed in its content, fetched every day: it ages all the same.
    clock += 8 * DAY;
    serve(sdn('11/18/2026', many(3)));
    expect(await refreshList(deps(), ofac)).toMatchObject({ ok: true, rows: 3, asOf: published });
    expect(await outcome()).toBe('INCONCLUSIVE');
  });

  it('that was published on a day that has not come yet is not taken', async () => {
    serve(sdn('12/24/2026', many(2)));
    expect(await refreshList(deps(), { ...source('ofac', 'ofac-sdn'), name: 'tomorrow' })).toMatchObject({
      ok: false,
      fault: expect.stringContaining('has not come yet'),
    });
  });

  it('without a date says nothing of who is not on it, until somebody vouches for it, and then as of that day', async () => {
    const plain = { ...source('dateless'), register: 'stolen', format: 'csv' } as const;
    serve('serial:generic:SN0001\nserial:generic:SN0002\n');
    const answer = async () => {
      const register = await gatherRegister(database.db, 'stolen', [
        'serial:generic:SN0009',
        'serial:generic:SN0001',
      ]);
      const at = new Date(clock).toISOString();
      return ['SN0009', 'SN0001'].map((s) => listCheck('list-stolen', register, `serial:generic:${s}`, at));
    };
    expect(await refreshList(deps(), plain)).toMatchObject({ ok: true, asOf: null });
    const [absent, listed] = await answer();
    expect([absent?.outcome, listed?.outcome]).toEqual(['INCONCLUSIVE', 'FLAG']);
    expect(absent?.detail).toMatch(/does not say as of when it is complete.*publishedAt.*completeAsOf/);
    const completeAsOf = new Date(clock - DAY);
    await refreshList(deps(), plain, { completeAsOf });
    expect((await answer())[0]?.outcome).toBe('PASS');
    // Later fetches, also of other rows, leave the word that was given as old as it is.
    clock += 30 * DAY;
    serve('serial:generic:SN0001\nserial:generic:SN0002\nserial:generic:SN0003\n');
    expect(await refreshList(deps(), plain)).toMatchObject({ rows: 3, asOf: completeAsOf.toISOString() });
    expect((await answer())[0]?.outcome).toBe('INCONCLUSIVE');
  });

  it('with fewer rows than it is declared to have leaves what was held, which ages, and says so in status and health', async () => {
    const declared = { ...source('declared'), minimum: 5, largestShrink: 10 };
    serve(many(20));
    await refreshList(deps(), declared, { completeAsOf: new Date(clock) });
    for (const [rows, why] of [
      [1, 'fewer than the 5'],
      [17, 'where 20 are held'],
    ] as const) {
      serve(many(rows));
      expect(await refreshList(deps(), declared)).toMatchObject({
        ok: false,
        fault: expect.stringContaining(why),
      });
      expect(await held('declared')).toMatchObject({ rows: 20 });
      const status = (await registerStatus(database.db, [declared], new Date(clock))).find((l) =>
        l.list.endsWith('declared'),
      );
      expect(status).toMatchObject({ state: 'failing', fault: expect.stringContaining(why) });
      expect((await registerHealth(database.db, of([declared]), new Date(clock))).detail).toContain(why);
    }
    serve(many(18));
    expect(await refreshList(deps(), declared)).toMatchObject({ ok: true, rows: 18 });
  });

  it('that has never come keeps its register from saying "not listed", from when it is configured until it is held', async () => {
    const [came, never] = ['came', 'never-came'].map(
      (name): ListSource => ({ ...source(name, 'plain'), register: 'phishing-domains' }),
    );
    const at = new Date(clock).toISOString();
    const register = async () => await gatherRegister(database.db, 'phishing-domains', ['good.example']);
    const answer = async () => {
      const [proved] = await withProofs(database.db, [await register()]);
      return listCheck('origin-listed', proved!, 'good.example', at);
    };
    await expectLists(database.db, [came!, never!]);
    serve('bad.example\nworse.example');
    await refreshList(deps(), came!, { completeAsOf: new Date(clock) });
    const lacking = { outcome: 'INCONCLUSIVE', detail: 'never fetched whole: phishing-domains/never-came' };
    expect(await answer()).toMatchObject(lacking);
    listener = (_, response) => response.writeHead(503).end();
    await refreshList(deps(), never!);
    const failed = await answer();
    expect(failed).toMatchObject(lacking);
    // As a record keeps it, and an evaluation reads it.
    requireForm(Origin, await gatherOrigin(database.db, 'good.example'));
    expect(failed.sources.map((s) => s.name)).toEqual([
      'phishing-domains/came',
      'phishing-domains/never-came',
    ]);
    // A start with the settings as they were changes nothing of that, and one without the list takes its word for it.
    await expectLists(database.db, [came!, never!]);
    expect(await answer()).toMatchObject(lacking);
    await expectLists(database.db, [came!]);
    expect((await answer()).outcome).toBe('PASS');
    await expectLists(database.db, [came!, never!]);
    const byHand = { register: 'phishing-domains', source: 'never-came', mode: 'add' } as const;
    const rows = (async function* () {
      yield { key: 'worst.example', detail: {} };
    })();
    await importRegister(database.db, { ...byHand, asOf: new Date(clock), rows });
    expect((await answer()).outcome).toBe('PASS');
  });

  it('in a file that is not taken leaves its register able to say "not listed"', async () => {
    const given = { ...source('oops', 'plain'), register: 'phishing-domains' } as const;
    const fetchList = () => Promise.reject(new ListError('it holds no domain'));
    const done = await refreshList({ ...deps(), fetchList }, given, { byHand: true });
    expect(done).toMatchObject({ ok: false, fault: 'it holds no domain' });
    expect((await gatherRegister(database.db, 'phishing-domains', [])).missing).toBeUndefined();
    expect(await registerStatus(database.db, [], new Date(clock))).not.toContainEqual(
      expect.objectContaining({ list: 'phishing-domains/oops' }),
    );
  });

  it('that never came is told as missing wherever it keeps a register silent, whoever is to fetch it', async () => {
    const never = source('of-another');
    listener = (_, response) => response.writeHead(503).end();
    await refreshList(deps(), never);
    expect((await gatherRegister(database.db, 'known-scam', [])).missing).toContain('known-scam/of-another');
    const missing = {
      list: 'known-scam/of-another',
      state: 'missing',
      fault: expect.stringContaining('503'),
    };
    expect(await registerStatus(database.db, [], new Date(clock))).toContainEqual(
      expect.objectContaining(missing),
    );
    expect(await registerHealth(database.db, of([]), new Date(clock))).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining('known-scam/of-another is missing'),
    });
    await expectLists(database.db, []);
  });

  it('that has never come leaves it open with whom an address dealt, and is due at once', async () => {
    const never: ListSource = { ...source('not-once'), register: 'sanctions' };
    await expectLists(database.db, [never]);
    listener = (_, response) => response.writeHead(503).end();
    const job = refreshListsJob(deps(), { sources: [never], refreshSeconds: 3_600 });
    expect(await job.run('sanctions/not-once', {} as EffectContext)).toEqual({ afterMs: 900_000 });
    const { sanctions, exposure } = await gatherExposure(database.db, address(5), new Date(clock));
    for (const state of [sanctions, exposure.registers.find((r) => r.register === 'sanctions')!]) {
      expect(state.missing).toEqual(['sanctions/not-once']);
      expect(usable(state, new Date(clock).toISOString())).toBe(false);
    }
    await expectLists(database.db, []);
  });

  it('is fetched when it is due, and sooner after a failure', async () => {
    const sources = [source('due-a'), source('due-b')];
    const settings = { sources, refreshSeconds: 3_600 };
    listener = (request, response) =>
      response.writeHead(request.url?.includes('due-b') ? 500 : 200).end(JSON.stringify(many(3)));
    const job = refreshListsJob(deps(), settings);
    /** Runs both jobs. @returns which were fetched, and in how many seconds each is due again */
    const round = async (afterSeconds: number) => {
      clock += afterSeconds * 1000;
      asked.length = 0;
      const again = await Promise.all(job.items.map((item) => job.run(item, {} as EffectContext)));
      const fetched = asked.map((path) => /due-[ab]/.exec(path)?.[0]).sort();
      return [fetched, again.map((a) => a!.afterMs / 1000)];
    };
    expect(await round(0)).toEqual([
      ['due-a', 'due-b'],
      [3_600, 900],
    ]);
    expect(await round(60)).toEqual([[], [3_540, 840]]);
    expect(await round(840)).toEqual([['due-b'], [2_700, 900]]);
    expect(await round(2_700)).toEqual([
      ['due-a', 'due-b'],
      [3_600, 900],
    ]);
  });

  it('is told fresh, failing, stale or missing, and health is degraded by it', async () => {
    const sources = [source('state'), source('never')];
    const state = async () =>
      Object.fromEntries(
        (await registerStatus(database.db, sources, new Date(clock))).map((l) => [
          l.list.split('/')[1],
          l.state,
        ]),
      );
    serve(many(3));
    await refreshList(deps(), source('state'));
    expect(await state()).toMatchObject({ state: 'undated', never: 'missing' });
    await refreshList(deps(), source('state'), { completeAsOf: new Date(clock) });
    expect(await state()).toMatchObject({ state: 'fresh', never: 'missing' });
    listener = (_, response) => response.writeHead(500).end();
    clock += DAY;
    await refreshList(deps(), source('state'));
    expect(await state()).toMatchObject({ state: 'failing' });
    clock += 40 * DAY;
    expect(await state()).toMatchObject({ state: 'stale' });
    const health = await registerHealth(database.db, of(sources), new Date(clock));
    expect(health).toMatchObject({
      status: 'degraded',
      empty: expect.arrayContaining(['recalled', 'comparables', 'labels']),
    });
    // Of labels nothing depends.
    expect(health.inconclusive).toMatch(/recalled is empty: whether goods were recalled is INCONCLUSIVE/);
    expect(health.inconclusive).not.toMatch(/labels|known-scam/);
    expect(JSON.stringify(health)).not.toContain('secret');
  });
});

describe('the setting of lists', () => {
  const read = (sources: string | null, stolenUrl: string | null = null) =>
    readRegisterSettings(
      { sources, refreshSeconds: 60, stolenUrl, recalledUrl: null, lookupsPerMinute: 1 },
      (name, remedy) => new Error(`${name}: ${remedy}`),
    );

  it('names register, list, format and URL', () => {
    expect(
      read('sanctions/ofac=ofac-sdn+https://a.example/SDN.XML  known-scam/s=csv+http://b.example/?a=1,2')
        .sources,
    ).toEqual([
      { register: 'sanctions', name: 'ofac', format: 'ofac-sdn', url: 'https://a.example/SDN.XML' },
      { register: 'known-scam', name: 's', format: 'csv', url: 'http://b.example/?a=1,2' },
    ]);
    expect(read(null, 'https://x.example/{kind}/{serial}').lookups).toHaveLength(1);
  });

  it('declares behind # how many rows a list has at least, and how many percent it may lose', () => {
    expect(read('sanctions/o=ofac-sdn+https://a.example/SDN.XML#minimum=80&shrink=20').sources).toEqual([
      {
        ...{ register: 'sanctions', name: 'o', format: 'ofac-sdn', url: 'https://a.example/SDN.XML' },
        ...{ minimum: 80, largestShrink: 20 },
      },
    ]);
    for (const wrong of ['minimum=many', 'shrink=101', 'least=3'])
      expect(() => read(`sanctions/o=csv+https://a.example/#${wrong}`)).toThrow('REGISTER_SOURCES');
  });

  it.each([
    'https://a.example',
    'sanctions=ofac-sdn+https://a.example',
    'nobody/x=csv+https://a.example',
    'known-scam/x=ofac-sdn+https://a.example',
    'sanctions/x=xml+https://a.example',
    'sanctions/x=csv+file:///etc/passwd',
    'sanctions/x=csv+https://a.example sanctions/x=csv+https://b.example',
  ])('is not "%s"', (text) => {
    expect(() => read(text)).toThrow('REGISTER_SOURCES');
  });

  it.each(['https://x.example/', 'ftp://x/{serial}', '{serial}'])('of a look-up is not "%s"', (template) => {
    expect(() => read(null, template)).toThrow('STOLEN_LOOKUP_URL');
  });
});
