import type { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { type Lane, QUEUED_LANES } from '../jobs/effect.ts';
import { postgresBackend, redisBackend, type WakeUp } from './backend.ts';
import { type LocalLane, localLane } from './local-lane.ts';
import type { Notifier, Waker } from './notifier.ts';

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
  /** Wakes actors that the sweep found overdue. While such a wake-up waits, a second one for the same id is dropped. */
  overdue(actors: readonly string[]): void;
  /** How many more effects of this lane would start here at once; 0 where this process works through BullMQ only. */
  room(lane: Lane): number;
  /** Whether no other process works: then what this one has no room for waits here until it has, in no queue. */
  alone(isAlone: boolean): void;
  /** Starts to process mailboxes and effects. */
  answer(waker: Waker, mailboxes: number): Promise<void>;
  /** Takes no new work, waits for what runs, and closes. */
  close(): Promise<void>;
}

/** The wake queue with what operators look at. */
export interface OpenNotifier extends WakeQueue {
  readonly queues: readonly Queue[];
  /** Wake-ups that wait in BullMQ, by queue. */
  waitingByQueue(): Promise<readonly { readonly name: string; readonly waiting: number }[]>;
}

/** The lanes that have a queue: `mailboxes`, and those whose work somebody waits for. */
const NAMES = ['mailboxes', ...QUEUED_LANES] as const;
const JOB = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;
const MAILBOXES_WAITING = 256;
/** How many mailboxes that the sweep found may wait in the queue. */
const OVERDUE_WAITING = 64;
const GOODBYE_MS = 5_000;
/**
 * How many wake-ups may be on their way to the queue. One that answers nobody and keeps its connections would let them pile
 * up in memory, and find all of them when it goes on; the sweep finds what is dropped.
 */
const UNDER_WAY = 256;
const COUNT_MS = 5_000;
/** The most mailboxes that a worker takes from BullMQ at the same time: each costs round trips of its own. */
const FROM_QUEUE = 16;
/** BullMQ keeps the job of a crashed worker for half a minute. A job id that changes is not blocked by it. */
const SWEEP_ID_MS = 5_000;

/**
 * The wake queue over BullMQ, on Postgres or Redis. BullMQ retries none of its jobs: a batch that failed is due again in
 * Postgres, and the sweep finds it. A worker process handles its own wake-ups at once while it has room, and BullMQ
 * spreads the rest over the other processes, and keeps the time of those that are not due yet.
 *
 * A wake-up of a lane is empty: whoever takes it claims what is due. A process takes the next one when it has room again.
 * A wake-up of a mailbox names the actor. It decides nothing, and one that is lost costs time: it only saves a search for
 * who has mail, and leads to the process in whose batches the actor is warm.
 * @throws Error when the queue cannot be reached
 */
export async function openWakeQueue(options: QueueOptions): Promise<OpenNotifier> {
  const { redisUrl, log, direct = true } = options;
  const backend =
    redisUrl === null ? await postgresBackend(options.databaseUrl, log) : await redisBackend(redisUrl, log);
  const queues = new Map<string, Queue>();
  try {
    for (const name of NAMES) queues.set(name, await backend.queue(`handshake-${name}`));
  } catch (error) {
    await backend.close();
    throw error;
  }
  let lanes: Waker['lanes'] = new Map();
  let mailboxes: LocalLane | null = null;
  const workers: { close(): Promise<void> }[] = [];
  /** The work of BullMQ jobs that runs here. */
  const inHand = new Set<Promise<void>>();
  /** Lanes whose wake-up is being added: what is due meanwhile is found by whoever takes it. */
  const adding = new Set<Lane>();
  let isAlone = false;
  let closing = false;

  const lost = (error: unknown): void => {
    if (!closing) log.warn({ error: String(error) }, 'a wake-up was lost: the sweep will wake again');
  };
  let underWay = 0;
  let isFull = false;
  const add = async (
    name: 'mailboxes' | Lane,
    data: WakeUp,
    options: { delay?: number; jobId?: string } = {},
  ) => {
    if (underWay >= UNDER_WAY) {
      if (!isFull) lost(`the queue has not taken ${UNDER_WAY} others yet`);
      isFull = true;
      return;
    }
    underWay += 1;
    await queues
      .get(name)
      ?.add('wake', data, { ...JOB, ...options })
      .catch(lost);
    underWay -= 1;
    if (underWay === 0) isFull = false;
  };
  /** What is being counted: a queue that does not answer is asked once, and whoever asks again waits for that answer. */
  const counting = new Map<string, Promise<number>>();
  /** @throws Error when the queue does not answer in time */
  const count = async (name: string): Promise<number> => {
    const queue = queues.get(name)!;
    const asked = counting.get(name) ?? queue.getWaitingCount().finally(() => counting.delete(name));
    counting.set(name, asked);
    return await inTime(asked, name);
  };
  const room = (lane: Lane): number => (closing || !direct ? 0 : (lanes.get(lane)?.room() ?? 0));
  const spread = (lane: Lane): void => {
    if (closing || adding.has(lane)) return;
    adding.add(lane);
    void add(lane, {}).finally(() => adding.delete(lane));
  };

  let isLooking = false;
  /** A backlog is overdue as a whole. The queue gets no more of it than is soon done, or it would grow with every sweep. */
  const overdue = async (ids: readonly string[]): Promise<void> => {
    const left = ids.filter((id) => !mailboxes?.take(id));
    if (left.length === 0 || closing || isLooking) return;
    isLooking = true;
    try {
      const waiting = await count('mailboxes');
      const period = Math.floor(Date.now() / SWEEP_ID_MS);
      // BullMQ takes no colon in an id.
      for (const id of left.slice(0, Math.max(0, OVERDUE_WAITING - waiting)))
        void add('mailboxes', { id }, { jobId: `overdue-${period}-${encodeURIComponent(id)}` });
    } catch (error) {
      lost(error);
    } finally {
      isLooking = false;
    }
  };

  return {
    queues: [...queues.values()],
    waitingByQueue: () =>
      Promise.all([...queues].map(async ([lane, { name }]) => ({ name, waiting: await count(lane) }))),
    actor(id) {
      if (!closing && !mailboxes?.take(id)) void add('mailboxes', { id });
    },
    jobs(lane, delayMs = 0) {
      if (closing) return;
      if (delayMs > 0) void add(lane, {}, { delay: delayMs });
      else if (direct && lanes.has(lane)) {
        // Without room here the lane looks again when it has some, and others may come first.
        if (!isAlone && room(lane) === 0) spread(lane);
        lanes.get(lane)?.wake();
      } else spread(lane);
    },
    room,
    alone(now) {
      isAlone = now;
    },
    overdue: (actors) => void overdue(actors),
    async waiting() {
      const counts = await Promise.all([...queues.keys()].map(count));
      return counts.reduce((a, b) => a + b, 0);
    },
    async answer(waker, parallel) {
      lanes = waker.lanes;
      for (const name of NAMES) {
        const work = async ({ id }: WakeUp): Promise<void> => {
          // The job arrived while the queue closed: the sweep of another process wakes for it.
          if (closing) return;
          if (name !== 'mailboxes') await lanes.get(name)?.pull();
          else if (id !== undefined) await waker.actor(id);
        };
        const noted = (data: WakeUp): Promise<void> => {
          const run: Promise<void> = work(data).finally(() => inHand.delete(run));
          inHand.add(run);
          return run;
        };
        // One wake-up of a lane claims all that there is room for.
        const atOnce = name === 'mailboxes' ? Math.min(parallel, FROM_QUEUE) : 1;
        workers.push(await backend.worker(`handshake-${name}`, noted, atOnce));
      }
      if (!direct) return;
      const failed = (id: string, error: unknown): void =>
        log.warn(
          { lane: 'mailboxes', id, error: String(error) },
          'work failed: the sweep will wake it again',
        );
      // A mailbox batch is short, so it waits here for the next batch, which is faster than the queue.
      mailboxes = localLane(waker.actor, { parallel, waiting: MAILBOXES_WAITING }, failed);
    },
    async close() {
      closing = true;
      const ended = Promise.all([mailboxes?.close(), ...[...lanes.values()].map((lane) => lane.close())]);
      const workersClosed = Promise.all(workers.map((w) => w.close()));
      workersClosed.catch(() => {});
      await ended;
      const closed = workersClosed.then(() => Promise.all([...queues.values()].map((q) => q.close())));
      // A queue that is away never confirms the close, so only running work is waited for.
      const away = new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref());
      await Promise.race([closed.catch(() => {}), away]);
      await Promise.allSettled(inHand);
      // What the last mailbox batches asked for is released.
      await Promise.all([...lanes.values()].map((lane) => lane.close()));
      await backend.close();
    },
  };
}

async function inTime(counted: Promise<number>, name: string): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the queue does not answer how much waits in ${name}`)),
      COUNT_MS,
    );
  });
  try {
    return await Promise.race([counted, late]);
  } finally {
    clearTimeout(timer);
  }
}
