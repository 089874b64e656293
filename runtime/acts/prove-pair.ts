import { readAgentEpoch, readAgentOwner } from '../../chain/agents.ts';
import { ultimateOwner } from '../../chain/ultimate-owner.ts';
import { type AgentRow, findAgent } from '../../store/agents.ts';
import type { Trx } from '../../store/database.ts';
import { findListing } from '../../store/listings.ts';
import type { Allows, Pair } from '../../store/matches.ts';
import { overChain } from '../evidence/lots.ts';
import { HOME_CHAIN, type Services } from '../services.ts';
import { bothMandatesAllow } from './judge-pair.ts';
import { requireControlled } from './prove-control.ts';

/**
 * What holds in the moment a pair would match, and is read on chain then, whatever was read when either order was
 * placed: both mandates allow it, neither agent has changed hands, whoever stood behind each order stands behind it
 * still, nobody stands behind both, and the thing is still its seller's to sell.
 * @throws (from the check) AssetLeft, AppError unavailable: what is unknown does not match
 */
export function pairHolds(services: Services, trx: Trx, now: Date): Allows {
  const mandatesAllow = bothMandatesAllow(trx, now);
  return async (pair) => (await mandatesAllow(pair)) && (await standsOnChain(services, trx, pair));
}

async function standsOnChain(services: Services, trx: Trx, pair: Pair): Promise<boolean> {
  const [seller, buyer, listing] = await Promise.all([
    findAgent(trx, pair.sell.handle),
    findAgent(trx, pair.buy.handle),
    findListing(trx, pair.sell.listing_ref),
  ]);
  if (seller === null || buyer === null || listing === null) return false;
  return await overChain(HOME_CHAIN, async () => {
    const { number: block } = await services.home.readers.viem.head();
    const [sells, buys] = await Promise.all([
      whoIsBehind(services, seller, block),
      whoIsBehind(services, buyer, block),
      requireControlled(services, listing, seller, block),
    ]);
    return sells === pair.sell.owner && buys === pair.buy.owner && sells !== buys;
  });
}

/** Null where it changed hands since it was last heard of, or nobody can tell. */
async function whoIsBehind({ home }: Services, agent: AgentRow, block: bigint): Promise<string | null> {
  const reader = home.readers.viem;
  const [epoch, owner] = await Promise.all([
    readAgentEpoch(reader, home.deployment, agent.token_id, block),
    readAgentOwner(reader, home.deployment, agent.token_id, block),
  ]);
  return epoch === agent.epoch ? await ultimateOwner(reader, owner, block) : null;
}
