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
  | { readonly kind: 'timer'; readonly id: string; readonly delayMs: number; readonly event: ActorEvent }
  | { readonly kind: 'cancel'; readonly id: string };

/**
 * Reads the actions of a transition as what is to be written: effects, timers, cancelled timers.
 * @throws Error for an action the machine did not declare: what cannot be carried out fails the turn
 */
export function consequences(machine: DurableMachine, actions: readonly RawAction[]): Consequence[] {
  return actions.map(({ type, params }): Consequence => {
    const given = (params ?? {}) as Record<string, unknown>;
    if (type === 'xstate.raise' && typeof given.delay === 'number') {
      return { kind: 'timer', id: String(given.id), delayMs: given.delay, event: given.event as ActorEvent };
    }
    if (type === 'xstate.cancel') return { kind: 'cancel', id: String(given.sendId) };
    if (!machine.effects.includes(type))
      throw new Error(`${machine.kind} asked for "${type}", which it does not declare`);
    return {
      kind: 'effect',
      name: type,
      key: typeof given.key === 'string' ? given.key : null,
      params: given,
    };
  });
}
