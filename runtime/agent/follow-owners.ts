import type { OwnerChange } from '../../agents/agent/agent-context.ts';
import type { Address } from '../../agents/ids.ts';
import { ultimateOwner } from '../../chain/clients/ultimate-owner.ts';
import {
  boundOwners,
  findOwning,
  forgetNewOwners,
  forgetOwners,
  newOwners,
  noteBeneficialOwner,
  type Owning,
  plainOwnersAfter,
} from '../../store/agent/beneficial-owners.ts';
import { withdrawOrders } from '../../store/market/withdrawals.ts';
import { applyEvent } from '../durable/actors/apply-event.ts';
import { eachIsolated } from '../durable/isolation/each-isolated.ts';
import { agentActor } from '../machines.ts';
import type { Services } from '../services.ts';

/**
 * How many new owners are read at a time. A match reads the owner itself, so none that must not match does in the
 * meantime.
 */
const NEW_ONES = 64;
/** How many owners are read again with each block in turn: an account may be deployed at a plain wallet's address later. */
const AGAIN = 2;
/** How many owners one batch of readings covers. */
const OWNERS_AT_ONCE = 64;
/**
 * The longest backoff of an owner that cannot be read. Its agents may have another owner by then; orders read it
 * themselves.
 */
const OWNER_PAUSE_MS = 60_000;

/**
 * A periodic task that reads the beneficial owner of every account that owns agents (ERC-6551), through any number of
 * accounts. When the token of one of them is sold, the agents below it have another owner although no token of theirs
 * moved. They stop at once, as transferred agents do, until the new owner signs a mandate. An owner that cannot be read
 * changes nothing: it goes into quarantine and is read again.
 * @returns from each run, how many agents were stopped
 * @throws (from a run) ReaderError when the chain does not answer at all
 */
export function ownersFollowed(services: Services): () => Promise<number> {
  const { db, home, quarantine } = services;
  let newest = 0n;
  let read: bigint | null = null;
  /** The last owner that was read again in its turn. */
  let turn = '';
  return async () => {
    const { number: head } = await home.readers.viem.head();
    // One of several nodes at the same URL may lag: what it answers is old.
    if (head < newest) return 0;
    newest = head;
    const moved = head !== read;
    if (moved) await forgetOwners(db);
    const fresh = await newOwners(db, NEW_ONES);
    const again = moved ? await inTurn(db, turn) : [];
    const bound = moved ? await boundOwners(db) : [];
    const due = new Map([...bound, ...again, ...fresh].map((owning) => [owning.owner, owning]));
    const looked = await eachIsolated(
      quarantine,
      'owner',
      [...due.keys()].map((owner) => ({ id: owner })),
      async ({ id: owner }) => {
        // It may have sold all its agents since it went into quarantine.
        const owning = due.get(owner) ?? (await findOwning(db, owner));
        if (owning === null) return 0;
        const beneficialOwner = await ultimateOwner(home.readers.viem, owner as Address, head);
        if (beneficialOwner === owner && !owning.bound) return 0;
        return await follow(services, { owner, beneficialOwner, block: head });
      },
      { alive: () => home.readers.viem.head(), atOnce: OWNERS_AT_ONCE, mostPauseMs: OWNER_PAUSE_MS },
    );
    // What could not be read is in quarantine by itself.
    await forgetNewOwners(
      db,
      fresh.map(({ owner }) => owner),
    );
    if (moved) turn = again.at(-1)?.owner ?? '';
    read = head;
    return looked.done.reduce((sum, agents) => sum + agents, 0);
  };
}

/** The plain wallets whose turn it is, from the first again after the last. */
async function inTurn(db: Services['db'], after: string): Promise<readonly Owning[]> {
  const next = await plainOwnersAfter(db, after, AGAIN);
  return next.length === AGAIN ? next : [...next, ...(await plainOwnersAfter(db, '', AGAIN - next.length))];
}

/**
 * Stores the beneficial owner of an account, and stops the agents that had another one before. Each agent's own actor
 * records the change once it is confirmed.
 */
async function follow(
  services: Services,
  { owner, beneficialOwner, block }: { owner: string; beneficialOwner: string | null; block: bigint },
): Promise<number> {
  const { db, notifier, log } = services;
  const now = services.now();
  const agents = await db.transaction().execute(async (trx) => {
    const noted = await noteBeneficialOwner(trx, { owner, beneficialOwner, block, now });
    const { from, since } = noted;
    const change: OwnerChange = {
      ...{ owner, from, since: since?.toString() ?? null },
      ...{ to: beneficialOwner, block: block.toString(), at: now.toISOString() },
    };
    // Every process locks actors in this order, so that two cannot deadlock.
    const inOrder = [...noted.agents].sort((a, b) => (a.handle < b.handle ? -1 : 1));
    for (const { handle, epoch, withOwner } of inOrder) {
      await applyEvent(trx, agentActor, {
        key: handle,
        eventId: `behind:${beneficialOwner ?? 'nobody'}:${block}`,
        event: { type: 'TRANSFERRED', epoch, ...(withOwner ? { ownerChange: change } : {}) },
        now,
      });
    }
    return noted.agents;
  });
  for (const { handle } of agents) {
    notifier.actor(`agent:${handle}`);
    // The actor asks for this as well. Doing it now keeps another owner's orders from matching until the actor runs.
    await withdrawOrders(db, handle, now);
    log.info(
      { handle, owner, beneficialOwner },
      'another owner stands behind an agent: it stops until a mandate is signed',
    );
  }
  return agents.length;
}
