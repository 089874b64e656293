import {
  createPostgresBackend,
  createRedisBackend,
  Queue,
  runMigrations,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import pg from 'pg';
import type { Logger } from 'pino';
import { openRedis, type RedisClient } from './redis.ts';
import { isRedisCluster, redisHosts } from './redis-nodes.ts';
import { asAnyBackend } from './untyped-queue.ts';

/** What a wake-up carries: for a mailbox, whose it is; for a lane of effects, nothing. */
export type WakeUp = { readonly id?: string };

/** Where BullMQ keeps its jobs: makes queues and workers over one set of connections. */
export interface QueueBackend {
  queue(name: string): Promise<Queue>;
  worker(
    name: string,
    work: (data: WakeUp) => Promise<void>,
    concurrency: number,
  ): Promise<{ close(): Promise<void> }>;
  close(): Promise<void>;
}

type Log = Pick<Logger, 'warn'>;

/** The schema that BullMQ gives its tables when it is told none. */
const SCHEMA = 'bullmq';
/** Five workers each hold a listening connection; the rest is shared by whatever is added and finished. */
const CONNECTIONS = 13;
const UNUSED_MS = 600_000;
/** How long a worker listens for jobs before it looks by itself, seconds: a job that is added wakes it at once. */
const LISTEN_SECONDS = 30;

/**
 * BullMQ over the service's own Postgres. One pool for all queues and workers: each with one of its own would take a
 * hundred connections.
 * @throws Error when Postgres does not answer, or a newer release made the queue's tables
 */
export async function postgresBackend(databaseUrl: string, log: Log): Promise<QueueBackend> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: CONNECTIONS,
    // What a connection has compiled of the queue's functions is gone with it.
    idleTimeoutMillis: UNUSED_MS,
    keepAlive: true,
    options: `-c search_path=${SCHEMA}`,
  });
  pool.on('error', (error) => log.warn({ error: error.message }, 'a connection of the queue ended'));
  // A connection that the server closes while it is in use makes the next statement fail; its error must not end the process.
  pool.on('connect', (client) => void client.on('error', () => {}));
  // Each queue and each worker listens to it: more than the ten from which Node suspects a leak.
  pool.setMaxListeners(32);
  try {
    // A worker on tables that are not there starves the event loop.
    const client = await pool.connect();
    await runMigrations(client).finally(() => client.release());
  } catch (error) {
    await pool.end();
    throw error;
  }
  return over(
    (kind) => ({ connection: pool, ...(kind === 'worker' ? { drainDelay: LISTEN_SECONDS } : {}) }),
    asAnyBackend(createPostgresBackend),
    log,
    () => pool.end(),
  );
}

/**
 * BullMQ over Redis, or a cluster of it.
 * @throws Error, one sentence, when Redis does not answer
 */
export async function redisBackend(redisUrl: string, log: Log): Promise<QueueBackend> {
  await requireRedis(redisUrl);
  const clients: RedisClient[] = [];
  const connect = (options: { enableOfflineQueue: boolean }): RedisClient => {
    const client = openRedis(redisUrl, { maxRetriesPerRequest: null, ...options });
    client.on('error', (error) => log.warn({ error: error.message }, 'the connection to the queue failed'));
    clients.push(client);
    return client;
  };
  // A wake-up while Redis is away is dropped: kept, they would pile up in memory, and the sweep wakes anyway.
  const connection = (kind: 'queue' | 'worker') => ({
    connection: connect({ enableOfflineQueue: kind === 'worker' }),
  });
  const end = async (): Promise<void> => {
    for (const client of clients) client.disconnect();
  };
  return over(connection, createRedisBackend, log, end, isRedisCluster(redisUrl) ? taggedKeys : undefined);
}

async function requireRedis(redisUrl: string): Promise<void> {
  const probe = openRedis(redisUrl, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 5_000 });
  let reason = '';
  probe.on('error', (error) => {
    reason = error.message;
  });
  try {
    await probe.connect();
    await probe.ping();
  } catch (cause) {
    const why = reason || (cause instanceof Error ? cause.message : String(cause));
    throw new Error(`the queue at ${redisHosts(redisUrl)} cannot be reached: ${why}`, { cause });
  } finally {
    probe.disconnect();
  }
}

/** What the queue tells of each wake-up is read by nobody. */
const UNREAD = { streams: { events: { maxLen: 1 } } };

/**
 * BullMQ's scripts touch several keys of a queue, which a cluster takes only where all lie in one slot: those of a queue
 * share its name as their hash tag, and queues spread over the nodes.
 */
const taggedKeys = (name: string) => ({ prefix: `{${name}}` });

function over(
  connection: (kind: 'queue' | 'worker') => Pick<WorkerOptions, 'connection' | 'drainDelay'>,
  factory: typeof createRedisBackend,
  log: Log,
  end: () => Promise<void>,
  keys: (name: string) => { readonly prefix?: string } = () => ({}),
): QueueBackend {
  return {
    async queue(name) {
      const queue = new Queue(name, { ...connection('queue'), ...UNREAD, ...keys(name) }, factory);
      queue.on('error', (error) => log.warn({ queue: name, error: error.message }, 'the queue failed'));
      await queue.waitUntilReady();
      return queue;
    },
    async worker(name, work, concurrency) {
      const options: WorkerOptions = { ...connection('worker'), concurrency, ...keys(name) };
      const worker = new Worker(name, (job) => work(job.data as WakeUp), options, factory);
      worker.on('error', (error) => log.warn({ queue: name, error: error.message }, 'the worker failed'));
      await worker.waitUntilReady();
      return worker;
    },
    close: end,
  };
}
