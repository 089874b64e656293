import { type Selectable, sql } from 'kysely';
import type { Database, Trx } from '../database.ts';
import { parsedAll } from '../parsed.ts';
import type { Tables } from '../tables.ts';

export type LogRow = Selectable<Tables['agent_log']>;

export interface LogEntry {
  readonly entryId: string;
  readonly handle: string;
  /** Who stands behind the agent's owner now, lower case: who may read it. */
  readonly owner: string;
  readonly topic: string;
  readonly mark: string;
  readonly action: string;
  readonly lot: string | null;
  readonly listingRef: string | null;
  readonly orderId: string | null;
  readonly says: string;
  readonly figures: Readonly<Record<string, string>>;
  readonly at: Date;
}

/** Entries that are kept of one agent: what is older goes. */
export const MOST_ENTRIES = 500;

/** Writes entries, each once by its id. */
export async function writeLog(trx: Trx, entries: readonly LogEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await trx
    .insertInto('agent_log')
    .values(
      entries.map((e) => ({
        entry_id: e.entryId,
        handle: e.handle,
        owner: e.owner,
        topic: e.topic,
        mark: e.mark,
        action: e.action,
        lot: e.lot,
        listing_ref: e.listingRef,
        order_id: e.orderId,
        says: e.says,
        figures: JSON.stringify(e.figures),
        at: e.at,
      })),
    )
    .onConflict((oc) => oc.column('entry_id').doNothing())
    .execute();
}

/** Drops what is older than the newest {@link MOST_ENTRIES} of an agent. */
export async function trimLog(trx: Trx, handle: string): Promise<void> {
  await sql`
    delete from agent_log where handle = ${handle} and seq <= (
      select seq from agent_log where handle = ${handle} order by seq desc offset ${MOST_ENTRIES} limit 1
    )`.execute(trx);
}

/** What was decided last on each topic for this owner, by its mark. */
export async function lastMarks(
  db: Database,
  { handle, owner }: { readonly handle: string; readonly owner: string },
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('agent_log')
    .distinctOn('topic')
    .select(['topic', 'mark'])
    .where('handle', '=', handle)
    .where('owner', '=', owner)
    .orderBy('topic')
    .orderBy('seq', 'desc')
    .execute();
  return new Map(rows.map((r) => [r.topic, r.mark]));
}

/** An agent's log as its owner reads it, newest first, at most `limit` rows. @param query begins after this `seq` */
export async function logOf(
  db: Database,
  query: { handle: string; owner: string; limit: number; offset: number; after?: bigint },
): Promise<LogRow[]> {
  const rows = db
    .selectFrom('agent_log')
    .selectAll()
    .where('handle', '=', query.handle)
    .where('owner', '=', query.owner);
  const found = await (query.after === undefined ? rows : rows.where('seq', '<', query.after))
    .orderBy('seq', 'desc')
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return parsedAll('agent_log', found);
}
