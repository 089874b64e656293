import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { Trx } from '../../../store/database.ts';

/** An event as the mailbox stores it: JSON with a type. */
export type ActorEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A state machine as the durable mechanism runs it. The mechanism knows no machine by name. */
export interface DurableMachine {
  /** Part of every actor's id: `{kind}:{key}`. */
  readonly kind: string;
  /** Schema version of the snapshots it writes. */
  readonly version: number;
  readonly logic: AnyStateMachine;
  /** The actions that become effects; any other action makes the batch fail. */
  readonly effects: readonly string[];
  /** Throws when a snapshot is not one of this version. */
  validate(snapshot: unknown): void;
  /** Under `n`: brings a snapshot of version `n` to version `n + 1`. */
  readonly migrate: Readonly<Record<number, (snapshot: unknown) => unknown>>;
  /** Writes the rows that show the state to readers, in the transaction of the batch. */
  project?(
    trx: Trx,
    actor: { id: string; key: string },
    snapshot: AnyMachineSnapshot,
    now: Date,
  ): Promise<void>;
  /** Whoever creates the actor writes what its first state shows, with the rows themselves. */
  readonly shownAtBirth?: true;
  /**
   * What the rows show of a snapshot. Where a batch leaves it as it was, nothing is projected. Null, or left out: every
   * batch is projected.
   */
  shows?(snapshot: AnyMachineSnapshot): string | null;
}

/** Machines by kind. */
export type Machines = ReadonlyMap<string, DurableMachine>;

export function actorId(machine: DurableMachine, key: string): string {
  return `${machine.kind}:${key}`;
}

export function keyOf(id: string): string {
  return id.slice(id.indexOf(':') + 1);
}
