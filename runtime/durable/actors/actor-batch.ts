import type { AnyMachineSnapshot } from 'xstate';
import { type ActorWithMail, insertMessages } from '../../../store/durable/actors.ts';
import {
  type BatchToSave,
  readActors,
  type Saved,
  saveBatches,
} from '../../../store/durable/mailbox-batches.ts';
import { type LeaseClock, waitingEffects } from '../../../store/durable/outbox.ts';
import type { ActorCache } from './actor-cache.ts';
import {
  type AskedEffect,
  firstAttempt,
  isHeldBack,
  isShownAnew,
  type MailboxDeps,
  type MailboxOutcome,
  machineOf,
  project,
  type SpannedStep,
  served,
  spannedStep,
  toSave,
} from './actor-step.ts';
import type { ActorEvent, DurableMachine } from './durable-machine.ts';
import { NOT_DELIVERED } from './mailbox.ts';
import { isOurs, isTransient } from './transient.ts';

export interface NewMessage {
  readonly actorId: string;
  readonly eventId: string;
  readonly event: ActorEvent;
}

/** Effects that this process will start at once are written with its lease already on them, which saves a claim. */
export interface Prefetching {
  /** For how many more of this kind there is room now. */
  readonly room: (kind: string) => number;
  readonly leaseMs: number;
  readonly clock: () => LeaseClock;
}

export interface BatchParts {
  readonly actorCache: ActorCache;
  readonly prefetching?: Prefetching;
  /** The most events that each of its actors is served. */
  readonly limit: number;
}

export type Wanted = { readonly actorId: string; readonly message: NewMessage | null };
/** `alone`: it failed in a batch with others, so it is to be a batch of its own; `lost`: another process saved it meanwhile. */
export type Answer = { readonly fresh: boolean | null; readonly outcome: MailboxOutcome | 'alone' | 'lost' };

interface Taken {
  readonly actor: ActorWithMail;
  readonly machine: DurableMachine;
  readonly step: SpannedStep;
  readonly arrival: NewMessage | null;
  readonly blind: boolean;
}

/** How long a batch of several waits for what one of its actors shows: then each of them is a batch of its own. */
const PROJECTING_MS = 1_000;

/** Why a batch of one failed. */
export class ActorFault extends Error {
  readonly actor: ActorWithMail;

  constructor(actor: ActorWithMail, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.actor = actor;
  }
}

/** The database refused the snapshot or its projection, or the projection threw. */
export class RowsFault extends Error {}

/**
 * One mailbox batch, of any number of actors: reads them, takes their events through their machines, and saves and projects
 * what comes of it. Nothing is locked while machines decide: each actor is saved only over the revision that was read.
 *
 * Where something goes wrong with one of several, those that it may have kept from being saved are to be batches of one.
 * A batch of one throws its fault.
 */
export class ActorBatch {
  readonly #deps: MailboxDeps;
  readonly #now: Date;
  readonly #wanted: readonly Wanted[];
  readonly #byActor = new Map<string, Wanted[]>();
  readonly #actorCache: ActorCache;
  readonly #prefetching: Prefetching | undefined;
  readonly #limit: number;
  readonly #alone: boolean;
  readonly #answers = new Map<Wanted, Answer>();
  readonly #room = new Map<string, number>();

  /** @param alone throws the fault of its one actor */
  constructor(deps: MailboxDeps, wanted: readonly Wanted[], parts: BatchParts, alone = false) {
    this.#deps = deps;
    this.#now = deps.now();
    this.#wanted = wanted;
    this.#actorCache = parts.actorCache;
    this.#prefetching = parts.prefetching;
    this.#limit = parts.limit;
    this.#alone = alone;
    for (const w of wanted) this.#byActor.set(w.actorId, [...(this.#byActor.get(w.actorId) ?? []), w]);
  }

  async take(): Promise<Answer[]> {
    try {
      await this.#deliverSeveral();
      const taken: Taken[] = [];
      const toRead: string[] = [];
      for (const [id, wanted] of this.#byActor) {
        const arrival = this.#arrivalOf(id);
        const known = arrival && wanted.length === 1 ? this.#actorCache.of(id) : null;
        const one = known && this.#step(known.actor, arrival, known.live);
        if (one) taken.push(one);
        else toRead.push(id);
      }
      const idle: string[] = [];
      const read = toRead.length > 0 ? await readActors(this.#deps.db, toRead, this.#limit) : [];
      for (const actor of read) {
        const arrival = this.#arrivalOf(actor.id);
        if (isHeldBack(actor, this.#now) || (actor.messages.length === 0 && arrival === null)) {
          if (arrival === null) idle.push(actor.id);
          continue;
        }
        const one = this.#step(actor, arrival, null);
        if (one) taken.push(one);
      }
      await this.#save(taken);
      await this.#answerIdle(idle);
    } catch (error) {
      if (this.#alone) throw error;
      // Each actor is now a batch of its own. The one at fault fails again there.
    }
    return this.#wanted.map((w) => this.#answers.get(w) ?? { fresh: null, outcome: 'alone' });
  }

  /** Delivers several events for one actor first: only a single event can be served as it arrives. */
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

  /** The one event for this actor that is not in its mailbox yet. */
  #arrivalOf(id: string): NewMessage | null {
    return this.#byActor.get(id)!.find((w) => w.message && !this.#answers.has(w))?.message ?? null;
  }

  /** @returns null when this actor must go alone: something threw, or its mailbox is too full to append to */
  #step(actor: ActorWithMail, arrival: NewMessage | null, live: AnyMachineSnapshot | null): Taken | null {
    if (arrival && actor.messages.length >= this.#limit) return null;
    const messages = arrival ? [...actor.messages, { seq: NOT_DELIVERED, ...arrival }] : actor.messages;
    try {
      const machine = machineOf(this.#deps, actor);
      const taken = spannedStep(this.#deps, machine, { ...actor, messages }, this.#now, live);
      if (arrival && taken.served.length < messages.length) {
        taken.span.end();
        return null;
      }
      return { actor, machine, step: taken, arrival, blind: live !== null };
    } catch (error) {
      if (this.#alone) throw new ActorFault(actor, error);
      return null;
    }
  }

  async #save(batch: readonly Taken[]): Promise<void> {
    const isPlain = ({ machine, actor, step: taken }: Taken) => !isShownAnew(machine, actor, taken);
    const plain = batch.filter(isPlain);
    // Every process uses the same order, so that two batches with the same actors wait for each other and cannot deadlock.
    const projected = batch.filter((t) => !isPlain(t)).sort((a, b) => (a.actor.id < b.actor.id ? -1 : 1));
    const lease = { leaseMs: this.#prefetching?.leaseMs ?? 0, clock: this.#prefetching?.clock() ?? null };
    const parts: Promise<void>[] = [];
    if (plain.length > 0) {
      const rows = plain.map((t) => this.#row(t));
      parts.push(
        saveBatches(this.#deps.db, rows, this.#now, lease).then((written) =>
          this.#tell(plain, rows, written),
        ),
      );
    }
    if (projected.length > 0) {
      const rows = projected.map((t) => this.#row(t));
      const both = this.#deps.db.transaction().execute(async (trx) => {
        // What one of several waits for here, all of them wait for.
        const locks = this.#alone ? {} : { lockMs: PROJECTING_MS };
        const written = await saveBatches(trx, rows, this.#now, { ...lease, ...locks });
        for (const { actor, machine, step: taken } of projected) {
          if (written.saved.has(actor.id)) await project(trx, machine, actor.id, taken, this.#now);
        }
        return written;
      });
      parts.push(both.then((written) => this.#tell(projected, rows, written)));
    }
    // The actors of a part that fails are batches of their own next; what the other part wrote is committed.
    const ends = await Promise.allSettled(parts);
    for (const { step: taken } of batch) taken.span.end();
    const failed = ends.find((e) => e.status === 'rejected');
    if (failed) for (const t of batch) this.#actorCache.forget(t.actor.id);
    if (failed && this.#alone) throw new ActorFault(batch[0]!.actor, refusal(failed.reason));
    if (batch.length > 0) this.#deps.crash('after-batch-commit');
  }

  #row({ actor, machine, step: taken, arrival, blind }: Taken): BatchToSave {
    const batch = toSave(machine, actor, taken);
    return {
      ...batch,
      consumed: batch.consumed.filter((seq) => seq !== NOT_DELIVERED),
      effects: batch.effects.map((e) => ({ ...e, held: this.#hold(e.kind) })),
      arrival: arrival && { eventId: arrival.eventId, event: arrival.event },
      blind,
    };
  }

  #hold(kind: string): boolean {
    const room = this.#room.get(kind) ?? this.#prefetching?.room(kind) ?? 0;
    this.#room.set(kind, room - 1);
    return room > 0;
  }

  #tell(part: readonly Taken[], rows: readonly BatchToSave[], written: Saved): void {
    part.forEach(({ actor, machine, step: taken, arrival }, i) => {
      const fresh = arrival ? written.fresh.has(actor.id) : null;
      if (!written.saved.has(actor.id)) {
        this.#actorCache.forget(actor.id);
        this.#answer(actor.id, 'lost', fresh);
        return;
      }
      const outcome = served(actor, taken, this.#limit);
      const effects = rows[i]!.effects.map((e): AskedEffect => {
        if (!e.held || !written.asked.has(e.key)) return e;
        return { key: e.key, kind: e.kind, row: firstAttempt(actor.id, e) };
      });
      if (outcome.kind === 'served' && !outcome.more) this.#actorCache.keep(machine, taken, actor);
      this.#answer(actor.id, { ...outcome, effects } as MailboxOutcome, fresh);
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
      // When several calls asked for the same batch, only the first starts its effects.
      const mine =
        i === 0 || typeof outcome === 'string' ? outcome : ({ kind: 'idle', effects: [] } as const);
      this.#answers.set(w, { fresh: w.message ? (known ?? fresh) : null, outcome: mine });
    });
  }
}

function refusal(error: unknown): unknown {
  if (isTransient(error) || isOurs(error)) return error;
  return new RowsFault(error instanceof Error ? error.message : String(error), { cause: error });
}
