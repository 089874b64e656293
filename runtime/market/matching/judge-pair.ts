import type { Category } from '../../../agents/categories.ts';
import { mandateAllows } from '../../../agents/mandate/grammar/pairing.ts';
import { findAgent, findMandate } from '../../../store/agent/agents.ts';
import type { Database, Trx } from '../../../store/database.ts';
import type { Allows, Pair } from '../../../store/market/matches.ts';
import { HOME_CHAIN } from '../../services.ts';

/**
 * Checks a pair of orders at the moment of the match: both mandates must be in force and allow the other side's agent at
 * this price. An order does not know its counterparty, and a mandate may have ended or changed since it was placed.
 */
export function bothMandatesAllow(db: Database | Trx, now: Date): Allows {
  return async (pair) =>
    (await sideAllows(db, pair, 'sell', now)) && (await sideAllows(db, pair, 'buy', now));
}

async function sideAllows(db: Database | Trx, pair: Pair, side: 'buy' | 'sell', now: Date): Promise<boolean> {
  const [own, others] = side === 'buy' ? [pair.buy, pair.sell] : [pair.sell, pair.buy];
  const [mandate, other] = await Promise.all([findMandate(db, own.handle), findAgent(db, others.handle)]);
  if (mandate === null || other === null) return false;
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
}
