import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../categories.ts';
import { dealMoney, nameMoney } from './fees.ts';
import { chargeFor, type PriceId, pricing } from './prices.ts';

const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 1_000_000));
const by = (setting: 'test' | 'live') => ({ setting, standardListing: null });
const item = (setting: 'test' | 'live', id: PriceId) => pricing(by(setting)).items.find((i) => i.id === id)!;

describe('the price table', () => {
  it('names every price of the service once', () => {
    const ids = pricing(by('test')).items.map((i) => i.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([
      'wallet-determination',
      ...CATEGORIES.map((c) => `tier2-${c}`),
      ...CATEGORIES.map((c) => `tier3-${c}`),
      'agent',
      'executor',
      'membership-individual',
      'membership-institutional',
      'listing-standard',
      'listing-featured',
      'deal-fee',
      'name-fee',
      'name-a-x',
      'name-a-crypto',
      'name-a-nft',
      'name-a-other',
      'name-b-second-level',
      'name-b-top-level',
      'name-b-reserved',
    ]);
  });

  it.each([
    ['agent', 5],
    ['executor', 1],
    ['membership-individual', 50],
    ['membership-institutional', 500],
    ['listing-standard', 0],
    ['listing-featured', 10],
    ['name-a-x', 300],
    ['name-a-crypto', 200],
    ['name-a-nft', 150],
    ['name-a-other', 100],
    ['name-b-second-level', 100],
    ['name-b-top-level', 1500],
    ['name-b-reserved', 50_000],
  ] as const)('charges for %s %d dollars in both settings', (id, dollars) => {
    for (const setting of ['test', 'live'] as const) {
      expect(chargeFor(by(setting), id)).toBe(usd(dollars));
      expect(item(setting, id).amountUsd).toBe(dollars);
    }
  });

  it.each(CATEGORIES)('charges evaluations in %s by the setting, and lists them at a cent', (category) => {
    for (const id of [`tier2-${category}`, `tier3-${category}`] as const) {
      expect(chargeFor('test', id)).toBe(10_000n);
      expect(item('live', id)).toMatchObject({ listedUsd: 0.01, category });
    }
    const [two, three] = [chargeFor('live', `tier2-${category}`), chargeFor('live', `tier3-${category}`)];
    expect(two >= usd(2) && two <= usd(5)).toBe(true);
    expect(three >= usd(15) && three <= usd(50)).toBe(true);
  });

  it('charges and shows the price that its operator set for a standard listing, in both settings', () => {
    for (const setting of ['test', 'live'] as const) {
      const prices = { setting, standardListing: 2_500_000n };
      expect(chargeFor(prices, 'listing-standard')).toBe(2_500_000n);
      const shown = pricing(prices).items.find((i) => i.id === 'listing-standard');
      expect(shown).toMatchObject({ amountUsd: 2.5, listedUsd: 2.5, charged: true });
      expect(chargeFor(prices, 'listing-featured')).toBe(10_000_000n);
    }
  });

  it('keeps what providers of names ask apart from what anybody is charged', () => {
    const uncharged = pricing(by('live')).items.filter((i) => !i.charged);
    expect(uncharged.map((i) => i.unit)).toEqual(Array.from({ length: 7 }, () => 'name'));
    expect(pricing(by('live')).items.filter((i) => i.unit === 'name')).toEqual(uncharged);
  });

  it('shows in every item what is charged', () => {
    for (const setting of ['test', 'live'] as const) {
      for (const { id, amountUsd } of pricing(by(setting)).items)
        expect(usd(amountUsd)).toBe(chargeFor(by(setting), id));
    }
  });

  it.each([
    [0n, 10_000n],
    [1_000_000n, 10_000n],
    [1_000_001n, 10_001n],
    [1_000_100n, 10_001n],
    [250_000_000n, 2_500_000n],
    [10n ** 18n, 10n ** 16n],
  ])('charges for a wallet determination on a transaction of %s micro-dollars %s', (of, charge) => {
    expect(chargeFor('test', 'wallet-determination', of)).toBe(charge);
    expect(chargeFor('live', 'wallet-determination', of)).toBe(charge);
  });

  it('charges at least one percent of a transaction and less than a micro-dollar more', () => {
    fc.assert(
      fc.property(fc.bigInt(1_000_000n, 10n ** 18n), (of) => {
        const charge = chargeFor('test', 'wallet-determination', of);
        expect(charge * 100n >= of && (charge - 1n) * 100n < of).toBe(true);
      }),
    );
  });
});

describe('fees', () => {
  it("take two percent of a deal from the seller's proceeds, rounded down", () => {
    expect(dealMoney(300_000_000n)).toEqual({
      fee: 6_000_000n,
      sellerNets: 294_000_000n,
      buyerPays: 300_000_000n,
    });
    expect(dealMoney(10_000n).fee).toBe(200n);
    expect(dealMoney(49n).fee).toBe(0n);
  });

  it('take two and a half percent of a name sale on each side', () => {
    expect(nameMoney(300_000_000n)).toMatchObject({ sellerNets: 292_500_000n, buyerPays: 307_500_000n });
  });

  it('lose no micro-dollar: what the buyer pays is what the seller nets and the fee', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 18n), (price) => {
        for (const money of [dealMoney(price), nameMoney(price)]) {
          expect(money.sellerNets + money.fee).toBe(money.buyerPays);
          expect(money.sellerNets >= 0n).toBe(true);
        }
      }),
    );
  });
});
