import type { ActorEvent, DurableMachine } from './durable-machine.ts';

/** An action as the pure transition hands it over. */
export interface RawAction {
  readonly type: string;
  readonly params?: unknown;
}

export type Consequence =
  | {
      readonly kind: 'effect';
      readonly name: string;
      readonly key: string | null;
      readonly params: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'timer';
      readonly id: string | null;
      readonly delayMs: number;
      readonly event: ActorEvent;
    }
  | { readonly kind: 'cancel'; readonly id: string };

/**
 * Reads the actions of a transition as what is to be written: effects, timers, cancelled timers.
 * @throws Error for an action the machine did not declare: the batch then fails, because nobody could carry it out
 */
export function consequences(machine: DurableMachine, actions: readonly RawAction[]): Consequence[] {
  return actions.flatMap(({ type, params }): Consequence[] => {
    const given = (params ?? {}) as Record<string, unknown>;
    if (type === 'xstate.raise') {
      // Without a delay the machine took the event itself, inside the same transition.
      if (typeof given.delay !== 'number') return [];
      const id = given.id === undefined ? null : String(given.id);
      return [{ kind: 'timer', id, delayMs: given.delay, event: given.event as ActorEvent }];
    }
    if (type === 'xstate.cancel') return [{ kind: 'cancel', id: String(given.sendId) }];
    if (!machine.effects.includes(type))
      throw new Error(`${machine.kind} asked for "${type}", which it does not declare`);
    const key = typeof given.key === 'string' ? given.key : null;
    return [{ kind: 'effect', name: type, key, params: given }];
  });
}
