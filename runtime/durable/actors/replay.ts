import { isDeepStrictEqual } from 'node:util';
import type { HistoricEvent, History } from '../../../store/durable/histories.ts';
import type { DurableMachine } from './durable-machine.ts';
import { persist, restore } from './snapshots.ts';
import { step } from './step.ts';

/** What one batch comes to when its events go through the machine again. */
export interface ReplayedBatch {
  readonly batch: number;
  readonly at: Date | null;
  readonly events: readonly HistoricEvent[];
  readonly before: unknown;
  readonly after: unknown;
  /** Kinds of the effects that it asks for. */
  readonly asked: readonly string[];
}

export interface Replay {
  readonly batches: readonly ReplayedBatch[];
  /**
   * `same`: today's machine makes of its base and its events the snapshot that stands. `unkept`: its birth, or which
   * batch served some event, was not kept. `differs` and `throws` speak of a machine that is not the one that ran then.
   */
  readonly verdict: 'same' | 'differs' | 'throws' | 'unkept';
  readonly says: string;
  /** The last snapshot that came out; null where none did. */
  readonly snapshot: unknown;
}

const BIRTH_TIMER = /^timer:(.*):0$/s;

/**
 * Runs an actor's batches again through the pure machine, from its birth or from the checkpoint up to which its history
 * was deleted. Writes and sends nothing.
 */
export function replay(machine: DurableMachine, history: History): Replay {
  const { actor, base, events } = history;
  const batches: ReplayedBatch[] = [];
  const ends = (verdict: Replay['verdict'], says: string): Replay => ({
    batches,
    verdict,
    says,
    snapshot: batches.at(-1)?.after ?? base?.snapshot ?? null,
  });
  if (base === null) return ends('unkept', 'its birth was not kept');
  const begin = base.revision === 0n ? 'its birth' : `the checkpoint after batch ${base.revision}`;
  const served = new Map<bigint, HistoricEvent[]>();
  for (const event of events) {
    if (event.served_in !== null)
      served.set(event.served_in, [...(served.get(event.served_in) ?? []), event]);
    else if (base.revision === 0n && event.consumed_at !== null && event.dead_lettered_at === null)
      return ends('unkept', `which batch served ${event.event_id} was not kept`);
  }
  // A timer set at birth has either fired or was cancelled: the event of one that fired shows that it was set.
  const born = events.flatMap(({ event_id }) => BIRTH_TIMER.exec(event_id)?.[1] ?? []);
  let timers = base.timers ?? Object.fromEntries(born.map((id) => [id, 0]));
  let { version, snapshot }: { version: number; snapshot: unknown } = base;
  for (let batch = base.revision + 1n; batch <= actor.revision; batch++) {
    const mail = served.get(batch);
    if (!mail) return ends('unkept', `what batch ${batch} served was not kept`);
    const messages = mail.map((m) => ({ seq: String(m.seq), eventId: m.event_id, event: m.event }));
    const { id, kind } = actor;
    const was = { id, kind, version, snapshot, revision: batch - 1n, next_batch_at: null, messages, timers };
    try {
      const taken = step(machine, was, new Date(0));
      const after = plain(persist(machine, taken.snapshot));
      const asked = taken.agenda.effects.map((e) => e.kind);
      batches.push({
        batch: Number(batch),
        at: mail[0]?.consumed_at ?? null,
        events: mail,
        before: snapshot,
        after,
        asked,
      });
      if (taken.served.length < mail.length)
        return ends('throws', `batch ${batch} does not take all its events now`);
      snapshot = after;
      version = machine.version;
      timers = taken.agenda.standing;
    } catch (error) {
      return ends(
        'throws',
        `batch ${batch} throws now: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  const stands = plain(persist(machine, restore(machine, actor.version, actor.snapshot)));
  return isDeepStrictEqual(plain(snapshot), stands)
    ? ends('same', `${batches.length} batches from ${begin} lead to the snapshot that stands`)
    : ends(
        'differs',
        `${batches.length} batches from ${begin} lead to another snapshot than the one that stands`,
      );
}

/** The same value as if it were read back from its row. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
