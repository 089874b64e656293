import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { privateKeyToAccount } from 'viem/accounts';
import { until } from '../../../runtime/cli/demo/client.ts';
import { fund } from '../../../runtime/cli/dev.ts';
import { findRunning } from '../../../runtime/embedded/running.ts';
import { type PoolStage, poolStage } from '../../fixtures/pool-stage.ts';
import type { ServiceProcess } from '../../fixtures/service.ts';
import { storyOn } from '../../fixtures/story-stage.ts';
import { buy, furnished } from '../../torture/deals/trade.ts';
import { paying } from '../door/paying.ts';
import type { BenchRow } from '../row.ts';
import { slowNode } from './slow-node.ts';

/** What a node takes longer to answer: processes then mostly wait. With half as much four workers keep two cores busy. */
const DELAY_MS = 500;
const APIS = 3;
const CALLERS = 6;
const ASKED_MS = 15_000;
const WORKERS = 4;
const DEALS = 24;
const GOAL = 0.8;
const LONG = { timeoutMs: 300_000, everyMs: 20 };

/**
 * Three API processes against one, and four workers against one, on one Postgres and one Redis, with chains that are far
 * away: what they share may not hold them up.
 */
export async function benchPool(): Promise<BenchRow[]> {
  const stage = await poolStage();
  const { chains } = findRunning(stage.folder.dataDir)!;
  const far = await Promise.all([1002, 84532].map((id) => slowNode(chains[id]!.rpcUrl, DELAY_MS)));
  const settings = { RPC_URL_1002: far[0]!.url, RPC_URL_84532: far[1]!.url };
  try {
    await storyOn(stage.folder).importLists();
    return [...(await determinations(stage, settings)), ...(await deals(stage, settings))];
  } finally {
    await stage.stop();
    await Promise.all(far.map((node) => node.stop()));
  }
}

/** Paid, so many callers of each API. */
async function determinations(
  stage: PoolStage,
  settings: Readonly<Record<string, string>>,
): Promise<BenchRow[]> {
  const apis: ServiceProcess[] = [];
  for (let i = 0; i < APIS; i++) apis.push(await stage.anotherApi(settings));
  const payer = `0x${randomBytes(32).toString('hex')}` as const;
  await fund(stage.folder.env, privateKeyToAccount(payer).address, '1000');
  let n = 0;
  const rate = async (of: readonly ServiceProcess[]): Promise<number> => {
    const subjects = await Promise.all(of.map(({ baseUrl }) => paying(baseUrl, payer, 400)));
    const began = performance.now();
    let answered = 0;
    const caller = async (at: number): Promise<void> => {
      while (performance.now() - began < ASKED_MS) {
        await subjects[at % subjects.length]!(n++);
        answered++;
      }
    };
    await Promise.all(Array.from({ length: CALLERS * of.length }, (_, at) => caller(at)));
    return answered / ((performance.now() - began) / 1_000);
  };
  // The first questions of a process read what it keeps from then on.
  await rate(apis);
  const [one, all] = [await rate(apis.slice(0, 1)), await rate(apis)];
  for (const api of apis) api.kill('SIGTERM');
  await Promise.all(apis.map((api) => api.ended));
  return rows('paid determinations', ['one API', `${APIS} APIs`], [one, all], APIS);
}

/** Ordered while no worker runs, and then settled. */
async function deals(stage: PoolStage, settings: Readonly<Record<string, string>>): Promise<BenchRow[]> {
  const story = storyOn(stage.folder);
  const first = await stage.worker();
  const { opening, buyers } = await furnished(stage, story, DEALS * (1 + WORKERS));
  first.kill('SIGTERM');
  await first.ended;
  let [from, done] = [0, 0];
  const rate = async (count: number): Promise<number> => {
    const ordered = Array.from({ length: DEALS * count }, (_, i) => from + i);
    from += ordered.length;
    for (const i of ordered) await buy(stage, story, buyers[i % buyers.length]!, opening, i);
    const workers = await Promise.all(Array.from({ length: count }, () => stage.worker(0, settings)));
    const took = await middle(stage, done, ordered.length);
    done += ordered.length;
    for (const worker of workers) worker.kill('SIGTERM');
    await Promise.all(workers.map((worker) => worker.ended));
    return took;
  };
  const [one, all] = [await rate(1), await rate(WORKERS)];
  return rows('deals', ['one worker', `${WORKERS} workers`], [one, all], WORKERS);
}

/** Deals recorded a second, from the first tenth of so many to the last. */
async function middle(stage: PoolStage, before: number, count: number): Promise<number> {
  const recorded = (share: number): Promise<number> =>
    until(
      'deals recorded',
      async () => {
        const { rows: found } = await sql<{ done: number }>`
          select count(*)::int as done from records where kind = 'deal-settled'`.execute(stage.db);
        return found[0]!.done - before >= share * count ? performance.now() : null;
      },
      LONG,
    );
  const began = await recorded(0.1);
  return (0.8 * count) / (((await recorded(0.9)) - began) / 1_000);
}

function rows(
  what: string,
  [few, many]: readonly [string, string],
  [one, all]: readonly [number, number],
  times: number,
): BenchRow[] {
  const ratio = all / (times * one);
  return [
    { name: `${what}, ${few}`, perSecond: one },
    {
      name: `${what}, ${many}`,
      ...{ perSecond: all, ratio },
      goal: `at least ${GOAL} of ${times} times as much`,
      ok: ratio >= GOAL,
    },
  ];
}
