import type { Database, Trx } from '../database.ts';
import type { AgentRow } from './agents.ts';

/** The agents booked as minted since then, oldest first, at most `limit`. */
export async function mintedSince(db: Database, since: Date, limit: number): Promise<AgentRow[]> {
  return await db
    .selectFrom('agents')
    .selectAll()
    .where('since', '>=', since)
    .orderBy('since', 'desc')
    .limit(limit)
    .execute();
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
