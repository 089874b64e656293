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
const SAMPLES = 40;
/** To collect all that is no longer used takes a service most of a second. */
const SAMPLE_EVERY_LEAST_MS = 1_500;
const LIMIT_USD = 110;
/** As much as its mandate allows, and more than the stage gives anybody: it stays on the market. */
const UNSOLD_USD = 500;
/** What is kept for good of a request, a deal or a payment would be more. */
const MOST_SLOPE = 400_000;

/** Reads, pays, trades and is asked nonsense for some time. @returns what became of its memory, and whatever failed */
export async function tortureBySoak(
  stage: TortureStage,
  seed: string,
  { minutes, timed }: { readonly minutes: number; readonly timed: boolean },
): Promise<SoakTorture> {
  const milliseconds = minutes * 60_000;
  const { trade, unsold, refused, kept } = await tradersOf(stage, Math.ceil(milliseconds / DEAL_EVERY_MS));
  // What owners of the stage list, their own generated requests take off the market.
  const requests = await readersAndPayer({ ...stage, lots: [kept] });
  await requests.sign(Math.ceil((minutes * 60 * ORDINARY) / PAID_OF) + 1);
  const began = performance.now();
  const faults: string[] = [];
  const [sent, ordinary, deals, samples] = await Promise.all([
    stage.send(`${seed}/soak`, Math.ceil(minutes * 60 * GENERATED), GENERATED),
    paced(milliseconds, 1_000 / ORDINARY, async () => {
      const answer = await requests.ask();
      // Whether a payment settled may not be known in time on a busy machine: it is sent again before accounts are made.
      const comeAgain = answer.kind === 'paid' && answer.status === 503 && answer.retryAfter !== null;
      if (!served(answer) && !(comeAgain && !timed))
        faults.push(`an ordinary ${answer.kind} request was answered ${answer.status}`);
    }),
    paced(milliseconds, DEAL_EVERY_MS, trade),
    heapOver(stage, began, milliseconds),
  ]);
  const left = await unsold();
  const { charged, owed, unanswered } = await requests.account();
  // A machine that does other work may be late: the service says so by 503.
  faults.push(...refused.filter((why) => !why.includes(': 503 ')));
  if (left > 0) faults.push(`${left} of ${deals} lots were not sold`);
  if (unanswered > 0) faults.push(`${unanswered} payments were never answered`);
  if (charged !== owed) faults.push(`charged ${charged} micro-dollars for answers worth ${owed}`);
  if (stage.service.errors() !== '') faults.push(`standard error: ${stage.service.errors().slice(0, 600)}`);
  const warm = samples.slice(Math.floor(samples.length / 3));
  const slope = slopeOf(warm);
  if (timed && slope > MOST_SLOPE) faults.push(`the heap grows by ${Math.round(slope)} bytes a minute`);
  const mb = (bytes: number): number => Number((bytes / 1e6).toFixed(1));
  return {
    ...{ minutes, generated: Math.ceil(minutes * 60 * GENERATED), ordinary, deals, charged: String(charged) },
    heapMb: { warm: mb(warm[0]![1]), end: mb(samples.at(-1)![1]) },
    slopeKb: Math.round(slope / 1_000),
    faults: [...sent.faults, ...faults],
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
  /** How many of the lots are still their seller's, once all should be sold. */
  unsold(): Promise<number>;
}

/** Two whose wallets sign nothing but their trade. */
async function tradersOf({ story, folder }: TortureStage, deals: number): Promise<Traders> {
  const seller = await trader(story, await story.proceedingOwner(), 'soak-seller');
  const buyer = await trader(story, await story.proceedingOwner(), 'soak-buyer');
  await fund(folder.env, buyer.account, String(deals * LIMIT_USD));
  const lots: Lot[] = [];
  const refused: string[] = [];
  const kept = await story.list(seller.owner, seller, { askUsd: UNSOLD_USD, floorUsd: UNSOLD_USD });
  return {
    ...{ refused, kept },
    async trade() {
      try {
        const lot = await story.list(seller.owner, seller, { askUsd: 120, floorUsd: 100 });
        const { status, body } = await story.order(buyer.owner, buyer, lot, LIMIT_USD);
        // Somebody else may have been quicker.
        if (status === 201 || status === 409) lots.push(lot);
        else refused.push(`an order: ${status} ${JSON.stringify(body)}`);
      } catch (error) {
        refused.push(String(error));
      }
    },
    async unsold() {
      const chain = story.chain();
      const left = async (): Promise<number> => {
        const owners = await Promise.all(lots.map((lot) => chain.ownerOf(lot)));
        return owners.filter((owner) => owner.toLowerCase() === seller.account.toLowerCase()).length;
      };
      const none = async (): Promise<number | null> => ((await left()) === 0 ? 0 : null);
      return await until('every lot sold', none, { everyMs: 500 }).catch(left);
    },
  };
}

async function heapOver(
  stage: TortureStage,
  began: number,
  milliseconds: number,
): Promise<readonly Sample[]> {
  const count = Math.min(SAMPLES, Math.ceil(milliseconds / SAMPLE_EVERY_LEAST_MS));
  const samples: Sample[] = [];
  for (let i = 1; i <= count; i++) {
    await sleep(Math.max(0, began + (i * milliseconds) / count - performance.now()));
    samples.push([(performance.now() - began) / 60_000, await stage.heap()]);
  }
  return samples;
}
