import { toUsd } from '../../agents/money.ts';
import { findAgent } from '../../store/agents.ts';
import { findCheckout } from '../../store/checkouts.ts';
import { insertRecord } from '../../store/records.ts';
import { recordIdOf, signRecord } from '../records.ts';
import type { Services } from '../services.ts';
import { EffectError, type EffectRunner } from './effect.ts';

/** The public record of an agent that was bought: checkout to mint. */
export function recordPurchaseEffect(services: Services): EffectRunner {
  return {
    kind: 'record-purchase',
    lane: 'default',
    maxAttempts: 1_000,
    async run({ params }) {
      const checkout = await findCheckout(services.db, String(params.checkoutId));
      const agent = checkout && (await findAgent(services.db, checkout.handle as string));
      if (!checkout || !agent) throw new EffectError('the minted agent is not there yet', { retry: true });
      const signed = await signRecord(services.signRecord, {
        recordId: recordIdOf('agent-purchase', checkout.id),
        kind: 'agent-purchase',
        issuedAt: agent.since,
        subject: agent.account,
        parties: [agent.handle],
        summary: `${agent.tier} ${agent.handle} was bought for ${toUsd(checkout.amount)} USD and minted.`,
        content: {
          handle: agent.handle,
          tier: agent.tier,
          owner: agent.owner,
          chainId: agent.chain_id,
          contract: agent.contract,
          tokenId: agent.token_id.toString(),
          account: agent.account,
          mandateHash: (checkout.details as { mandateHash: string }).mandateHash,
          paidUsd: toUsd(checkout.amount),
          mintTx: agent.mint_tx,
        },
        handle: agent.handle,
      });
      return {
        event: { type: 'RECORDED' },
        commit: async (trx) => {
          await insertRecord(trx, signed);
        },
      };
    },
  };
}
