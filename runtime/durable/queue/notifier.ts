import type { Lane } from '../jobs/effect.ts';

/** Wakes workers. A lost wake-up costs time and never work, because Postgres holds what is to be done. */
export interface Notifier {
  /** An actor has an event, or effects that wait. Call it after the commit that wrote them. */
  actor(actorId: string): void;
  /** An effect is due after `delayMs`. */
  effect(key: string, lane: Lane, delayMs?: number): void;
}

/** What a worker is woken for. */
export interface Waker {
  actor(actorId: string): Promise<void>;
  /** @param free called when the effect has run and only its outcome is being written: others may start */
  effect(key: string, free: () => void): Promise<void>;
}

/** How much runs at the same time: mailboxes, and effects by lane. */
export type Concurrency = Readonly<Record<'mailboxes' | Lane, number>>;
