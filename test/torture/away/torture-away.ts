import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../runtime/cli/demo/client.ts';
import { quantile } from '../../bench/row.ts';
import { everyLifeIsWhole } from '../../fixtures/actors/whole-lives.ts';
import { type PoolStage, poolStage } from '../../fixtures/pool-stage.ts';
import { type Story, storyOn } from '../../fixtures/story-stage.ts';
import { account, type Ledger } from '../deals/ledger.ts';
import { buy, type Furnished, furnished, settledDown } from '../deals/trade.ts';

/** Medians in milliseconds: from an order to the lot with its buyer, and of a free read. */
export interface Paces {
  readonly dealMs: number;
  readonly readMs: number;
}

export interface AwayTorture extends Ledger {
  readonly before: Paces;
  /** While Redis first hangs and then is gone. */
  readonly withoutRedis: Paces;
  readonly secondsWithout: number;
  readonly after: Paces;
  /** From the database's end to the first answer that needs it. */
  readonly databaseBackMs: number;
}

export interface AwayOptions {
  /** In each of the phases. */
  readonly deals: number;
  /** How long Redis is away at least. */
  readonly seconds: number;
  /** Whether times are judged: on a machine that does other work they say nothing. */
  readonly timed: boolean;
}

const PHASES = 4;
const READ_EVERY_MS = 40;
/** What a median may be more by chance. */
const CHANCE_MS = 10;
const MOST_SLOWER = { reads: 1.5, deals: 2, dealsAfter: 1.5 };

/** Trades while Redis is away, and through a database that ends at once and starts again. @returns the ledger, and the pace */
export async function tortureByAbsence(options: AwayOptions): Promise<AwayTorture> {
  const stage = await poolStage();
  const { redis } = stage;
  try {
    if (redis === null) throw new Error('redis-server is not installed');
    const story = storyOn(stage.folder);
    await story.importLists();
    for (let i = 0; i < 2; i++) await stage.worker();
    const market = await furnished(stage, story, PHASES * options.deals);
    const phase = (n: number, atHalf?: () => Promise<void>) =>
      traded(stage, story, market, {
        from: n * options.deals,
        count: options.deals,
        ...(atHalf && { atHalf }),
      });

    const before = await phase(0);
    redis.freeze();
    const began = performance.now();
    const withoutRedis = await phase(1, () => redis.kill());
    await sleep(Math.max(0, 1_000 * options.seconds - (performance.now() - began)));
    const secondsWithout = Math.round((performance.now() - began) / 1_000);
    await redis.start();
    const after = await phase(2);

    const orders = Array.from({ length: options.deals }, (_, i) =>
      buy(stage, story, market.buyers[i % market.buyers.length]!, market.opening, 3 * options.deals + i),
    );
    await orders[0];
    const databaseBackMs = await restarted(stage, story);
    await Promise.all(orders);
    await settledDown(stage);
    const { faults, ...ledger } = await account(stage, story, market.opening);
    await everyLifeIsWhole(stage.db);
    const all = [...faults];
    if (ledger.deals.settled !== ledger.deals.lots)
      all.push(`${ledger.deals.settled} of ${ledger.deals.lots} lots were sold`);
    if (options.timed) all.push(...tooSlow({ before, withoutRedis, after }));
    return { ...ledger, before, withoutRedis, secondsWithout, after, databaseBackMs, faults: all };
  } finally {
    redis?.thaw();
    await stage.stop();
  }
}

function tooSlow({
  before,
  withoutRedis,
  after,
}: Record<'before' | 'withoutRedis' | 'after', Paces>): string[] {
  const faults: string[] = [];
  const must = (what: string, is: number, was: number, most: number): void => {
    if (is > most * was + CHANCE_MS) faults.push(`${what} took ${is} ms, and ${was} before`);
  };
  must('a read without Redis', withoutRedis.readMs, before.readMs, MOST_SLOWER.reads);
  must('a deal without Redis', withoutRedis.dealMs, before.dealMs, MOST_SLOWER.deals);
  must('a deal after Redis came back', after.dealMs, before.dealMs, MOST_SLOWER.dealsAfter);
  return faults;
}

/** Deals one after another, and free reads beside them. @param atHalf done in the middle */
async function traded(
  stage: PoolStage,
  story: Story,
  { opening, buyers }: Furnished,
  { from, count, atHalf }: { from: number; count: number; atHalf?: () => Promise<void> },
): Promise<Paces> {
  const deals: number[] = [];
  const reads: number[] = [];
  let over = false;
  const reading = (async () => {
    while (!over) {
      const began = performance.now();
      const { status } = await story.api.get('/catalogue');
      if (status !== 200) throw new Error(`a read was answered ${status}`);
      reads.push(performance.now() - began);
      await sleep(READ_EVERY_MS);
    }
  })();
  try {
    for (let i = from; i < from + count; i++) {
      if (i === from + Math.floor(count / 2)) await atHalf?.();
      const buyer = buyers[i % buyers.length]!;
      const began = performance.now();
      await buy(stage, story, buyer, opening, i);
      const chain = story.chain();
      const sold = async (): Promise<true | null> =>
        (await chain.ownerOf(opening.lots[i]!)).toLowerCase() === buyer.account.toLowerCase() ? true : null;
      await until(`lot ${i} with its buyer`, sold, { timeoutMs: 300_000, everyMs: 10 });
      deals.push(performance.now() - began);
    }
  } finally {
    over = true;
  }
  await reading;
  return { dealMs: Math.round(quantile(deals, 0.5)), readMs: Number(quantile(reads, 0.5).toFixed(1)) };
}

/** Ends the database at once and starts it again. @returns milliseconds until it is asked again */
async function restarted(stage: PoolStage, story: Story): Promise<number> {
  await stage.crashDatabase();
  const began = performance.now();
  await stage.startDatabase();
  await until('a read', async () => ((await story.api.get('/catalogue')).status === 200 ? true : null), {
    everyMs: 10,
  });
  return Math.round(performance.now() - began);
}
