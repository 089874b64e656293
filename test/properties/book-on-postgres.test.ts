import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { midpoint } from '../../agents/money.ts';
import { heldBy } from '../../store/agent/reservations.ts';
import { keepSettings, settingsOf } from '../../store/agent/settings.ts';
import type { Unwound } from '../../store/deal/closings.ts';
import { listCatalogue } from '../../store/market/catalogue.ts';
import { listCloseCalls, publishCloseCalls } from '../../store/market/close-calls.ts';
import { listBook } from '../../store/market/lots.ts';
import { listMatches, type Match } from '../../store/market/matches.ts';
import { cancelOrder } from '../../store/market/withdrawals.ts';
import { unwindDeal } from '../fixtures/closings.ts';
import { type MarketStage, marketStage, unlessStopped } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import '../fixtures/seeded.ts';
import { plainHolder } from '../fixtures/wallets/plain-holder.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;
let seller: string;
let buyers: string[];

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
  seller = await stage.agent();
  // The last buyer belongs to the seller's owner: its orders rest, never match, and make no price.
  buyers = [
    await stage.agent(),
    await stage.agent(),
    await stage.agent(),
    await stage.agent('twin', `0xowner-of-${seller}`),
  ];
  // Another agent of the first buyer's owner: per lot the better order of the two counts.
  buyers.push(await stage.agent('sister', ownerOf(buyers[0] as string)));
});

afterAll(async () => {
  await database.drop();
});

const CENT = 10_000n;
const page = { limit: 100, offset: 0 };
const publicPrice = async (lot: string) => (await listBook(database.db, { lot, ...page }))[0]?.priceToBeat;
const ownerOf = (handle: string) =>
  `0xowner-of-${handle === 'twin' ? seller : handle === 'sister' ? buyers[0] : handle}`;

interface OracleBid {
  id: string;
  who: string;
  limit: bigint;
  opening: bigint;
  n: number;
}

/** The book as one would keep it on paper: a list of bids and one floor, everything found by scanning. */
class PaperBook {
  bids: OracleBid[] = [];
  inDeal: { bid: OracleBid; price: bigint } | null = null;
  /** What the seller chose for findings: it is the seller that stops here. */
  setting = 'stop';
  private stops: { who: string; price: bigint; aboutPrice: boolean; setting: string; n: number }[] = [];
  private n = 0;
  private sellPlaced = 0;
  ask: bigint;
  floor: bigint;
  readonly negotiable: boolean;
  readonly listed: bigint;

  constructor(ask: bigint, negotiable: boolean) {
    this.ask = ask;
    this.floor = ask;
    this.negotiable = negotiable;
    this.listed = ask;
  }

  private before(a: OracleBid, b: OracleBid): boolean {
    return a.limit > b.limit || (a.limit === b.limit && a.n < b.n);
  }

  best(of: OracleBid[]): OracleBid | undefined {
    return of.find((a) => of.every((b) => a === b || this.before(a, b)));
  }

  price(): bigint | undefined {
    if (this.inDeal) return undefined;
    const others = this.bids.filter(
      (b) => b.who !== 'twin' && !this.stops.some((s) => ownerOf(s.who) === ownerOf(b.who)),
    );
    const best = this.best(others);
    if (!best) return this.ask;
    const second = this.best(others.filter((b) => ownerOf(b.who) !== ownerOf(best.who)));
    if (!second) return best.opening;
    const over = second.limit + CENT > best.limit ? best.limit : second.limit + CENT;
    return over > best.opening ? over : best.opening;
  }

  bid(id: string, who: string, limit: bigint, opening: bigint | null): void {
    let half = (this.ask / 2n / CENT) * CENT;
    const rest = this.ask - 2n * half;
    if (rest > CENT || (rest === CENT && (half / CENT) % 2n === 1n)) half += CENT;
    if (half === 0n) half = CENT;
    this.bids = this.bids.filter((b) => b.who !== who);
    this.lift(who);
    this.bids.push({ id, who, limit, opening: opening ?? (half < limit ? half : limit), n: this.n++ });
    this.match([id]);
  }

  reprice(limit: bigint): void {
    this.floor = limit;
    this.sellPlaced = this.n++;
    this.lift(null);
    if (!this.negotiable) this.ask = limit;
    this.match(this.bids.map((b) => b.id));
  }

  unwind(stop: 'wallet' | 'price-intelligence' | null): void {
    const { bid, price } = this.inDeal!;
    const { setting } = this;
    if (stop !== null) {
      const aboutPrice = stop === 'price-intelligence';
      this.stops.push({ who: bid.who, price, aboutPrice, setting, n: this.n++ });
    }
    this.inDeal = null;
    this.match(this.bids.map((b) => b.id));
  }

  /** @param who places an order; null: the seller, who stands on the other side of all of them */
  private lift(who: string | null): void {
    this.stops = this.stops.filter(
      (s) => (who !== null && ownerOf(s.who) !== ownerOf(who)) || s.setting === this.setting,
    );
  }

  private clearing(bid: OracleBid): bigint {
    return this.negotiable ? midpoint(this.floor, bid.limit) : this.ask;
  }

  private isBarred(bid: OracleBid): boolean {
    const price = this.clearing(bid);
    const stands = (s: (typeof this.stops)[number]): boolean => {
      const moved = price > s.price ? price - s.price : s.price - price;
      return !s.aboutPrice || (bid.n < s.n && this.sellPlaced < s.n) || moved * 20n < s.price;
    };
    return this.stops.some((s) => ownerOf(s.who) === ownerOf(bid.who) && stands(s));
  }

  private match(ids: string[]): void {
    const firsts = this.bids.filter(
      (b) => b === this.best(this.bids.filter((o) => ownerOf(o.who) === ownerOf(b.who))),
    );
    const willing = firsts.filter(
      (b) => ids.includes(b.id) && b.limit >= this.floor && b.who !== 'twin' && !this.isBarred(b),
    );
    const bid = this.best(willing);
    if (!bid) return;
    this.bids = this.bids.filter((b) => b !== bid);
    this.inDeal = { bid, price: this.clearing(bid) };
  }

  held(who: string): bigint {
    const resting = this.bids.filter((b) => b.who === who).reduce((sum, b) => sum + b.limit, 0n);
    return resting + (this.inDeal?.bid.who === who ? this.inDeal.price : 0n);
  }
}

const cents = fc.integer({ min: 1, max: 40 }).map((c) => BigInt(c) * CENT);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('bid' as const),
      who: fc.nat(4),
      limit: cents,
      opening: fc.option(cents),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reprice' as const), limit: cents }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(20) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('unwind' as const),
      stop: fc.constantFrom(null, 'wallet' as const, 'price-intelligence' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('choose' as const) }) },
);

describe('a lot in the database, over random histories', () => {
  it('shows the price, matches and holds the money that a book on paper does', async () => {
    await fc.assert(
      fc.asyncProperty(
        cents,
        fc.boolean(),
        fc.array(step, { minLength: 1, maxLength: 14 }),
        async (ask, negotiable, steps) => {
          const paper = new PaperBook(ask, negotiable);
          paper.setting = (await settingsOf(database.db, plainHolder(ownerOf(seller)))).onFlagged ?? 'stop';
          const lot = await stage.list(seller, { ask, negotiable });
          const before = new Map(
            await Promise.all(
              buyers.map(
                async (b) => [b, (await heldBy(database.db, stage.side(b), stage.now())).amount] as const,
              ),
            ),
          );
          let deal: Match | null = null;
          for (const s of steps) {
            stage.tick();
            if (s.kind === 'unwind') {
              if (!deal) continue;
              const dealId: string = deal.dealId;
              const undone: Unwound = await stage.inTrx((trx) =>
                unwindDeal(trx, {
                  dealId,
                  reason: 'test',
                  orderId: stage.fresh('again'),
                  ids: stage.ids(),
                  allows: unlessStopped(trx),
                  now: stage.now(),
                  causes: s.stop === null ? [] : [{ finding: s.stop, side: 'seller', verdict: 'FLAGGED' }],
                }),
              );
              deal = undone.match;
              paper.unwind(s.stop);
            } else if (s.kind === 'choose') {
              const choice = paper.setting === 'stop' ? 'ask' : 'stop';
              await keepSettings(
                database.db,
                plainHolder(ownerOf(seller)),
                { onFlagged: choice },
                stage.now(),
              );
              paper.setting = choice;
            } else if (s.kind === 'cancel') {
              const bid = paper.bids[s.which];
              if (!bid) continue;
              await stage.inTrx((trx) =>
                cancelOrder(trx, { orderId: bid.id, handle: bid.who, now: stage.now() }),
              );
              paper.bids.splice(s.which, 1);
            } else if (deal) {
              await expect(stage.order(buyers[0] as string, lot)).rejects.toMatchObject({ code: 'conflict' });
            } else if (s.kind === 'bid') {
              const who = buyers[s.who] as string;
              const opening = s.opening !== null && s.opening <= s.limit ? s.opening : null;
              const orderId = stage.fresh('order');
              const placed = await stage.order(who, lot, {
                orderId,
                owner: ownerOf(who),
                limit: s.limit,
                openingBid: opening,
              });
              paper.bid(orderId, who, s.limit, opening);
              deal = placed.match;
            } else if (s.limit > paper.listed) {
              const above = stage.order(seller, lot, { side: 'sell', limit: s.limit });
              await expect(above).rejects.toMatchObject({ code: 'bad-request' });
            } else {
              deal = (await stage.order(seller, lot, { side: 'sell', limit: s.limit })).match;
              paper.reprice(s.limit);
            }
            expect(deal === null ? null : { id: deal.buyOrder, price: deal.price }).toEqual(
              paper.inDeal === null ? null : { id: paper.inDeal.bid.id, price: paper.inDeal.price },
            );
            expect(await publicPrice(lot)).toBe(paper.price());
            for (const who of buyers) {
              const { amount } = await heldBy(database.db, stage.side(who), stage.now());
              expect(amount - (before.get(who) as bigint)).toBe(paper.held(who));
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('what the public sees', () => {
  /** Plays one history and returns every public byte of its lot, at every step. */
  async function play(limits: { floor: bigint; buys: { limit: bigint; opening: bigint }[] }, from: Date) {
    const own = await testDatabase();
    try {
      const market = marketStage(own.db);
      const bytes: string[] = [];
      const look = async () => {
        const seen = [
          await listBook(own.db, page),
          await listMatches(own.db, page),
          await listCatalogue(own.db, page),
          await listCloseCalls(own.db, page),
        ];
        bytes.push(JSON.stringify(seen, (_, v) => (typeof v === 'bigint' ? String(v) : v)));
      };
      market.tick(from.getTime() - market.now().getTime());
      const ann = await market.agent('ann');
      const lot = await market.list(ann, { ask: 100n * CENT, floor: limits.floor });
      await look();
      const placed: { handle: string; id: string }[] = [];
      for (const [i, buy] of limits.buys.entries()) {
        market.tick(70_000);
        const handle = await market.agent(`buyer-${i}`);
        const { order } = await market.order(handle, lot, { limit: buy.limit, openingBid: buy.opening });
        placed.push({ handle, id: order.order_id });
        await look();
      }
      market.tick(70_000);
      for (const { handle, id } of placed.slice(0, 1)) {
        await market.inTrx((trx) => cancelOrder(trx, { orderId: id, handle, now: market.now() }));
        await look();
      }
      await publishCloseCalls(own.db, { now: market.later(3_600_000), newId: () => 'call' });
      await look();
      return bytes;
    } finally {
      await own.drop();
    }
  }

  it('is the same to the byte when only private limits differ under the same prices and matches', async () => {
    const from = new Date('2026-09-06T13:00:00Z');
    const history = (floor: bigint, best: bigint) => ({
      floor: floor * CENT,
      buys: [
        { limit: 30n * CENT, opening: 20n * CENT },
        { limit: best * CENT, opening: 20n * CENT },
        { limit: 35n * CENT, opening: 10n * CENT },
      ],
    });
    const one = await play(history(80n, 50n), from);
    expect(one.join()).toContain('310000');
    for (const [floor, best] of [
      [99n, 50n],
      [80n, 70n],
      [70n, 36n],
    ] as const) {
      expect(await play(history(floor, best), from)).toEqual(one);
    }
    expect(await play(history(80n, 35n), from)).not.toEqual(one);
  });
});
