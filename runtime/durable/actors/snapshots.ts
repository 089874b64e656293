import { type AnyMachineSnapshot, createActor, type Snapshot } from 'xstate';
import type { DurableMachine } from './durable-machine.ts';

/** A snapshot that cannot be used: a newer release wrote it, or it is not one of its machine. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

/**
 * Migrates a stored snapshot step by step to the machine's version and returns it ready for `transition`. It starts no
 * live XState actor: one that is restored would run invoked promises again and lose its timers.
 * @throws SnapshotError for a newer version, a missing step, a failed machine or a state that no longer exists
 */
export function restore(machine: DurableMachine, version: number, stored: unknown): AnyMachineSnapshot {
  if (version > machine.version) {
    throw new SnapshotError(
      `a snapshot of ${machine.kind} has version ${version}; this release knows ${machine.version}`,
    );
  }
  let snapshot = stored;
  for (let from = version; from < machine.version; from++) {
    const step = machine.migrate[from];
    if (!step) throw new SnapshotError(`${machine.kind} has no step from snapshot version ${from}`);
    snapshot = step(snapshot);
  }
  machine.validate(snapshot);
  const restored = createActor(machine.logic, {
    snapshot: snapshot as Snapshot<unknown>,
  }).getSnapshot() as AnyMachineSnapshot;
  if (restored.status === 'error')
    throw new SnapshotError(`a snapshot of ${machine.kind} is of no state it has`);
  return restored;
}

/** What is written to the row. */
export function persist(machine: DurableMachine, snapshot: AnyMachineSnapshot): unknown {
  return machine.logic.getPersistedSnapshot(snapshot);
}
