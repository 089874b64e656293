import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { RouteOptions } from 'fastify';
import type { Cluster, Redis } from 'ioredis';
import { BoundedMap } from '../../runtime/bounded-map.ts';

/** One address's count within its window. */
interface Count {
  readonly current: number;
  /** Milliseconds until the window is over. */
  readonly ttl: number;
}

type Told = Parameters<FastifyRateLimitStore['incr']>[1];
/** What the plugin tells of a route that has an allowance of its own, beyond what its types say. */
type Counted = Parameters<FastifyRateLimitStore['child']>[0] & {
  readonly routeInfo: Pick<RouteOptions, 'method' | 'url'>;
};

const NAMESPACE = 'handshake-limit-';
/** Longer than Redis ever takes; whoever waits for one that hangs waits no longer than that. */
const ANSWER_MS = 250;
/** After a failure each process counts for itself for so long, and asks nobody. */
const PAUSE_MS = 1_000;
const ADDRESSES = 5_000;

const COUNT = `
  local current = redis.call('INCR', KEYS[1])
  if current == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return {current, redis.call('PTTL', KEYS[1])}`;

/**
 * Counts requests in Redis, for all API processes together. Each process counts for itself besides, and goes by its own
 * count while Redis is away or hangs: requests are then neither delayed nor without a limit. Requests of a route with an
 * allowance of its own are counted apart.
 */
export function countersOver(redis: Redis | Cluster): FastifyRateLimitStoreCtor {
  const own = new BoundedMap<string, { count: number; until: number }>(ADDRESSES);
  let pausedUntil = 0;

  const countOwn = (key: string, windowMs: number): Count => {
    const now = performance.now();
    const before = own.get(key);
    const entry = before === undefined || before.until <= now ? { count: 0, until: now + windowMs } : before;
    entry.count += 1;
    own.set(key, entry);
    return { current: entry.count, ttl: Math.ceil(entry.until - now) };
  };
  const countShared = async (key: string, windowMs: number): Promise<Count> => {
    const asked = redis.eval(COUNT, 1, `${NAMESPACE}${key}`, windowMs) as Promise<[number, number]>;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(reject, ANSWER_MS, new Error('Redis did not answer in time'));
    });
    try {
      const [current, ttl] = await Promise.race([asked, late]);
      return { current, ttl };
    } finally {
      clearTimeout(timer);
      // Where it was late, its end concerns nobody.
      asked.catch(() => {});
    }
  };

  return class Counters {
    /** What all its keys begin with. */
    readonly #of: string;

    /** @param route whose own allowance is counted; undefined for the allowances of all others together */
    constructor({ routeInfo: route }: Partial<Counted> = {}) {
      this.#of = route === undefined ? '' : `${[route.method].flat().join(',')} ${route.url} `;
    }

    incr(caller: string, told: Told, windowMs: number): void {
      const key = this.#of + caller;
      const mine = countOwn(key, windowMs);
      if (redis.status !== 'ready' || performance.now() < pausedUntil) {
        told(null, mine);
        return;
      }
      countShared(key, windowMs).then(
        (count) => told(null, count),
        () => {
          pausedUntil = performance.now() + PAUSE_MS;
          told(null, mine);
        },
      );
    }

    child(counted: Counted): FastifyRateLimitStore {
      return new Counters(counted);
    }
  };
}
