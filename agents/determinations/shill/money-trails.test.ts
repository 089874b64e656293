import { describe, expect, it } from 'vitest';
import { halfSeen, moneyTrails } from './money-trails.ts';
import type { Side } from './payers.ts';
import type { Paid } from './payments.ts';

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

  it('is the seller’s behind payments of nothing or of little to many others', () => {
    for (const dollars of [0, 1, 9]) {
      const decoys = customers('hub', 20).map((p) => ({ ...p, usd: usd(dollars) }));
      const back = [...paid(['sam', 'hub', 100], ['hub', 'bea', 100]), ...decoys];
      expect(trails(back)).toMatchObject([{ fromSeller: 1 }]);
    }
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

  it('is unseen where nothing, or dust, is known to have come', () => {
    const dust = [{ from: 'own', to: 'bea', usd: 999_999n }, ...paid(['own', 'ben', 1])];
    expect(trails(dust, ['bea', 'ben', 'cas']).map((b) => b.unseen)).toEqual([true, undefined, true]);
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

describe('a payer of both', () => {
  const question = (
    payments: readonly Paid[],
    bidders: readonly Side[] = [side('bea')],
    busy: readonly string[] = [],
  ) => ({
    ...{ seller: three('sam'), bidders, payments, known: new Set<string>(), attached: null },
    busy: new Set(busy),
  });
  /** An owner, its account and its session key. */
  const three = (name: string): Side => ({ name, addresses: [name, `${name}-account`, `${name}-key`] });
  /** They send it back. */
  const decoys = (of: string, dollars: number, many = 12): Paid[] =>
    Array.from({ length: many }, (_, i) =>
      paid([of, `decoy-${i}`, dollars], [`decoy-${i}`, of, dollars]),
    ).flat();
  const shills = ['s1', 's2', 's3', 's4'].map(three);

  it('is a purse of all of them, though it pays a dollar to each other address of theirs', () => {
    const payments = [
      ...paid(['purse', 'sam-account', 50_000], ['purse', 'sam', 1], ['purse', 'sam-key', 1]),
      ...shills.flatMap(({ name }) =>
        paid(['purse', `${name}-account`, 20_000], ['purse', name, 1], ['purse', `${name}-key`, 1]),
      ),
      ...decoys('purse', 2),
    ];
    const traced = moneyTrails(question(payments, shills));
    expect(traced.map(({ shared, group }) => [shared, group])).toEqual(shills.map(() => [1, 'group-1']));
    // Nor do bidders to whom it gave little make it less of one to the rest.
    const straws = Array.from({ length: 9 }, (_, i) => side(`straw-${i}`));
    const little = straws.flatMap(({ name }) => paid(['purse', name, 2], ['own', name, 500]));
    const more = moneyTrails(question([...payments, ...little], [...shills, ...straws]));
    expect(more.slice(0, shills.length).map((b) => b.shared)).toEqual(shills.map(() => 1));
  });

  it('is a purse, though others hand its money on, one for each or many', () => {
    for (const between of [1, 20]) {
      const ways = [...shills, three('sam')].flatMap(({ name }) =>
        Array.from({ length: between }, (_, i) => {
          const [x, dollars] = [`${name} by ${i}`, 20_000 / between];
          return paid(['purse', x, dollars], [x, `${name}-account`, dollars]);
        }).flat(),
      );
      const traced = moneyTrails(question([...ways, ...decoys('purse', 2)], shills));
      expect(traced.map((b) => b.shared)).toEqual(shills.map(() => 1));
    }
  });

  it('is a purse of those among whom wallets share its money out, however many wallets', () => {
    const sides = [...shills.slice(0, 2), three('sam')];
    for (const between of [7, 8, 30]) {
      const ways = Array.from({ length: between }, (_, i) => [
        ...paid(['purse', `x${i}`, 900]),
        ...sides.flatMap(({ name }) => paid([`x${i}`, `${name}-account`, 300])),
      ]).flat();
      const told = (bidders: readonly Side[]) => moneyTrails(question(ways, bidders)).map((b) => b.shared);
      expect(told(shills.slice(0, 2))).toEqual([1, 1]);
    }
  });

  it('is an exchange whose customers pay both sides more than half of what they got', () => {
    const names = Array.from({ length: 12 }, (_, i) => `c${i}`);
    const customers = names.flatMap((c) =>
      paid(['ex', c, 300], [c, 'sam', 100], [c, 's1', 60], [c, 'shop', 140], [`${c} before`, 'ex', 300]),
    );
    const payments = [...customers, ...paid(['ex', 'sam', 300], ['ex', 's1', 300])];
    expect(moneyTrails(question(payments, shills.slice(0, 1)))).toMatchObject([{ shared: 0 }]);
  });

  it('is a purse of one whose money another of its sides hands on, whatever dollars it sends', () => {
    const dollars = [...customers('purse', 12), ...depositors('purse', 12)].map((p) => ({
      ...p,
      usd: usd(1),
    }));
    const ways = paid(['purse', 's1', 800], ['s1', 's2', 400], ['purse', 'sam', 400]);
    const traced = moneyTrails(question([...ways, ...dollars], shills.slice(0, 2)));
    expect(traced.map((b) => b.shared)).toEqual([1, 1]);
  });

  it('is an exchange where hundreds got less than a tenth of what both got, and paid in', () => {
    const others = Array.from({ length: 900 }, (_, i) =>
      paid(['ex', `customer-${i}`, 100 + i], [`depositor-${i}`, 'ex', 100 + i]),
    ).flat();
    const payments = [...paid(['ex', 'sam', 15_000], ['ex', 'bea', 10_000]), ...others];
    expect(moneyTrails(question(payments))).toMatchObject([{ shared: 0, group: null }]);
    expect(halfSeen(question(payments))).toEqual([]);
  });

  it('ties nobody and clears nobody where it may have customers, or not', () => {
    const income = paid(['own', 'payer', 90_000], ['own', 'ben', 1_000]);
    const both = [...income, ...paid(['payer', 'sam', 1_000], ['payer', 'bea', 1_000])];
    const told = (dollars: number, busy: readonly string[] = []) => {
      const asked = question([...both, ...decoys('payer', dollars)], [side('bea'), side('ben')], busy);
      return [moneyTrails(asked)[0]!.shared, halfSeen(asked)];
    };
    expect(told(2)).toEqual([1, []]);
    for (const dollars of [10, 50]) expect(told(dollars)).toEqual([0, ['sam', 'bea']]);
    expect(told(100)).toEqual([0, []]);
    // Whoever paid more than was looked at may have paid that to customers.
    expect(told(2, ['payer'])).toEqual([0, ['sam', 'bea']]);
    expect(halfSeen(question(both, [side('bea')], ['payer']))).toEqual(['sam', 'bea']);
    // Nobody else has money of the one who paid this bidder.
    const alone = question([...income, ...paid(['payer', 'bea', 1_000]), ...decoys('payer', 50)]);
    expect(halfSeen(alone)).toEqual([]);
  });

  it('who may have customers leaves bidders open only from as many on as make a purse, and none in a deal', () => {
    const names = ['g1', 'g2', 'g3'];
    const told = (many: number, over: { purses?: boolean; attached?: ReadonlySet<string> } = {}) => {
      const own = names.slice(0, many).map(side);
      const gave = own.flatMap(({ name }) => paid(['payer', name, 100]));
      const honest = paid(['own', 'payer', 90_000], ['income', 'sam', 1_000], ['wages', 'bea', 1_000]);
      return halfSeen({
        ...question([...honest, ...gave, ...decoys('payer', 6, 9)], [side('bea'), ...own]),
        ...over,
      });
    };
    expect(told(2)).toEqual([]);
    expect(told(3)).toEqual(names);
    // Three customers of one exchange who bid all over the market are no purse here, whatever it is.
    expect(told(3, { attached: new Set(['g1', 'g2']) })).toEqual([]);
    expect(told(3, { purses: false })).toEqual([]);
  });

  it('is followed on to its own payers where others paid it next to nothing', () => {
    const paying = [...paid(['sam', 'hub', 9_000], ['hub', 'bea', 500]), ...customers('hub', 9)];
    const dollars = depositors('hub', 9).map((p) => ({ ...p, usd: usd(1) }));
    expect(moneyTrails(question([...paying, ...dollars]))).toMatchObject([{ fromSeller: 1 }]);
    expect(moneyTrails(question([...paying, ...depositors('hub', 9)]))).toMatchObject([{ fromSeller: 0 }]);
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
    // Nor is it known of one who pays many whether anybody paid it.
    const paying = [...way.slice(0, 1), ...customers('x', 9)];
    expect([open(paying, []), open(paying, ['x'])]).toEqual([[], ['bea']]);
    expect(open(way, ['sam'])).toEqual(['sam']);
  });

  it('counts from a fifth on, and not behind what is public', () => {
    const part = (dollars: number) => paid(['x', 'bea', dollars], ['own', 'bea', 100 - dollars]);
    expect(open(part(19), ['x'])).toEqual([]);
    expect(open(part(20), ['x'])).toEqual(['bea']);
    expect(open(part(20), ['x'], ['x'])).toEqual([]);
  });
});
