import { type RawBuilder, sql } from 'kysely';
import { moveCursor, readCursor } from '../certificates/certificates.ts';
import type { Database, Trx } from '../database.ts';
import type { AgentRow } from './agents.ts';

/** A wallet and who stands behind it now, both in lower case. */
export interface Holder {
  readonly wallet: string;
  /** Null when nobody can tell. */
  readonly beneficialOwner: string | null;
}

/** A wallet or account that owns agents. */
export interface Owning {
  /** Lower case. */
  readonly owner: string;
  /** Whether its beneficial owner was ever another than itself. */
  readonly bound: boolean;
}

const bound = sql<boolean>`exists (select from beneficial_owners b where b.owner = o.owner)`;
const owns = sql<boolean>`exists (select from agents a where a.owner = o.owner and a.status <> 'retired')`;

/** Those who have come to own an agent since they were last read, at most `limit`. */
export async function newOwners(db: Database, limit: number): Promise<readonly Owning[]> {
  const { rows } = await sql<Owning>`
    select o.owner, ${bound} as bound from new_owners o order by o.owner limit ${limit}`.execute(db);
  return rows;
}

/** Notes that new owners were read. */
export async function forgetNewOwners(db: Database, owners: readonly string[]): Promise<void> {
  if (owners.length === 0) return;
  await db.deleteFrom('new_owners').where('owner', 'in', owners).execute();
}

/** The accounts behind which another one stood, or stands. */
export async function boundOwners(db: Database): Promise<readonly Owning[]> {
  const { rows } = await sql<Owning>`select o.owner, true as bound from beneficial_owners o`.execute(db);
  return rows;
}

/** The next plain wallets that own agents, in the order of their addresses. */
export async function plainOwnersAfter(
  db: Database,
  after: string,
  limit: number,
): Promise<readonly Owning[]> {
  const { rows } = await sql<Owning>`
    select distinct o.owner, false as bound from agents o
    where o.owner > ${after} and o.status <> 'retired' and not ${bound}
    order by o.owner limit ${limit}`.execute(db);
  return rows;
}

/** Whether an owner owns an agent still; null when it does not. */
export async function findOwning(db: Database, owner: string): Promise<Owning | null> {
  const { rows } = await sql<Owning & { owns: boolean }>`
    select o.owner, ${bound} as bound, ${owns} as owns from (select ${owner}::text as owner) o`.execute(db);
  const [row] = rows;
  return row?.owns ? { owner: row.owner, bound: row.bound } : null;
}

/** The stored beneficial owner of an owner; the owner itself where none is stored. Lower case. */
export async function lastBeneficialOwner(db: Database | Trx, owner: string): Promise<string> {
  const row = await db
    .selectFrom('beneficial_owners')
    .select('beneficial_owner')
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row?.beneficial_owner ?? owner;
}

/**
 * Who stands behind an owner, as far as was last seen; the owner itself where nobody else was. Lower case.
 * @param owner an expression of the statement
 */
export function beneficialOf(owner: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`coalesce(
    (select b.beneficial_owner from beneficial_owners b where b.owner = lower(${owner})), lower(${owner}))`;
}

/**
 * The wallet and every account behind which it stands, as an array that a statement computes once.
 * @param beneficialOwner lower case; or an expression of the statement
 */
export function walletsOf(beneficialOwner: string | RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`array(select ${beneficialOwner}::text
    union select b.owner from beneficial_owners b where b.beneficial_owner = ${beneficialOwner})`;
}

/** Those who stand behind these owners. Lower case. */
export async function beneficialOwnersOf(
  db: Database,
  owners: readonly string[],
): Promise<readonly string[]> {
  if (owners.length === 0) return [];
  const rows = await db
    .selectFrom('beneficial_owners')
    .select('beneficial_owner')
    .where(
      'owner',
      'in',
      owners.map((owner) => owner.toLowerCase()),
    )
    .execute();
  return rows.flatMap(({ beneficial_owner: owner }) => (owner === null ? [] : [owner]));
}

/** What storing a beneficial owner has changed. */
interface Noted {
  /** The beneficial owner before; null when it could not be determined or was never read. */
  readonly from: string | null;
  /** The block at which that owner was first seen. */
  readonly since: bigint | null;
  /** The agents that have another beneficial owner now. */
  readonly agents: readonly (AgentRow & {
    /** False when the agent's own token was transferred as well, which is known already. */
    readonly withOwner: boolean;
  })[];
}

const NOTHING: Noted = { from: null, since: null, agents: [] };

/** The cursor that keeps the block at which an account's beneficial owner was last seen to change. */
const cursorOf = (owner: string): string => `behind:${owner}`;

/**
 * Stores the beneficial owner of an account, and returns its agents that have another one now: all of them when the
 * stored owner was another, and when none was stored, those with a resting order of another beneficial owner. A reading
 * at a block before the last change is out of date and is not stored.
 * @param seen.beneficialOwner lower case; null when it cannot be determined
 */
export async function noteBeneficialOwner(
  trx: Trx,
  seen: { owner: string; beneficialOwner: string | null; block: bigint; now: Date },
): Promise<Noted> {
  const { owner, beneficialOwner, block, now } = seen;
  const first = await trx
    .insertInto('beneficial_owners')
    .values({ owner, beneficial_owner: beneficialOwner, seen_at: now })
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
            .where('orders.status', 'in', ['resting', 'unfunded'])
            .where('orders.owner', 'is distinct from', beneficialOwner),
        ),
      )
      .execute();
    return {
      ...NOTHING,
      agents: ordered.map((a) => ({ ...a, withOwner: !a.suspension_reasons.includes('new-owner') })),
    };
  }
  // Processes wait here for one another, and each finds what the one before wrote.
  const before = await trx
    .selectFrom('beneficial_owners')
    .select('beneficial_owner')
    .where('owner', '=', owner)
    .forUpdate()
    .executeTakeFirst();
  if (!before || before.beneficial_owner === beneficialOwner) return NOTHING;
  const since = await readCursor(trx, cursorOf(owner));
  if (since !== null && since > block) return NOTHING;
  await trx
    .updateTable('beneficial_owners')
    .set({ beneficial_owner: beneficialOwner, seen_at: now })
    .where('owner', '=', owner)
    .execute();
  await moveCursor(trx, cursorOf(owner), block);
  const all = await agents.execute();
  return { from: before.beneficial_owner, since, agents: all.map((a) => ({ ...a, withOwner: true })) };
}

/** Deletes accounts that own no agent any more: their old beneficial owner says nothing of agents that they buy later. */
export async function forgetOwners(db: Database): Promise<void> {
  await db
    .deleteFrom('beneficial_owners')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('agents')
            .select('handle')
            .whereRef('agents.owner', '=', 'beneficial_owners.owner')
            .where('agents.status', '!=', 'retired'),
        ),
      ),
    )
    .execute();
}
