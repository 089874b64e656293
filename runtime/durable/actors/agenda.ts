import type { NewEffect, NewTimer } from '../../../store/durable/actors.ts';
import type { Consequence } from './actions.ts';

const TIMER_EVENT = /^timer:(.*):(\d+)$/s;

/** Whether an event id has the form that only timers use. */
export function isTimerEvent(eventId: string): boolean {
  return TIMER_EVENT.test(eventId);
}

/**
 * What one mailbox batch will write besides the snapshot, collected event by event. It knows which timers are set, so
 * that the event of a timer that was cancelled, or set again after it fired, is recognised and dropped.
 */
export class Agenda {
  readonly effects: NewEffect[] = [];
  readonly #actorId: string;
  readonly #revision: bigint;
  readonly #now: Date;
  readonly #standing: Map<string, number>;
  readonly #ended = new Set<string>();
  readonly #set = new Map<string, NewTimer>();
  #index = 0;

  /** @param revision the revision that this batch will write */
  constructor(batch: {
    actorId: string;
    revision: bigint;
    now: Date;
    timers?: Readonly<Record<string, number>>;
  }) {
    this.#actorId = batch.actorId;
    this.#revision = batch.revision;
    this.#now = batch.now;
    this.#standing = new Map(Object.entries(batch.timers ?? {}));
  }

  /** Timers that have ended and were not set again. */
  get ended(): string[] {
    return [...this.#ended];
  }

  get timers(): NewTimer[] {
    return [...this.#set.values()];
  }

  /** Every timer that is set once the batch is written, with the revision that set it. */
  get standing(): Record<string, number> {
    const set = [...this.#set.keys()].map((id) => [id, Number(this.#revision)] as const);
    return Object.fromEntries([...this.#standing, ...set]);
  }

  /** Takes the event of a timer. @returns false when that timer was cancelled or set again after it fired */
  takes(eventId: string): boolean {
    const [, id, setAt] = TIMER_EVENT.exec(eventId) ?? [];
    if (id === undefined) return true;
    if (this.#standing.get(id) !== Number(setAt)) return false;
    this.#cancel(id);
    return true;
  }

  /**
   * An effect without a key of its own gets one made of the actor and this revision, so that no batch can ask for the
   * same effect twice.
   */
  add(list: readonly Consequence[]): void {
    for (const item of list) {
      const own = `${this.#actorId}:${this.#revision}:${this.#index++}`;
      if (item.kind === 'effect') {
        this.effects.push({ key: item.key ?? own, kind: item.name, params: item.params });
      } else if (item.kind === 'cancel') {
        this.#cancel(item.id);
      } else {
        const timerId = item.id ?? own;
        const dueAt = new Date(this.#now.getTime() + item.delayMs);
        this.#cancel(timerId);
        this.#ended.delete(timerId);
        this.#set.set(timerId, { timerId, dueAt, event: item.event });
      }
    }
  }

  #cancel(id: string): void {
    this.#set.delete(id);
    if (this.#standing.delete(id)) this.#ended.add(id);
  }
}
