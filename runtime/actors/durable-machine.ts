import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import type { Trx } from '../../store/database.ts';

/** An event as it stands in the mailbox: JSON, told apart by its type. */
export type ActorEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** A machine as the runtime carries it. The runtime knows no machine by name. */
export interface DurableMachine {
  /** Part of every actor's id: `{kind}:{key}`. */
  readonly kind: string;
  /** Schema version of the snapshots it writes. */
  readonly version: number;
  readonly logic: AnyStateMachine;
  /** The actions that become effects; any other action fails the turn. */
  readonly effects: readonly string[];
  /** Throws when a snapshot is not one of this version. */
  validate(snapshot: unknown): void;
  /** From version `n` to `n + 1`, by `n`. */
  readonly migrate: Readonly<Record<number, (snapshot: unknown) => unknown>>;
  /** Rows that show the state to readers, written in the turn's own transaction. */
  project?(
    trx: Trx,
    actor: { id: string; key: string },
    snapshot: AnyMachineSnapshot,
    now: Date,
  ): Promise<void>;
}

/** Machines by kind. */
export type Machines = ReadonlyMap<string, DurableMachine>;

export function actorId(machine: DurableMachine, key: string): string {
  return `${machine.kind}:${key}`;
}

export function keyOf(id: string): string {
  return id.slice(id.indexOf(':') + 1);
}
