import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';
import { type Pace, takePlace } from '../../store/paces.ts';

/** An attempt that may not go yet: no failure, and tried again after `waitMs`. */
export class TooFast extends Error {
  readonly waitMs: number;

  constructor(kind: string, waitMs: number) {
    super(`${kind} goes as fast as it may`);
    this.waitMs = waitMs;
  }
}

/** So long an attempt waits with its place kept; longer, and the place is another's meanwhile. */
const WAIT_MS = 500;

/** Holds each kind of effect to its pace, all processes together. A kind without one goes as it comes. */
export function pacer(db: Database, paces: ReadonlyMap<string, Pace>): (kind: string) => Promise<void> {
  return async (kind) => {
    const pace = paces.get(kind);
    if (!pace) return;
    for (let waited = 0; ; ) {
      const ms = await takePlace(db, `effect:${kind}`, pace);
      if (ms === 0) return;
      waited += ms;
      // Not all come back at the same moment.
      if (waited > WAIT_MS) throw new TooFast(kind, Math.ceil(ms * (1 + Math.random())));
      await sleep(ms);
    }
  };
}
