import type { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { LANES, type Lane } from '../effects/effect.ts';
import { postgresBackend, redisBackend } from './backend.ts';
import type { Bell, Concurrency, Ringing } from './bell.ts';
import { type LocalLane, localLane } from './local-lane.ts';

export interface QueueOptions {
  readonly databaseUrl: string;
  /** Set: BullMQ on Redis; null: BullMQ on the same Postgres. */
  readonly redisUrl: string | null;
  readonly log: Pick<Logger, 'warn'>;
  /** False: every ring goes through BullMQ, even where this process could answer it at once. */
  readonly direct?: boolean;
}

export interface BellQueue extends Bell {
  /** Rings that wait in BullMQ; rejects when the queue cannot be reached. */
  waiting(): Promise<number>;
  /** Rings for what the sweep found overdue; while such a ring waits, a second for the same is none. */
  overdue(actors: readonly string[], effects: readonly { key: string; lane: Lane }[]): void;
  /** How many more effects of this lane would start here at once; none where this process does not answer by itself. */
  room(lane: Lane): number;
  /** Begins an effect here, whatever the room. @returns false when this process takes nothing more */
  begin(key: string, lane: Lane): boolean;
  /** Starts answering: turns and effects, each lane with a concurrency of its own. */
  answer(ringing: Ringing, concurrency: Concurrency): Promise<void>;
  /** Takes nothing more, waits for what is in hand, and closes. */
  close(): Promise<void>;
}

/** The bell with what operators look at. */
export interface OpenBell extends BellQueue {
  readonly queues: readonly Queue[];
  /** Rings that wait in BullMQ, by queue. */
  waitingByQueue(): Promise<readonly { readonly name: string; readonly waiting: number }[]>;
}

type LaneName = 'turns' | Lane;

const NAMES: readonly LaneName[] = ['turns', ...LANES];
const JOB = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;
const TURNS_WAITING = 256;
/** Rings of the sweep that may wait in one lane of the queue. */
const OVERDUE_WAITING = 64;
const GOODBYE_MS = 5_000;
/** What a worker takes from BullMQ at once, at most: each takes round trips of its own. */
const FROM_QUEUE = 16;
/** A worker that died leaves its job standing for half a minute: an id that changes is not held up by it. */
const SWEEP_ID_MS = 5_000;

/**
 * The bell over BullMQ, on Postgres or Redis. Its jobs carry an id and nothing else, and none is retried by BullMQ:
 * a turn that failed is due again in Postgres, and the sweep rings for it. A process that answers takes its own rings
 * at once while it has room, and BullMQ spreads what is beyond that over the others.
 * @throws Error when the queue cannot be reached
 */
export async function openBellQueue(options: QueueOptions): Promise<OpenBell> {
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
  /** What BullMQ's jobs have in hand here. */
  const inHand = new Set<Promise<void>>();
  let closing = false;

  const ring = (name: LaneName, id: string, delay: number, jobId?: string): void => {
    if (closing) return;
    if (delay <= 0 && local.get(name)?.take(id)) return;
    const job = { ...JOB, ...(delay > 0 ? { delay } : {}), ...(jobId === undefined ? {} : { jobId }) };
    queues
      .get(name)
      ?.add('ring', { id }, job)
      .catch((error: unknown) => {
        if (!closing) log.warn({ error: String(error) }, 'a ring was lost: the sweep will ring again');
      });
  };

  /** A backlog is overdue as a whole: of what this process cannot take now, the queue gets no more than is soon done. */
  const ringAgain = async (name: LaneName, ids: readonly string[]): Promise<void> => {
    const left = ids.filter((id) => !local.get(name)?.take(id));
    if (left.length === 0 || closing) return;
    try {
      const waiting = (await queues.get(name)?.getWaitingCount()) ?? 0;
      const period = Math.floor(Date.now() / SWEEP_ID_MS);
      // BullMQ takes no colon in an id.
      for (const id of left.slice(0, Math.max(0, OVERDUE_WAITING - waiting)))
        ring(name, id, 0, `overdue-${period}-${encodeURIComponent(id)}`);
    } catch (error) {
      if (!closing) log.warn({ error: String(error) }, 'a ring was lost: the sweep will ring again');
    }
  };

  return {
    queues: [...queues.values()],
    waitingByQueue: () =>
      Promise.all(
        [...queues.values()].map(async (q) => ({ name: q.name, waiting: await q.getWaitingCount() })),
      ),
    actor: (actorId) => ring('turns', actorId, 0),
    effect: (key, lane, delayMs = 0) => ring(lane, key, delayMs),
    room: (lane) => (closing ? 0 : (local.get(lane)?.room() ?? 0)),
    begin: (key, lane) => !closing && (local.get(lane)?.take(key, true) ?? false),
    overdue(actors, effects) {
      const of = (name: LaneName): readonly string[] =>
        name === 'turns' ? actors : effects.filter((e) => e.lane === name).map((e) => e.key);
      for (const name of NAMES) void ringAgain(name, of(name));
    },
    async waiting() {
      const counts = await Promise.all([...queues.values()].map((q) => q.getWaitingCount()));
      return counts.reduce((a, b) => a + b, 0);
    },
    async answer(ringing, concurrency) {
      for (const name of NAMES) {
        const work = name === 'turns' ? ringing.actor : ringing.effect;
        const atOnce = Math.min(concurrency[name], FROM_QUEUE);
        const noted = async ({ id }: { id: string }): Promise<void> => {
          // A job that was on its way as the bell closed: the sweep of another rings for it.
          if (closing) return;
          const run: Promise<void> = work(id, () => {}).finally(() => inHand.delete(run));
          inHand.add(run);
          await run;
        };
        workers.push(await backend.worker(`handshake-${name}`, noted, atOnce));
        if (options.direct === false) continue;
        const failed = (id: string, error: unknown): void =>
          log.warn({ lane: name, id, error: String(error) }, 'work failed: the sweep will ring for it again');
        // A turn is short: better that it waits here for its lot than that it goes round by the queue. An effect may take
        // long: another process is better.
        const waiting = name === 'turns' ? TURNS_WAITING : 0;
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
      // A queue that is away answers no goodbye: what is in hand is waited for, it is not.
      const away = new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref());
      await Promise.race([closed.catch(() => {}), away]);
      await Promise.allSettled(inHand);
      await backend.close();
    },
  };
}
