import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../store/database.ts';
import { acquireToken, type RateLimit } from '../../../store/durable/rate-limits.ts';

/** An attempt that the rate limit delays: it is no failure, and is retried after `waitMs`. */
export class RateLimited extends Error {
  readonly waitMs: number;

  constructor(kind: string, waitMs: number) {
    super(`${kind} goes as fast as it may`);
    this.waitMs = waitMs;
  }
}

/** How long an attempt waits in its slot. When it would take longer, the slot goes to another attempt meanwhile. */
const WAIT_MS = 500;

/** Enforces the rate limit of each kind of effect over all processes. A kind without one is not limited. */
export function rateLimiter(
  db: Database,
  rateLimits: ReadonlyMap<string, RateLimit>,
): (kind: string) => Promise<void> {
  return async (kind) => {
    const rateLimit = rateLimits.get(kind);
    if (!rateLimit) return;
    for (let waited = 0; ; ) {
      const ms = await acquireToken(db, `effect:${kind}`, rateLimit);
      if (ms === 0) return;
      waited += ms;
      // Jitter, so that the delayed attempts do not all come back at the same moment.
      if (waited > WAIT_MS) throw new RateLimited(kind, Math.ceil(ms * (1 + Math.random())));
      await sleep(ms);
    }
  };
}
