import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../runtime/cli/demo/client.ts';
import { everyLifeIsWhole } from '../../fixtures/actors/whole-lives.ts';
import { type PoolStage, poolStage } from '../../fixtures/pool-stage.ts';
import { type Balancer, balancer } from '../../fixtures/servers/balancer.ts';
import type { ServiceProcess } from '../../fixtures/service.ts';
import { type Story, storyOn } from '../../fixtures/story-stage.ts';
import { account, type Ledger } from '../deals/ledger.ts';
import { type Furnished, furnished, LIMIT_USD, settledDown } from '../deals/trade.ts';
import { served } from '../load/arrivals.ts';
import { readersAndPayer } from '../load/requests.ts';

export interface RollTorture extends Ledger {
  readonly apis: number;
  readonly workers: number;
  /** Reads, demands for payment and paid questions that were answered. */
  readonly requests: number;
  readonly ordered: number;
  /** Micro-dollars, in decimal. */
  readonly charged: string;
  readonly seconds: number;
}

const APIS = 3;
const WORKERS = 4;
const CALLERS = 6;
/** They drain for longer than the balancer takes to ask, also on a busy machine, and go by one public address. */
const BEHIND = { DRAIN_SECONDS: '5', BASE_URL: 'http://pool.test' };
const PAYMENTS = 4_000;
const LONG = { timeoutMs: 300_000, everyMs: 50 };

/**
 * Replaces every API behind a balancer and every worker, one after another, while all of them are asked, paid and traded
 * through. Nobody asks twice: what is not answered as it should be is a fault. The API that keeps the embedded chains
 * stays, and gets no request.
 * @param deals at most; one is ordered every so many milliseconds while processes are replaced
 */
export async function tortureByRolling(deals: number, everyMs: number): Promise<RollTorture> {
  const stage = await poolStage();
  let front: Balancer | null = null;
  try {
    const direct = storyOn(stage.folder);
    await direct.importLists();
    const workers: ServiceProcess[] = [];
    for (let i = 0; i < WORKERS; i++) workers.push(await stage.worker());
    // The last lot stays for sale: readers ask for its page.
    const market = await furnished(stage, direct, deals + 1);
    const apis: ServiceProcess[] = [];
    for (let i = 0; i < APIS; i++) apis.push(await stage.anotherApi(BEHIND));
    front = await balancer(apis.map(({ baseUrl }) => baseUrl));
    const began = performance.now();
    const load = await loadThrough(stage, front, market, everyMs);
    await sleep(1_000);

    for (let i = 0; i < APIS; i++) await replaced(apis, i, () => successor(stage, front!));
    for (let i = 0; i < WORKERS; i++) await replaced(workers, i, () => stage.worker());

    const { requests, ordered, charged, faults } = await load.end();
    await settledDown(stage);
    const seconds = Math.round((performance.now() - began) / 1_000);
    const ledger = await account(stage, direct, market.opening);
    await everyLifeIsWhole(stage.db);
    const all = [...ledger.faults, ...faults];
    if (ledger.deals.settled !== ordered) all.push(`${ledger.deals.settled} of ${ordered} deals settled`);
    for (const left of [...apis, ...workers])
      if (left.errors() !== '') all.push(`standard error: ${left.errors().slice(0, 600)}`);
    return {
      ...ledger,
      ...{ apis: APIS, workers: WORKERS, requests, ordered, charged, seconds, faults: all },
    };
  } finally {
    await front?.stop();
    await stage.stop();
  }
}

/** @returns an API to which the balancer sends requests */
async function successor(stage: PoolStage, front: Balancer): Promise<ServiceProcess> {
  const api = await stage.anotherApi(BEHIND);
  front.add(api.baseUrl);
  await until('it gets requests', async () => (front.answered(api.baseUrl) > 0 ? true : null), LONG);
  return api;
}

/** The new one comes before the old one leaves, as in any rolling restart. */
async function replaced(
  of: ServiceProcess[],
  at: number,
  next: () => Promise<ServiceProcess>,
): Promise<void> {
  const leaving = of[at]!;
  of[at] = await next();
  leaving.kill('SIGTERM');
  const how = await leaving.ended;
  if (how !== 0 || leaving.errors() !== '') throw new Error(`one ended with ${how}: ${leaving.errors()}`);
}

interface Load {
  end(): Promise<{
    readonly requests: number;
    readonly ordered: number;
    readonly charged: string;
    readonly faults: readonly string[];
  }>;
}

/** Readers, a payer and buyers, all of them through the balancer. */
async function loadThrough(
  stage: PoolStage,
  front: Balancer,
  market: Furnished,
  everyMs: number,
): Promise<Load> {
  const { opening } = market;
  const service = { baseUrl: front.url };
  const asked = await readersAndPayer({
    ...{ folder: stage.folder, service, seller: opening.selling[0]!, lots: opening.lots },
  });
  await asked.sign(PAYMENTS);
  const story = storyOn(stage.folder, (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    return fetch(`${front.url}${pathname}${search}`, init);
  });
  const faults = new Map<string, number>();
  const note = (fault: string): void => void faults.set(fault, (faults.get(fault) ?? 0) + 1);
  let [requests, ordered, isOver] = [0, 0, false];
  const caller = async (): Promise<void> => {
    while (!isOver) {
      const answer = await asked.ask();
      requests++;
      if (!served(answer)) note(`a ${answer.kind} request was answered ${answer.status} ${answer.why ?? ''}`);
    }
  };
  const trading = async (): Promise<void> => {
    for (let i = 0; i < opening.lots.length - 1 && !isOver; i++) {
      const fault = await bought(story, market, i);
      if (fault === null) ordered++;
      else note(fault);
      await sleep(everyMs);
    }
  };
  const all = Promise.all([trading(), ...Array.from({ length: CALLERS }, caller)]);
  all.catch(() => {});
  return {
    async end() {
      isOver = true;
      await all;
      const { charged, owed, unanswered } = await asked.account();
      if (unanswered > 0) note(`${unanswered} payments were never answered`);
      if (charged !== owed) note(`charged ${charged} micro-dollars for answers worth ${owed}`);
      const told = [...faults].map(([fault, times]) => `${times} times: ${fault}`);
      return { requests, ordered, charged: String(charged), faults: told };
    },
  };
}

/** @returns what went wrong */
async function bought(story: Story, { opening, buyers }: Furnished, i: number): Promise<string | null> {
  const buyer = buyers[i % buyers.length]!;
  try {
    const { status, body } = await story.order(buyer.owner, buyer, opening.lots[i]!, LIMIT_USD);
    return status === 201 ? null : `an order was answered ${status} ${JSON.stringify(body)}`;
  } catch (error) {
    return `an order: ${String((error as Error).cause ?? error)}`;
  }
}
