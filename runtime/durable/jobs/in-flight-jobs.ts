import type { Database } from '../../../store/database.ts';
import { closeEffects, type EffectRow, type LeaseClock } from '../../../store/durable/outbox.ts';

const BACK = { status: 'pending', error: null, failed: false, event: null, waitMs: 0 } as const;

/** The attempts that run in this process, so that a process that ends can give back what it does not finish. */
export class InFlightJobs {
  readonly #held = new Map<EffectRow, (reason: Error) => void>();

  get size(): number {
    return this.#held.size;
  }

  /** @param stop aborts the run, whose outcome will no longer be recorded */
  take(row: EffectRow, stop: (reason: Error) => void): void {
    this.#held.set(row, stop);
  }

  drop(row: EffectRow): void {
    this.#held.delete(row);
  }

  /**
   * Releases all attempts at once, as neither failed nor crashed. Whoever claims one next reconciles it first. The
   * process must end right after, because nobody records what its runs still do. @returns how many were released
   */
  async giveBack(db: Database, at: { now: Date; clock: LeaseClock }): Promise<number> {
    const held = [...this.#held];
    this.#held.clear();
    if (held.length === 0) return 0;
    const closed = await closeEffects(
      db,
      held.map(([{ key, attempts }]) => ({ key, attempt: attempts, ...BACK })),
      at,
    );
    // Aborted only after the rows are closed: a run that throws because of the abort then counts as no failure.
    for (const [, stop] of held) stop(new Error('this process ends'));
    return closed.size;
  }
}
