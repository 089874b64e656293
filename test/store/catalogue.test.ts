import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeCallsPublished } from '../../runtime/market/orders/expire-and-publish.ts';
import { type CataloguePlace, type CatalogueQuery, listCatalogue } from '../../store/market/catalogue.ts';
import { listCloseCalls, publishCloseCalls } from '../../store/market/close-calls.ts';
import { placeListing } from '../../store/market/listings.ts';
import { expireOrders } from '../../store/market/withdrawals.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { quietQuarantine } from '../fixtures/quiet-quarantine.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});

afterAll(async () => {
  await database.drop();
});

const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 1_000_000));

describe('the catalogue', () => {
  const refs = async (query: Partial<CatalogueQuery> = {}) =>
    (await listCatalogue(database.db, { limit: 100, offset: 0, ...query })).map((r) => r.listingRef);

  it('shows what is live, featured first, then newest, filtered and paged', async () => {
    const ann = await stage.agent('cat-ann');
    await stage.list(ann, { listingRef: 'c1', description: 'Blue 100% wool scarf', ask: usd(10) });
    await stage.list(ann, {
      listingRef: 'c2',
      description: 'Red scarf',
      ask: usd(20),
      category: 'real-world-assets',
    });
    await stage.list(ann, {
      listingRef: 'c3',
      description: 'Blue hat',
      ask: usd(30.01),
      chain: 'eip155:84532',
    });
    await stage.list(ann, { listingRef: 'c4', description: 'Under the hammer', ask: usd(5) });
    await stage.order(await stage.agent(), await stage.list(ann, { listingRef: 'c5', ask: usd(5) }), {
      limit: usd(5),
    });
    expect(await refs()).toEqual(['c4', 'c3', 'c2', 'c1']);
    await stage.inTrx((trx) => placeListing(trx, 'c2', true));
    expect(await refs()).toEqual(['c2', 'c4', 'c3', 'c1']);
    expect(await refs({ limit: 2, offset: 1 })).toEqual(['c4', 'c3']);
    expect(await refs({ category: 'real-world-assets' })).toEqual(['c2']);
    expect(await refs({ chain: 'eip155:84532' })).toEqual(['c3']);
    expect(await refs({ max: usd(30) })).toEqual(['c2', 'c4', 'c1']);
    expect(await refs({ q: 'SCARF blue' })).toEqual(['c1']);
    expect(await refs({ q: '100%' })).toEqual(['c1']);
    expect(await refs({ q: '_' })).toEqual([]);
    expect(await refs({ q: "'; drop table listings --" })).toEqual([]);
  });

  it('names the agent account as the seller and carries no floor', async () => {
    const ann = await stage.agent('cat-bob');
    await stage.list(ann, { listingRef: 'c9', description: 'Distinct', ask: usd(77), floor: usd(66.66) });
    const [row] = await listCatalogue(database.db, { q: 'distinct', limit: 1, offset: 0 });
    expect(row).toMatchObject({ seller: '0xaccount-of-cat-bob', ask: usd(77), negotiable: true });
    expect(JSON.stringify(row, (_, v) => (typeof v === 'bigint' ? String(v) : v))).not.toContain('6666');
  });
});

describe('searching', () => {
  const refs = async (q: string) =>
    (await listCatalogue(database.db, { q, limit: 100, offset: 0 })).map((r) => r.listingRef);

  it('finds words however they are written, and how they begin, and takes signs for nothing but signs', async () => {
    const ann = await stage.agent('cat-search');
    await stage.list(ann, {
      listingRef: 's1',
      description: "Leica M6 (1984), two lenses: 35mm/50mm — café-noir, owner's box",
    });
    await stage.list(ann, { listingRef: 's2', description: 'Licence for example.com, v2.1' });
    for (const q of [
      'leica',
      'LEICA m6',
      'lenses two',
      '35mm',
      '50mm',
      'café',
      'noir',
      'owner',
      'leic',
      '198',
      ' m6  box ',
    ])
      expect(await refs(q), q).toEqual(['s1']);
    for (const q of ['example.com', 'example', 'COM', 'v2', 'v2.1', 'licence for'])
      expect(await refs(q), q).toEqual(['s2']);
    for (const q of [
      'eica',
      'leica v2',
      '!',
      '& | !',
      "leica' | 'example",
      ':*',
      '\\',
      '\u0000',
      '\ud800',
      '<->',
      'leica:A',
    ])
      expect(await refs(q), q).toEqual([]);
    // Nothing was asked for.
    expect((await refs('   ')).length).toBeGreaterThan(1);
  });

  it('keeps to what has room, or has none', async () => {
    const ann = await stage.agent('cat-room');
    await stage.list(ann, { listingRef: 'r1', description: 'Roomy', negotiable: true });
    await stage.list(ann, { listingRef: 'r2', description: 'Roomy', negotiable: false });
    const of = async (negotiable: boolean) =>
      (await listCatalogue(database.db, { q: 'roomy', negotiable, limit: 9, offset: 0 })).map(
        (r) => r.listingRef,
      );
    expect([await of(true), await of(false)]).toEqual([['r1'], ['r2']]);
  });
});

describe('pages', () => {
  it('follow one another without a gap or a repeat while rows come, leave and are placed first', async () => {
    const ann = await stage.agent('cat-pages');
    const list = (n: number, featured = false) =>
      stage.list(ann, { listingRef: `p${String(n).padStart(2, '0')}`, description: 'Paged', featured });
    for (let n = 0; n < 12; n++) await list(n, n % 4 === 0);
    const page = (after?: CataloguePlace) =>
      listCatalogue(database.db, { q: 'paged', limit: 3, offset: 0, ...(after ? { after } : {}) });
    const seen: string[] = [];
    let after: CataloguePlace | undefined;
    for (let round = 0; ; round++) {
      const rows = await page(after);
      if (rows.length === 0) break;
      seen.push(...rows.map((r) => r.listingRef));
      after = rows.at(-1);
      // New ones stand before what was shown; the last that was shown leaves, and the first is placed no more.
      await list(50 + round);
      await list(70 + round, true);
      await database.db
        .updateTable('listings')
        .set({ status: 'dropped' })
        .where('listing_ref', '=', after!.listingRef)
        .execute();
    }
    const all = Array.from({ length: 12 }, (_, n) => n);
    const first = all.filter((n) => n % 4 === 0).reverse();
    const then = all.filter((n) => n % 4 !== 0).reverse();
    expect(seen.filter((ref) => Number(ref.slice(1)) < 50)).toEqual(
      [...first, ...then].map((n) => `p${String(n).padStart(2, '0')}`),
    );
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe('close calls', () => {
  it('are published once, when their hour is over, and show no figure, side, party or exact time', async () => {
    const newId = () => stage.fresh('call');
    const publish = (now: Date) => publishCloseCalls(database.db, { now, newId });
    const lot = await stage.list(await stage.agent(), {
      ask: usd(100),
      expiresAt: stage.later(600_000),
    });
    await stage.order(await stage.agent(), lot, { limit: usd(96), expiresAt: stage.later(300_000) });
    await expireOrders(database.db, stage.later(600_000));
    expect(await publish(stage.later(1_200_000))).toBe(0);
    const hourOver = stage.later(3_600_000);
    const published = await Promise.all([publish(hourOver), publish(hourOver)]);
    expect(published.reduce((a, b) => a + b)).toBe(1);
    expect(await publish(stage.later(7_200_000))).toBe(0);
    const rows = await listCloseCalls(database.db, { lot, limit: 10, offset: 0 });
    expect(rows).toEqual([
      {
        closeCallId: expect.stringMatching(/^call_/),
        lot,
        category: 'digital-products',
        chain: 'eip155:1002',
        hour: new Date('2026-09-06T12:00:00Z'),
      },
    ]);
  });

  it('are looked for once an hour, and again an hour later for what was committed late', async () => {
    let now = stage.later(24 * 3_600_000);
    const task = () =>
      closeCallsPublished({
        db: database.db,
        quarantine: quietQuarantine(database.db),
        now: () => now,
        newId: () => stage.fresh('call'),
      });
    const published = task();
    const close = async (minute: number): Promise<void> => {
      const at = (minutes: number) => new Date(now.getTime() + (minute + minutes) * 60_000);
      const lot = await stage.list(await stage.agent(), { ask: usd(100), expiresAt: at(10), now: at(0) });
      await stage.order(await stage.agent(), lot, { limit: usd(96), expiresAt: at(5), now: at(0) });
      await expireOrders(database.db, at(10));
    };
    await close(0);
    now = new Date(now.getTime() + 3_600_000);
    expect([await published(), await published()]).toEqual([1, 0]);
    // Of the hour that is over, and written down after it was looked at.
    await close(-50);
    expect(await published()).toBe(0);
    now = new Date(now.getTime() + 3_600_000);
    expect([await published(), await published()]).toEqual([1, 0]);

    // Whoever takes over goes on from there: what lies before was looked at, and a day of it would be read for nothing.
    await close(-20 * 60);
    await close(-30);
    now = new Date(now.getTime() + 3_600_000);
    expect(await task()()).toBe(1);
  });
});
