import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { sameThing } from '../market/same-thing.ts';

/** What the service knows of an agent's account that held a certificate. */
export interface AgentHolder {
  /** Lower case, as the agent's owner. */
  readonly account: string;
  readonly owner: string;
  /** The settlements in which the agent bought the thing, lower case. */
  readonly bought: readonly string[];
}

/**
 * The agents among holders of a certificate.
 * @param of.accounts lower case
 * @param of.txs in which the certificate moved, lower case
 */
export async function agentHolders(
  db: Database,
  of: { readonly accounts: readonly string[]; readonly txs: readonly string[]; readonly assetKey: string },
): Promise<AgentHolder[]> {
  if (of.accounts.length === 0) return [];
  return await db
    .selectFrom('agents as a')
    .select((eb) => [
      'a.account',
      'a.owner',
      sql<string[]>`array(${eb
        .selectFrom('matches')
        .innerJoin('deals', 'deals.match_id', 'matches.match_id')
        .select('matches.tx')
        .whereRef('deals.buyer', '=', 'a.handle')
        .where('matches.tx', '=', sql<string>`any(${[...of.txs]}::text[])`)
        .where(sameThing(of.assetKey))})`.as('bought'),
    ])
    .where('a.account', '=', sql<string>`any(${[...of.accounts]}::text[])`)
    .execute();
}
