import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asset, assetKey } from '../../agents/assets.ts';
import { rowReader } from '../../agents/determinations/provenance/register-row.ts';
import { kindPrefix } from '../../agents/market/pricing/comparables.ts';
import { marketOf } from '../../agents/market/pricing/valuation.ts';
import { gatherPrice } from '../../runtime/determinations/evidence/price/prices.ts';
import { settledSales } from '../../store/market/comparables.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

const KIND = `eip155:1002/erc721:0x${'a'.repeat(40)}`;

let database: TestDatabase;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());

/** A deal that settled, at a midpoint of 100 and the limit. @returns its match */
async function sold(
  seller: string,
  buyer: string,
  usd: bigint,
  findings: readonly object[] = [],
): Promise<string> {
  const lot = await stage.list(seller);
  const { match } = await stage.order(buyer, lot, { limit: usd * 1_000_000n });
  if (match === null) throw new Error('they did not match');
  await database.db
    .updateTable('deals')
    .set({ state: 'recorded', findings: JSON.stringify(findings) })
    .where('deal_id', '=', match.dealId)
    .execute();
  await database.db
    .updateTable('matches')
    .set({ settled_at: stage.tick() })
    .where('match_id', '=', match.matchId)
    .execute();
  return match.matchId;
}

async function imported(lines: readonly string[]): Promise<void> {
  const read = rowReader('comparables', 'csv');
  await importRegister(database.db, {
    register: 'comparables',
    source: 'auctions',
    asOf: stage.now(),
    mode: 'add',
    rows: (async function* () {
      for (const [i, line] of lines.entries()) {
        const row = read(line, i + 1);
        if (row !== null) yield row;
      }
    })(),
  });
}

const gathered = (parties: readonly string[] = []) =>
  gatherPrice(database.db, {
    category: 'digital-products',
    lot: `${KIND}/1`,
    parties,
    price: 1_000_000n,
    now: stage.later(1_000),
  });

describe('the sales that a price is judged by', () => {
  it('are settled deals, with flagged trades, repeats and the parties set aside', async () => {
    const [a, b, c, d] = await Promise.all([stage.agent(), stage.agent(), stage.agent(), stage.agent()]);
    const repeat = await sold(a, b, 110n);
    const latest = await sold(b, a, 120n);
    const flagged = await sold(c, d, 130n, [{ side: 'buyer', verdict: 'FLAGGED' }]);
    const open = await sold(c, a, 140n, [{ side: 'buyer', verdict: 'INCONCLUSIVE' }]);
    const lot = await stage.list(d);
    const { match: underWay } = await stage.order(b, lot, { limit: 150_000_000n });
    const { comparables = [] } = await gathered([`0xowner-of-${c}`]);
    const byId = new Map(comparables.map((s) => [s.id, [s.similarity, s.priceUsd, s.dropped]]));
    expect(byId.get(repeat)).toEqual(['same-kind', '105', 'repeat']);
    expect(byId.get(latest)).toEqual(['same-kind', '110', null]);
    expect(byId.get(flagged)).toEqual(['same-kind', '115', 'flagged']);
    expect(byId.get(open)).toEqual(['same-kind', '120', 'party']);
    expect(byId.has(underWay?.matchId ?? '')).toBe(false);
  });

  it('are read of its own kind beside the newest of the category', async () => {
    const [seller, buyer] = [await stage.agent(), await stage.agent()];
    const old = await sold(seller, buyer, 140n);
    await sold(seller, buyer, 150n);
    const query = { category: 'digital-products', since: new Date(0), limit: 1 };
    const prefix = `eip155:1002/erc721:0x${'b'.repeat(40)}/`;
    await database.db
      .updateTable('matches')
      .set({ asset_key: `${prefix}7` })
      .where('match_id', '=', old)
      .execute();
    const newest = await settledSales(database.db, { ...query, prefix: null });
    const near = await settledSales(database.db, { ...query, prefix });
    expect(newest.map((s) => s.matchId)).not.toContain(old);
    expect(near.map((s) => s.matchId)).toEqual([old]);
  });

  it('are of a kind by the same prefix, said in SQL or here', async () => {
    const assets = fc.oneof(
      fc.record({
        kind: fc.constant('token' as const),
        chainId: fc.integer({ min: 1, max: 2 ** 40 }),
        contract: fc.stringMatching(/^0x[0-9a-f]{40}$/),
        tokenId: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
      }),
      fc.record({
        kind: fc.constant('serial' as const),
        serialKind: fc.constantFrom('vin', 'imei', 'isbn', 'isrc', 'gtin', 'name', 'generic'),
        serial: fc.stringMatching(/^[A-Z0-9./:-]{1,128}$/),
      }),
    ) as fc.Arbitrary<Asset>;
    await fc.assert(
      fc.asyncProperty(fc.array(assets, { minLength: 1, maxLength: 50 }), async (many) => {
        const { rows } = await sql<{ prefix: string }>`
          select kind_prefix(key) as prefix from unnest(${many.map(assetKey)}::text[])
            with ordinality as k(key, n) order by n`.execute(database.db);
        expect(rows.map(({ prefix }) => prefix)).toEqual(many.map(kindPrefix));
      }),
      { numRuns: 20 },
    );
  });

  it('are imported ones by the same asset, its kind or its category, whatever words they have', async () => {
    await imported([
      'item,category,priceUsd,soldAt,flagged',
      `${KIND}/1,digital-products,10,2026-09-01,`,
      `${KIND}/77,digital-products,11,2026-09-02,`,
      `${KIND},digital-products,12,2026-09-03,`,
      'a licence @ home: cheap,digital-products,13,2026-09-04,',
      `${KIND}/78,digital-products,14,2026-09-05,true`,
      `${KIND}/79,real-world-assets,15,2026-09-05,`,
      `${KIND}/80,digital-products,16,2024-09-05,`,
      `${KIND}/81,digital-products,17,2099-09-05,`,
    ]);
    const { comparables = [], lists, subject } = await gathered();
    const rows = comparables
      .filter((s) => s.source === 'comparables/auctions')
      .map((s) => [s.priceUsd, s.similarity, s.dropped]);
    expect(rows).toEqual([
      ['10', 'same-asset', null],
      ['17', 'same-kind', null],
      ['14', 'same-kind', 'flagged'],
      ['12', 'same-kind', null],
      ['11', 'same-kind', null],
      ['13', 'same-category', null],
    ]);
    expect(lists).toEqual([{ name: 'comparables/auctions', asOf: stage.now().toISOString(), rows: 8 }]);
    expect(subject).toBe(`${KIND}/1`);
    // A sale that is yet to come is shown and weighs nothing.
    const market = marketOf(comparables, 'digital-products', stage.later(1_000).toISOString());
    expect(market?.low).toBe(10_000_000n);
  });

  it('are at most 250 in the evidence, the nearest first, and the rest is counted', async () => {
    await imported([
      'item,category,priceUsd,soldAt',
      ...Array.from({ length: 300 }, (_, i) => `word ${i},digital-products,${i + 1},2026-09-04`),
    ]);
    const { comparables = [], leftOut } = await gathered();
    expect(comparables).toHaveLength(250);
    expect(leftOut).toBeGreaterThan(50);
    expect(comparables[0]?.similarity).toBe('same-asset');
  });
});
