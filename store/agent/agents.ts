import { type Selectable, sql } from 'kysely';
import { Refusal } from '../../agents/errors.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import type { Database, Trx } from '../database.ts';
import { parsedAll, parsedOrNull } from '../parsed.ts';
import type { Tables } from '../tables.ts';

export type AgentRow = Selectable<Tables['agents']>;
export type MandateRow = Selectable<Tables['mandates']>;

export interface NewAgent {
  readonly handle: string;
  readonly checkoutId: string;
  /** Lower case, as are the other addresses. */
  readonly owner: string;
  readonly tier: 'AGENT' | 'EXECUTOR';
  readonly depth: string | null;
  readonly chainId: number;
  readonly contract: string;
  readonly tokenId: bigint;
  readonly account: string;
  readonly sessionKey: string;
  readonly sessionKeyIndex: bigint;
  readonly mintTx: string;
  readonly mandate: { readonly text: string; readonly structured: Mandate; readonly hash: string };
  readonly now: Date;
}

/** Writes a minted agent and its first mandate, once. @returns false when it stood already */
export async function insertAgent(trx: Trx, agent: NewAgent): Promise<boolean> {
  const row = await trx
    .insertInto('agents')
    .values({
      handle: agent.handle,
      checkout_id: agent.checkoutId,
      owner: agent.owner,
      tier: agent.tier,
      depth: agent.depth,
      chain_id: agent.chainId,
      contract: agent.contract,
      token_id: agent.tokenId,
      account: agent.account,
      session_key: agent.sessionKey,
      session_key_index: agent.sessionKeyIndex,
      mandate_version: 1,
      mint_tx: agent.mintTx,
      display_name: null,
      about: null,
      since: agent.now,
    })
    .onConflict((oc) => oc.column('checkout_id').doNothing())
    .returning('handle')
    .executeTakeFirst();
  if (!row) return false;
  await trx
    .insertInto('mandates')
    .values({
      handle: agent.handle,
      version: 1,
      text: agent.mandate.text,
      structured: JSON.stringify(agent.mandate.structured),
      hash: agent.mandate.hash,
      status: 'active',
      tx: agent.mintTx,
      created_at: agent.now,
      counts_from: agent.now,
    })
    .execute();
  return true;
}

export async function findAgent(db: Database | Trx, handle: string): Promise<AgentRow | null> {
  return (await db.selectFrom('agents').selectAll().where('handle', '=', handle).executeTakeFirst()) ?? null;
}

/** Two agents in one statement. @returns each at its place; null where there is none */
export async function findAgents(
  db: Database | Trx,
  [one, other]: readonly [string, string],
): Promise<[AgentRow | null, AgentRow | null]> {
  const rows = await db.selectFrom('agents').selectAll().where('handle', 'in', [one, other]).execute();
  const of = (handle: string) => rows.find((row) => row.handle === handle) ?? null;
  return [of(one), of(other)];
}

/** The agent whose token-bound account this is (lower case). */
export async function agentByAccount(db: Database | Trx, account: string): Promise<AgentRow | null> {
  return (
    (await db.selectFrom('agents').selectAll().where('account', '=', account).executeTakeFirst()) ?? null
  );
}

/** The handles of the agents whose token-bound accounts these are, by account (lower case). */
export async function handlesOf(
  db: Database,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (accounts.length === 0) return new Map();
  const asked = [...new Set(accounts.map((account) => account.toLowerCase()))];
  const rows = await db
    .selectFrom('agents')
    .select(['account', 'handle'])
    .where('account', 'in', asked)
    .execute();
  return new Map(rows.map(({ account, handle }) => [account, handle]));
}

export interface AgentCollection {
  readonly chainId: number;
  /** Lower case. */
  readonly contract: string;
}

export async function agentByToken(
  db: Database | Trx,
  { chainId, contract, tokenId }: AgentCollection & { readonly tokenId: bigint },
): Promise<AgentRow | null> {
  const row = await db
    .selectFrom('agents')
    .selectAll()
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .where('token_id', '=', tokenId)
    .executeTakeFirst();
  return row ?? null;
}

/** The token ids of all agents of a collection, ascending; of those above `above`, where it is given. */
export async function tokensOf(
  db: Database | Trx,
  { chainId, contract }: AgentCollection,
  above?: bigint,
): Promise<readonly bigint[]> {
  const rows = await db
    .selectFrom('agents')
    .select('token_id')
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .$if(above !== undefined, (all) => all.where('token_id', '>', above!))
    .orderBy('token_id')
    .execute();
  return rows.map(({ token_id }) => token_id);
}

/** The token ids of the agents of a collection that the guardian has stopped, as far as is known here. */
export async function tokensHeldByGuardian(
  db: Database | Trx,
  { chainId, contract }: AgentCollection,
): Promise<readonly bigint[]> {
  const rows = await db
    .selectFrom('agents')
    .select('token_id')
    // Word for word what the index of these few says.
    .where(sql<boolean>`'guardian' = any(suspension_reasons)`)
    .where('chain_id', '=', chainId)
    .where('contract', '=', contract)
    .execute();
  return rows.map(({ token_id }) => token_id);
}

/** The mandate in force, if there is one. */
export async function findMandate(db: Database | Trx, handle: string): Promise<MandateRow | null> {
  const row = await db
    .selectFrom('mandates')
    .selectAll()
    .where('handle', '=', handle)
    .where('status', '=', 'active')
    .executeTakeFirst();
  return parsedOrNull('mandates', row);
}

/** As {@link findMandate}, of several agents in one statement. @returns by handle */
export async function findMandates(
  db: Database | Trx,
  handles: readonly string[],
): Promise<ReadonlyMap<string, MandateRow>> {
  const rows = await db
    .selectFrom('mandates')
    .selectAll()
    .where('handle', 'in', handles)
    .where('status', '=', 'active')
    .execute();
  return new Map(parsedAll('mandates', rows).map((row) => [row.handle, row]));
}

/** The mandate in force. @throws Refusal agent-not-active when there is none */
export async function activeMandate(db: Database | Trx, handle: string): Promise<MandateRow> {
  return requireMandate(handle, await findMandate(db, handle));
}

/** @throws Refusal agent-not-active where there is none */
export function requireMandate<T>(handle: string, mandate: T | null): T {
  if (!mandate) throw new Refusal('agent-not-active', `The agent "${handle}" has no mandate in force.`);
  return mandate;
}

/** What the owner seen on chain was, kept for reading; never what a decision rests on. */
export async function noteOwner(db: Database | Trx, handle: string, owner: string): Promise<void> {
  await db
    .updateTable('agents')
    .set({ owner })
    .where('handle', '=', handle)
    .where('owner', '!=', owner)
    .execute();
}

/**
 * Writes down that an agent has another owner now. The caller holds its actor, and tells it.
 * @returns false when its epoch is not the one that was known, so that somebody has noted it already
 */
export async function noteEpoch(
  trx: Trx,
  seen: { handle: string; known: number; epoch: number; owner: string },
): Promise<boolean> {
  const row = await trx
    .updateTable('agents')
    .set({ owner: seen.owner, epoch: seen.epoch })
    .where('handle', '=', seen.handle)
    .where('epoch', '=', seen.known)
    .returning('handle')
    .executeTakeFirst();
  return row !== undefined;
}

/** Changes what an agent shows of itself, and its depth. @returns the agent as it is then */
export async function setProfile(
  db: Database,
  handle: string,
  change: { readonly display_name?: string | null; readonly about?: string | null; readonly depth?: string },
): Promise<AgentRow> {
  return await db
    .updateTable('agents')
    .set(change)
    .where('handle', '=', handle)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export interface DirectoryEntry extends AgentRow {
  readonly structured: Mandate;
}

/** The agents, newest first, with the mandate in force; at most `limit` rows. */
export async function listAgents(
  db: Database,
  query: {
    tier?: string;
    status?: string;
    category?: string;
    /** Lower case. */
    owner?: string;
    /** Begins after this agent, whatever was minted since. */
    after?: string;
    limit: number;
    offset: number;
  },
): Promise<DirectoryEntry[]> {
  const { tier, status, category, owner, after } = query;
  // Each in its order, so that the two lists are merged and neither is read whole.
  const naming = (name: string) => sql`(select handle, since from agent_categories where category = ${name}
    order by since desc, handle desc)`;
  let rows = db
    .selectFrom('agents')
    .innerJoin('mandates', (join) =>
      join.onRef('mandates.handle', '=', 'agents.handle').on('mandates.status', '=', 'active'),
    )
    .selectAll('agents')
    .select('mandates.structured')
    .$if(category !== undefined, (all) =>
      all
        .innerJoin(
          sql<{ handle: string }>`(${naming(category ?? '')} union all ${naming('*')})`.as('named'),
          (join) => join.onRef('named.handle', '=', 'agents.handle'),
        )
        // Allowed by name, or not denied where nothing is named.
        .where(
          sql<boolean>`(mandates.structured -> 'categories_deny' is null
            or not mandates.structured -> 'categories_deny' @> ${JSON.stringify([category])}::jsonb)`,
        ),
    );
  if (tier !== undefined) rows = rows.where('agents.tier', '=', tier as 'AGENT');
  if (status !== undefined) rows = rows.where('agents.status', '=', status as 'active');
  if (owner !== undefined) rows = rows.where('agents.owner', '=', owner);
  // Where a category is asked for, its own list is entered at the place.
  const place = category === undefined ? 'agents' : 'named';
  const [since, handle] = [sql.ref(`${place}.since`), sql.ref(`${place}.handle`)];
  if (after !== undefined)
    rows = rows.where(
      sql<boolean>`(${since}, ${handle}) < ((select a.since from agents as a where a.handle = ${after}), ${after})`,
    );
  const found = await rows
    .orderBy(since, 'desc')
    .orderBy(handle, 'desc')
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return parsedAll('mandates', found);
}
