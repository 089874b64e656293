import type { Lane } from '../effects/effect.ts';

/** Wakes workers. A ring that is lost costs time, never work: Postgres holds what is to be done. */
export interface Bell {
  /** An actor has an event, or effects that wait. Ring after the commit that wrote it. */
  actor(actorId: string): void;
  /** An effect waits, from `delayMs` on. */
  effect(key: string, lane: Lane, delayMs?: number): void;
}

/** What a worker is woken for. */
export interface Ringing {
  actor(actorId: string): Promise<void>;
  /** @param free the effect itself is over, and only its outcome is being written: others may begin */
  effect(key: string, free: () => void): Promise<void>;
}

/** How much is answered at once: turns, and effects by lane. */
export type Concurrency = Readonly<Record<'turns' | Lane, number>>;
