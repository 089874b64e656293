import type { AnyMachineSnapshot } from 'xstate';
import { type ActorWithMail, insertMessages } from '../../store/actors.ts';
import { type LeaseClock, waitingEffects } from '../../store/outbox.ts';
import { readActors, type Saved, saveTurns, type TurnToSave } from '../../store/turns.ts';
import type { ActorEvent, DurableMachine } from './durable-machine.ts';
import { refuseReserved } from './mailbox.ts';
import { Recollection } from './recollection.ts';
import { type Lots, together } from './together.ts';
import {
  type AskedEffect,
  deliverAndRun,
  EVENTS_A_TURN,
  isHeldBack,
  machineOf,
  project,
  runTurn,
  type SpannedStep,
  served,
  spannedStep,
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

/** Effects that this process will begin at once are born in its hands: no second round trip, no second commit. */
export interface Hands {
  /** For how many more of this kind there is room now. */
  readonly room: (kind: string) => number;
  readonly leaseMs: number;
  readonly clock: () => LeaseClock;
}

/** Two lots: while one waits for the disk, the other is read and thought over. */
const LOTS: Lots = { parallel: 2, most: 128 };
/** How often a turn that lost goes with others again before it goes alone. */
const TRIES = 3;
/** About two kilobytes each. */
const REMEMBERED = 5_000;

/** Turns in lots: one round trip reads many actors, one writes them, and one commit makes them all durable. */
export function groupedTurns(deps: TurnDeps, options: { lots?: Lots; hands?: Hands } = {}): Turns {
  const recollection = new Recollection(REMEMBERED);
  const grouped = together(
    (wanted: readonly Wanted[]) => new Lot(deps, wanted, recollection, options.hands).take(),
    options.lots ?? LOTS,
  );
  const take = async (actorId: string, tries = TRIES): Promise<TurnOutcome> => {
    const { outcome } = await grouped({ actorId, message: null });
    if (outcome === 'lost' && tries > 0) return await take(actorId, tries - 1);
    return typeof outcome === 'string' ? await runTurn(deps, actorId) : outcome;
  };
  return {
    take,
    async send(message) {
      refuseReserved(message.eventId);
      const { fresh, outcome } = await grouped({ actorId: message.actorId, message });
      if (fresh === null) return await deliverAndRun(deps, message);
      if (outcome === 'lost') return { fresh, outcome: await take(message.actorId) };
      return { fresh, outcome: outcome === 'alone' ? await runTurn(deps, message.actorId) : outcome };
    },
  };
}

type Wanted = { readonly actorId: string; readonly message: NewMessage | null };
/** `alone`: to be taken by itself, because something about it went wrong; `lost`: another turn was saved meanwhile. */
type Answer = { readonly fresh: boolean | null; readonly outcome: TurnOutcome | 'alone' | 'lost' };

interface Taken {
  readonly actor: ActorWithMail;
  readonly machine: DurableMachine;
  readonly step: SpannedStep;
  readonly news: NewMessage | null;
  readonly blind: boolean;
}

/** In place of a number in the mailbox, where it does not stand yet. */
const NEWS = '';

class Lot {
  readonly #deps: TurnDeps;
  readonly #now: Date;
  readonly #wanted: readonly Wanted[];
  readonly #byActor = new Map<string, Wanted[]>();
  readonly #recollection: Recollection;
  readonly #hands: Hands | undefined;
  readonly #answers = new Map<Wanted, Answer>();
  readonly #room = new Map<string, number>();

  constructor(deps: TurnDeps, wanted: readonly Wanted[], recollection: Recollection, hands?: Hands) {
    this.#deps = deps;
    this.#now = deps.now();
    this.#wanted = wanted;
    this.#recollection = recollection;
    this.#hands = hands;
    for (const w of wanted) this.#byActor.set(w.actorId, [...(this.#byActor.get(w.actorId) ?? []), w]);
  }

  async take(): Promise<Answer[]> {
    try {
      await this.#deliverSeveral();
      const taken: Taken[] = [];
      const toRead: string[] = [];
      for (const [id, wanted] of this.#byActor) {
        const news = this.#newsOf(id);
        const known = news && wanted.length === 1 ? this.#recollection.of(id) : null;
        const one = known && this.#step(known.actor, news, known.live);
        if (one) taken.push(one);
        else toRead.push(id);
      }
      const idle: string[] = [];
      const read = toRead.length > 0 ? await readActors(this.#deps.db, toRead, EVENTS_A_TURN) : [];
      for (const actor of read) {
        const news = this.#newsOf(actor.id);
        if (isHeldBack(actor, this.#now) || (actor.messages.length === 0 && news === null)) {
          if (news === null) idle.push(actor.id);
          continue;
        }
        const one = this.#step(actor, news, null);
        if (one) taken.push(one);
      }
      await this.#save(taken);
      await this.#answerIdle(idle);
    } catch {
      // Whatever it was, each goes alone now, meets it there, and is dealt with by itself.
    }
    return this.#wanted.map((w) => this.#answers.get(w) ?? { fresh: null, outcome: 'alone' });
  }

  /** Several events for one actor are delivered first: only a single one can be served as it comes. */
  async #deliverSeveral(): Promise<void> {
    const several = [...this.#byActor.values()]
      .filter((wanted) => wanted.filter((w) => w.message).length > 1)
      .flat()
      .filter((w) => w.message !== null);
    if (several.length === 0) return;
    const messages = several.map((w) => w.message!);
    const fresh = await insertMessages(this.#deps.db, messages, this.#now);
    several.forEach((w, i) => {
      this.#answers.set(w, { fresh: fresh[i]!, outcome: 'alone' });
    });
  }

  /** The one event for this actor that does not stand in its mailbox yet. */
  #newsOf(id: string): NewMessage | null {
    return this.#byActor.get(id)!.find((w) => w.message && !this.#answers.has(w))?.message ?? null;
  }

  /** @returns null when this actor must go alone: something threw, or its mailbox is too full to append to */
  #step(actor: ActorWithMail, news: NewMessage | null, live: AnyMachineSnapshot | null): Taken | null {
    if (news && actor.messages.length >= EVENTS_A_TURN) return null;
    const messages = news ? [...actor.messages, { seq: NEWS, ...news }] : actor.messages;
    try {
      const machine = machineOf(this.#deps, actor);
      const taken = spannedStep(this.#deps, machine, { ...actor, messages }, this.#now, live);
      if (news && taken.served.length < messages.length) {
        taken.span.end();
        return null;
      }
      return { actor, machine, step: taken, news, blind: live !== null };
    } catch {
      return null;
    }
  }

  async #save(lot: readonly Taken[]): Promise<void> {
    const plain = lot.filter((t) => !t.machine.project);
    // In one order everywhere: two lots with rows of the same actors then wait instead of standing against each other.
    const projected = lot.filter((t) => t.machine.project).sort((a, b) => (a.actor.id < b.actor.id ? -1 : 1));
    const lease = { leaseMs: this.#hands?.leaseMs ?? 0, clock: this.#hands?.clock() ?? null };
    const parts: Promise<void>[] = [];
    if (plain.length > 0) {
      const rows = plain.map((t) => this.#row(t));
      parts.push(
        saveTurns(this.#deps.db, rows, this.#now, lease).then((written) => this.#tell(plain, rows, written)),
      );
    }
    if (projected.length > 0) {
      const rows = projected.map((t) => this.#row(t));
      const both = this.#deps.db.transaction().execute(async (trx) => {
        const written = await saveTurns(trx, rows, this.#now, lease);
        for (const { actor, machine, step: taken } of projected) {
          if (written.saved.has(actor.id)) await project(trx, machine, actor.id, taken, this.#now);
        }
        return written;
      });
      parts.push(both.then((written) => this.#tell(projected, rows, written)));
    }
    // A part that fails goes alone; what the other wrote stands.
    const ends = await Promise.allSettled(parts);
    for (const { step: taken } of lot) taken.span.end();
    if (ends.some((e) => e.status === 'rejected')) for (const t of lot) this.#recollection.forget(t.actor.id);
    if (lot.length > 0) this.#deps.crash('after-turn-commit');
  }

  #row({ actor, machine, step: taken, news, blind }: Taken): TurnToSave {
    const turn = toSave(machine, actor, taken);
    return {
      ...turn,
      consumed: turn.consumed.filter((seq) => seq !== NEWS),
      effects: turn.effects.map((e) => ({ ...e, held: this.#hold(e.kind) })),
      news: news && { eventId: news.eventId, event: news.event },
      blind,
    };
  }

  #hold(kind: string): boolean {
    const room = this.#room.get(kind) ?? this.#hands?.room(kind) ?? 0;
    this.#room.set(kind, room - 1);
    return room > 0;
  }

  #tell(part: readonly Taken[], rows: readonly TurnToSave[], written: Saved): void {
    part.forEach(({ actor, machine, step: taken, news }, i) => {
      const fresh = news ? written.fresh.has(actor.id) : null;
      if (!written.saved.has(actor.id)) {
        this.#recollection.forget(actor.id);
        this.#answer(actor.id, 'lost', fresh);
        return;
      }
      const outcome = served(actor, taken, EVENTS_A_TURN);
      const effects = rows[i]!.effects.map((e): AskedEffect => {
        if (!e.held || !written.asked.has(e.key)) return e;
        return { key: e.key, kind: e.kind, row: firstAttempt(actor.id, e) };
      });
      if (outcome.kind === 'served' && !outcome.more) this.#recollection.keep(machine, taken, actor);
      this.#answer(actor.id, { ...outcome, effects } as TurnOutcome, fresh);
    });
  }

  async #answerIdle(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const waiting = await waitingEffects(this.#deps.db, ids, this.#now);
    for (const id of ids) {
      this.#answer(id, { kind: 'idle', effects: waiting.filter((e) => e.actorId === id) }, null);
    }
  }

  #answer(actorId: string, outcome: Answer['outcome'], fresh: boolean | null): void {
    this.#byActor.get(actorId)!.forEach((w, i) => {
      const known = this.#answers.get(w)?.fresh;
      // Of several that asked for one turn, one starts what came of it.
      const mine =
        i === 0 || typeof outcome === 'string' ? outcome : ({ kind: 'idle', effects: [] } as const);
      this.#answers.set(w, { fresh: w.message ? (known ?? fresh) : null, outcome: mine });
    });
  }
}

function firstAttempt(actorId: string, { key, kind, params }: { key: string; kind: string; params: object }) {
  return {
    key,
    kind,
    actor_id: actorId,
    // As it would come back from its row.
    params: JSON.parse(JSON.stringify(params)),
    attempts: 1,
    failures: 0,
    deaths: 0,
    error: null,
  };
}
