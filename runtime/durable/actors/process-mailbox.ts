import { setTimeout as sleep } from 'node:timers/promises';
import { readable } from '../../../agents/readable.ts';
import { type ActorWithMail, noteFailure } from '../../../store/durable/actors.ts';
import { ActorBatch, ActorFault, type BatchParts, RowsFault } from './actor-batch.ts';
import { ActorCache } from './actor-cache.ts';
import type { MailboxDeps, MailboxOutcome } from './actor-step.ts';
import { EventFault } from './step.ts';
import { isTransient } from './transient.ts';

/** The most events that one batch takes, so that an actor with thousands of events does not starve the others. */
export const EVENTS_A_BATCH = 50;
const DEAD_LETTER_AFTER = 5;
const BACKOFF_MS = 100;
const BACKOFF_MAX_MS = 30_000;
/** How often a batch that lost is taken again, after 5 milliseconds and each time after twice as many: for 0.6 seconds. */
const LOST = { tries: 7, firstMs: 5 };

/**
 * Serves an actor by a batch of its own, and holds it back where that fails. A batch that lost to another process is taken
 * again from what that process wrote; where that one keeps the actor, it is left to the sweep.
 *
 * An event that throws is retried with backoff. After five tries it becomes a dead letter with its fault, and the events
 * after it go on. A snapshot or a kind that this release does not know, or a table that the database lacks, delays the
 * actor and makes no dead letter, because no event is to blame.
 */
export async function processMailbox(
  deps: MailboxDeps,
  id: string,
  parts: Omit<BatchParts, 'limit'> = { actorCache: new ActorCache(0) },
): Promise<MailboxOutcome> {
  for (let limit = EVENTS_A_BATCH, lost = 0; ; ) {
    try {
      const wanted = [{ actorId: id, message: null }];
      const [answer] = await new ActorBatch(deps, wanted, { ...parts, limit }, true).take();
      if (answer?.outcome === 'lost' && lost < LOST.tries) {
        await sleep(LOST.firstMs * 2 ** lost);
        lost += 1;
        continue;
      }
      // Nobody of this name was born yet, or another process keeps it.
      if (answer === undefined || typeof answer.outcome === 'string') return { kind: 'idle', effects: [] };
      return answer.outcome;
    } catch (error) {
      if (!(error instanceof ActorFault)) throw error;
      const { actor, cause } = error;
      if (isTransient(cause)) throw cause;
      if (cause instanceof RowsFault && actor.messages.length > 1) {
        // One at a time shows which of the events the database refuses.
        limit = 1;
        continue;
      }
      return await holdBack(deps, actor, cause);
    }
  }
}

async function holdBack(deps: MailboxDeps, actor: ActorWithMail, error: unknown): Promise<MailboxOutcome> {
  const fault = readable(error instanceof Error ? error.message : String(error), 2000);
  const [first] = actor.messages;
  const seq =
    error instanceof EventFault ? error.seq : error instanceof RowsFault ? (first?.seq ?? null) : null;
  const now = deps.now();
  const { deadLettered } = await noteFailure(deps.db, {
    actorId: actor.id,
    revision: actor.revision,
    seq,
    fault,
    deadLetterAfter: DEAD_LETTER_AFTER,
    retryAt: (failures) =>
      new Date(now.getTime() + Math.min(BACKOFF_MS * 2 ** Math.min(failures, 16), BACKOFF_MAX_MS)),
    now,
  });
  return { kind: 'failed', fault, deadLettered };
}
