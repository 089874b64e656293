import rateLimit from '@fastify/rate-limit';
import type { Cluster, Redis } from 'ioredis';
import { AppError } from '../../agents/errors.ts';
import type { App, Request } from './app.ts';
import { clientKey } from './client-address.ts';
import { countersOver } from './limit-counters.ts';
import { isCountedAlready } from './subrequests.ts';

export interface Limits {
  /** Requests per address and window that only read. */
  readonly reads: number;
  /** Requests per address and window that write. */
  readonly writes: number;
  /** Milliseconds; a minute when left out. */
  readonly windowMs?: number;
  /** With Redis, all API processes count together; without it, or while it is away, each counts for itself. */
  readonly redis?: Redis | Cluster;
}

const isRead = (request: Request): boolean => request.method === 'GET' || request.method === 'OPTIONS';

/**
 * Gives each address (of IPv6: each /64) two allowances over all routes together, one for reads and one for writes. A
 * route opts out by `config: { rateLimit: false }`. Webhooks do, because their sender is known by signature and retries
 * when refused. What a page reads of this server itself is part of the request for the page.
 */
export async function registerLimits(app: App, limits: Limits): Promise<void> {
  await app.register(rateLimit, {
    global: true,
    max: (request) => (isRead(request) ? limits.reads : limits.writes),
    keyGenerator: (request) => `${isRead(request) ? 'read' : 'write'} ${clientKey(request as Request)}`,
    allowList: isCountedAlready,
    timeWindow: limits.windowMs ?? 60_000,
    enableDraftSpec: true,
    ...(limits.redis ? { store: countersOver(limits.redis) } : {}),
    errorResponseBuilder: (_request, context) =>
      new AppError('rate-limited', `More than ${context.max} requests in the window: wait ${context.after}.`),
  });
}
