import type { ActorWithMail } from '../../store/actors.ts';
import type { DurableMachine } from './durable-machine.ts';
import { persist } from './snapshots.ts';
import type { Step } from './step.ts';

/**
 * What this process last wrote of its busiest actors, so that the next event need not read them again. It is never
 * believed: a turn taken from it counts only over the very revision, and only if no mail stands unserved.
 */
export class Recollection {
  readonly #most: number;
  readonly #actors = new Map<string, ActorWithMail>();

  constructor(most: number) {
    this.#most = most;
  }

  of(id: string): ActorWithMail | null {
    return this.#actors.get(id) ?? null;
  }

  /** Keeps what a turn has left, in place of the one that was kept longest. */
  keep(machine: DurableMachine, { snapshot, agenda }: Step, actor: ActorWithMail): void {
    this.#actors.delete(actor.id);
    this.#actors.set(actor.id, {
      ...actor,
      version: machine.version,
      // As it would come back from its row.
      snapshot: JSON.parse(JSON.stringify(persist(machine, snapshot))),
      revision: actor.revision + 1n,
      next_turn_at: null,
      messages: [],
      timers: agenda.standing,
    });
    if (this.#actors.size <= this.#most) return;
    for (const oldest of this.#actors.keys()) {
      this.#actors.delete(oldest);
      return;
    }
  }

  forget(id: string): void {
    this.#actors.delete(id);
  }
}
