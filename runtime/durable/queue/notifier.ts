import type { Lane } from '../jobs/effect.ts';
import type { JobLane } from '../jobs/job-lane.ts';

/** Wakes workers. A lost wake-up costs time and never work, because Postgres holds what is to be done. */
export interface Notifier {
  /** An actor has an event, or effects that wait. Call it after the commit that wrote them. */
  actor(actorId: string): void;
  /** Something is due in this lane after `delayMs`. What it is stands in Postgres. */
  jobs(lane: Lane, delayMs?: number): void;
}

/** What a worker is woken for. */
export interface Waker {
  actor(actorId: string): Promise<void>;
  readonly lanes: ReadonlyMap<Lane, JobLane>;
}

/** How much runs at the same time: mailboxes, and effects by lane. */
export type Concurrency = Readonly<Record<'mailboxes' | Lane, number>>;
