import type { Database } from '../../store/database.ts';
import { closeEffects, type EffectRow, type LeaseClock } from '../../store/outbox.ts';

const BACK = { status: 'pending', error: null, failed: false, event: null, waitMs: 0 } as const;

/** The attempts that are under way in this process, so that one that ends can give back what it does not finish. */
export class Holdings {
  readonly #held = new Map<EffectRow, (reason: Error) => void>();

  get size(): number {
    return this.#held.size;
  }

  /** @param stop tells the run that it counts no more */
  take(row: EffectRow, stop: (reason: Error) => void): void {
    this.#held.set(row, stop);
  }

  drop(row: EffectRow): void {
    this.#held.delete(row);
  }

  /**
   * Gives everything back at once, as attempts that neither failed nor died: whoever takes one next asks first what
   * came of it. For a process that ends right after; what its runs still do is written by nobody. @returns how many
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
    // Told only now: a run that gives up because of it finds its attempt closed, and counts it for no failure.
    for (const [, stop] of held) stop(new Error('this process ends'));
    return closed.size;
  }
}
