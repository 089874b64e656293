import type { Category } from '../../../agents/categories.ts';
import { mandateAllows } from '../../../agents/mandate/grammar/pairing.ts';
import { type AgentRow, findAgents, findMandates } from '../../../store/agent/agents.ts';
import type { Database, Trx } from '../../../store/database.ts';
import type { Pair, PairAgents } from '../../../store/market/matches.ts';
import { HOME_CHAIN } from '../../services.ts';

/**
 * Checks a pair of orders at the moment of the match: both mandates must be in force and allow the other side's agent at
 * this price. An order does not know its counterparty, and a mandate may have ended or changed since it was placed.
 * The agents are read if they are not known.
 */
export function bothMandatesAllow(
  db: Database | Trx,
  now: Date,
): (pair: Pair, known?: PairAgents) => Promise<boolean> {
  return async (pair, known) => {
    const agents = known ?? (await readAgents(db, pair));
    return agents !== null && (await allowEachOther(db, pair, agents, now));
  };
}

/** The agents of a pair; null where one of them is not there. */
export async function readAgents(db: Database | Trx, { sell, buy }: Pair): Promise<PairAgents | null> {
  const [seller, buyer] = await findAgents(db, [sell.handle, buy.handle]);
  return seller === null || buyer === null ? null : { seller, buyer };
}

async function allowEachOther(
  db: Database | Trx,
  pair: Pair,
  { seller, buyer }: PairAgents,
  now: Date,
): Promise<boolean> {
  const mandates = await findMandates(db, [seller.handle, buyer.handle]);
  const allows = (side: 'buy' | 'sell', own: Pair['buy'], other: AgentRow, others: Pair['buy']): boolean => {
    const mandate = mandates.get(own.handle);
    if (mandate === undefined) return false;
    return mandateAllows(
      mandate.structured,
      {
        side,
        category: own.category as Category,
        priceMicro: pair.price,
        chainId: HOME_CHAIN,
        at: now.toISOString(),
      },
      { handle: other.handle, account: other.account, owner: others.owner },
    );
  };
  return allows('sell', pair.sell, buyer, pair.buy) && allows('buy', pair.buy, seller, pair.sell);
}
