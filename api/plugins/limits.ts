import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { Redis } from 'ioredis';
import { AppError } from '../../agents/errors.ts';
import type { App, Request } from '../app.ts';

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

const isRead = (request: Request): boolean => request.method === 'GET' || request.method === 'OPTIONS';

/**
 * Two allowances per address (IPv6: per /64), reads and writes, over all routes together. A route leaves them with
 * `config: { rateLimit: false }`; webhooks do, whose sender is known by signature and retries when refused.
 */
export async function registerLimits(app: App, limits: Limits): Promise<void> {
  await app.register(rateLimit, {
    global: true,
    max: (request) => (isRead(request) ? limits.reads : limits.writes),
    keyGenerator: (request) => `${isRead(request) ? 'read' : 'write'} ${normalizeIP(request.ip)}`,
    timeWindow: limits.windowMs ?? 60_000,
    enableDraftSpec: true,
    // A counter that cannot be reached must not close the service.
    skipOnError: true,
    ...(limits.redis ? { redis: limits.redis, nameSpace: 'handshake-limit-' } : {}),
    errorResponseBuilder: (_request, context) =>
      new AppError('rate-limited', `More than ${context.max} requests in the window: wait ${context.after}.`),
  });
}
