import type { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { LANES, type Lane } from '../jobs/effect.ts';
import { postgresBackend, redisBackend } from './backend.ts';
import { type LocalLane, localLane } from './local-lane.ts';
import type { Concurrency, Notifier, Waker } from './notifier.ts';

export interface QueueOptions {
  readonly databaseUrl: string;
  /** Set: BullMQ on Redis; null: BullMQ on the same Postgres. */
  readonly redisUrl: string | null;
  readonly log: Pick<Logger, 'warn'>;
  /** False: every wake-up goes through BullMQ, even where this process could handle it at once. */
  readonly direct?: boolean;
}

export interface WakeQueue extends Notifier {
  /** Wake-ups that wait in BullMQ; rejects when the queue cannot be reached. */
  waiting(): Promise<number>;
  /** Wakes what the sweep found overdue. While such a wake-up waits, a second one for the same id is dropped. */
  overdue(actors: readonly string[], effects: readonly { key: string; lane: Lane }[]): void;
  /** How many more effects of this lane would start here at once; 0 where this process works through BullMQ only. */
  room(lane: Lane): number;
  /** Starts an effect here even without room. @returns false when this process is closing */
  begin(key: string, lane: Lane): boolean;
  /** Starts to process mailboxes and effects, each lane with a concurrency of its own. */
  answer(waker: Waker, concurrency: Concurrency): Promise<void>;
  /** Takes no new work, waits for what runs, and closes. */
  close(): Promise<void>;
}

/** The wake queue with what operators look at. */
export interface OpenNotifier extends WakeQueue {
  readonly queues: readonly Queue[];
  /** Wake-ups that wait in BullMQ, by queue. */
  waitingByQueue(): Promise<readonly { readonly name: string; readonly waiting: number }[]>;
}

type LaneName = 'mailboxes' | Lane;

const NAMES: readonly LaneName[] = ['mailboxes', ...LANES];
const JOB = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;
const MAILBOXES_WAITING = 256;
/** How many wake-ups of the sweep may wait in one lane of the queue. */
const OVERDUE_WAITING = 64;
const GOODBYE_MS = 5_000;
/** The most jobs that a worker takes from BullMQ at the same time: each costs round trips of its own. */
const FROM_QUEUE = 16;
/** BullMQ keeps the job of a crashed worker for half a minute. A job id that changes is not blocked by it. */
const SWEEP_ID_MS = 5_000;

/**
 * The wake queue over BullMQ, on Postgres or Redis. Its jobs carry an id and nothing else, and BullMQ retries none: a
 * batch that failed is due again in Postgres, and the sweep wakes it. A worker process handles its own wake-ups at once
 * while it has room, and BullMQ spreads the rest over the other processes.
 * @throws Error when the queue cannot be reached
 */
export async function openWakeQueue(options: QueueOptions): Promise<OpenNotifier> {
  const { redisUrl, log } = options;
  const backend =
    redisUrl === null ? await postgresBackend(options.databaseUrl, log) : await redisBackend(redisUrl, log);
  const queues = new Map<LaneName, Queue>();
  try {
    for (const name of NAMES) queues.set(name, await backend.queue(`handshake-${name}`));
  } catch (error) {
    await backend.close();
    throw error;
  }
  const local = new Map<LaneName, LocalLane>();
  const workers: { close(): Promise<void> }[] = [];
  /** The work of BullMQ jobs that runs here. */
  const inHand = new Set<Promise<void>>();
  let closing = false;

  const wake = (name: LaneName, id: string, delay: number, jobId?: string): void => {
    if (closing) return;
    if (delay <= 0 && local.get(name)?.take(id)) return;
    const job = { ...JOB, ...(delay > 0 ? { delay } : {}), ...(jobId === undefined ? {} : { jobId }) };
    queues
      .get(name)
      ?.add('wake', { id }, job)
      .catch((error: unknown) => {
        if (!closing) log.warn({ error: String(error) }, 'a wake-up was lost: the sweep will wake again');
      });
  };

  /** A backlog is overdue as a whole. The queue gets no more of it than is soon done, or it would grow with every sweep. */
  const wakeAgain = async (name: LaneName, ids: readonly string[]): Promise<void> => {
    const left = ids.filter((id) => !local.get(name)?.take(id));
    if (left.length === 0 || closing) return;
    try {
      const waiting = (await queues.get(name)?.getWaitingCount()) ?? 0;
      const period = Math.floor(Date.now() / SWEEP_ID_MS);
      // BullMQ takes no colon in an id.
      for (const id of left.slice(0, Math.max(0, OVERDUE_WAITING - waiting)))
        wake(name, id, 0, `overdue-${period}-${encodeURIComponent(id)}`);
    } catch (error) {
      if (!closing) log.warn({ error: String(error) }, 'a wake-up was lost: the sweep will wake again');
    }
  };

  return {
    queues: [...queues.values()],
    waitingByQueue: () =>
      Promise.all(
        [...queues.values()].map(async (q) => ({ name: q.name, waiting: await q.getWaitingCount() })),
      ),
    actor: (actorId) => wake('mailboxes', actorId, 0),
    effect: (key, lane, delayMs = 0) => wake(lane, key, delayMs),
    room: (lane) => (closing ? 0 : (local.get(lane)?.room() ?? 0)),
    begin: (key, lane) => !closing && (local.get(lane)?.take(key, true) ?? false),
    overdue(actors, effects) {
      const of = (name: LaneName): readonly string[] =>
        name === 'mailboxes' ? actors : effects.filter((e) => e.lane === name).map((e) => e.key);
      for (const name of NAMES) void wakeAgain(name, of(name));
    },
    async waiting() {
      const counts = await Promise.all([...queues.values()].map((q) => q.getWaitingCount()));
      return counts.reduce((a, b) => a + b, 0);
    },
    async answer(waker, concurrency) {
      for (const name of NAMES) {
        const work = name === 'mailboxes' ? waker.actor : waker.effect;
        const atOnce = Math.min(concurrency[name], FROM_QUEUE);
        const noted = async ({ id }: { id: string }): Promise<void> => {
          // The job arrived while the queue closed: the sweep of another process wakes for it.
          if (closing) return;
          const run: Promise<void> = work(id, () => {}).finally(() => inHand.delete(run));
          inHand.add(run);
          await run;
        };
        workers.push(await backend.worker(`handshake-${name}`, noted, atOnce));
        if (options.direct === false) continue;
        const failed = (id: string, error: unknown): void =>
          log.warn({ lane: name, id, error: String(error) }, 'work failed: the sweep will wake it again');
        // A mailbox batch is short, so it waits here for the next batch, which is faster than the queue. An effect may
        // take long, so it goes to another process.
        const waiting = name === 'mailboxes' ? MAILBOXES_WAITING : 0;
        local.set(name, localLane(work, { parallel: concurrency[name], waiting }, failed));
      }
    },
    async close() {
      closing = true;
      const lanes = Promise.all([...local.values()].map((lane) => lane.close()));
      const workersClosed = Promise.all(workers.map((w) => w.close()));
      workersClosed.catch(() => {});
      await lanes;
      const closed = workersClosed.then(() => Promise.all([...queues.values()].map((q) => q.close())));
      // A queue that is away never confirms the close, so only running work is waited for.
      const away = new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref());
      await Promise.race([closed.catch(() => {}), away]);
      await Promise.allSettled(inHand);
      await backend.close();
    },
  };
}
