import type { Address, Hex, LocalAccount } from 'viem';
import { settlementAbi } from '../abi/settlement.ts';
import type { Deployment } from '../deploy/deployment.ts';
import type { Signer } from '../tx/signer.ts';
import { type ContractCall, simulate, transact } from '../tx/transact.ts';

/** A deal as both agents sign it. The parties are their token-bound accounts. */
export interface DealOnChain {
  readonly dealId: Hex;
  readonly seller: Address;
  readonly buyer: Address;
  readonly asset: Address;
  readonly tokenId: bigint;
  readonly token: Address;
  /** In the token's smallest unit. */
  readonly price: bigint;
  /** An index into CATEGORIES. */
  readonly category: number;
  /** In unix seconds. */
  readonly deadline: number;
  /** The quoted state of the agent that is sold; zero for any other asset. */
  readonly state: bigint;
}

/** Sales of names and other sales. Each kind has its own EIP-712 type and its own fees. */
export type DealKind = 'deal' | 'name';

export interface SignedDeal {
  /** `deal` when left out. */
  readonly kind?: DealKind;
  readonly deal: DealOnChain;
  readonly sellerKey: Address;
  readonly sellerSignature: Hex;
  readonly buyerKey: Address;
  readonly buyerSignature: Hex;
}

/**
 * The gas limit of a settlement, alone and among several: for each its `DEAL_GAS`, the 64th part that a call leaves behind,
 * and its calldata. The dearest takes some 280,000, an agent as it was quoted, and the rest is for the thing's own contract,
 * which may burn all of it. Unused gas is not charged. Twenty stay below the most that a transaction may have, 2^24
 * (EIP-7825).
 */
export const SETTLE_GAS = 700_000n;

/** The most deals in one transaction, which the contract's `MAX_DEALS` allows as well. */
export const MOST_TOGETHER = 20;

const DEAL_FIELDS = [
  { name: 'dealId', type: 'bytes32' },
  { name: 'seller', type: 'address' },
  { name: 'buyer', type: 'address' },
  { name: 'asset', type: 'address' },
  { name: 'tokenId', type: 'uint256' },
  { name: 'token', type: 'address' },
  { name: 'price', type: 'uint128' },
  { name: 'category', type: 'uint8' },
  { name: 'deadline', type: 'uint48' },
  { name: 'state', type: 'uint256' },
] as const;

const KINDS = {
  deal: { primaryType: 'Deal', functionName: 'settle' },
  name: { primaryType: 'NameDeal', functionName: 'settleName' },
} as const;

/** The EIP-712 signature of a deal by one side's session key. */
export function signDeal(
  key: LocalAccount,
  deployment: Deployment,
  deal: DealOnChain,
  kind: DealKind = 'deal',
): Promise<Hex> {
  return key.signTypedData({
    domain: {
      name: 'SafeHandshakeSettlement',
      version: '1',
      chainId: deployment.chainId,
      verifyingContract: deployment.settlement,
    },
    types: { Deal: DEAL_FIELDS, NameDeal: DEAL_FIELDS },
    primaryType: KINDS[kind].primaryType,
    message: deal,
  });
}

/**
 * Simulates whether the deal would settle now, with the gas that its transaction will have: a token must not be able to
 * tell the two apart by it. It sends nothing.
 * @throws ChainError reverted with the custom error of the settlement, an account, a policy or the token; down; slow
 */
export async function simulateSettlement(
  signer: Signer,
  deployment: Deployment,
  signed: SignedDeal,
): Promise<void> {
  await simulate(signer, { ...settleCall(deployment, signed), gas: SETTLE_GAS });
}

export interface Settled {
  readonly tx: Hex;
  readonly block: bigint;
}

/** The purpose under which the signer keeps what it sent for a deal. */
export function settlePurpose(dealId: Hex): string {
  return `settle:${dealId}`;
}

/**
 * Settles a deal: moves the asset one way and the money the other, or nothing.
 * @param sent called once the transaction is on its way
 * @returns the transaction and its block
 * @throws ChainError reverted with the named custom error, down when nothing was sent, unknown: then ask
 *   `findSettlement` before anything else
 */
export async function settleDeal(
  signer: Signer,
  deployment: Deployment,
  signed: SignedDeal,
  sent: (hash: Hex) => void = () => {},
): Promise<Settled> {
  const purpose = settlePurpose(signed.deal.dealId);
  const call = { ...settleCall(deployment, signed), gas: SETTLE_GAS, purposes: [purpose] };
  const { transactionHash, blockNumber } = await transact(signer, call, sent);
  return { tx: transactionHash, block: blockNumber };
}

function settleCall(deployment: Deployment, signed: SignedDeal) {
  const { kind = 'deal', deal, sellerKey, sellerSignature, buyerKey, buyerSignature } = signed;
  return {
    to: deployment.settlement,
    abi: settlementAbi,
    functionName: KINDS[kind].functionName,
    args: [deal, sellerKey, sellerSignature, buyerKey, buyerSignature],
  };
}

/** Settles each of several deals that can be settled, by one transaction. */
export function manyCall(deployment: Deployment, deals: readonly SignedDeal[]): ContractCall {
  return {
    to: deployment.settlement,
    abi: settlementAbi,
    functionName: 'settleMany',
    args: [deals.map(({ kind = 'deal', ...signed }) => ({ ...signed, isName: kind === 'name' }))],
    gas: SETTLE_GAS * BigInt(deals.length),
    purposes: deals.map(({ deal }) => settlePurpose(deal.dealId)),
  };
}
