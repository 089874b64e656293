import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assetKey, spelledAsset } from '../../agents/assets.ts';
import { readEvidence } from '../../agents/evaluation/read-evidence.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineTier, type TierFacts } from '../../runtime/determinations/determine-tier.ts';
import { requireOneDeal } from '../../runtime/determinations/one-deal.ts';
import { thingsNamed } from '../../runtime/determinations/one-thing.ts';
import { noteCertificate } from '../../store/certificates/certificates.ts';
import { withdrawOrders } from '../../store/market/withdrawals.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

const CATEGORY = 'real-world-assets';
const TOKEN = { contract: `0x${'ab'.repeat(20)}`, tokenId: '7' };
const CAR = spelledAsset({ serial: 'CAR-1' }).asset;
const PROPOSAL = { side: 'buy', category: CATEGORY, priceUsd: 100 } as const;

let database: Awaited<ReturnType<typeof testDatabase>>;
let deps: EvidenceDeps;
let market: MarketStage;
let listed: string;

beforeAll(async () => {
  database = await testDatabase();
  market = marketStage(database.db);
  deps = { db: database.db, readers: new Map(), deployments: new Map(), now: market.now };
  const seller = await market.agent('seller-of-debt');
  listed = 'lst_debt';
  await market.list(seller, {
    listingRef: listed,
    asset: spelledAsset({ serial: 'DEBT-1' }).asset,
    category: 'tokenized-debt-and-finance',
  });
  const car = {
    asset: CAR,
    category: CATEGORY,
    attributes: { make: 'Ford', model: 'Focus', mileage: 200_000 },
  } as const;
  await market.list(seller, { ...car, listingRef: 'lst_car' });
  await noteCertificate(database.db, {
    tokenKey: `eip155:1002/erc721:${TOKEN.contract}/5`,
    assetKey: 'serial:generic:DEBT1',
  });
});

afterAll(async () => {
  await database?.drop();
});

const ask = async (facts: TierFacts, category: Parameters<typeof requireOneDeal>[1] = CATEGORY) =>
  requireOneDeal(deps, category, facts, await thingsNamed(deps, facts));

describe('a tier request is about one deal', () => {
  it.each<[string, TierFacts, string]>([
    [
      'a proposal in another category',
      { proposal: { ...PROPOSAL, category: 'digital-products' } },
      'proposal.category',
    ],
    ['a listing in another category', { listingRef: 'lst_debt' }, 'listingRef'],
    ['a lot in another category', { lotRef: 'lst_debt', seller: 'seller-of-debt' }, 'lotRef'],
    ['an asset listed in another category', { asset: { serial: 'debt 1' } }, 'asset'],
    ['a certificate whose thing is listed in another', { asset: { ...TOKEN, tokenId: '5' } }, 'asset'],
    ['a subject listed in another category', { subject: { serial: 'debt 1' } }, 'subject'],
    [
      'a proposal about a listing in another',
      { proposal: { ...PROPOSAL, listingRef: 'lst_debt' } },
      'proposal.listingRef',
    ],
    ['two prices', { priceUsd: 5000, proposal: PROPOSAL }, 'proposal.priceUsd'],
    [
      'two chains',
      { asset: { ...TOKEN, chainId: 84532 }, proposal: { ...PROPOSAL, chainId: 1002 } },
      'proposal.chainId',
    ],
    [
      'an asset whose chain is left out',
      { asset: TOKEN, proposal: { ...PROPOSAL, chainId: 84532 } },
      'proposal.chainId',
    ],
  ])('and refused with %s', async (_, facts, field) => {
    await expect(ask(facts)).rejects.toMatchObject({
      code: 'bad-request',
      message: expect.stringMatching(new RegExp(`^${field.replace('.', '\\.')}: .*(?:ask|give|name) `)),
    });
  });

  it('has nothing to do with the listing of another maker’s thing of the same number', async () => {
    const frame = (maker: string) => ({ serial: 'FRAME 88-1', maker });
    await market.list('seller-of-debt', {
      listingRef: 'lst_giant',
      asset: spelledAsset(frame('Giant')).asset,
      category: 'tokenized-debt-and-finance',
    });
    for (const facts of [{ asset: frame('Trek') }, { lotRef: assetKey(spelledAsset(frame('Trek')).asset) }])
      await expect(ask(facts)).resolves.toBeUndefined();
    for (const asset of [frame('Giant'), { serial: 'frame 88 1' }])
      await expect(ask({ asset })).rejects.toMatchObject({ code: 'bad-request' });
  });

  it('is not about a chain on which its listing does not settle', async () => {
    const facts = {
      proposal: { ...PROPOSAL, category: 'tokenized-debt-and-finance', listingRef: listed, chainId: 84532 },
    } as const;
    await expect(ask(facts, 'tokenized-debt-and-finance')).rejects.toMatchObject({
      message: expect.stringContaining(
        'proposal.chainId: is of chain 84532, and proposal.listingRef of chain 1002',
      ),
    });
  });

  it.each<[string, TierFacts]>([
    ['one price in two spellings', { priceUsd: '100.00', proposal: PROPOSAL }],
    [
      'one chain in two places',
      { asset: { ...TOKEN, chainId: 84532 }, proposal: { ...PROPOSAL, chainId: 84532 } },
    ],
    ['a chain that only the asset names', { asset: { ...TOKEN, chainId: 84532 }, proposal: PROPOSAL }],
    ['what nobody lists', { asset: { serial: 'UNLISTED-1' }, listingRef: 'mine', lotRef: 'x', seller: 'y' }],
  ])('and is taken with %s', async (_, facts) => {
    await expect(ask(facts)).resolves.toBeUndefined();
  });

  it('judges a mandate on the chain of the asset that is asked about', async () => {
    const facts = { asset: { ...TOKEN, chainId: 84532 }, handle: 'nobody', proposal: PROPOSAL };
    const asked = { tier: 'tier2', category: CATEGORY, facts, depth: '1-of-1' } as const;
    const { evidence } = await determineTier(deps, asked);
    const mandate = evidence.determinations.find(({ id }) => id === 'mandate-compliance');
    expect(mandate?.common).toMatchObject({ proposal: { chainId: 84532 } });
  });

  it('and about the thing as its seller signed it, whoever asks and however he spells it', async () => {
    const asset = { serial: 'car 1' };
    for (const facts of [
      { asset },
      { listingRef: 'lst_car' },
      { proposal: { ...PROPOSAL, asset } },
    ] as TierFacts[]) {
      const asked = { ...facts, priceUsd: 100 };
      await expect(ask({ ...asked, attributes: { Odometer: '10,000' } })).rejects.toMatchObject({
        code: 'bad-request',
        message: expect.stringMatching(/^attributes\.Odometer: .*lst_car.*leave it out/),
      });
      await expect(
        ask({ ...asked, attributes: { Odometer: '200,000', year: 2015 } }),
      ).resolves.toBeUndefined();
    }
  });

  it('and about the thing as it is listed now, whichever listing of before is named', async () => {
    const seller = await market.agent('seller-who-lists-anew');
    const asset = spelledAsset({ serial: 'CAR-9' }).asset;
    const before = { asset, category: 'digital-products', attributes: { mileage: 10_000 } } as const;
    await market.list(seller, { ...before, listingRef: 'lst_before' });
    const named = { listingRef: 'lst_before', priceUsd: 100, attributes: { mileage: 10_000 } };
    await expect(ask(named, 'digital-products')).resolves.toBeUndefined();
    await withdrawOrders(database.db, seller, market.now());
    // Of a thing that is not for sale the listing that is named tells.
    await expect(ask(named, 'digital-products')).resolves.toBeUndefined();
    await market.list(seller, { asset, category: CATEGORY, attributes: { mileage: 200_000 } });
    await expect(ask(named, 'digital-products')).rejects.toMatchObject({
      message: expect.stringMatching(/^listingRef: is listed, .*real-world-assets/),
    });
    await expect(ask(named)).rejects.toMatchObject({
      message: expect.stringMatching(/^attributes\.mileage: /),
    });
    await expect(ask({ ...named, attributes: {} })).resolves.toBeUndefined();
  });

  it('names the word of the asker as a source, where no listing says it', async () => {
    const sourcesOf = async (facts: TierFacts) => {
      const asked = { tier: 'tier2', category: CATEGORY, facts, depth: '1-of-1' } as const;
      const { record } = await determineTier(deps, asked);
      const checks = record.determinations.find(({ id }) => id === 'price-intelligence')?.checks ?? [];
      return checks.flatMap(({ sources }) => sources).filter(({ name }) => name === "the asker's word");
    };
    const attributes = { make: 'Ford', mileage: 200_000 };
    const told = { asset: { serial: 'CAR-2' }, priceUsd: 100, attributes };
    const unlisted = await sourcesOf(told);
    expect(unlisted[0]?.limit).toBe('make, mileage; not of a listing, nor proved');
    expect(await sourcesOf({ asset: { serial: 'CAR-1' }, priceUsd: 100, attributes })).toEqual([]);
  });

  it('leaves evidence that is read as it is served', async () => {
    const attributes = { make: 'Ford', mileage: 200_000 };
    const facts = { asset: { serial: 'CAR-2' }, priceUsd: 100, attributes };
    const asked = { tier: 'tier2', category: CATEGORY, facts, depth: '1-of-1' } as const;
    const { evidence } = await determineTier(deps, asked);
    const price = evidence.determinations.find(({ id }) => id === 'price-intelligence')!;
    expect(price.common).toMatchObject({ askersWord: ['make', 'mileage'] });
    expect(() => readEvidence('price-intelligence', JSON.parse(JSON.stringify(price)))).not.toThrow();
  });
});
