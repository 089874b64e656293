import rateLimit from '@fastify/rate-limit';
import type { Redis } from 'ioredis';
import { AppError } from '../../agents/errors.ts';
import type { App } from '../app.ts';

export interface Limits {
  /** Requests per address and window that only read. */
  readonly reads: number;
  /** Requests per address and window that write. */
  readonly writes: number;
  /** Milliseconds; a minute when left out. */
  readonly windowMs?: number;
  /** With Redis all API processes count together; without, each counts for itself. */
  readonly redis?: Redis;
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Two allowances per address, reads and writes. A route leaves them with `config: { rateLimit: false }`
 * (webhooks do: their sender is authenticated by signature and retries when refused).
 */
export async function registerLimits(app: App, limits: Limits): Promise<void> {
  app.addHook('onRoute', (route) => {
    const config = (route.config ?? {}) as { rateLimit?: object | false };
    if (config.rateLimit !== undefined) return;
    const reads = [route.method].flat().every((method) => READS.has(method));
    config.rateLimit = reads
      ? { groupId: 'reads', max: limits.reads }
      : { groupId: 'writes', max: limits.writes };
    route.config = config;
  });
  await app.register(rateLimit, {
    global: true,
    max: limits.reads,
    timeWindow: limits.windowMs ?? 60_000,
    enableDraftSpec: true,
    // A counter that cannot be reached must not close the service.
    skipOnError: true,
    ...(limits.redis ? { redis: limits.redis, nameSpace: 'handshake-limit-' } : {}),
    errorResponseBuilder: (_request, context) =>
      new AppError('rate-limited', `More than ${context.max} requests in the window: wait ${context.after}.`),
  });
}
