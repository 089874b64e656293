import { type ActorWithMail, insertMessages } from '../../store/actors.ts';
import { waitingEffects } from '../../store/outbox.ts';
import { readActors, saveTurns } from '../../store/turns.ts';
import type { ActorEvent, DurableMachine } from './durable-machine.ts';
import { refuseReserved } from './mailbox.ts';
import { type Step, step } from './step.ts';
import { type Lots, together } from './together.ts';
import {
  deliverAndRun,
  EVENTS_A_TURN,
  isHeldBack,
  machineOf,
  project,
  runTurn,
  served,
  type TurnDeps,
  type TurnOutcome,
  toSave,
} from './turn.ts';

export interface NewMessage {
  readonly actorId: string;
  readonly eventId: string;
  readonly event: ActorEvent;
}

/** Turns of many actors at once, and events whose turn is taken where they arrive. */
export interface Turns {
  /** Takes one turn. */
  take(actorId: string): Promise<TurnOutcome>;
  /**
   * Delivers an event that nothing else is written with, and takes the actor's turn with it in the same transaction.
   * The same id twice is one event. Once it resolves the event is kept; most often it is served, too.
   * @throws Error for an id of the form that timers or effects have, and when the database does not answer
   */
  send(message: NewMessage): Promise<{ fresh: boolean; outcome: TurnOutcome }>;
}

/** Two lots: while one waits for the disk, the other is read and thought over. */
const LOTS: Lots = { parallel: 2, most: 128 };

type Wanted = { readonly actorId: string; readonly message: NewMessage | null };
/** `alone`: to be taken by itself, because something about it went wrong or it lost to another turn. */
type Answer = { readonly fresh: boolean | null; readonly outcome: TurnOutcome | 'alone' };

/** Turns in lots: one round trip reads many actors, one writes them, and one commit makes them all durable. */
export function groupedTurns(deps: TurnDeps, lots: Lots = LOTS): Turns {
  const grouped = together((wanted: readonly Wanted[]) => takeLot(deps, wanted), lots);
  return {
    async take(actorId) {
      const { outcome } = await grouped({ actorId, message: null });
      return outcome === 'alone' ? await runTurn(deps, actorId) : outcome;
    },
    async send(message) {
      refuseReserved(message.eventId);
      const { fresh, outcome } = await grouped({ actorId: message.actorId, message });
      if (fresh === null) return await deliverAndRun(deps, message);
      return { fresh, outcome: outcome === 'alone' ? await runTurn(deps, message.actorId) : outcome };
    },
  };
}

interface Taken {
  readonly actor: ActorWithMail;
  readonly machine: DurableMachine;
  readonly step: Step;
  readonly news: NewMessage | null;
}

async function takeLot(deps: TurnDeps, wanted: readonly Wanted[]): Promise<Answer[]> {
  const byActor = new Map<string, Wanted[]>();
  for (const w of wanted) byActor.set(w.actorId, [...(byActor.get(w.actorId) ?? []), w]);
  const answers = new Map<Wanted, Answer>();
  const answer = (actorId: string, outcome: Answer['outcome'], fresh: boolean | null): void => {
    for (const w of byActor.get(actorId)!) {
      // What was written beforehand is answered already, but for the turn.
      const known = answers.get(w)?.fresh;
      answers.set(w, { fresh: w.message ? (known ?? fresh) : null, outcome });
    }
  };
  try {
    const now = deps.now();
    // Several events for one actor are delivered first: only a single one can be served as it comes.
    const several = [...byActor.values()].filter((ws) => ws.filter((w) => w.message).length > 1).flat();
    const many = several.filter((w) => w.message !== null);
    if (many.length > 0) {
      const fresh = await insertMessages(
        deps.db,
        many.map((w) => w.message!),
        now,
      );
      many.forEach((w, i) => {
        answers.set(w, { fresh: fresh[i]!, outcome: 'alone' });
      });
    }
    const actors = await readActors(deps.db, [...byActor.keys()], EVENTS_A_TURN);
    const idle: string[] = [];
    const taken: Taken[] = [];
    for (const actor of actors) {
      const single = byActor.get(actor.id)!.filter((w) => w.message && !answers.has(w));
      const news = single[0]?.message ?? null;
      if (isHeldBack(actor, now) || (actor.messages.length === 0 && news === null)) {
        if (news === null) idle.push(actor.id);
        continue;
      }
      const one = stepOf(deps, actor, news, now);
      if (one !== null) taken.push(one);
    }
    await saveLot(deps, taken, now, answer);
    if (idle.length > 0) await answerIdle(deps, idle, now, answer);
  } catch {
    // Whatever it was, each goes alone now, meets it there, and is dealt with by itself.
  }
  return wanted.map((w) => answers.get(w) ?? { fresh: null, outcome: 'alone' });
}

/** @returns null when this actor must go alone: something threw, or its mailbox is too full to append to */
function stepOf(deps: TurnDeps, actor: ActorWithMail, news: NewMessage | null, now: Date): Taken | null {
  if (news && actor.messages.length >= EVENTS_A_TURN) return null;
  const messages = news ? [...actor.messages, { seq: NEWS, ...news }] : actor.messages;
  try {
    const machine = machineOf(deps, actor);
    const taken = step(machine, { ...actor, messages }, now);
    return news && taken.served.length < messages.length ? null : { actor, machine, step: taken, news };
  } catch {
    return null;
  }
}

/** In place of a number in the mailbox, where it does not stand yet. */
const NEWS = '';

type Tell = (actorId: string, outcome: Answer['outcome'], fresh: boolean | null) => void;

async function saveLot(deps: TurnDeps, lot: readonly Taken[], now: Date, answer: Tell): Promise<void> {
  const plain = lot.filter((t) => !t.machine.project);
  // In one order everywhere: two lots that hold rows of the same actors then wait instead of standing against each other.
  const projected = lot.filter((t) => t.machine.project).sort((a, b) => (a.actor.id < b.actor.id ? -1 : 1));
  const tell = (part: readonly Taken[], written: Awaited<ReturnType<typeof saveTurns>>): void => {
    for (const { actor, step: taken, news } of part) {
      const saved = written.saved.has(actor.id);
      const fresh = news ? written.fresh.has(actor.id) : null;
      answer(actor.id, saved ? served(actor, taken, EVENTS_A_TURN) : 'alone', fresh);
    }
  };
  const parts: Promise<void>[] = [];
  if (plain.length > 0)
    parts.push(saveTurns(deps.db, plain.map(row), now).then((written) => tell(plain, written)));
  if (projected.length > 0) {
    const both = deps.db.transaction().execute(async (trx) => {
      const written = await saveTurns(trx, projected.map(row), now);
      for (const { actor, machine, step: taken } of projected) {
        if (written.saved.has(actor.id)) await project(trx, machine, actor.id, taken, now);
      }
      return written;
    });
    parts.push(both.then((written) => tell(projected, written)));
  }
  // One part that fails goes alone; what the other wrote stands.
  await Promise.allSettled(parts);
  if (lot.length > 0) deps.crash('after-turn-commit');
}

function row({ actor, machine, step: taken, news }: Taken) {
  const turn = toSave(machine, actor, taken);
  if (news === null) return turn;
  return {
    ...turn,
    consumed: turn.consumed.filter((seq) => seq !== NEWS),
    news: { eventId: news.eventId, event: news.event },
  };
}

async function answerIdle(deps: TurnDeps, ids: readonly string[], now: Date, answer: Tell): Promise<void> {
  const waiting = await waitingEffects(deps.db, ids, now);
  for (const id of ids) {
    answer(id, { kind: 'idle', effects: waiting.filter((e) => e.actorId === id) }, null);
  }
}
