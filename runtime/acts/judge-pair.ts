import type { Category } from '../../agents/categories.ts';
import { mandateAllows } from '../../agents/mandate/pairing.ts';
import type { Mandate } from '../../agents/mandate/schema.ts';
import { findAgent, findMandate } from '../../store/agents.ts';
import type { Trx } from '../../store/database.ts';
import type { Allows, Pair } from '../../store/matches.ts';
import { HOME_CHAIN } from '../services.ts';

/**
 * The check of a pair in the moment it would match: both mandates in force, each with the other side's agent as its
 * counterparty, at the price of this pair. An order says nothing of whom it will meet, and a mandate may have run out
 * or changed since it was placed.
 */
export function bothMandatesAllow(trx: Trx, now: Date): Allows {
  return async (pair) =>
    (await sideAllows(trx, pair, 'sell', now)) && (await sideAllows(trx, pair, 'buy', now));
}

async function sideAllows(trx: Trx, pair: Pair, side: 'buy' | 'sell', now: Date): Promise<boolean> {
  const [own, others] = side === 'buy' ? [pair.buy, pair.sell] : [pair.sell, pair.buy];
  const [mandate, other] = await Promise.all([findMandate(trx, own.handle), findAgent(trx, others.handle)]);
  if (mandate === null || other === null) return false;
  return mandateAllows(
    mandate.structured as unknown as Mandate,
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
