import type { AnyMachineSnapshot } from 'xstate';
import type { ActorWithMail } from '../../../store/durable/actors.ts';
import type { DurableMachine } from './durable-machine.ts';
import type { Step } from './step.ts';

interface CachedActor {
  readonly actor: ActorWithMail;
  readonly live: AnyMachineSnapshot;
}

/**
 * What this process last wrote of its busiest actors, so that the next event need not read them again. An entry may be
 * stale: a batch taken from the cache is saved only over the same revision, and only if the mailbox has no unserved mail.
 */
export class ActorCache {
  readonly #most: number;
  readonly #actors = new Map<string, CachedActor>();

  constructor(most: number) {
    this.#most = most;
  }

  of(id: string): CachedActor | null {
    return this.#actors.get(id) ?? null;
  }

  /** Keeps what a batch left behind. When the cache is full, the oldest entry makes room. */
  keep(machine: DurableMachine, { snapshot, agenda }: Step, actor: ActorWithMail): void {
    this.#actors.delete(actor.id);
    const left = {
      id: actor.id,
      kind: actor.kind,
      version: machine.version,
      snapshot: null,
      revision: actor.revision + 1n,
      next_batch_at: null,
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
