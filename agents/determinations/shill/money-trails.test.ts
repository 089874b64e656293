import { describe, expect, it } from 'vitest';
import { halfSeen, moneyTrails, type Paid } from './money-trails.ts';

const side = (name: string) => ({ name, addresses: [name] });
const usd = (dollars: number): bigint => BigInt(dollars) * 1_000_000n;
const paid = (...way: readonly [from: string, to: string, dollars: number][]): Paid[] =>
  way.map(([from, to, dollars]) => ({ from, to, usd: usd(dollars) }));
const trails = (
  payments: readonly Paid[],
  bidders: readonly string[] = ['bea'],
  options: { known?: readonly string[]; attached?: readonly string[] | null } = {},
) =>
  moneyTrails({
    seller: side('sam'),
    bidders: bidders.map(side),
    payments,
    known: new Set(options.known ?? []),
    attached: options.attached === undefined ? null : options.attached && new Set(options.attached),
  });
const customers = (of: string, many: number): Paid[] =>
  Array.from({ length: many }, (_, i) => ({ from: of, to: `customer-${i}`, usd: usd(50) }));
const depositors = (to: string, many: number): Paid[] =>
  Array.from({ length: many }, (_, i) => ({ from: `depositor-${i}`, to, usd: usd(50) }));

describe('the money of a bidder', () => {
  it('is the seller’s where it came from there, straight or over two others', () => {
    for (const payments of [
      paid(['sam', 'bea', 100]),
      paid(['sam', 'x', 100], ['x', 'bea', 100]),
      paid(['sam', 'x', 100], ['x', 'y', 100], ['y', 'bea', 100]),
    ])
      expect(trails(payments)).toMatchObject([{ fromSeller: 1, shared: 0 }]);
    const far = paid(['sam', 'w', 9], ['w', 'x', 9], ['x', 'y', 9], ['y', 'bea', 9]);
    expect(trails(far)).toMatchObject([{ fromSeller: 0 }]);
  });

  it('is nobody’s where all send to one address of an exchange, which pays them from another', () => {
    const members = ['sam', 'bea', ...Array.from({ length: 12 }, (_, i) => `customer-${i}`)];
    const exchange = members.flatMap((who) => [
      ...paid([who, 'deposit', 100], ['deposit', 'hot', 100], ['hot', who, 90]),
    ]);
    expect(trails(exchange)).toMatchObject([{ fromSeller: 0, shared: 0, toSeller: 0 }]);
    // A purse pays its bidders itself, whoever filled it.
    const payer = [
      ...depositors('one payer', 12),
      ...paid(['one payer', 'sam', 90], ['one payer', 'bea', 90]),
    ];
    expect(trails(payer)).toMatchObject([{ shared: 1 }]);
  });

  it('is the seller’s in proportion to its value, whatever dust came first', () => {
    const payments = paid(['z', 'bea', 1], ['sam', 'bea', 60], ['own', 'bea', 40]);
    expect(trails(payments)).toMatchObject([{ fromSeller: 0.6 }]);
    const dust = [{ from: 'sam', to: 'bea', usd: 999_999n }, ...paid(['own', 'bea', 40])];
    expect(trails(dust)).toMatchObject([{ fromSeller: 0 }]);
  });

  it('is the seller’s through one who hands it out to many', () => {
    const payments = [...paid(['sam', 'hub', 900], ['hub', 'bea', 90]), ...customers('hub', 9)];
    expect(trails(payments)).toMatchObject([{ fromSeller: 1 }]);
  });

  it('is shared with the seller where both have it from somebody without customers', () => {
    const payments = paid(['one payer', 'sam', 100], ['one payer', 'bea', 100]);
    expect(trails(payments)).toMatchObject([{ fromSeller: 0, shared: 1 }]);
  });

  it('is not shared where an exchange paid both, by its label or by its customers', () => {
    const both = paid(['ex', 'sam', 100], ['ex', 'bea', 100]);
    expect(trails(both, ['bea'], { known: ['ex'] })).toMatchObject([{ shared: 0 }]);
    const busy = [...both, ...customers('ex', 9), ...depositors('ex', 9)];
    expect(trails(busy)).toMatchObject([{ shared: 0 }]);
    expect(trails([...both, ...customers('ex', 9)])).toMatchObject([{ shared: 0 }]);
    const minted = paid([`0x${'0'.repeat(40)}`, 'sam', 100], [`0x${'0'.repeat(40)}`, 'bea', 100]);
    expect(trails(minted)).toMatchObject([{ shared: 0 }]);
  });

  it('is shared where the many whom one pays bid at this seller alone', () => {
    const names = Array.from({ length: 12 }, (_, i) => `bea-${i}`);
    const payments = paid(
      ['one payer', 'sam', 500],
      ...names.map((name) => ['one payer', name, 100] as [string, string, number]),
    );
    expect(trails(payments, names, { attached: names }).every((b) => b.shared === 1)).toBe(true);
    expect(trails(payments, names, { attached: null }).every((b) => b.shared === 0)).toBe(true);
  });

  it('frames no seller by a gift', () => {
    const payments = paid(['own', 'sam', 1_000], ['one payer', 'sam', 100], ['one payer', 'bea', 100]);
    expect(trails(payments)).toMatchObject([{ shared: 0 }]);
  });

  it('marks those who live on one purse, and nobody else', () => {
    const payments = paid(['p', 'a', 10], ['p', 'b', 10], ['q', 'c', 10]);
    expect(trails(payments, ['a', 'b', 'c']).map((b) => b.group)).toEqual(['group-1', 'group-1', null]);
  });

  it('tells where the seller’s own money is from a bidder', () => {
    expect(trails(paid(['bea', 'sam', 100]))).toMatchObject([{ fromSeller: 0, toSeller: 1 }]);
  });

  it('ends where money goes in circles', () => {
    const payments = paid(['x', 'bea', 10], ['y', 'x', 10], ['x', 'y', 10], ['bea', 'y', 10]);
    expect(trails(payments)).toMatchObject([{ fromSeller: 0, shared: 0 }]);
  });
});

describe('money to whose payee more was paid than was looked at', () => {
  const open = (payments: readonly Paid[], cut: readonly string[], known: readonly string[] = []) =>
    halfSeen({
      ...{ seller: side('sam'), bidders: ['bea', 'ben'].map(side), payments },
      ...{ known: new Set(known), attached: null, cut: new Set(cut) },
    });

  it('leaves open whose it is, over as many payments as money is followed', () => {
    const way = paid(['x', 'bea', 9], ['y', 'x', 9], ['z', 'y', 9], ['w', 'z', 9]);
    expect(open(way, [])).toEqual([]);
    for (const cut of ['bea', 'x', 'y']) expect(open(way, [cut])).toEqual(['bea']);
    for (const cut of ['z', 'w']) expect(open(way, [cut])).toEqual([]);
    expect(open(way, ['sam'])).toEqual(['sam']);
  });

  it('counts from a fifth on, and not behind what is public', () => {
    const part = (dollars: number) => paid(['x', 'bea', dollars], ['own', 'bea', 100 - dollars]);
    expect(open(part(19), ['x'])).toEqual([]);
    expect(open(part(20), ['x'])).toEqual(['bea']);
    expect(open(part(20), ['x'], ['x'])).toEqual([]);
  });
});
