import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentRoutes } from '../../api/agent/agents.ts';
import type { App } from '../../api/http/app.ts';
import { marketRoutes } from '../../api/market/market.ts';
import { domainRoutes } from '../../api/names/domains.ts';
import type { Services } from '../../runtime/services.ts';
import { closeBatch } from '../../store/records/records.ts';
import { BASE_URL, plainRoutes, server } from '../conformance/api/server-fixture.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { expectWholeWalks, type Rows, reading } from '../fixtures/walking.ts';
import '../fixtures/seeded.ts';

/** Lists that are walked by their cursor while others write: what stood all along is shown once, nothing twice. */

let database: TestDatabase;
let stage: MarketStage;
let app: App;
let runs = 0;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
  // Of the service's parts the lists need the database, and where records are read.
  const services = {
    db: database.db,
    config: { baseUrl: BASE_URL },
    home: { chainId: 1002, deployment: { ledger: `0x${'b'.repeat(40)}` } },
    now: () => stage.now(),
  } as unknown as Services;
  app = await server({
    db: database.db,
    limits: { reads: 1_000_000, writes: 1_000_000 },
    routes: [
      ...plainRoutes,
      (a) => marketRoutes(a, { db: database.db }),
      (a) => agentRoutes(a, services),
      (a) => domainRoutes(a, services),
    ],
  });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const START = new Date('2026-09-06T12:00:00Z').getTime();
const hex = (n: number): string => n.toString(16).padStart(64, '0');

/** Every list that has a cursor and none of its own test, each run in a part of its own. */
const LISTS: Record<string, () => Promise<Rows>> = {
  orders: async () => {
    const chain = `eip155:${++runs}`;
    let moves = 0;
    return {
      path: `/orders?chain=${chain}&`,
      id: 'lot',
      async add(n) {
        // Several of one moment, and keys that lie in no order of time.
        const lot = `${chain}/erc721:0x${'a'.repeat(40)}/${(n * 7919) % 1000}`;
        const updated_at = new Date(START + Math.floor(n / 3));
        const row = {
          asset_key: lot,
          category: 'digital-products',
          chain,
          price_to_beat: 1_000_000n,
          open: true,
          updated_at,
        };
        await database.db.insertInto('lots').values(row).execute();
        return lot;
      },
      touch: (lot) =>
        database.db
          .updateTable('lots')
          .set((eb) => ({
            price_to_beat: eb('price_to_beat', '+', 10_000n),
            updated_at: new Date(START + 3_600_000 + ++moves),
          }))
          .where('asset_key', '=', lot)
          .execute(),
    };
  },
  'close-calls': async () => {
    const chain = `eip155:${++runs}`;
    return {
      path: `/close-calls?chain=${chain}&`,
      id: 'closeCallId',
      async add(n) {
        const close_call_id = `cc_${runs}_${(n * 7919) % 1000}`;
        // Several of one hour, and one that is published late.
        const hour = new Date(START + Math.floor(n / 4) * 3_600_000 * (n % 5 === 0 ? -1 : 1));
        const row = { close_call_id, lot: `lot-${chain}-${n}`, category: 'digital-products', chain, hour };
        await database.db.insertInto('close_calls').values(row).execute();
        return close_call_id;
      },
      touch: async () => {},
    };
  },
  'domains/listings': async () => {
    const tld = `run${++runs}`;
    const seller = await stage.agent();
    return {
      path: `/domains/listings?tld=${tld}&`,
      id: 'listingRef',
      async add(n) {
        const listing_ref = stage.fresh('name');
        const row = {
          listing_ref,
          handle: seller,
          asset_key: `serial:name:n${(n * 7919) % 1000}.${tld}`,
          asset: '{}',
          category: 'digital-products',
          chain: 'eip155:1002',
          description: 'A name',
          ask: 1_000_000n,
          floor: null,
          negotiable: false,
          gate: 'deposit' as const,
          proven: true,
          featured: false,
          status: 'live' as const,
          listed_at: new Date(START),
        };
        await database.db.insertInto('listings').values(row).execute();
        return listing_ref;
      },
      touch: (name) =>
        database.db
          .updateTable('listings')
          .set((eb) => ({ ask: eb('ask', '+', 10_000n) }))
          .where('listing_ref', '=', name)
          .execute(),
    };
  },
  'agents/directory': async () => {
    const run = ++runs;
    return {
      path: '/agents/directory?',
      id: 'handle',
      async add(n) {
        const handle = await stage.agent(`of-${run}-${(n * 7919) % 1000}`);
        await database.db
          .updateTable('agents')
          .set({ since: new Date(START + Math.floor(n / 3) * 1_000) })
          .where('handle', '=', handle)
          .execute();
        const mandate = {
          side: 'buy',
          currency: 'USDC',
          cap_per_deal: '5',
          expires_at: '2027-01-01T00:00:00Z',
        };
        const structured = JSON.stringify(mandate);
        const terms = { text: 'Buy.', structured, hash: '0x1', status: 'active' as const, tx: '0x2' };
        await database.db
          .insertInto('mandates')
          .values({ handle, version: 1, ...terms, created_at: stage.now() })
          .execute();
        return handle;
      },
      touch: (handle) => stage.setStatus(handle, 'paused'),
    };
  },
  'agent/{handle}/activity': async () => {
    const run = ++runs;
    const handle = await stage.agent(`acts-${run}`);
    return {
      path: `/agent/${handle}/activity?`,
      id: 'recordId',
      async add(n) {
        const record_id = `rec_${run}_${(n * 7919) % 1000}`;
        await database.db
          .insertInto('records')
          .values({
            record_id,
            kind: 'determination',
            handle,
            subject: handle,
            summary: 'A determination.',
            body: Buffer.of(1),
            evidence: null,
            hash: `0x${hex(run * 1_000 + n)}`,
            signature: '0x1',
            created_at: new Date(START),
          })
          .execute();
        return record_id;
      },
      touch: () => closeBatch(database.db),
    };
  },
};

const get = reading(() => app);

describe.each(Object.keys(LISTS))('walking /%s', (list) => {
  it('shows what stood all along once and nothing twice, whatever is written meanwhile', async () => {
    await expectWholeWalks(get, LISTS[list]!);
  });

  it('refuses a cursor that nobody gave, and one beside an offset, and leads people on', async () => {
    const of = await LISTS[list]!();
    for (let n = 0; n < 3; n++) await of.add(n);
    const first = await get(`${of.path}limit=1`);
    for (const cursor of ['', 'a b', '%00', 'x'.repeat(2_000), `${first.body.next}&offset=1`]) {
      expect(await get(`${of.path}limit=1&cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { code: 'bad-request' },
      });
    }
    // Of a row that never was, or of another list: an empty page would say that this one is over.
    const strange = list === 'orders' ? 'listed:none' : 'none';
    expect(await get(`${of.path}limit=1&cursor=${strange}`)).toMatchObject({
      status: 400,
      body: { code: 'bad-request', errors: [{ path: 'cursor' }] },
    });
    const html = await app.inject({ url: `${of.path}limit=1`, headers: { accept: 'text/html' } });
    const href = /<a rel="next" href="([^"]+)">Older/
      .exec(html.body)?.[1]
      ?.replaceAll('&amp;', '&') as string;
    const [row] = (await get(href)).body.items;
    expect(row[of.id]).not.toBe(first.body.items[0][of.id]);
    const older = await app.inject({ url: href, headers: { accept: 'text/html' } });
    expect(older.body).toContain('← Newest');
  });
});

it('the order book refuses a place that is no key of a lot, also one that the database could not even look for', async () => {
  for (const lot of ['\0\0\0', 'eip155:1002/erc721:0x1/\0', 'listed:none', 'none', '\u{1f600}']) {
    const place = `${'A'.repeat(12)}.${Buffer.from(lot).toString('base64url')}`;
    expect([lot, await get(`/orders?cursor=${place}`)]).toMatchObject([
      lot,
      { status: 400, body: { code: 'bad-request', errors: [{ path: 'cursor' }] } },
    ]);
  }
  expect((await get(`/orders?cursor=${'A'.repeat(12)}.`)).status).toBe(200);
});

it('the names of a top-level domain are its own, also where it begins with a sign that patterns take for any', async () => {
  const seller = await stage.agent();
  for (const serial of ['one._dns', 'two.xdns'])
    await stage.list(seller, { asset: { kind: 'serial', serialKind: 'name', serial } });
  const { body } = await get('/domains/listings?tld=_dns');
  expect(body.items.map((row: { name: string }) => row.name)).toEqual(['one._dns']);
});
