import { describe, expect, it } from 'vitest';
import type { Comparable } from '../../market/pricing/comparables.ts';
import { weighedByTies } from '../../market/pricing/sale-weight.ts';
import { judge } from '../panel/judge.ts';
import type { DeterminationEvidence } from '../panel/types.ts';
import type { Paid } from '../shill/payments.ts';
import type { PriceCommon } from './price-evidence.ts';
import { type SaleSides, tiesOfSales } from './sale-ties.ts';

const AT = '2026-09-06T12:00:00.000Z';
const SUBJECT = `eip155:1002/erc721:0x${'a'.repeat(40)}/7`;
const usd = (dollars: number): bigint => BigInt(dollars) * 1_000_000n;
const sides = (id: string, seller: string, buyer: string): SaleSides => ({
  ...{ id, seller, buyer, sellerAccount: `account of ${seller}`, buyerAccount: `account of ${buyer}` },
});
const pays = (from: string, to: string, dollars: number): Paid => ({ from, to, usd: usd(dollars) });
const ties = (sales: readonly SaleSides[], payments: readonly Paid[], known: readonly string[] = []) =>
  tiesOfSales(sales, { payments, known: new Set(known) });

const comparable = (id: string, priceUsd: string, daysAgo: number): Comparable => ({
  ...{ id, source: "this platform's settled deals", priceUsd, similarity: 'same-kind', dropped: null },
  soldAt: new Date(Date.parse(AT) - daysAgo * 86_400_000).toISOString(),
});
function verdictAt(priceUsd: string, over: Pick<PriceCommon, 'comparables' | 'ties'>) {
  const seat = (name: string, method: 'rules' | 'statistics') => ({
    ...{ seat: name, method, source: 'registers', limit: '', facts: {}, fault: null },
  });
  const common: PriceCommon = {
    ...{ pricing: 2, priceUsd, category: 'digital-products', subject: SUBJECT, leftOut: 0, lists: [] },
    ...over,
  };
  const evidence: DeterminationEvidence = {
    ...{ id: 'price-intelligence', rules: 1, at: AT, performer: 'AGENT', depth: '2-of-2' },
    ...{ common, blocks: {}, latencyMs: 1 },
    seats: [seat('rules/viem', 'rules'), seat('statistics/ethers', 'statistics')],
  };
  return judge(evidence);
}

describe('the sides of a sale', () => {
  it('are close by what the seller paid the buyer, what it was paid back, and a purse of both', () => {
    const one = [sides('m', 'sam', 'bea')];
    expect(ties(one, [pays('shop', 'bea', 100)])).toMatchObject([{ share: 0 }]);
    expect(ties(one, [pays('account of sam', 'account of bea', 30), pays('own', 'bea', 70)])).toMatchObject([
      { share: 0.3 },
    ]);
    expect(ties(one, [pays('bea', 'x', 50), pays('x', 'sam', 50)])).toMatchObject([{ share: 1 }]);
    const payer = [pays('one payer', 'sam', 50), pays('one payer', 'account of bea', 50)];
    expect(ties(one, payer)).toMatchObject([{ share: 1 }]);
    expect(ties(one, payer, ['one payer'])).toMatchObject([{ seller: 'sam', buyer: 'bea', share: 0 }]);
  });

  it('are close by a purse that many fill, whatever dollars the sides send to those', () => {
    const many = Array.from({ length: 9 }, (_, i) => `w${i}`);
    const filled = many.flatMap((w) => [pays('bank', w, 100), pays(w, 'purse', 100)]);
    const payments = [...filled, pays('purse', 'sam', 400), pays('purse', 'bea', 400)];
    const dollars = many.flatMap((w) => [pays('sam', w, 1), pays('bea', w, 1)]);
    for (const decoys of [[], dollars])
      expect(ties([sides('m', 'sam', 'bea')], [...payments, ...decoys], ['bank'])).toMatchObject([
        { share: 1 },
      ]);
  });

  it('are one where most of the price came back, however much else the buyer has', () => {
    const sold = [
      { ...sides('m1', 'sam', 'bea'), price: usd(400) },
      { ...sides('m2', 'sue', 'bea'), price: usd(400) },
    ];
    const money = (back: number) => [
      pays('sam', 'x', back),
      pays('x', 'bea', back),
      pays('shop', 'bea', 4_000 - back),
    ];
    const told = (back: number) => ties(sold, money(back)).map(({ share }) => share);
    expect(told(400)).toEqual([1, 0]);
    expect(told(200)).toEqual([0.5, 0]);
    // Where the prices are not told, it is what the buyer has that it is held against.
    const before = sold.map(({ price: _, ...sale }) => sale);
    expect(ties(before, money(400)).map(({ share }) => share)).toEqual([0.1, 0]);
  });

  it('are not known where more was paid on the way to one of them than was looked at', () => {
    const sales = [sides('m1', 'sam', 'bea'), sides('m2', 'sue', 'ben')];
    const payments = [pays('x', 'bea', 50), pays('y', 'x', 50), pays('own', 'ben', 50)];
    const told = (cut: readonly string[]) =>
      tiesOfSales(sales, { payments, known: new Set(), cut: new Set(cut) }).map((tie) => tie.id);
    expect(told([])).toEqual(['m1', 'm2']);
    for (const cut of ['bea', 'account of sam', 'x', 'y']) expect(told([cut])).toEqual(['m2']);
    expect(told(['stranger'])).toEqual(['m1', 'm2']);
  });

  it('are not known where one who may have customers paid both, and nobody else is left out for that', () => {
    const open = (...owners: readonly string[]) => [
      ...[...owners, 'other'].map((owner) => pays('payer', owner, 100)),
      ...Array.from({ length: 9 }, (_, i) => pays('payer', `customer-${i}`, 6)),
    ];
    const sales = [sides('m1', 'sam', 'bea'), sides('m2', 'sue', 'ben'), sides('m3', 'sue', 'bob')];
    const told = (payments: readonly Paid[]) => ties(sales, payments).map((tie) => tie.id);
    expect(told(open('sam', 'bea'))).toEqual(['m2', 'm3']);
    for (const strangers of [
      ['sam', 'sue'],
      ['bea', 'ben'],
      ['sam', 'ben'],
    ])
      expect(told(open(...strangers))).toEqual(['m1', 'm2', 'm3']);
    // Those who bought of one may be one: they count as a purse would, and not for less.
    const [, ben, bob] = ties(sales, open('ben', 'bob'));
    expect(ben!.buyer).toBe(bob!.buyer);
  });

  it('are told by going over the payments as often, however many sold', () => {
    const lookedAt = (many: number): number => {
      let looks = 0;
      const payments = Array.from({ length: many }, (_, i) => pays('shop', `s${i}`, 10));
      const each = payments[Symbol.iterator];
      payments[Symbol.iterator] = function* counted() {
        looks++;
        yield* each.call(payments);
        return undefined;
      };
      ties(
        payments.map((_, i) => sides(`m${i}`, `s${i}`, `b${i}`)),
        payments,
      );
      return looks;
    };
    expect(lookedAt(20)).toBe(lookedAt(1));
  });

  it('are one purse each, so that several accounts of it make one pair', () => {
    const sales = [sides('m1', 'sam', 'b1'), sides('m2', 'sam', 'b2'), sides('m3', 'sam', 'b3')];
    const all = ties(sales, [pays('bank', 'sam', 9), pays('one payer', 'b1', 9), pays('one payer', 'b2', 9)]);
    expect(all[0]?.buyer).toBe(all[1]?.buyer);
    expect(all[2]?.buyer).toBe('b3');
  });
});

describe('a price that a ring raised', () => {
  const ring = ['w1', 'w2', 'w3', 'w4', 'w5', 'w6'];
  const washed = ring.flatMap((one, i) =>
    ring.slice(i + 1).map((other) => sides(`${one}-${other}`, one, other)),
  );
  const honest = Array.from({ length: 11 }, (_, i) => sides(`h${i}`, `s${i}`, `b${i}`));
  const comparables = [
    ...washed.map(({ id }, i) => comparable(id, String(420 + 4 * i), 1)),
    ...honest.map(({ id }, i) => comparable(id, String(95 + i), 5)),
  ];
  const gathered = ring.slice(1).map((wallet) => pays(wallet, 'w1', 1_500));
  const shared = ring.map((wallet) => pays('one payer', wallet, 700));
  const weighed = (payments: readonly Paid[]) =>
    weighedByTies(comparables, ties([...washed, ...honest], payments));
  const followed = { hops: 3, sales: 26, fault: null };

  it('is FLAGGED where the ring has one purse, and passes where nothing joins them', () => {
    expect(verdictAt('470', { comparables: weighed([]), ties: followed }).verdict).toBe('CLEAN');
    expect(verdictAt('470', { comparables: weighed(shared), ties: followed }).verdict).toBe('FLAGGED');
  });

  it('counts for less where some of the proceeds came back', () => {
    const dear = weighed(gathered).filter((c) => c.weight !== undefined);
    expect(dear.map(({ id, weight }) => [id, weight])).toEqual(
      ring.slice(1).map((wallet) => [`w1-${wallet}`, 0.6]),
    );
  });

  it('is INCONCLUSIVE where the money could not be followed', () => {
    const judged = verdictAt('470', { comparables, ties: { ...followed, fault: 'no index' } });
    expect(judged.verdict).toBe('INCONCLUSIVE');
    expect(judged.checks.filter((c) => c.outcome === 'INCONCLUSIVE').map((c) => c.id)).toEqual([
      'sales-apart',
    ]);
  });

  it('names the blocks from which on transfers are kept', () => {
    const judged = verdictAt('470', { comparables, ties: { ...followed, from: 'block 7 of eip155:1002' } });
    const { sources } = judged.checks.find((c) => c.id === 'sales-apart')!;
    expect(sources[0]!.limit).toContain('dollars outside of deals from block 7 of eip155:1002 on,');
  });

  it('was judged by all sales alike by earlier rules, and evidence of then still is', () => {
    const judged = verdictAt('470', { comparables });
    expect(judged.verdict).toBe('CLEAN');
    expect(judged.checks.map((c) => c.id)).toEqual(['comparables', 'price-in-market']);
  });
});
