import type { Database } from '../database.ts';

/** An agent as this database knows it, to be held to what the chain says of it. */
export interface KnownAgent {
  readonly handle: string;
  readonly token_id: bigint;
  readonly account: string;
  readonly session_key: string;
  /** Of the mandate in force. */
  readonly hash: string | null;
}

export async function knownAgents(
  db: Database,
  { chainId, contract }: { readonly chainId: number; readonly contract: string },
): Promise<KnownAgent[]> {
  return await db
    .selectFrom('agents')
    .leftJoin('mandates', (join) =>
      join
        .onRef('mandates.handle', '=', 'agents.handle')
        .onRef('mandates.version', '=', 'agents.mandate_version'),
    )
    .select(['agents.handle', 'agents.token_id', 'agents.account', 'agents.session_key', 'mandates.hash'])
    .where('agents.chain_id', '=', chainId)
    .where('agents.contract', '=', contract)
    .execute();
}
