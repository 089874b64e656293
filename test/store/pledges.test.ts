import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AssetInput, assetKey, normaliseAsset } from '../../agents/assets.ts';
import { lotKeyOf, noteCertificate } from '../../store/certificates/certificates.ts';
import { insertPledge, livePledge, type NewPledge, releasePledge } from '../../store/market/pledges.ts';
import { noteNameToken } from '../../store/names/name-tokens.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});

afterAll(async () => {
  await database.drop();
});

const pledge = (input: AssetInput, terms: Partial<NewPledge> = {}): NewPledge => ({
  id: stage.fresh('pledge'),
  assetKey: assetKey(normaliseAsset(input)),
  listingRef: stage.fresh('loan'),
  wallet: '0xwallet',
  lender: null,
  until: null,
  source: 'owner',
  proven: true,
  now: stage.now(),
  ...terms,
});

const tryPledge = (p: NewPledge) => stage.inTrx((trx) => insertPledge(trx, p));

describe('a pledge', () => {
  it('is let through once when a thousand come at once for one asset in many spellings', async () => {
    const hex = 'AbCdEf0123456789aBcDeF0123456789AbCdEf01';
    const spellings: AssetInput[] = [
      { chainId: 1002, contract: `0x${hex}`, tokenId: '255' },
      { contract: `0x${hex.toLowerCase()}`, tokenId: '255' },
      { chainId: 1002, contract: `0x${hex.toUpperCase()}`, tokenId: '0xff' },
      { chainId: 1002, contract: `0x${hex.toLowerCase()}`, tokenId: '000255' },
    ];
    const tries = Array.from({ length: 1_000 }, (_, i) => pledge(spellings[i % 4] as AssetInput));
    const results = await Promise.allSettled(tries.map(tryPledge));
    const through = results.flatMap((r) => (r.status === 'fulfilled' ? [r.value] : []));
    expect(through).toHaveLength(1);
    const refused = results.flatMap((r) => (r.status === 'rejected' ? [r.reason] : []));
    for (const error of refused) {
      expect(error).toMatchObject({ code: 'double-pledge', extra: { listingRef: through[0]?.listing_ref } });
    }
    expect(refused).toHaveLength(999);
  });

  it('is let through once when a thousand come at once for one serial, its certificate and every spelling of both', async () => {
    const certificate: AssetInput = { contract: `0x${'Ce'.repeat(20)}`, tokenId: '4711' };
    const serial: AssetInput = { serial: '0012-3456.7890 5', serialKind: 'gtin' };
    await noteCertificate(database.db, {
      tokenKey: assetKey(normaliseAsset(certificate)),
      assetKey: assetKey(normaliseAsset(serial)),
    });
    const spellings: AssetInput[] = [
      serial,
      { serial: '012345678905', serialKind: 'gtin' },
      { serial: '12345678905', serialKind: 'generic' },
      { serial: '00012345678905' },
      certificate,
      { ...certificate, contract: `0x${'ce'.repeat(20)}`, tokenId: '0x1267' },
      { ...certificate, chainId: 1002, tokenId: '0004711' },
    ];
    const tries = Array.from({ length: 1_000 }, (_, i) => pledge(spellings[i % 7] as AssetInput));
    const results = await Promise.allSettled(tries.map(tryPledge));
    const through = results.flatMap((r) => (r.status === 'fulfilled' ? [r.value] : []));
    expect(through).toHaveLength(1);
    expect(through[0]?.asset_key).toMatch(/^serial:/);
    for (const r of results) {
      if (r.status === 'rejected') {
        expect(r.reason).toMatchObject({
          code: 'double-pledge',
          extra: { listingRef: through[0]?.listing_ref },
        });
      }
    }
    for (const spelling of spellings) {
      const key = assetKey(normaliseAsset(spelling));
      expect(await livePledge(database.db, key)).toMatchObject({ id: through[0]?.id });
    }
  });

  it('of a book is one under its ten digits and its thirteen, and another book is another', async () => {
    await tryPledge(pledge({ serial: '0-306-40615-2' }));
    for (const same of ['9780306406157', '978-0-306-40615-7', '0306406152']) {
      await expect(tryPledge(pledge({ serial: same }))).rejects.toMatchObject({ code: 'double-pledge' });
    }
    await tryPledge(pledge({ serial: '978-3-16-148410-0' }));
  });

  it('of one serial is one however it is spelled', async () => {
    await tryPledge(pledge({ serial: '1hgcm82633a004352' }));
    for (const same of ['1HG-CM82633-A004352', 'VIN: 1HGCM82633AOO4352', '1НGСМ82633А004352'])
      await expect(tryPledge(pledge({ serial: same }))).rejects.toMatchObject({ code: 'double-pledge' });
  });

  it('of a serial is one with its maker and without, as nobody proves who made it', async () => {
    await tryPledge(pledge({ serial: 'Trek: WTU-0017' }));
    await expect(tryPledge(pledge({ serial: 'wtu 0017' }))).rejects.toMatchObject({ code: 'double-pledge' });
  });

  it('of a number that another maker gave, too, names the key under which that stands', async () => {
    await tryPledge(pledge({ serial: 'Seiko: 123456' }));
    await expect(tryPledge(pledge({ serial: 'Canon: 123456' }))).rejects.toMatchObject({
      code: 'double-pledge',
      message: expect.stringMatching(
        /^serial:generic:CANON:123456 .* as serial:generic:SEIKO:123456: one number/,
      ),
    });
  });

  it('ends when it is released, and then the asset can be pledged again', async () => {
    const first = pledge({ serial: 'released-one' });
    await tryPledge(first);
    expect(await livePledge(database.db, first.assetKey)).toMatchObject({ id: first.id });
    expect(await stage.inTrx((trx) => releasePledge(trx, first.id, stage.now()))).toBe(true);
    expect(await stage.inTrx((trx) => releasePledge(trx, first.id, stage.now()))).toBe(false);
    expect(await livePledge(database.db, first.assetKey)).toBeNull();
    await tryPledge(pledge({ serial: 'released-one' }));
  });

  it('does not end by the date it names, but when it is released', async () => {
    const due = stage.later(60_000);
    const first = pledge({ serial: 'timed-one' }, { until: due });
    await tryPledge(first);
    const late = stage.later(120_000);
    await expect(tryPledge(pledge({ serial: 'timed-one' }, { now: late }))).rejects.toMatchObject({
      code: 'double-pledge',
    });
    expect(await livePledge(database.db, first.assetKey)).toMatchObject({ id: first.id });
    await stage.inTrx((trx) => releasePledge(trx, first.id, late));
    await tryPledge(pledge({ serial: 'timed-one' }, { now: late }));
  });

  it('stands in the way of a listing, and a listing in the way of a pledge', async () => {
    const handle = await stage.agent();
    const asset = stage.asset();
    const loan = pledge({
      chainId: 1002,
      contract: `0x${'a'.repeat(40)}`,
      tokenId: (asset as { tokenId: string }).tokenId,
    });
    await tryPledge(loan);
    await expect(stage.list(handle, { asset })).rejects.toMatchObject({
      code: 'double-pledge',
      extra: { listingRef: loan.listingRef },
    });
    expect(
      await database.db.selectFrom('lots').selectAll().where('asset_key', '=', loan.assetKey).execute(),
    ).toEqual([]);

    const lot = await stage.list(handle, { listingRef: 'shop-1' });
    await expect(tryPledge({ ...loan, id: stage.fresh('p'), assetKey: lot })).rejects.toMatchObject({
      code: 'double-pledge',
      extra: { listingRef: 'shop-1' },
    });
    await expect(
      stage.list(handle, { asset: { ...asset, tokenId: lot.split('/').at(-1)! } as typeof asset }),
    ).rejects.toMatchObject({
      code: 'double-pledge',
      extra: { listingRef: 'shop-1' },
    });
  });

  it('that came with a listing cannot be released on its own', async () => {
    const lot = await stage.list(await stage.agent());
    const own = await livePledge(database.db, lot);
    await expect(stage.inTrx((trx) => releasePledge(trx, own!.id, stage.now()))).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(stage.inTrx((trx) => releasePledge(trx, 'nowhere', stage.now()))).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});

describe('a pledge of the token of a name', () => {
  const contract = `0x${'ab'.repeat(20)}`;
  const spelled = () => {
    const name = `${stage.fresh('name').toLowerCase().replaceAll('_', '-')}.x`;
    const token: AssetInput = { contract, tokenId: String(count++) };
    const keys = { tokenKey: assetKey(normaliseAsset(token)), assetKey: `serial:name:${name}` };
    return { token, name: { serial: name, serialKind: 'name' } as const, keys };
  };
  const known = (keys: { tokenKey: string; assetKey: string }) =>
    stage.inTrx((trx) => noteNameToken(trx, keys));
  let count = 1;

  it('holds the name once that is known for it, whatever came of the listing by which it became known', async () => {
    const { token, name, keys } = spelled();
    const lien = await tryPledge(pledge(token, { lender: '0xlender' }));
    await known(keys);
    for (const spelling of [keys.tokenKey, keys.assetKey])
      expect(await livePledge(database.db, spelling)).toMatchObject({
        id: lien.id,
        asset_key: keys.assetKey,
      });
    for (const again of [name, token])
      await expect(tryPledge(pledge(again))).rejects.toMatchObject({ code: 'double-pledge' });
    await stage.inTrx((trx) => releasePledge(trx, lien.id, stage.now()));
    await tryPledge(pledge(name));
  });

  it('is found beside one that stands on a word for the name already', async () => {
    const { token, name, keys } = spelled();
    const word = await tryPledge(pledge(name, { proven: false }));
    const lien = await tryPledge(pledge(token, { lender: '0xlender' }));
    await known(keys);
    expect(await livePledge(database.db, keys.assetKey)).toMatchObject({ id: lien.id });
    await stage.inTrx((trx) => releasePledge(trx, word.id, stage.now()));
    await expect(tryPledge(pledge(name))).rejects.toMatchObject({
      code: 'double-pledge',
      extra: { listingRef: lien.listing_ref },
    });
  });

  it('is one with a pledge of the name that comes while the name becomes known', async () => {
    for (let i = 0; i < 20; i++) {
      const { token, name, keys } = spelled();
      const tries = [tryPledge(pledge(token)), known(keys).then(() => tryPledge(pledge(name)))];
      const results = await Promise.allSettled(tries);
      expect(results.map((r) => r.status).sort()).toEqual(['fulfilled', 'rejected']);
    }
  });
});

describe('listings of one asset that come at once', () => {
  it('are let through once also when they are spelled so that they have lots of their own', async () => {
    const token = stage.asset();
    const vin = { kind: 'serial', serialKind: 'vin', serial: '1M8GDM9AXKP042788' } as const;
    await noteCertificate(database.db, { tokenKey: assetKey(token), assetKey: assetKey(vin) });
    const assets = [token, vin, { ...vin, serialKind: 'generic' } as const];
    const handles = await Promise.all(Array.from({ length: 12 }, () => stage.agent()));
    const results = await Promise.allSettled(
      handles.map((handle, i) => stage.list(handle, { asset: assets[i % 3]! })),
    );
    expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(1);
    for (const r of results) {
      if (r.status === 'rejected') expect(r.reason).toMatchObject({ code: 'double-pledge' });
    }
    expect(await lotKeyOf(database.db, assetKey(token))).toBe('serial:vin:1M8GDM9AXKP042788');
  });

  it('are let through once', async () => {
    const asset = stage.asset();
    const handles = await Promise.all(Array.from({ length: 8 }, () => stage.agent()));
    const results = await Promise.allSettled(handles.map((handle) => stage.list(handle, { asset })));
    expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(1);
    for (const r of results) {
      if (r.status === 'rejected') expect(r.reason).toMatchObject({ code: 'double-pledge' });
    }
  });
});
