import { toUsd } from '../../agents/money.ts';
import { type AgentRow, findAgent } from '../../store/agent/agents.ts';
import { findCheckout } from '../../store/checkout/checkouts.ts';
import { type Happening, recordsOf } from '../../store/records/record-status.ts';
import { loadRecord, type SignedRecord } from '../../store/records/records.ts';
import { recordIdOf, signRecord } from '../records/public.ts';
import type { Services } from '../services.ts';

/** The public record of the purchase of an agent, from checkout to mint. Null while the agent is not minted. */
export async function purchaseRecord(services: Services, checkoutId: string): Promise<SignedRecord | null> {
  return await make(services, checkoutId, { recordId: recordIdOf('agent-purchase', checkoutId) });
}

/** What the records of an agent's purchase have in common: the first, and those in its place after a reorg. */
export function purchaseOf(handle: string): Happening {
  return { kind: 'agent-purchase', handle };
}

/**
 * Replaces a filed record after a reorg gave the mint another transaction or token id. Null when no record was filed
 * yet: the later one will name the right ones.
 */
export async function correctedPurchaseRecord(
  services: Services,
  { handle, checkout_id: checkoutId }: Pick<AgentRow, 'handle' | 'checkout_id'>,
  minted: { readonly tokenId: bigint; readonly account: string; readonly tx: string },
): Promise<SignedRecord | null> {
  const supersedes = (await recordsOf(services.db, purchaseOf(handle))).at(-1);
  const last = supersedes === undefined ? null : await loadRecord(services.db, supersedes);
  if (supersedes === undefined || last === null) return null;
  const named = mintNamedIn(last);
  if (named.tx === minted.tx && named.tokenId === minted.tokenId) return last;
  // A mint may come back to where it was before, and the record of that does not hold any more.
  const recordId = recordIdOf('agent-purchase', `${supersedes}:${minted.tx}:${minted.tokenId}`);
  return await make(services, checkoutId, { recordId, supersedes, minted });
}

/** The mint that the record of a purchase names. */
export function mintNamedIn({ record }: SignedRecord): {
  readonly handle: string;
  readonly tx: string;
  readonly tokenId: bigint;
} {
  const { handle, mintTx, tokenId } = record.content as {
    readonly handle: string;
    readonly mintTx: string;
    readonly tokenId: string;
  };
  return { handle, tx: mintTx, tokenId: BigInt(tokenId) };
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
