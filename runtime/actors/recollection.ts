import type { AnyMachineSnapshot } from 'xstate';
import type { ActorWithMail } from '../../store/actors.ts';
import type { DurableMachine } from './durable-machine.ts';
import type { Step } from './step.ts';

interface Recalled {
  readonly actor: ActorWithMail;
  readonly live: AnyMachineSnapshot;
}

/**
 * What this process last wrote of its busiest actors, so that the next event need not read them again. It is never
 * believed: a turn taken from it counts only over the very revision, and only if no mail stands unserved.
 */
export class Recollection {
  readonly #most: number;
  readonly #actors = new Map<string, Recalled>();

  constructor(most: number) {
    this.#most = most;
  }

  of(id: string): Recalled | null {
    return this.#actors.get(id) ?? null;
  }

  /** Keeps what a turn has left, in place of the one that was kept longest. */
  keep(machine: DurableMachine, { snapshot, agenda }: Step, actor: ActorWithMail): void {
    this.#actors.delete(actor.id);
    const left = {
      id: actor.id,
      kind: actor.kind,
      version: machine.version,
      snapshot: null,
      revision: actor.revision + 1n,
      next_turn_at: null,
      messages: [],
      timers: agenda.standing,
    };
    this.#actors.set(actor.id, { actor: left, live: snapshot });
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
