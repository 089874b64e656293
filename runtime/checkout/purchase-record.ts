import { toUsd } from '../../agents/money.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { findCheckout } from '../../store/checkout/checkouts.ts';
import { loadRecord, type SignedRecord } from '../../store/records/records.ts';
import { recordIdOf, signRecord } from '../records/public.ts';
import type { Services } from '../services.ts';

/** The public record of the purchase of an agent, from checkout to mint. Null while the agent is not minted. */
export async function purchaseRecord(services: Services, checkoutId: string): Promise<SignedRecord | null> {
  return await make(services, checkoutId, { recordId: recordIdOf('agent-purchase', checkoutId) });
}

/**
 * Replaces a filed record after a reorg gave the mint another transaction or token id. Null when no record was filed
 * yet: the later one will name the right ones.
 */
export async function correctedPurchaseRecord(
  services: Services,
  checkoutId: string,
  minted: { readonly tokenId: bigint; readonly account: string; readonly tx: string },
): Promise<SignedRecord | null> {
  const supersedes = recordIdOf('agent-purchase', checkoutId);
  if ((await loadRecord(services.db, supersedes)) === null) return null;
  const recordId = recordIdOf('agent-purchase', `${checkoutId}:${minted.tx}:${minted.tokenId}`);
  return await make(services, checkoutId, { recordId, supersedes, minted });
}

async function make(
  services: Services,
  checkoutId: string,
  told: {
    recordId: string;
    supersedes?: string;
    minted?: { readonly tokenId: bigint; readonly account: string; readonly tx: string };
  },
): Promise<SignedRecord | null> {
  const checkout = await findCheckout(services.db, checkoutId);
  const agent = checkout && (await findAgent(services.db, checkout.handle as string));
  if (!checkout || !agent) return null;
  const { recordId, supersedes } = told;
  const minted = told.minted ?? { tokenId: agent.token_id, account: agent.account, tx: agent.mint_tx };
  return await signRecord(services.signRecord, {
    recordId,
    kind: 'agent-purchase',
    issuedAt: agent.since,
    subject: minted.account,
    parties: [agent.handle],
    summary: `${agent.tier} ${agent.handle} was bought for ${toUsd(checkout.amount)} USD and minted.`,
    content: {
      handle: agent.handle,
      tier: agent.tier,
      owner: agent.owner,
      chainId: agent.chain_id,
      contract: agent.contract,
      tokenId: minted.tokenId.toString(),
      account: minted.account,
      mandateHash: (checkout.details as { mandateHash: string }).mandateHash,
      paidUsd: toUsd(checkout.amount),
      mintTx: minted.tx,
      ...(supersedes === undefined ? {} : { supersedes }),
    },
    handle: agent.handle,
  });
}
