import { setTimeout as sleep } from 'node:timers/promises';
import { ADMISSION } from '../../../api/http/admission.ts';
import { quantile } from '../../bench/row.ts';
import type { TortureStage } from '../stage.ts';
import { type Answered, type Ask, type Asked, closedLoop, openLoop, served } from './arrivals.ts';
import { PAID_OF, readersAndPayer } from './requests.ts';

export interface LoadTorture {
  /** Answers a second with as many callers as keep the service busy, each waiting for its answer. */
  readonly capacity: number;
  /** Requests a second that came, whether earlier ones were answered or not. */
  readonly offered: number;
  readonly seconds: number;
  readonly admitted: number;
  /** Answered 429 or 503, each with `retry-after`. */
  readonly refused: number;
  /** Of those admitted. */
  readonly readMs: { readonly p50: number; readonly p99: number };
  readonly paidMs: { readonly p50: number; readonly p99: number };
  /** What the p99 may be at most. */
  readonly boundMs: number;
  readonly normalAfterMs: number;
  /** Micro-dollars, in decimal. */
  readonly charged: string;
  readonly faults: readonly string[];
}

export interface LoadOptions {
  /** For how long twice the capacity arrives. */
  readonly seconds: number;
  /** Whether times are judged: on a machine that does other work they say nothing. */
  readonly timed: boolean;
}

const CALLERS = 48;
const MEASURED_MS = 4_000;
const WARMING = 30;
const TIMES = 2;
/** Payments that are signed beyond those that are expected to be needed. */
const SPARE = 500;
const UNDER_WAY = ADMISSION.work.atOnce + ADMISSION.work.waiting;
/** The mean wait in a queue that is always full is what is under way by what is done a second; p99 may be so much more. */
const P99_OF_MEAN = 2;
const NORMAL_WITHIN_MS = 5_000;
/** A request is answered as before up to so many times the median before. */
const NORMAL = 3;
const NORMAL_MS = 50;
const PROBED = 3 * PAID_OF;

type Medians = Readonly<Record<Asked['kind'], number>>;

/** Offers twice what the service does, and looks how those fare who are admitted, those who are not, and who comes later. */
export async function tortureByLoad(
  stage: TortureStage,
  { seconds, timed }: LoadOptions,
): Promise<LoadTorture> {
  const requests = await readersAndPayer(stage);
  await requests.sign(SPARE);
  for (let i = 0; i < WARMING; i++) await requests.ask();
  const usual = await medians(requests.ask);
  const capacity = await closedLoop(requests.ask, CALLERS, MEASURED_MS);
  const offered = TIMES * capacity;
  await requests.sign(Math.ceil((offered * seconds) / PAID_OF) + SPARE);

  const { answers, all } = await openLoop(requests.ask, offered, seconds * 1_000);
  const normalAfterMs = await normalAgain(requests.ask, usual);
  await all;
  const paid = answers.filter(({ kind, status }) => kind === 'paid' && status === 200).length;

  const admitted = answers.filter(served);
  const { charged, owed, unanswered } = await requests.account();
  const sums = {
    ...{ capacity: Math.round(capacity), offered: Math.round(offered), seconds },
    ...{ admitted: admitted.length, refused: answers.length - admitted.length },
    ...{ readMs: quantiles(admitted, 'read'), paidMs: quantiles(admitted, 'paid') },
    boundMs: Math.round((P99_OF_MEAN * 1_000 * UNDER_WAY * PAID_OF) / capacity),
    ...{ normalAfterMs, charged: String(charged) },
  };
  const faults = [...unannounced(answers), ...(timed ? tooSlow(sums) : [])];
  if (unanswered > 0) faults.push(`${unanswered} payments were never answered`);
  if (charged !== owed) faults.push(`charged ${charged} micro-dollars for answers worth ${owed}`);
  if (paid === 0) faults.push('nothing that is paid for was admitted');
  return { ...sums, faults };
}

function quantiles(answers: readonly Answered[], of: Asked['kind']): { p50: number; p99: number } {
  const ms = answers.filter(({ kind }) => kind === of).map((answer) => answer.ms);
  return { p50: Math.round(quantile(ms, 0.5)), p99: Math.round(quantile(ms, 0.99)) };
}

function tooSlow({ readMs, paidMs, boundMs, normalAfterMs }: Omit<LoadTorture, 'faults'>): readonly string[] {
  const faults: string[] = [];
  for (const [kind, { p99 }] of Object.entries({ read: readMs, paid: paidMs }))
    if (p99 > boundMs)
      faults.push(`p99 of admitted ${kind} requests was ${p99} ms, and more than ${boundMs}`);
  if (normalAfterMs > NORMAL_WITHIN_MS) faults.push(`it took ${normalAfterMs} ms until all was as before`);
  return faults;
}

/** Answers that are neither what was asked for nor a refusal that says when to come again. */
function unannounced(answers: readonly Answered[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const answer of answers) {
    const { kind, status, why, retryAfter } = answer;
    if (served(answer) || ([429, 503].includes(status) && retryAfter !== null)) continue;
    const what = `${kind} requests answered ${status === 0 ? `by nothing (${why})` : `${status} without retry-after`}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, n]) => `${n} ${what}`);
}

/** Of one request at a time. */
async function medians(ask: Ask): Promise<Medians> {
  const taken: Record<Asked['kind'], number[]> = { read: [], paid: [] };
  for (let i = 0; i < PROBED; i++) {
    const { kind, ms } = await ask();
    taken[kind].push(ms);
  }
  return { read: quantile(taken.read, 0.5), paid: quantile(taken.paid, 0.5) };
}

/** How long it takes until requests of both kinds are answered as before, one after another. */
async function normalAgain(ask: Ask, usual: Medians): Promise<number> {
  const began = performance.now();
  const sinceStart = (): number => Math.round(performance.now() - began);
  for (let [row, since] = [0, 0]; row < PROBED && sinceStart() < 12 * NORMAL_WITHIN_MS; ) {
    const answer = await ask();
    const isNormal = served(answer) && answer.ms <= NORMAL * usual[answer.kind] + NORMAL_MS;
    row = isNormal ? row + 1 : 0;
    if (row === 0) since = sinceStart();
    if (row === PROBED) return since;
    if (!isNormal) await sleep(NORMAL_MS);
  }
  return sinceStart();
}
