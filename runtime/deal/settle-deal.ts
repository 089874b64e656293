import { keccak } from '../../agents/canonical.ts';
import { CATEGORIES, type Category } from '../../agents/categories.ts';
import { type Address, sameAddress } from '../../agents/ids.ts';
import { isNameLot } from '../../agents/names/name.ts';
import { readAgentOwner } from '../../chain/clients/agents.ts';
import type { Payment } from '../../chain/clients/buyer-pays.ts';
import {
  type DealOnChain,
  type Settled,
  settlePurpose,
  signDeal,
  simulateSettlement,
} from '../../chain/clients/settlement.ts';
import { ultimateOwnerOf } from '../../chain/clients/ultimate-owner.ts';
import type { SettlementTerms } from '../../chain/indexer/find-settlement.ts';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import type { Head } from '../../chain/rpc/reader.ts';
import type { AgentRow } from '../../store/agent/agents.ts';
import { type LoadedDeal, loadDeal } from '../../store/deal/deals.ts';
import { keepDeadline } from '../../store/deal/signings.ts';
import { EffectError } from '../durable/jobs/effect.ts';
import type { Services } from '../services.ts';
import { verifiedRefusal } from './verified-refusal.ts';

/** The deal cannot be settled on chain, now or later. */
export class NotSettleable extends Error {
  override readonly name = 'NotSettleable';
}

const AGENT_MISSING = 'an agent of the deal is not there';

/** An agent as it settles a deal. */
type DealAgent = Pick<AgentRow, 'handle' | 'owner' | 'token_id' | 'session_key_index'>;

/** A deal with both its agents. */
export interface DealSides {
  readonly deal: LoadedDeal;
  readonly buyer: DealAgent;
  readonly seller: DealAgent;
}

/**
 * Has both session keys sign a deal, and settles it in one transaction. The deal id is the contract's nonce, so the
 * deal settles once, however often this runs. Until when anyone may settle by what is sent is kept with the deal before.
 * @param valid.seconds how long the two signatures are valid from the head on
 * @param valid.head as it was just read
 * @throws ChainError reverted, by a name of `NOT_FINAL` only where the chain bears it out, down, unknown; NotSettleable;
 *   ReaderError; EffectError while another attempt signs
 */
export async function settleOnChain(
  services: Services,
  { deal, buyer, seller }: DealSides,
  { seconds, head }: { readonly seconds: number; readonly head: Head },
): Promise<Settled> {
  const { home } = services;
  const terms = dealOnChain(services, deal, Number(head.timestamp) + seconds);
  const [sellerKey, buyerKey] = [seller, buyer].map((a) =>
    services.sessionKeys.at(Number(a.session_key_index)),
  );
  const kind = isNameLot(deal.asset_key) ? 'name' : 'deal';
  const signed = {
    kind,
    deal: terms,
    sellerKey: sellerKey!.address,
    sellerSignature: await signDeal(sellerKey!, home.deployment, terms, kind),
    buyerKey: buyerKey!.address,
    buyerSignature: await signDeal(buyerKey!, home.deployment, terms, kind),
  } as const;
  try {
    await simulateSettlement(home.settlement, home.deployment, signed);
    if (!(await keepDeadline(services.db, deal, BigInt(terms.deadline))))
      throw new EffectError('another attempt has signed the deal meanwhile', { retry: true });
    return await home.settle(signed);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    throw await verifiedRefusal(services, terms, error);
  }
}

/**
 * Checks that the owners are still the same. A new owner has agreed to nothing, so its key must not settle, under the
 * mandate it has signed since, what the previous owner had ordered. The owner is the beneficial owner, through any
 * number of accounts.
 * @returns the head at which they were read
 * @throws NotSettleable, ReaderError
 */
export async function requireSameOwners(
  { home }: Pick<Services, 'home'>,
  { deal, buyer, seller }: DealSides,
): Promise<Head> {
  const reader = home.readers.viem;
  const head = await reader.head();
  const same = async ({ handle, token_id: tokenId, owner: likely }: DealAgent, owner: string) => {
    const reading = readAgentOwner(reader, home.deployment, tokenId, head.number);
    const beneficialOwner = await ultimateOwnerOf(reader, reading, likely as Address, head.number);
    if (beneficialOwner === null || !sameAddress(beneficialOwner, owner))
      throw new NotSettleable(`${handle} has changed hands since it was matched`);
  };
  await Promise.all([same(seller, deal.seller_owner), same(buyer, deal.buyer_owner)]);
  return head;
}

/**
 * Whether a settlement that was sent may still be mined, or was refused in a block that a reorg may remove: in another one
 * it may succeed. @throws ChainError down
 */
export async function settlementUnderWay({ home, config }: Services, dealId: string): Promise<boolean> {
  return await home.settlement.underWay(settlePurpose(keccak(dealId)), config.confirmations);
}

function dealOnChain(services: Services, deal: LoadedDeal, deadline: number): DealOnChain {
  const { fee: _, ...terms } = termsOf(services, deal);
  return {
    ...terms,
    category: CATEGORIES.indexOf(deal.category as Category),
    deadline,
    state: deal.quoted_state === null ? 0n : BigInt(deal.quoted_state),
  };
}

/** What the buyer's session key signs that its account pays. @throws NotSettleable when no contract here can settle the deal */
export function paymentOf(services: Services, { deal, buyer }: DealSides): Payment {
  const key = services.sessionKeys.at(Number(buyer.session_key_index)).address;
  return { ...dealOnChain(services, deal, 0), key };
}

/**
 * The terms that the settlement contract must have reported for this deal to count as settled.
 * @throws NotSettleable when no contract here can settle the deal
 */
export async function settlementTerms(services: Services, dealId: string): Promise<SettlementTerms> {
  return termsOf(services, await loadDeal(services.db, dealId));
}

/** @throws NotSettleable when an agent of the deal is not there */
export async function loadSides({ db }: Pick<Services, 'db'>, dealId: string): Promise<DealSides> {
  const deal = await loadDeal(db, dealId);
  const { buyer_agent_owner: buyer, seller_agent_owner: seller } = deal;
  return {
    deal,
    buyer: agentOf(deal.buyer, buyer, deal.buyer_token_id, deal.buyer_key_index),
    seller: agentOf(deal.seller, seller, deal.seller_token_id, deal.seller_key_index),
  };
}

/** @throws NotSettleable when it is not there */
function agentOf(
  handle: string,
  owner: string | null,
  tokenId: bigint | null,
  keyIndex: bigint | null,
): DealAgent {
  if (owner === null || tokenId === null || keyIndex === null) throw new NotSettleable(AGENT_MISSING);
  return { handle, owner, token_id: tokenId, session_key_index: keyIndex };
}

/** As {@link settlementTerms}, of a deal that was read. @throws NotSettleable */
export function termsOf({ home: { deployment } }: Services, deal: LoadedDeal): SettlementTerms {
  const { asset, seller_account: seller, buyer_account: buyer } = deal;
  if (buyer === null || seller === null) throw new NotSettleable(AGENT_MISSING);
  if (asset.kind !== 'token') throw new NotSettleable('only a token can be settled on chain');
  if (asset.chainId !== deployment.chainId)
    throw new NotSettleable(
      `the token is on chain ${asset.chainId}, and deals settle on ${deployment.chainId}`,
    );
  return {
    dealId: keccak(deal.deal_id),
    seller: seller as `0x${string}`,
    buyer: buyer as `0x${string}`,
    asset: asset.contract,
    tokenId: BigInt(asset.tokenId),
    token: deployment.usdc,
    price: deal.price,
    fee: deal.fee,
  };
}
