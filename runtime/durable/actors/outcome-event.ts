import type { AnyMachineSnapshot } from 'xstate';
import type { Trx } from '../../../store/database.ts';
import { type ActorWithMail, insertMessage } from '../../../store/durable/actors.ts';
import { readActors, saveBatches } from '../../../store/durable/mailbox-batches.ts';
import type { NewMessage, Prefetching } from './actor-batch.ts';
import type { ActorCache } from './actor-cache.ts';
import {
  type AskedEffect,
  firstAttempt,
  isHeldBack,
  isShownAnew,
  type MailboxDeps,
  machineOf,
  project,
  type SpannedStep,
  spannedStep,
  toSave,
} from './actor-step.ts';
import { serveWaiting } from './apply-event.ts';
import { type DurableMachine, keyOf } from './durable-machine.ts';
import { NOT_DELIVERED } from './mailbox.ts';
import { EVENTS_A_BATCH } from './process-mailbox.ts';
import { isTransient } from './transient.ts';

export interface ServingDeps extends MailboxDeps {
  readonly actorCache: ActorCache;
  readonly prefetching?: Prefetching;
}

/** What came of the event. */
export interface Went {
  /** What its actor asked for. */
  readonly effects: readonly AskedEffect[];
  /** Whether the actor has mail: it is to be woken. */
  readonly more: boolean;
}

interface Taken {
  readonly actor: ActorWithMail;
  readonly machine: DurableMachine;
  readonly step: SpannedStep;
  /** It was taken from the cache. */
  readonly blind: boolean;
}

/**
 * The event in which an effect ends, served by its actor in the transaction that closes the effect: the two share one
 * commit, and nobody comes for the event. It is mail like any other where it cannot be served so: where other mail waits,
 * it throws, the database refuses what follows from it, the actor waits out a backoff, or another process serves it.
 */
export class OutcomeEvent {
  readonly #deps: ServingDeps;
  readonly #message: NewMessage;
  #taken: Taken | null = null;
  #effects: readonly AskedEffect[] | null = null;
  #refused = false;
  readonly #unsure: AskedEffect[] = [];

  constructor(deps: ServingDeps, message: NewMessage) {
    this.#deps = deps;
    this.#message = message;
  }

  /** Whether the transaction failed by what follows from the event: in the next one it is mail. */
  get refused(): boolean {
    return this.#refused;
  }

  /**
   * What was written with a lease of this process in a transaction whose end nobody knows, since its answer did not come.
   * Where it turns out that it was committed, these are to be given free.
   */
  get unsure(): readonly AskedEffect[] {
    return this.#unsure;
  }

  /** Once in each transaction that is to write the outcome. @throws what the database says */
  async serve(trx: Trx): Promise<void> {
    this.#giveUp();
    const { actorId: id } = this.#message;
    const now = this.#deps.now();
    if (this.#refused) {
      await insertMessage(trx, { ...this.#message, now });
      return;
    }
    try {
      const known = this.#deps.actorCache.of(id);
      const actor = known?.actor ?? (await readActors(trx, [id], EVENTS_A_BATCH))[0];
      if (actor === undefined || actor.messages.length > 0 || isHeldBack(actor, now))
        return await this.#deliver(trx, actor, now);
      const taken = this.#step(actor, known?.live ?? null, now);
      if (taken === null) return await this.#deliver(trx, actor, now);
      this.#taken = taken;
      this.#effects = await this.#save(trx, taken, now);
      if (this.#effects !== null) return;
      this.#forget();
      // Saving it made it mail: what was known of the actor was not the newest.
      await serveWaiting(trx, taken.machine, { key: keyOf(id), now });
    } catch (error) {
      this.#refused = !isTransient(error);
      throw error;
    }
  }

  /** Once the transaction has ended. */
  ended(committed: boolean): Went {
    const [taken, effects] = [this.#taken, this.#effects];
    if (committed) this.#forget();
    else this.#giveUp();
    if (taken === null || effects === null || !committed) {
      this.#deps.actorCache.forget(this.#message.actorId);
      return { effects: [], more: committed };
    }
    this.#deps.actorCache.keep(taken.machine, taken.step, taken.actor);
    this.#deps.crash('after-batch-commit');
    return { effects, more: false };
  }

  async #deliver(trx: Trx, actor: ActorWithMail | undefined, now: Date): Promise<void> {
    await insertMessage(trx, { ...this.#message, now });
    const machine = actor && this.#deps.machines.get(actor.kind);
    if (machine) await serveWaiting(trx, machine, { key: keyOf(actor.id), now });
  }

  #step(actor: ActorWithMail, live: AnyMachineSnapshot | null, now: Date): Taken | null {
    try {
      const machine = machineOf(this.#deps, actor);
      const messages = [{ seq: NOT_DELIVERED, ...this.#message }];
      const taken = spannedStep(this.#deps, machine, { ...actor, messages }, now, live);
      return { actor, machine, step: taken, blind: live !== null };
    } catch {
      return null;
    }
  }

  /** @returns what it asked for; null where the actor was another one meanwhile */
  async #save(trx: Trx, taken: Taken, now: Date): Promise<readonly AskedEffect[] | null> {
    const { actor, machine, step, blind } = taken;
    const { eventId, event } = this.#message;
    const batch = toSave(machine, actor, step);
    const room = this.#rooms();
    const effects = batch.effects.map((e) => ({ ...e, held: room(e.kind) }));
    const { prefetching } = this.#deps;
    const lease = { leaseMs: prefetching?.leaseMs ?? 0, clock: prefetching?.clock() ?? null };
    const row = { ...batch, consumed: [], effects, arrival: { eventId, event }, blind };
    const written = await saveBatches(trx, [row], now, lease);
    if (!written.saved.has(actor.id)) return null;
    if (isShownAnew(machine, actor, step)) await project(trx, machine, actor.id, step, now);
    return effects.map(({ held, ...e }) =>
      held && written.asked.has(e.key) ? { ...e, row: firstAttempt(actor.id, e) } : e,
    );
  }

  /** Whether there is room for one more of a kind. */
  #rooms(): (kind: string) => boolean {
    const left = new Map<string, number>();
    return (kind) => {
      const room = left.get(kind) ?? this.#deps.prefetching?.room(kind) ?? 0;
      left.set(kind, room - 1);
      return room > 0;
    };
  }

  #giveUp(): void {
    this.#unsure.push(...(this.#effects ?? []).filter(({ row }) => row !== undefined));
    this.#forget();
  }

  #forget(): void {
    this.#taken?.step.span.end();
    this.#taken = null;
    this.#effects = null;
  }
}
