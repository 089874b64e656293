import type { Asset } from '../../agents/assets.ts';
import { keccak } from '../../agents/canonical.ts';
import { CATEGORIES, type Category } from '../../agents/categories.ts';
import { ChainError } from '../../chain/chain-error.ts';
import {
  type DealOnChain,
  findSettlement,
  settleDeal,
  signDeal,
  simulateSettlement,
} from '../../chain/settlement.ts';
import { type AgentRow, findAgent } from '../../store/agents.ts';
import { markSettled } from '../../store/closings.ts';
import { type LoadedDeal, loadDeal } from '../../store/deals.ts';
import type { Services } from '../services.ts';
import { EffectError, type EffectOutcome, type EffectRunner } from './effect.ts';

/** How long the two signatures over a deal are good for, seconds. */
const DEADLINE_SECONDS = 900;

/**
 * Settles a deal: asset one way, money less the fee the other, in one transaction signed by both session keys. The
 * deal id is the contract's nonce, so a second settlement of one deal is refused there.
 */
export function settleEffect(services: Services): EffectRunner {
  const settledAlready = async (dealId: string): Promise<EffectOutcome | null> => {
    const { readers, deployment } = services.home;
    const found = await findSettlement(readers.viem, deployment, keccak(dealId));
    return found === null ? null : settled(services, dealId, found.tx);
  };
  return {
    kind: 'settle',
    lane: 'chain',
    maxAttempts: 1_000,
    reconcile: ({ params }) => settledAlready(String(params.dealId)),
    async run({ params }) {
      const dealId = String(params.dealId);
      const deal = await loadDeal(services.db, dealId);
      const [buyer, seller] = await Promise.all(
        [deal.buyer, deal.seller].map((h) => findAgent(services.db, h)),
      );
      if (!buyer || !seller) throw new EffectError('an agent of the deal is not there', { retry: false });
      const { home } = services;
      const terms = await dealOnChain(services, deal, buyer, seller);
      const [sellerKey, buyerKey] = [seller, buyer].map((a) =>
        services.sessionKeys.at(Number(a.session_key_index)),
      );
      const signed = {
        deal: terms,
        sellerKey: sellerKey!.address,
        sellerSignature: await signDeal(sellerKey!, home.deployment, terms),
        buyerKey: buyerKey!.address,
        buyerSignature: await signDeal(buyerKey!, home.deployment, terms),
      };
      try {
        await simulateSettlement(home.operator, home.deployment, signed);
        const tx = await settleDeal(home.operator, home.deployment, signed);
        services.crash('after-settlement-before-record');
        return settled(services, dealId, tx);
      } catch (error) {
        if (!(error instanceof ChainError) || error.kind !== 'reverted') throw error;
        const earlier = error.errorName === 'DealAlreadySettled' ? await settledAlready(dealId) : null;
        if (earlier !== null) return earlier;
        throw new EffectError(`the chain refused the settlement: ${error.message}`, {
          retry: false,
          cause: error,
        });
      }
    },
  };
}

async function dealOnChain(
  services: Services,
  deal: LoadedDeal,
  buyer: AgentRow,
  seller: AgentRow,
): Promise<DealOnChain> {
  const asset = deal.asset as unknown as Asset;
  if (asset.kind !== 'token') throw new EffectError('only a token can be settled on chain', { retry: false });
  const { timestamp } = await services.home.readers.viem.head();
  return {
    dealId: keccak(deal.deal_id),
    seller: seller.account as `0x${string}`,
    buyer: buyer.account as `0x${string}`,
    asset: asset.contract,
    tokenId: BigInt(asset.tokenId),
    token: services.home.deployment.usdc,
    price: deal.price,
    category: CATEGORIES.indexOf(deal.category as Category),
    deadline: Number(timestamp) + DEADLINE_SECONDS,
  };
}

function settled(services: Services, dealId: string, tx: string): EffectOutcome {
  return {
    event: { type: 'SETTLED', tx },
    commit: async (trx) => {
      await markSettled(trx, { dealId, tx, now: services.now() });
    },
  };
}
