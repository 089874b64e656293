import { isDeepStrictEqual } from 'node:util';
import type { HistoricEvent, History } from '../../store/histories.ts';
import type { DurableMachine } from './durable-machine.ts';
import { persist, restore } from './snapshots.ts';
import { step } from './step.ts';

/** One turn as it comes out when it is gone through again. */
export interface ReplayedTurn {
  readonly turn: number;
  readonly at: Date | null;
  readonly events: readonly HistoricEvent[];
  readonly before: unknown;
  readonly after: unknown;
  /** Kinds of the effects that it asks for. */
  readonly asked: readonly string[];
}

export interface Replay {
  readonly turns: readonly ReplayedTurn[];
  /**
   * `same`: today's machine makes of its base and its events the snapshot that stands. `unkept`: its birth, or which
   * turn served some event, was not kept. `differs` and `throws` speak of a machine that is not the one that ran then.
   */
  readonly verdict: 'same' | 'differs' | 'throws' | 'unkept';
  readonly says: string;
  /** What came out last; null where nothing did. */
  readonly snapshot: unknown;
}

const BIRTH_TIMER = /^timer:(.*):0$/s;

/**
 * Goes through an actor's turns again by the pure machine alone, from its birth, or from the checkpoint up to which its
 * history was forgotten: nothing is written or sent.
 */
export function replay(machine: DurableMachine, history: History): Replay {
  const { actor, base, events } = history;
  const turns: ReplayedTurn[] = [];
  const ends = (verdict: Replay['verdict'], says: string): Replay => ({
    turns,
    verdict,
    says,
    snapshot: turns.at(-1)?.after ?? base?.snapshot ?? null,
  });
  if (base === null) return ends('unkept', 'its birth was not kept');
  const begin = base.revision === 0n ? 'its birth' : `the checkpoint after turn ${base.revision}`;
  const served = new Map<bigint, HistoricEvent[]>();
  for (const event of events) {
    if (event.served_in !== null)
      served.set(event.served_in, [...(served.get(event.served_in) ?? []), event]);
    else if (base.revision === 0n && event.consumed_at !== null && event.parked_at === null)
      return ends('unkept', `which turn served ${event.event_id} was not kept`);
  }
  // A timer of the birth that nobody cancelled has fired since: its event says that it stood.
  const born = events.flatMap(({ event_id }) => BIRTH_TIMER.exec(event_id)?.[1] ?? []);
  let timers = base.timers ?? Object.fromEntries(born.map((id) => [id, 0]));
  let { version, snapshot }: { version: number; snapshot: unknown } = base;
  for (let turn = base.revision + 1n; turn <= actor.revision; turn++) {
    const mail = served.get(turn);
    if (!mail) return ends('unkept', `what turn ${turn} served was not kept`);
    const messages = mail.map((m) => ({ seq: String(m.seq), eventId: m.event_id, event: m.event }));
    const { id, kind } = actor;
    const was = { id, kind, version, snapshot, revision: turn - 1n, next_turn_at: null, messages, timers };
    try {
      const taken = step(machine, was, new Date(0));
      const after = plain(persist(machine, taken.snapshot));
      const asked = taken.agenda.effects.map((e) => e.kind);
      turns.push({
        turn: Number(turn),
        at: mail[0]?.consumed_at ?? null,
        events: mail,
        before: snapshot,
        after,
        asked,
      });
      if (taken.served.length < mail.length)
        return ends('throws', `turn ${turn} does not take all its events now`);
      snapshot = after;
      version = machine.version;
      timers = taken.agenda.standing;
    } catch (error) {
      return ends(
        'throws',
        `turn ${turn} throws now: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  const stands = plain(persist(machine, restore(machine, actor.version, actor.snapshot)));
  return isDeepStrictEqual(plain(snapshot), stands)
    ? ends('same', `${turns.length} turns from ${begin} lead to the snapshot that stands`)
    : ends(
        'differs',
        `${turns.length} turns from ${begin} lead to another snapshot than the one that stands`,
      );
}

/** As it would come back from its row. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
