import type { Insertable, Selectable } from 'kysely';
import { Refusal } from '../../agents/errors.ts';
import type { Database, Trx } from '../database.ts';
import type { ActDetail } from '../json-columns.ts';
import { parsed, parsedAll, parsedOrNull } from '../parsed.ts';
import type { Tables } from '../tables.ts';

/** What an owner was given to sign for the policy on chain, and what became of it. An agent has one that is open. */
export type OwnerActRow = Selectable<Tables['owner_acts']>;

export type NewOwnerAct = Pick<
  Insertable<Tables['owner_acts']>,
  | 'id'
  | 'handle'
  | 'kind'
  | 'owner'
  | 'beneficial_owner'
  | 'epoch'
  | 'nonce'
  | 'since_block'
  | 'deadline'
  | 'version'
> & { readonly detail: ActDetail };

/**
 * Keeps what is to be signed, in place of what was to be signed before.
 * @throws Refusal conflict while something that was signed is on its way to the chain; agent-not-active for anything but
 *   its end once an agent is retired
 */
export async function proposeAct(trx: Trx, act: NewOwnerAct, now: Date): Promise<OwnerActRow> {
  const status = await holdAgent(trx, act.handle);
  // Whoever asks may have read the agent before it retired: what ends its keys must not be replaced.
  if (status === 'retired' && act.kind !== 'retire')
    throw new Refusal('agent-not-active', `"${act.handle}" is retired.`);
  const open = await openAct(trx, act.handle);
  if (open?.status === 'signed')
    throw new Refusal(
      'conflict',
      `What the owner of "${act.handle}" signed (${open.kind}) is on its way to the chain: ask again when it is there.`,
    );
  if (open !== null) await endAct(trx, open.id, { status: 'replaced', reason: 'asked anew', tx: null, now });
  const row = await trx
    .insertInto('owner_acts')
    .values({
      ...act,
      detail: JSON.stringify(act.detail),
      signatures: null,
      status: 'proposed',
      reason: null,
      tx: null,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return parsed('owner_acts', row);
}

/** What waits for its owner's signature, or for the chain; null when nothing does. */
export async function openAct(db: Database | Trx, handle: string): Promise<OwnerActRow | null> {
  const row = await db
    .selectFrom('owner_acts')
    .selectAll()
    .where('handle', '=', handle)
    .where('status', 'in', ['proposed', 'signed'])
    .executeTakeFirst();
  return parsedOrNull('owner_acts', row);
}

export async function findAct(db: Database | Trx, id: string): Promise<OwnerActRow | null> {
  const row = await db.selectFrom('owner_acts').selectAll().where('id', '=', id).executeTakeFirst();
  return parsedOrNull('owner_acts', row);
}

/** The newest act of an agent that is of one of these kinds, and about this mandate where one is named. */
export async function newestAct(
  db: Database | Trx,
  which: { handle: string; kinds: readonly OwnerActRow['kind'][]; version?: number },
): Promise<OwnerActRow | null> {
  let rows = db
    .selectFrom('owner_acts')
    .selectAll()
    .where('handle', '=', which.handle)
    .where('kind', 'in', which.kinds);
  if (which.version !== undefined) rows = rows.where('version', '=', which.version);
  const row = await rows.orderBy('created_at', 'desc').orderBy('id').limit(1).executeTakeFirst();
  return parsedOrNull('owner_acts', row);
}

/**
 * What one owner was given to sign for an agent, newest first, at most `limit` rows.
 * @param owner who stood behind the agent then, lower case @param page begins after this act
 */
export async function actsOf(
  db: Database,
  { handle, owner }: { readonly handle: string; readonly owner: string },
  page: { limit: number; offset: number; after?: { createdAt: Date; id: string } },
): Promise<OwnerActRow[]> {
  const { after } = page;
  let rows = db
    .selectFrom('owner_acts')
    .selectAll()
    .where('handle', '=', handle)
    .where('beneficial_owner', '=', owner);
  if (after !== undefined) {
    rows = rows.where((eb) =>
      eb.or([
        eb('created_at', '<', after.createdAt),
        eb.and([eb('created_at', '=', after.createdAt), eb('id', '>', after.id)]),
      ]),
    );
  }
  const found = await rows
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return parsedAll('owner_acts', found);
}

/** Keeps the signatures of an act, once. @returns false when it waits for none any more */
export async function signAct(
  trx: Trx,
  signed: { id: string; signatures: readonly string[]; now: Date },
): Promise<boolean> {
  const row = await trx
    .updateTable('owner_acts')
    .set({ status: 'signed', signatures: JSON.stringify(signed.signatures), updated_at: signed.now })
    .where('id', '=', signed.id)
    .where('status', '=', 'proposed')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Writes down what became of an act. @returns false when it had ended already */
export async function endAct(
  trx: Trx,
  id: string,
  end: { status: 'done' | 'failed' | 'replaced'; reason: string | null; tx: string | null; now: Date },
): Promise<boolean> {
  const row = await trx
    .updateTable('owner_acts')
    .set({ status: end.status, reason: end.reason, tx: end.tx, updated_at: end.now })
    .where('id', '=', id)
    .where('status', 'in', ['proposed', 'signed'])
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Holds an agent's row: what its owner wishes is taken one wish after another.
 * @returns its present status; undefined when there is no such agent
 */
export async function holdAgent(trx: Trx, handle: string): Promise<string | undefined> {
  const row = await trx
    .selectFrom('agents')
    .select('status')
    .where('handle', '=', handle)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.status;
}
