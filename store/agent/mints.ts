import type { Database, Trx } from '../database.ts';
import type { AgentRow } from './agents.ts';

/** The agents booked as minted from then on, and before `to` where one is given: the newest first, at most `limit`. */
export async function mintedBetween(
  db: Database,
  from: Date,
  to: Date | null,
  limit: number,
): Promise<AgentRow[]> {
  let agents = db.selectFrom('agents').selectAll().where('since', '>=', from);
  if (to !== null) agents = agents.where('since', '<', to);
  return await agents.orderBy('since', 'desc').limit(limit).execute();
}

/** Where an agent's mint is booked, locked until the transaction ends. Null when there is no such agent. */
export async function lockMint(
  trx: Trx,
  handle: string,
): Promise<{ readonly tokenId: bigint; readonly tx: string } | null> {
  const row = await trx
    .selectFrom('agents')
    .select(['token_id', 'mint_tx'])
    .where('handle', '=', handle)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? null : { tokenId: row.token_id, tx: row.mint_tx };
}

export interface MovedMint {
  readonly handle: string;
  readonly tokenId: bigint;
  /** Lower case. */
  readonly account: string;
  readonly tx: string;
}

/** Books where mints stand now. Some may have taken the numbers of others: all of them move in this one transaction. */
export async function moveMints(trx: Trx, moved: readonly MovedMint[]): Promise<void> {
  for (const { handle, tokenId } of moved)
    await trx
      .updateTable('agents')
      .set({ token_id: -tokenId, account: `moving:${handle}` })
      .where('handle', '=', handle)
      .execute();
  for (const { handle, tokenId, account, tx } of moved)
    await trx
      .updateTable('agents')
      .set({ token_id: tokenId, account, mint_tx: tx })
      .where('handle', '=', handle)
      .execute();
}
