import { createPostgresBackend, type Job, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Bell, Ringing } from './bell.ts';

export interface QueueOptions {
  readonly databaseUrl: string;
  /** Set: BullMQ on Redis; null: BullMQ on the same Postgres. */
  readonly redisUrl: string | null;
  readonly log: Pick<Logger, 'warn'>;
}

export interface BellQueue extends Bell {
  /** Waiting rings; rejects when the queue cannot be reached. */
  waiting(): Promise<number>;
  /** Starts answering: turns and effects, each with a concurrency of its own. */
  answer(ringing: Ringing, concurrency: { turns: number; effects: number }): Promise<void>;
  close(): Promise<void>;
}

const QUEUES = { actor: 'handshake-turns', effect: 'handshake-effects' } as const;
const JOB = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;

/**
 * The bell over BullMQ, on Postgres or Redis. Its jobs carry an id and nothing else, and none is retried by BullMQ:
 * a turn that failed is due again in Postgres, and the sweep rings for it.
 */
export async function openBellQueue(options: QueueOptions): Promise<BellQueue> {
  const { redisUrl, log } = options;
  const redis = redisUrl === null ? null : () => new Redis(redisUrl, { maxRetriesPerRequest: null });
  const factory = redis === null ? createPostgresBackend : undefined;
  const connections: Redis[] = [];
  const connection = () => {
    if (redis === null) return { connectionString: options.databaseUrl, migrate: true } as never;
    const client = redis();
    client.on('error', (error) => log.warn({ error: error.message }, 'the queue connection failed'));
    connections.push(client);
    return client as never;
  };
  const open = async (name: string): Promise<Queue> => {
    const queue = new Queue(name, { connection: connection() }, factory as never);
    queue.on('error', (error) => log.warn({ queue: name, error: error.message }, 'the queue failed'));
    await queue.waitUntilReady();
    return queue;
  };
  // One after the other: the first one migrates the queue's schema.
  const turns = await open(QUEUES.actor);
  const effects = await open(QUEUES.effect);
  const workers: Worker[] = [];
  const ring = (queue: Queue, data: object, delay: number): void => {
    queue.add('ring', data, { ...JOB, ...(delay > 0 ? { delay } : {}) }).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'a ring was lost: the sweep will ring again');
    });
  };
  return {
    actor: (actorId) => ring(turns, { id: actorId }, 0),
    effect: (key, delayMs = 0) => ring(effects, { id: key }, delayMs),
    waiting: async () => (await turns.getWaitingCount()) + (await effects.getWaitingCount()),
    async answer(ringing, concurrency) {
      const start = async (
        name: string,
        work: (id: string) => Promise<void>,
        parallel: number,
      ): Promise<void> => {
        const worker = new Worker(
          name,
          (job: Job<{ id: string }>) => work(job.data.id),
          {
            connection: connection(),
            concurrency: parallel,
          },
          factory as never,
        );
        worker.on('error', (error) => log.warn({ queue: name, error: error.message }, 'the worker failed'));
        await worker.waitUntilReady();
        workers.push(worker);
      };
      await start(QUEUES.actor, ringing.actor, concurrency.turns);
      await start(QUEUES.effect, ringing.effect, concurrency.effects);
    },
    async close() {
      await Promise.all(workers.map((w) => w.close()));
      await Promise.all([turns.close(), effects.close()]);
      for (const client of connections) client.disconnect();
    },
  };
}
