import type { Address } from '../../agents/ids.ts';
import type { OwnerChange } from '../../agents/machines/agent-context.ts';
import { ReaderError } from '../../chain/readers/reader.ts';
import { ultimateOwner } from '../../chain/ultimate-owner.ts';
import { stopAtOnce } from '../../store/agents.ts';
import { forgetOwners, noteBehind, owningAddresses } from '../../store/owners-behind.ts';
import { withdrawOrders } from '../../store/withdrawals.ts';
import { deliver } from '../actors/mailbox.ts';
import type { Services } from '../services.ts';

/** Owners that are new are looked at so many at a time: nothing of theirs matches meanwhile that may not. */
const NEW_ONES = 64;
/** Of those that stand for themselves so many are looked at again with each block: an account may come to be deployed. */
const AGAIN = 2;

/**
 * Rounds that see who stands behind the accounts that own agents (ERC-6551), however many accounts lie between. Where
 * the token of one of them went to somebody else, the agents below have another owner though nothing of their own
 * moved: they stop as agents do that changed hands, at once and until that owner signs a mandate. What cannot be read
 * changes nothing, is never somebody else, and is read again.
 * @returns of a round, how many agents were stopped
 * @throws (from a round) ReaderError when the chain does not answer at all
 */
export function ownersFollowed(services: Services): () => Promise<number> {
  const { db, home } = services;
  /** Those behind whom nobody stands, the one looked at longest ago first. */
  const plain = new Set<string>();
  let newest = 0n;
  let read: bigint | null = null;
  return async () => {
    const { number: head } = await home.readers.viem.head();
    // Of several nodes behind one URL one may lag: what it says was so before, and is no news.
    if (head < newest) return 0;
    newest = head;
    const moved = head !== read;
    if (moved) await forgetOwners(db);
    const owning = await owningAddresses(db);
    const all = new Set(owning.map(({ owner }) => owner));
    for (const owner of plain) if (!all.has(owner)) plain.delete(owner);
    const bound = new Set(owning.filter((o) => o.bound).map(({ owner }) => owner));
    const fresh = owning.filter((o) => !o.bound && !plain.has(o.owner)).slice(0, NEW_ONES);
    const due = new Set(moved ? [...bound, ...[...plain].slice(0, AGAIN)] : []);
    for (const { owner } of fresh) due.add(owner);
    let stopped = 0;
    let unread = 0;
    await Promise.all(
      [...due].map(async (owner) => {
        const behind = await behindNow(services, owner, head);
        if (behind === undefined) {
          unread += 1;
          return;
        }
        // Taken out first: one that still stands for itself is looked at again after all the others.
        plain.delete(owner);
        if (behind === owner && !bound.has(owner)) plain.add(owner);
        else {
          const agents = await follow(services, { owner, behind, block: head });
          stopped += agents;
        }
      }),
    );
    read = unread === 0 ? head : null;
    return stopped;
  };
}

/** @returns lower case; null where nobody can tell; undefined where it could not be read */
async function behindNow(
  { home, log }: Services,
  owner: string,
  block: bigint,
): Promise<string | null | undefined> {
  try {
    return await ultimateOwner(home.readers.viem, owner as Address, block);
  } catch (error) {
    if (!(error instanceof ReaderError)) throw error;
    log.warn({ owner, error: error.message }, 'who stands behind an owner cannot be read');
    return undefined;
  }
}

/**
 * Writes down who stands behind an account, and stops those of its agents that another did before. Each agent's own
 * actor has the change recorded, as the chain confirms it.
 */
async function follow(
  services: Services,
  { owner, behind, block }: { owner: string; behind: string | null; block: bigint },
): Promise<number> {
  const { db, bell, log } = services;
  const now = services.now();
  const agents = await db.transaction().execute(async (trx) => {
    const noted = await noteBehind(trx, { owner, behind, block, now });
    const { from, since } = noted;
    const change: OwnerChange = {
      ...{ owner, from, since: since?.toString() ?? null },
      ...{ to: behind, block: block.toString(), at: now.toISOString() },
    };
    for (const { handle, epoch, withOwner } of noted.agents) {
      await deliver(trx, {
        actorId: `agent:${handle}`,
        eventId: `behind:${behind ?? 'nobody'}:${block}`,
        event: { type: 'TRANSFERRED', epoch, ...(withOwner ? { behind: change } : {}) },
        now,
      });
      await stopAtOnce(trx, handle, { status: 'paused', hold: 'new-owner' });
    }
    return noted.agents;
  });
  for (const { handle } of agents) {
    bell.actor(`agent:${handle}`);
    // The actor asks for this too; nothing by another's word rests until it has its turn.
    await withdrawOrders(db, handle, now);
    log.info(
      { handle, owner, behind },
      'another owner stands behind an agent: it stops until a mandate is signed',
    );
  }
  return agents.length;
}
