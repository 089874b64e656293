import type { Logger } from 'pino';
import type { Database } from '../../../store/database.ts';
import { type EffectRow, extendLease } from '../../../store/durable/outbox.ts';
import type { InFlightJobs } from './in-flight-jobs.ts';

export interface LeaseDeps {
  readonly db: Database;
  readonly log: Pick<Logger, 'warn'>;
  /** Leases use the database's clock. A simulator gives its own time here. */
  readonly leaseClock?: () => Date;
  /** Where this process notes its running attempts, to release them when it has to end before they do. */
  readonly inFlight?: InFlightJobs;
}

interface Lease {
  /**
   * Runs `work` up to the time limit of its kind. Work that hangs is no longer waited for: its lease ends and its slot
   * is free. Otherwise the lease would be renewed for ever, and no process could ever run the effect again.
   * @throws Error when the time is over
   */
  within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Ends the renewal. */
  end(): void;
}

/** Renews the lease of an attempt until it ends. */
export function keepLease(deps: LeaseDeps, row: EffectRow, leaseMs: number, timeLimitMs: number): Lease {
  const over = new AbortController();
  deps.inFlight?.take(row, (reason) => over.abort(reason));
  const renewal = setInterval(() => {
    extendLease(deps.db, {
      key: row.key,
      attempt: row.attempts,
      leaseMs,
      clock: deps.leaseClock?.() ?? null,
    }).catch((error: unknown) =>
      deps.log.warn(
        { effect: row.key, error: String(error) },
        'the lease of an effect could not be extended',
      ),
    );
  }, leaseMs / 3);
  return {
    async within(work) {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          const error = new Error(`it did not end within ${timeLimitMs / 1000} s`);
          over.abort(error);
          reject(error);
        }, timeLimitMs);
      });
      try {
        return await Promise.race([work(over.signal), limit]);
      } finally {
        clearTimeout(timer);
      }
    },
    end: () => {
      clearInterval(renewal);
      deps.inFlight?.drop(row);
    },
  };
}
