import { sql } from 'kysely';
import type { AgentRow } from './agents.ts';
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

/**
 * Writes down who stands behind an account, and says whose agents it has now by another's word: all of them where
 * somebody else stood behind it before, and where nobody had looked yet, those with an order that another stood behind.
 * @param seen.behind lower case; null: nobody can tell
 */
export async function noteBehind(
  trx: Trx,
  { owner, behind, now }: { owner: string; behind: string | null; now: Date },
): Promise<readonly AgentRow[]> {
  const row = await trx
    .insertInto('owners_behind')
    .values({ owner, behind, seen_at: now })
    .onConflict((oc) =>
      oc
        .column('owner')
        .doUpdateSet({ behind, seen_at: now })
        .where('owners_behind.behind', 'is distinct from', behind),
    )
    .returning(sql<boolean>`xmax = 0`.as('first'))
    .executeTakeFirst();
  if (!row) return [];
  const agents = trx
    .selectFrom('agents')
    .selectAll()
    .where('owner', '=', owner)
    .where('status', '!=', 'retired');
  if (!row.first) return await agents.execute();
  return await agents
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
