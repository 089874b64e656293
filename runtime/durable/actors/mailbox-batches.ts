import { insertMessage } from '../../../store/durable/actors.ts';
import {
  ActorBatch,
  type BatchParts,
  type NewMessage,
  type Prefetching,
  type Wanted,
} from './actor-batch.ts';
import { ActorCache } from './actor-cache.ts';
import type { MailboxDeps, MailboxOutcome } from './actor-step.ts';
import { type BatchLimits, createBatcher } from './create-batcher.ts';
import { refuseReserved } from './mailbox.ts';
import { EVENTS_A_BATCH, processMailbox } from './process-mailbox.ts';

/** Serves the mailboxes of many actors at once, and serves events in the process where they arrive. */
export interface MailboxBatches {
  /** Serves one batch of the actor's mailbox. */
  take(actorId: string): Promise<MailboxOutcome>;
  /**
   * Delivers an event on its own, and serves the actor's mailbox in the same transaction. The same id twice is one
   * event. Once the promise resolves, the event is stored; most often it is served as well.
   * @throws Error for an id of the form that timers or effects have, and when the database does not answer
   */
  send(message: NewMessage): Promise<{ fresh: boolean; outcome: MailboxOutcome }>;
}

/** Two batches: while one waits for the disk, the other is read and computed. */
const BATCH_LIMITS: BatchLimits = { parallel: 2, most: 128 };
/** How often an actor whose save lost to another process is batched with others again before it is a batch of its own. */
const TRIES = 3;
/** Actors in the cache; each takes about two kilobytes. */
const REMEMBERED = 5_000;

/** What a process remembers of actors. */
export function openActorCache(): ActorCache {
  return new ActorCache(REMEMBERED);
}

/** Serves mailboxes in batches: one round trip reads many actors, one writes them, and one commit covers them all. */
export function batchedMailboxes(
  deps: MailboxDeps,
  options: { limits?: BatchLimits; prefetching?: Prefetching; actorCache?: ActorCache } = {},
): MailboxBatches {
  const { prefetching, actorCache = openActorCache() } = options;
  const parts: BatchParts = {
    ...{ actorCache, limit: EVENTS_A_BATCH },
    ...(prefetching === undefined ? {} : { prefetching }),
  };
  const grouped = createBatcher(
    (wanted: readonly Wanted[]) => new ActorBatch(deps, wanted, parts).take(),
    options.limits ?? BATCH_LIMITS,
  );
  const alone = (actorId: string): Promise<MailboxOutcome> => processMailbox(deps, actorId, parts);
  const take = async (actorId: string, tries = TRIES): Promise<MailboxOutcome> => {
    const { outcome } = await grouped({ actorId, message: null });
    if (outcome === 'lost' && tries > 0) return await take(actorId, tries - 1);
    return typeof outcome === 'string' ? await alone(actorId) : outcome;
  };
  return {
    take,
    async send(message) {
      refuseReserved(message.eventId);
      const { fresh, outcome } = await grouped({ actorId: message.actorId, message });
      if (fresh === null) {
        const kept = await insertMessage(deps.db, { ...message, now: deps.now() });
        return { fresh: kept, outcome: await alone(message.actorId) };
      }
      if (outcome === 'lost') return { fresh, outcome: await take(message.actorId) };
      return { fresh, outcome: outcome === 'alone' ? await alone(message.actorId) : outcome };
    },
  };
}
