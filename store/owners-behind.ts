import { sql } from 'kysely';
import type { AgentRow } from './agents.ts';
import { moveCursor, readCursor } from './certificates.ts';
import type { Database, Trx } from './database.ts';

/** Whoever owns agents, and who stood behind when it was last written down. */
export interface Owning {
  /** Lower case. */
  readonly owner: string;
  /** Whether anybody but itself was ever found behind it. */
  readonly bound: boolean;
}

/** Every wallet and account that owns an agent which has not retired. */
export async function owningAddresses(db: Database): Promise<readonly Owning[]> {
  return await db
    .selectFrom('agents')
    .leftJoin('owners_behind', 'owners_behind.owner', 'agents.owner')
    .select(['agents.owner', sql<boolean>`owners_behind.owner is not null`.as('bound')])
    .distinct()
    .where('agents.status', '!=', 'retired')
    .execute();
}

/** What came of a look at an account. */
interface Noted {
  /** Who stood behind it before; null: nobody could tell, or nobody had looked. */
  readonly from: string | null;
  /** The block at which that one was first seen there. */
  readonly since: bigint | null;
  /** Its agents that are by another's word now. */
  readonly agents: readonly (AgentRow & {
    /** False: it has another owner by a transfer of its own, which is known already. */
    readonly withOwner: boolean;
  })[];
}

const NOTHING: Noted = { from: null, since: null, agents: [] };

/** Where stands at which block an account was last seen to have come to somebody. */
const cursorOf = (owner: string): string => `behind:${owner}`;

/**
 * Writes down who stands behind an account, and says whose agents it has now by another's word: all of them where
 * somebody else stood behind it before, and where nobody had looked yet, those with an order that another stood behind.
 * What was seen at a block older than the last change is what was so before it, and is not written down.
 * @param seen.behind lower case; null: nobody can tell
 */
export async function noteBehind(
  trx: Trx,
  seen: { owner: string; behind: string | null; block: bigint; now: Date },
): Promise<Noted> {
  const { owner, behind, block, now } = seen;
  const first = await trx
    .insertInto('owners_behind')
    .values({ owner, behind, seen_at: now })
    .onConflict((oc) => oc.column('owner').doNothing())
    .returning('owner')
    .executeTakeFirst();
  const agents = trx
    .selectFrom('agents')
    .selectAll()
    .where('owner', '=', owner)
    .where('status', '!=', 'retired');
  if (first) {
    await moveCursor(trx, cursorOf(owner), block);
    const ordered = await agents
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('orders')
            .select('order_id')
            .whereRef('orders.handle', '=', 'agents.handle')
            .where('orders.status', '=', 'resting')
            .where('orders.owner', 'is distinct from', behind),
        ),
      )
      .execute();
    return {
      ...NOTHING,
      agents: ordered.map((a) => ({ ...a, withOwner: !a.holds.includes('new-owner') })),
    };
  }
  // Of several processes each waits here for the one before, and finds what that one wrote.
  const before = await trx
    .selectFrom('owners_behind')
    .select('behind')
    .where('owner', '=', owner)
    .forUpdate()
    .executeTakeFirst();
  if (!before || before.behind === behind) return NOTHING;
  const since = await readCursor(trx, cursorOf(owner));
  if (since !== null && since > block) return NOTHING;
  await trx.updateTable('owners_behind').set({ behind, seen_at: now }).where('owner', '=', owner).execute();
  await moveCursor(trx, cursorOf(owner), block);
  const all = await agents.execute();
  return { from: before.behind, since, agents: all.map((a) => ({ ...a, withOwner: true })) };
}

/** Forgets accounts that own no agent any more: what was behind them then says nothing of what they come to own. */
export async function forgetOwners(db: Database): Promise<void> {
  await db
    .deleteFrom('owners_behind')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('agents')
            .select('handle')
            .whereRef('agents.owner', '=', 'owners_behind.owner')
            .where('agents.status', '!=', 'retired'),
        ),
      ),
    )
    .execute();
}
