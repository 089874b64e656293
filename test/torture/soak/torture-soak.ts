import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../runtime/cli/demo/client.ts';
import { fund } from '../../../runtime/cli/dev.ts';
import type { Lot } from '../../fixtures/story-stage.ts';
import { served } from '../load/arrivals.ts';
import { PAID_OF, readersAndPayer } from '../load/requests.ts';
import { type TortureStage, trader } from '../stage.ts';
import { type Sample, slopeOf } from './slope.ts';

export interface SoakTorture {
  readonly minutes: number;
  /** Requests generated from the description, ordinary ones of which every tenth was paid for, and deals. */
  readonly generated: number;
  readonly ordinary: number;
  readonly deals: number;
  /** Micro-dollars, in decimal. */
  readonly charged: string;
  readonly heapMb: { readonly warm: number; readonly end: number };
  /** Of the heap after the first third, kB a minute. */
  readonly slopeKb: number;
  readonly faults: readonly string[];
}

/** A second: what a service bears that has room left. */
const GENERATED = 15;
const ORDINARY = 20;
const DEAL_EVERY_MS = 2_000;
/** After each the heap is looked at, when nothing is under way: what waits on a busy machine is not kept. */
const ROUNDS = 20;
const ROUND_LEAST_MS = 3_000;
const LIMIT_USD = 110;
/** A busy machine is slow, and no test is about that. */
const LONG = { timeoutMs: 300_000, everyMs: 500 };
/** As much as its mandate allows, and more than the stage gives anybody: it stays on the market. */
const UNSOLD_USD = 500;
/** The first name that is read lets its library make its tables, 22 MB; no later one adds to them. */
const FIRST_NAME = '/names?name=alice.x';
/** What is kept for good of a request, a deal or a payment would be more. */
const MOST_SLOPE = 400_000;

/** Reads, pays, trades and is asked nonsense for some time. @returns what became of its memory, and whatever failed */
export async function tortureBySoak(
  stage: TortureStage,
  seed: string,
  { minutes, timed }: { readonly minutes: number; readonly timed: boolean },
): Promise<SoakTorture> {
  const milliseconds = minutes * 60_000;
  const rounds = Math.min(ROUNDS, Math.ceil(milliseconds / ROUND_LEAST_MS));
  const part = milliseconds / rounds;
  const dealsARound = Math.ceil(part / DEAL_EVERY_MS);
  const { trade, unsold, refused, kept } = await tradersOf(stage, rounds * dealsARound);
  // What owners of the stage list, their own generated requests take off the market.
  const requests = await readersAndPayer({ ...stage, lots: [kept] });
  await requests.sign(Math.ceil((rounds * Math.ceil((part * ORDINARY) / 1_000)) / PAID_OF) + 1);
  const faults: string[] = [];
  const { status } = await fetch(stage.service.baseUrl + FIRST_NAME);
  if (status !== 200) faults.push(`a name was answered ${status}`);
  const ask = async (): Promise<void> => {
    const answer = await requests.ask();
    // Whether a payment settled may not be known in time on a busy machine: it is sent again before accounts are made.
    const comeAgain = answer.kind === 'paid' && answer.status === 503 && answer.retryAfter !== null;
    if (!served(answer) && !(comeAgain && !timed))
      faults.push(`an ordinary ${answer.kind} request was answered ${answer.status}`);
  };
  const samples: Sample[] = [];
  let [generated, ordinary, deals] = [0, 0, 0];
  for (let i = 1; i <= rounds; i++) {
    const [sent, asked, traded] = await Promise.all([
      stage.send(`${seed}/soak/${i}`, Math.ceil((part / 1_000) * GENERATED), GENERATED),
      paced(part, 1_000 / ORDINARY, ask),
      paced(part, DEAL_EVERY_MS, trade),
    ]);
    faults.push(...sent.faults);
    generated += Math.ceil((part / 1_000) * GENERATED);
    ordinary += asked;
    deals += traded;
    // By the minutes that it is meant to take: a slow machine does no less in a round.
    samples.push([(i * part) / 60_000, await stage.heap()]);
  }
  const left = await unsold();
  const { charged, owed, unanswered } = await requests.account();
  // A machine that does other work may be late: the service says so by 503.
  faults.push(...refused.filter((why) => !why.includes(': 503 ')));
  // A busy machine's chain may not answer in time, and what could not be judged of a wallet stops a deal.
  const unsoldLots = left.filter(({ isUnjudged }) => timed || !isUnjudged).map(({ words }) => words);
  if (unsoldLots.length > 0)
    faults.push(`${unsoldLots.length} of ${deals} lots were not sold: ${unsoldLots.join('; ')}`);
  if (unanswered > 0) faults.push(`${unanswered} payments were never answered`);
  if (charged !== owed) faults.push(`charged ${charged} micro-dollars for answers worth ${owed}`);
  if (stage.service.errors() !== '') faults.push(`standard error: ${stage.service.errors().slice(0, 600)}`);
  const warm = samples.slice(Math.floor(samples.length / 3));
  const slope = slopeOf(warm);
  if (timed && slope > MOST_SLOPE) faults.push(`the heap grows by ${Math.round(slope)} bytes a minute`);
  const mb = (bytes: number): number => Number((bytes / 1e6).toFixed(1));
  return {
    ...{ minutes, generated, ordinary, deals, charged: String(charged) },
    heapMb: { warm: mb(warm[0]![1]), end: mb(samples.at(-1)![1]) },
    slopeKb: Math.round(slope / 1_000),
    faults,
  };
}

/** Does something again and again at an even pace; what takes longer is not waited for. @returns how often */
async function paced(milliseconds: number, everyMs: number, act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  const acts: Promise<unknown>[] = [];
  for (let due = 0; due < milliseconds; due += everyMs) {
    await sleep(Math.max(0, began + due - performance.now()));
    acts.push(act());
  }
  await Promise.all(acts);
  return acts.length;
}

interface Traders {
  /** A lot that nobody buys. */
  readonly kept: Lot;
  /** Lists a lot and orders it. */
  trade(): Promise<void>;
  /** Why what was listed or ordered was not taken. */
  readonly refused: readonly string[];
  /** Each lot that is still its seller's, once all should be sold. */
  unsold(): Promise<readonly UnsoldLot[]>;
}

interface UnsoldLot {
  /** Its deal was stopped, because something could not be judged. */
  readonly isUnjudged: boolean;
  /** What became of it. */
  readonly words: string;
}

interface ToldDeal {
  readonly lot: string;
  readonly state: string;
  readonly findings: readonly { readonly verdict: string; readonly effect: string }[];
}

const stopsUnjudged = ({ verdict, effect }: ToldDeal['findings'][number]): boolean =>
  verdict === 'INCONCLUSIVE' && effect === 'stop';

/** Two whose wallets sign nothing but their trade. */
async function tradersOf({ story, folder }: TortureStage, deals: number): Promise<Traders> {
  const seller = await trader(story, await story.proceedingOwner(), 'soak-seller');
  const buyer = await trader(story, await story.proceedingOwner(), 'soak-buyer');
  await fund(folder.env, buyer.account, String(deals * LIMIT_USD));
  const lots: (Lot & { readonly ordered: string })[] = [];
  const refused: string[] = [];
  const kept = await story.list(seller.owner, seller, { askUsd: UNSOLD_USD, floorUsd: UNSOLD_USD });
  return {
    ...{ refused, kept },
    async trade() {
      try {
        const lot = await story.list(seller.owner, seller, { askUsd: 120, floorUsd: 100 });
        const { status, body } = await story.order(buyer.owner, buyer, lot, LIMIT_USD);
        // Somebody else may have been quicker.
        const ordered = `${status} ${JSON.stringify(body)}`;
        if (status === 201 || status === 409) lots.push({ ...lot, ordered });
        else refused.push(`an order: ${ordered}`);
      } catch (error) {
        refused.push(String(error));
      }
    },
    async unsold() {
      const chain = story.chain();
      const left = async () => {
        const owners = await Promise.all(lots.map((lot) => chain.ownerOf(lot)));
        return lots.filter((_, i) => owners[i]!.toLowerCase() === seller.account.toLowerCase());
      };
      const none = async (): Promise<readonly [] | null> => ((await left()).length === 0 ? [] : null);
      const still = await until('every lot sold', none, LONG).catch(left);
      if (still.length === 0) return [];
      const sides = await Promise.all(
        [seller, buyer].map(({ owner, handle }) =>
          story.api.signedGet(owner, `/agent/${handle}/deals?limit=100`),
        ),
      );
      const deals = sides.flatMap(({ body }) => body.items as readonly ToldDeal[]);
      return still.map(({ contract, tokenId, ordered }) => {
        const about = `${contract}/${tokenId}`.toLowerCase();
        const told = deals.filter(({ lot }) => lot.toLowerCase().endsWith(about));
        const isUnjudged = told.some(
          ({ state, findings }) => state === 'stopped' && findings.some(stopsUnjudged),
        );
        return { isUnjudged, words: `${about}, ordered ${ordered}, deals ${JSON.stringify(told)}` };
      });
    },
  };
}
