import type { Logger } from 'pino';
import type { Database } from '../../store/database.ts';
import { type EffectRow, extendLease } from '../../store/outbox.ts';
import type { Holdings } from './holdings.ts';

export interface LeaseDeps {
  readonly db: Database;
  readonly log: Pick<Logger, 'warn'>;
  /** Leases run by the database's clock; a simulator, whose time is its own, gives it here. */
  readonly leaseClock?: () => Date;
  /** Where this process notes what is under way, to give it back when it must end before it has ended. */
  readonly holdings?: Holdings;
}

interface Lease {
  /**
   * Runs `work` for as long as its kind may take. One that hangs is left to itself: its lease is let go and its slot
   * is free, because a renewal without an end would keep the effect from everybody for ever.
   * @throws Error when the time is over
   */
  within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Renews no more. */
  end(): void;
}

/** Renews the lease of an attempt until it ends. */
export function keepLease(deps: LeaseDeps, row: EffectRow, leaseMs: number, timeLimitMs: number): Lease {
  const over = new AbortController();
  deps.holdings?.take(row, (reason) => over.abort(reason));
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
      deps.holdings?.drop(row);
    },
  };
}
