import { connect, type Socket } from 'node:net';
import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../api/http/app.ts';
import { marketRoutes } from '../../../api/market/market.ts';
import { eventHub } from '../../../api/service/event-hub.ts';
import { wireEvents } from '../../../api/service/event-wire.ts';
import { eventRoutes } from '../../../api/service/events.ts';
import { eventBounds, forgetEvents, sequenceEvents } from '../../../store/records/public-events.ts';
import { closeBatch, insertRecord, markAnchored } from '../../../store/records/records.ts';
import { unwindDeal } from '../../fixtures/closings.ts';
import { type MarketStage, marketStage } from '../../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../../fixtures/postgres.ts';
import { type Listening, listenTo } from '../../fixtures/servers/event-stream.ts';
import { plainRoutes, server } from './server-fixture.ts';

const PLACE = { baseUrl: 'http://handshake.test', chainId: 1002, ledger: `0x${'b'.repeat(40)}` };

let database: TestDatabase;
let stage: MarketStage;
let origin: string;
let app: App;
const open: Listening[] = [];

/** One API process over the test's database. */
async function apiProcess({
  perAddress = 100,
  inAll = 100,
  heartbeatMs = 15_000,
  patienceMs = 10_000,
  pollMs = 10,
  db = database.db,
} = {}): Promise<{ app: App; origin: string }> {
  const hub = eventHub({
    db,
    log: { warn: () => {}, info: () => {} },
    toWire: wireEvents(PLACE),
    pollMs,
    heartbeatMs,
    patienceMs,
  });
  const built = await server({
    db: database.db,
    routes: [
      ...plainRoutes,
      (a) => marketRoutes(a, { db: database.db }),
      (a) => eventRoutes(a, { hub, perAddress, inAll }),
    ],
  });
  return { app: built, origin: await built.listen({ host: '127.0.0.1', port: 0 }) };
}

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
  ({ app, origin } = await apiProcess());
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.stop();
});

describe('the time that requests take', () => {
  it('counts no stream that was open for as long as somebody listened, but one that was refused', async () => {
    const timed: unknown[] = [];
    const meter = { request: (...of: unknown[]) => timed.push(of.slice(1, 3)) };
    const hub = eventHub({
      db: database.db,
      log: { warn: () => {}, info: () => {} },
      toWire: wireEvents(PLACE),
    });
    const built = await server({
      ...{ db: database.db, meter: meter as never },
      routes: [...plainRoutes, (a) => eventRoutes(a, { hub, perAddress: 1, inAll: 1 })],
    });
    const at = await built.listen({ host: '127.0.0.1', port: 0 });
    const stream = await listen('', {}, at);
    expect((await fetch(`${at}/events`)).status).toBe(429);
    stream.stop();
    await built.close();
    expect(timed).toEqual([['/events', 429]]);
  });
});

const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 1_000_000));

async function listen(query = '', headers: Record<string, string> = {}, at = origin): Promise<Listening> {
  const stream = await listenTo(`${at}/events${query}`, headers);
  open.push(stream);
  // It has been told where it stands: what happens from here on it hears.
  while (stream.comments() === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  return stream;
}

const get = async (path: string) => await (await fetch(`${origin}${path}`)).json();

/** Makes so many events of one kind, the smallest first, in so many transactions. */
async function say(count: number, text = 'x'): Promise<void> {
  await sql`select tell('close-call', 'cc' || n || gen_random_uuid(), jsonb_build_object('closeCallId', 'cc' || n, 'lot', ${text}::text,
    'category', 'digital-products', 'chain', 'eip155:1002', 'hour', '2026-09-06T12:00:00+00:00'::timestamptz)) from generate_series(1, ${count}) n`.execute(
    database.db,
  );
}

describe('GET /events', () => {
  it('tells a lot from its listing to its settlement by the very rows of the lists', async () => {
    const stream = await listen();
    expect(stream.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers['access-control-allow-origin']).toBe('*');
    expect(stream.response.headers['cache-control']).toContain('no-store');
    expect(stream.response.headers['x-request-id']).toMatch(/./);
    const lot = await stage.list(await stage.agent('wire-ann'), {
      listingRef: 'w1',
      description: 'A scarf',
      ask: usd(100),
      floor: usd(80),
    });
    await stream.until(2);
    const [listed] = (await get('/catalogue')).items;
    const [row] = (await get(`/orders?lot=${encodeURIComponent(lot)}`)).items;
    expect(stream.heard.map(({ event, data }) => [event, data])).toEqual([
      ['listing', { ...listed, live: true }],
      ['order-book', { ...row, open: true }],
    ]);
    const { match } = await stage.order(await stage.agent(), lot, { limit: usd(90) });
    await stream.until(5);
    const [matched] = (await get('/matches')).items;
    expect(matched.matchId).toBe(match!.matchId);
    expect(stream.heard.slice(2).map(({ event, data }) => [event, data])).toEqual([
      ['match', matched],
      ['listing', { listingRef: 'w1', lot, category: listed.category, chain: listed.chain, live: false }],
      [
        'order-book',
        { lot, category: listed.category, chain: listed.chain, open: false, updatedAt: expect.any(String) },
      ],
    ]);
    expect(stream.heard.map(({ id }) => Number(id))).toEqual([1, 2, 3, 4, 5]);
  });

  it('tells no price of a match that was stopped, also not to whoever begins before it was', async () => {
    const stream = await listen('?only=match');
    const lot = await stage.list(await stage.agent(), { ask: usd(100), floor: usd(80) });
    const { match } = await stage.order(await stage.agent(), lot, { limit: usd(90) });
    const [matched] = await stream.until(1);
    expect(matched?.data).toMatchObject({ state: 'settling', clearingPriceUsd: 85 });
    await stage.inTrx((trx) =>
      unwindDeal(trx, {
        dealId: match!.dealId,
        reason: 'private',
        orderId: stage.fresh('again'),
        ids: stage.ids(),
        allows: () => false,
        now: stage.now(),
      }),
    );
    const [, stopped] = await stream.until(2);
    expect(stopped?.data).toMatchObject({ matchId: match!.matchId, state: 'stopped' });
    const from = `?only=match&lot=${encodeURIComponent(lot)}&after=0`;
    // One process has both events at hand, the other reads them from the database.
    const other = await apiProcess();
    for (const at of [origin, other.origin]) {
      const late = await listen(from, {}, at);
      const told = (await late.until(2)).map(({ data }) => data);
      expect(told).toEqual([stopped?.data, stopped?.data]);
      expect(JSON.stringify(told)).not.toMatch(/Usd|85/);
      late.stop();
    }
    await other.app.close();
  });

  it('walks a record from inscribing to anchored, with its links', async () => {
    const ann = await stage.agent('wire-walk');
    const stream = await listen(`?handle=${ann}`);
    await stage.inTrx((trx) =>
      insertRecord(trx, {
        record: {
          recordId: 'rec_walk',
          kind: 'agent-purchase',
          parties: [ann],
          subject: ann,
          summary: 'An agent was bought.',
          issuedAt: '2026-09-06T12:00:00Z',
        } as never,
        hash: `0x${'1'.repeat(64)}`,
        signature: '0x1',
        evidence: null,
        handle: ann,
      }),
    );
    await stream.until(1);
    const batch = (await closeBatch(database.db))!;
    await stream.until(2);
    const tx = `0x${'7'.repeat(64)}`;
    await stage.inTrx((trx) => markAnchored(trx, batch.batchId, { tx, block: 7n, at: stage.now() }));
    await stream.until(3);
    const row = {
      handle: ann,
      recordId: 'rec_walk',
      kind: 'agent-purchase',
      at: '2026-09-06T12:00:00.000Z',
      subject: ann,
      hash: `0x${'1'.repeat(64)}`,
      summary: 'An agent was bought.',
      recordUrl: `${PLACE.baseUrl}/records/rec_walk`,
    };
    expect(stream.heard.map(({ data }) => data)).toEqual([
      { ...row, state: 'inscribing' },
      { ...row, state: 'inscribed' },
      {
        ...row,
        state: 'anchored',
        ledger: { chainId: 1002, contract: PLACE.ledger, tx, batch: String(batch.batchId) },
      },
    ]);
  });

  it('goes on from the last id, at any process, and misses and repeats nothing', async () => {
    const other = await apiProcess();
    const [stream, elsewhere] = [await listen(), await listen('', {}, other.origin)];
    const ids: number[] = [];
    let last = stream.lastId();
    for (let round = 0; round < 6; round++) {
      await say(7);
      const at = round % 2 === 0 ? origin : other.origin;
      const back = await listen('', { 'last-event-id': last }, at);
      await say(3);
      await back.until(10);
      ids.push(...back.heard.map(({ id }) => Number(id)));
      last = back.lastId();
      back.stop();
    }
    expect(ids).toEqual(ids.map((_, i) => ids[0]! + i));
    expect(ids).toHaveLength(60);
    expect((await stream.until(60)).map((e) => e.id)).toEqual(ids.map(String));
    expect((await elsewhere.until(60)).map((e) => e.id)).toEqual(ids.map(String));
    await other.app.close();
  });

  it('goes back further than what is at hand, page after page', async () => {
    const { last } = await eventBounds(database.db);
    await say(5_000);
    await sequenceEvents(database.db);
    const stream = await listen(`?after=${last}`);
    const heard = await stream.until(5_000);
    expect(heard.map(({ id }) => id)).toEqual(heard.map((_, i) => String(last + BigInt(i) + 1n)));
  });

  it('reads one page at a time for all who missed much, and tells whoever wants none of it how far it is', async () => {
    const { last } = await eventBounds(database.db);
    await say(4_000);
    await sequenceEvents(database.db);
    let most = 0;
    const pages = new Set<object>();
    const counting: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        // A page has an order; each listener asks besides how far events are kept.
        if (node.kind === 'SelectQueryNode' && node.orderBy !== undefined) pages.add(queryId);
        most = Math.max(most, pages.size);
        return node;
      },
      transformResult: async ({ result, queryId }) => {
        pages.delete(queryId);
        return result;
      },
    };
    const other = await apiProcess({ db: database.db.withPlugin(counting), pollMs: 60_000 });
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => listen(`?after=${last}&handle=nobody-here`, {}, other.origin)),
    );
    for (const stream of streams)
      await expect.poll(stream.lastId, { timeout: 60_000 }).toBe(String(last + 4_000n));
    expect(streams.map(({ heard }) => heard.length)).toEqual(Array(20).fill(0));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
    await other.app.close();
  });

  /** Counts what is asked of the database, and holds back the page that begins behind this id until it is let go. */
  function watched(behind = -1n) {
    const seen = { asked: 0, held: 0, letGo: (): void => {} };
    const gone = new Promise<void>((resolve) => {
      seen.letGo = resolve;
    });
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (node.kind === 'SelectQueryNode') seen.asked += 1;
        return node;
      },
      transformResult: async ({ result }) => {
        const [row] = result.rows as { first_id?: bigint; events?: unknown }[];
        if (row?.events !== undefined && row.first_id! <= behind + 1n) {
          seen.held += 1;
          await gone;
        }
        return result;
      },
    };
    return { seen, db: database.db.withPlugin(plugin) };
  }

  it('gives those who come back after a restart the newest events without asking the database for each', async () => {
    const { last } = await eventBounds(database.db);
    await say(1_500);
    await sequenceEvents(database.db);
    const { seen, db } = watched();
    const other = await apiProcess({ db, pollMs: 60_000 });
    await listen('', {}, other.origin);
    const before = seen.asked;
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => listen(`?after=${last}`, {}, other.origin)),
    );
    for (const stream of streams) expect((await stream.until(1_500)).at(-1)!.id).toBe(String(last + 1_500n));
    expect(seen.asked).toBe(before);
    await other.app.close();
  });

  it('keeps the stream of one who waits for what it missed open, and tells it nothing of where it will be', async () => {
    const { last } = await eventBounds(database.db);
    await say(3_000);
    await sequenceEvents(database.db);
    const { seen, db } = watched(last);
    const other = await apiProcess({ db, heartbeatMs: 20 });
    const stream = await listen(`?after=${last}`, {}, other.origin);
    await expect.poll(() => seen.held).toBe(1);
    const before = stream.comments();
    await expect.poll(stream.comments).toBeGreaterThan(before + 2);
    expect([stream.heard, stream.lastId()]).toEqual([[], '']);
    seen.letGo();
    expect((await stream.until(3_000)).at(-1)!.id).toBe(String(last + 3_000n));
    await other.app.close();
  });

  it('says once that an id is too old, or none of this service, and goes on', async () => {
    await say(1);
    await sequenceEvents(database.db);
    await forgetEvents(database.db, new Date(Date.now() + 1_000));
    await say(2);
    await sequenceEvents(database.db);
    const { oldest, last } = await eventBounds(database.db);
    expect(last - oldest).toBe(1n);
    for (const [id, reason] of [
      [String(oldest - 2n), 'too-old'],
      ['0', 'too-old'],
      [String(last + 1n), 'unknown'],
      ['999999999999', 'unknown'],
      ['of another service', 'unknown'],
    ] as const) {
      const stream = await listen('', { 'last-event-id': id });
      const told = { reason, oldest: String(oldest), latest: String(last) };
      expect(await stream.until(1), id).toEqual([{ id: String(last), event: 'reset', data: told }]);
      expect(stream.lastId()).toBe(String(last));
      stream.stop();
    }
    // The oldest that is kept needs no reset, nor does the newest.
    const whole = await listen('', { 'last-event-id': String(oldest - 1n) });
    expect((await whole.until(2)).map((e) => e.event)).toEqual(['close-call', 'close-call']);
    const newest = await listen('', { 'last-event-id': String(last) });
    await say(1);
    expect((await newest.until(1))[0]).toMatchObject({ id: String(last + 1n), event: 'close-call' });
  });

  it('gives only what is asked for, by name, category, lot and handle', async () => {
    const lot = await stage.list(await stage.agent(), { category: 'real-world-assets' });
    await sequenceEvents(database.db);
    // The service numbers events as well: one that it is at is waited for.
    const waiting = () => database.db.selectFrom('event_outbox').select('seq').execute();
    await expect.poll(waiting).toEqual([]);
    const since = { 'last-event-id': String((await eventBounds(database.db)).last) };
    const [kinds, category, one, all] = [
      await listen('?only=order-book,match', since),
      await listen('?category=digital-products', since),
      await listen(`?lot=${encodeURIComponent(lot.replace('aaa', 'AAA'))}`, since),
      await listen('', since),
    ];
    await stage.order(await stage.agent(), lot, { limit: usd(40), openingBid: usd(10) });
    await stage.list(await stage.agent(), { category: 'digital-products' });
    await all.until(3);
    await Promise.all([kinds.until(2), category.until(2), one.until(1)]);
    expect(kinds.heard.map((e) => e.event)).toEqual(['order-book', 'order-book']);
    expect(category.heard.map((e) => e.data.category)).toEqual(['digital-products', 'digital-products']);
    expect(one.heard.map((e) => [e.event, e.data.lot])).toEqual([['order-book', lot]]);
  });

  it.each([
    '?only=match,',
    '?only=nothing',
    '?category=nothing',
    '?after=-1',
    '?after=x',
    '?lot=x',
    '?handle=-',
  ])('answers %s with 400, as a problem', async (query) => {
    const response = await fetch(`${origin}/events${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'bad-request' });
  });

  it('keeps an idle stream open by comments that carry the id to go on from', async () => {
    const quick = await apiProcess({ heartbeatMs: 20 });
    const stream = await listen('?only=match', {}, quick.origin);
    // Read before it is said: whoever reads later may find it counted already.
    await sequenceEvents(database.db);
    const { last } = await eventBounds(database.db);
    await say(1);
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (stream.comments() < 4 || BigInt(stream.lastId()) <= last) return;
        clearInterval(timer);
        resolve();
      }, 10);
    });
    expect(stream.heard).toEqual([]);
    await quick.app.close();
  });

  it('drops a listener that takes nothing, without holding others up or keeping what it does not take', async () => {
    // Long enough for one that takes what it is sent, in a process that does much else.
    const strict = await apiProcess({ patienceMs: 3_000 });
    const slow: Socket = connect(Number(new URL(strict.origin).port), '127.0.0.1');
    slow.on('error', () => {});
    slow.write('GET /events HTTP/1.1\r\nhost: x\r\n\r\n');
    await new Promise((resolve) => slow.once('data', resolve));
    slow.pause();
    const good = await listen('', {}, strict.origin);
    // More than any pair of socket buffers takes.
    const long = 'y'.repeat(4_000);
    for (let n = 0; n < 10; n++) await say(500, long);
    expect(await good.until(5_000)).toHaveLength(5_000);
    expect(good.heard.map((e) => Number(e.id))).toEqual(
      good.heard.map((_, i) => Number(good.heard[0]!.id) + i),
    );
    const gone = new Promise((resolve) => slow.once('close', resolve));
    const connections = () =>
      new Promise<number>((resolve) => strict.app.server.getConnections((_, count) => resolve(count)));
    while ((await connections()) > 1) await new Promise((resolve) => setTimeout(resolve, 20));
    slow.resume();
    await gone;
    await strict.app.close();
  });

  it('refuses more streams than an address may have, and takes one again when one has gone', async () => {
    const narrow = await apiProcess({ perAddress: 2 });
    const first = await listen('', {}, narrow.origin);
    await listen('', {}, narrow.origin);
    const refused = await fetch(`${narrow.origin}/events`);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(await refused.json()).toMatchObject({ code: 'rate-limited' });
    first.stop();
    for (let status = 0; status !== 200; ) {
      const again = await listenTo(`${narrow.origin}/events`);
      again.stop();
      status = again.response.statusCode!;
    }
    const full = await apiProcess({ inAll: 1 });
    await listen('', {}, full.origin);
    expect((await fetch(`${full.origin}/events`)).status).toBe(503);
    await Promise.all([narrow.app.close(), full.app.close()]);
  });

  it('ends every stream when the process is to end', async () => {
    const leaving = await apiProcess();
    const streams = await Promise.all([1, 2, 3].map(() => listen('', {}, leaving.origin)));
    await leaving.app.close();
    await Promise.all(streams.map((s) => s.ended));
  });
});

describe('a list that can be gone on from', () => {
  it('gives the cursor of the page after it, for the catalogue and for matches', async () => {
    const ann = await stage.agent();
    for (let n = 0; n < 5; n++) {
      const lot = await stage.list(ann, { ask: usd(10), featured: n === 2, description: 'Cursored' });
      await stage.list(ann, { featured: n === 3, description: 'Cursored' });
      await stage.order(await stage.agent(), lot, { limit: usd(10) });
    }
    for (const [path, id] of [
      ['/catalogue?q=cursored&', 'listingRef'],
      ['/matches?', 'matchId'],
    ] as const) {
      const whole = (await get(`${path}limit=100`)).items.map((row: Record<string, string>) => row[id]);
      expect(whole.length).toBeGreaterThanOrEqual(5);
      const walked: string[] = [];
      for (let next: string | undefined = ''; next !== undefined; ) {
        const page = await get(`${path}limit=2${next && `&cursor=${next}`}`);
        expect(page.hasMore).toBe(page.next !== undefined);
        walked.push(...page.items.map((row: Record<string, string>) => row[id]));
        next = page.next;
      }
      expect(walked).toEqual(whole);
      expect(await get(`${path}cursor=listed:x&offset=1`)).toMatchObject({
        status: 400,
        code: 'bad-request',
      });
    }
    const [listing] = (await get('/catalogue?q=cursored&limit=1')).items;
    const foreign = `listed:${listing.listingRef}`;
    for (const path of [
      '/catalogue?cursor=nothing',
      '/catalogue?cursor=listed:nothing',
      `/matches?cursor=${foreign}`,
    ])
      expect(await get(path)).toMatchObject({
        status: 400,
        code: 'bad-request',
        errors: [{ path: 'cursor', message: expect.stringContaining('`next`') }],
      });
  });
});
