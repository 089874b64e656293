import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CENT, maxMicro } from '../money.ts';
import {
  type AuctionBid,
  dutchPrice,
  increment,
  leastBid,
  movesEnd,
  type Schedule,
  type Standing,
  standing,
} from './auction.ts';
import { dealMoney, moneyOf, nameMoney } from './pricing/fees.ts';

const cents = (max: number) => fc.integer({ min: 1, max }).map((c) => BigInt(c) * CENT);
const usd = (dollars: number) => BigInt(Math.round(dollars * 1_000_000));

const schedule: fc.Arbitrary<Schedule> = fc
  .record({
    reserve: cents(1_000_000),
    over: cents(1_000_000),
    startsAt: fc.integer({ min: 0, max: 2_000_000_000_000 }),
    lasts: fc.integer({ min: 1, max: 2_592_000_000 }),
  })
  .map(({ reserve, over, startsAt, lasts }) => ({
    reserve,
    start: reserve + over,
    startsAt,
    endsAt: startsAt + lasts,
  }));

describe('a Dutch price', () => {
  it('is the straight line, rounded up to the cent, at every millisecond', () => {
    fc.assert(
      fc.property(schedule, fc.double({ min: 0, max: 1, noNaN: true }), (s, part) => {
        const at = s.startsAt + Math.floor((s.endsAt - s.startsAt) * part);
        const price = dutchPrice(s, at);
        expect(price % CENT).toBe(0n);
        // price - a cent < start - (start - reserve)·elapsed/whole ≤ price, without a division
        const whole = BigInt(s.endsAt - s.startsAt);
        const line = s.start * whole - (s.start - s.reserve) * BigInt(at - s.startsAt);
        expect(price * whole).toBeGreaterThanOrEqual(line);
        expect((price - CENT) * whole).toBeLessThan(line);
      }),
    );
  });

  it('never rises, begins at the start and ends at the reserve', () => {
    fc.assert(
      fc.property(schedule, fc.nat(2_592_100_000), fc.nat(2_592_100_000), (s, a, b) => {
        const [early, late] = [s.startsAt - 50_000 + Math.min(a, b), s.startsAt - 50_000 + Math.max(a, b)];
        expect(dutchPrice(s, early)).toBeGreaterThanOrEqual(dutchPrice(s, late));
        expect(dutchPrice(s, s.startsAt)).toBe(s.start);
        expect(dutchPrice(s, s.endsAt)).toBe(s.reserve);
        expect(dutchPrice(s, s.startsAt - 1)).toBe(s.start);
        expect(dutchPrice(s, s.endsAt + 1)).toBe(s.reserve);
      }),
    );
  });

  it('at a quarter of the way from 100 to 20 is 80', () => {
    const s = { start: usd(100), reserve: usd(20), startsAt: 0, endsAt: 4_000 };
    expect([0, 1_000, 1_001, 2_000, 4_000].map((at) => dutchPrice(s, at))).toEqual(
      [100, 80, 79.98, 60, 20].map(usd),
    );
  });
});

describe('an increment', () => {
  it('is five percent rounded up to the cent, and a cent at least', () => {
    expect([0.01, 0.2, 0.21, 10, 10.01, 100].map((p) => increment(usd(p)))).toEqual(
      [0.01, 0.01, 0.02, 0.5, 0.51, 5].map(usd),
    );
  });
});

interface Try {
  readonly owner: string;
  readonly agent: number;
  readonly over: bigint;
  readonly wait: number;
}
const tries = fc.array(
  fc.record({
    agent: fc.nat(5),
    over: fc.integer({ min: -300, max: 3_000 }).map((c) => BigInt(c) * CENT),
    wait: fc.nat(400),
  }),
  { maxLength: 40 },
);

const WINDOW = 300;
const EXTENSION = 300;

/**
 * Runs an auction by its rules: bids below the least bid are refused, and an agent's later bid replaces its earlier
 * one.
 */
function run(reserve: bigint, attempts: readonly Omit<Try, 'owner'>[]) {
  let bids: AuctionBid[] = [];
  let endsAt = 1_000;
  let at = 0;
  let seq = 0n;
  const log: { before: Standing | null; after: Standing; bid: AuctionBid; at: number; endsAt: number }[] = [];
  let extensions = 0;
  for (const { agent, over, wait } of attempts) {
    at += wait;
    if (at >= endsAt) break;
    const before = standing(reserve, bids);
    const limit = leastBid(reserve, before?.price ?? null) + over;
    // Agents 0 and 1 have one owner, 2 and 3 another; 4 and 5 each have their own.
    const owner = `0x${agent < 4 ? agent >> 1 : agent}`;
    const own = bids.find((b) => b.orderId === String(agent));
    if (over < 0n || (own && limit <= own.limit)) continue;
    const bid = { orderId: String(agent), seq: ++seq, owner, limit };
    bids = [...bids.filter((b) => b !== own), bid];
    const after = standing(reserve, bids) as Standing;
    if (movesEnd({ at, endsAt, windowMs: WINDOW }, before, owner)) {
      endsAt += EXTENSION;
      extensions++;
    }
    log.push({ before, after, bid, at, endsAt });
  }
  return { bids, log, extensions, endsAt };
}

describe('an ascending auction', () => {
  it('is led by the highest bid, and by the earlier of two equal bids, in whatever order they are read', () => {
    fc.assert(
      fc.property(cents(10_000), tries, fc.func(fc.integer()), (reserve, attempts, shuffle) => {
        const { bids } = run(reserve, attempts);
        const now = standing(reserve, bids);
        expect(
          standing(
            reserve,
            [...bids].sort((a, b) => shuffle(a.seq) - shuffle(b.seq)),
          ),
        ).toEqual(now);
        expect(now === null).toBe(bids.length === 0);
        if (now === null) return;
        for (const bid of bids) {
          expect(bid.limit).toBeLessThanOrEqual(now.leader.limit);
          if (bid.limit === now.leader.limit) expect(bid.seq).toBeGreaterThanOrEqual(now.leader.seq);
        }
      }),
    );
  });

  it('costs its leader an increment over the best bid of another owner, within the leader’s limit and the reserve', () => {
    fc.assert(
      fc.property(cents(10_000), tries, (reserve, attempts) => {
        const { bids } = run(reserve, attempts);
        const now = standing(reserve, bids);
        if (now === null) return;
        const others = bids.filter((b) => b.owner !== now.leader.owner).map((b) => b.limit);
        const second = others.reduce(maxMicro, 0n);
        expect(now.rival?.limit ?? 0n).toBe(second);
        const due = second === 0n ? reserve : second + increment(second);
        expect(now.price).toBe(due < now.leader.limit ? due : now.leader.limit);
        expect(now.price).toBeGreaterThanOrEqual(reserve);
      }),
    );
  });

  it('never gets cheaper, and every bid of an owner who does not lead raises the price by a whole increment', () => {
    fc.assert(
      fc.property(cents(10_000), tries, (reserve, attempts) => {
        for (const { before, after, bid } of run(reserve, attempts).log) {
          if (before === null) continue;
          expect(after.price).toBeGreaterThanOrEqual(before.price);
          if (bid.owner !== before.leader.owner)
            expect(after.price).toBeGreaterThanOrEqual(leastBid(reserve, before.price));
        }
      }),
    );
  });

  it('ends within an extension and a window of the last bid that counted, and is extended a bounded number of times', () => {
    fc.assert(
      fc.property(cents(500), tries, (reserve, attempts) => {
        const { log, extensions, endsAt } = run(reserve, attempts);
        for (const step of log)
          expect(step.endsAt).toBeLessThanOrEqual(Math.max(1_000, step.at + WINDOW + EXTENSION));
        expect(endsAt).toBe(1_000 + extensions * EXTENSION);
        // Each extension but the first raised the price by five percent at least.
        const top = log.at(-1)?.after.price ?? reserve;
        const most = 1 + Math.floor(Math.log(Number(top) / Number(reserve)) / Math.log(1.05) + 1e-9);
        expect(extensions).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('is not extended when its leader raises its own limit, through whichever agent of its owner', () => {
    const leader = { orderId: 'a', seq: 1n, owner: '0xA', limit: usd(20) };
    const alone = standing(usd(10), [leader]);
    expect(alone).toEqual({ leader, rival: null, price: usd(10) });
    expect(standing(usd(10), [leader, { ...leader, orderId: 'b', seq: 2n, owner: '0xa' }])).toEqual(alone);
    const when = { at: 900, endsAt: 1_000, windowMs: 300 };
    expect(['0xA', '0xa', '0xC'].map((bidder) => movesEnd(when, alone, bidder))).toEqual([
      false,
      false,
      true,
    ]);
    expect([699, 700, 999, 1_000].map((at) => movesEnd({ ...when, at }, null, '0xA'))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('has no leader when the only bid is below the reserve', () => {
    expect(standing(usd(10), [{ orderId: 'a', seq: 1n, owner: '0xA', limit: usd(9.99) }])).toBeNull();
  });
});

describe('the money of a name', () => {
  it('is conserved: what the buyer pays is what the seller nets and both fees, and no fee rounds up', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), (price) => {
        const { fee, sellerNets, buyerPays } = nameMoney(price);
        expect(sellerNets + fee).toBe(buyerPays);
        expect(buyerPays - price).toBe(price - sellerNets);
        expect((buyerPays - price) * 10_000n).toBeLessThanOrEqual(price * 250n);
        expect((buyerPays - price + 1n) * 10_000n).toBeGreaterThan(price * 250n);
      }),
    );
  });

  it('depends on the lot: a name has a fee on each side, every other lot one fee', () => {
    expect(moneyOf('serial:name:alice.x', usd(300))).toEqual({
      fee: usd(15),
      sellerNets: usd(292.5),
      buyerPays: usd(307.5),
    });
    for (const lot of ['serial:generic:ALICEX', 'eip155:1002/erc721:0xabc/1'])
      expect(moneyOf(lot, usd(300))).toEqual(dealMoney(usd(300)));
  });
});
