import { type Address, encodeEventTopics, type Hex, type LocalAccount } from 'viem';
import { settlementAbi } from './abi/settlement.ts';
import type { Deployment } from './deployment.ts';
import { findLog } from './find-log.ts';
import type { ChainReader } from './readers/reader.ts';
import type { Signer } from './signer.ts';
import { simulate, transact } from './transact.ts';

/** A deal as both agents sign it. Parties are their token-bound accounts. */
export interface DealOnChain {
  readonly dealId: Hex;
  readonly seller: Address;
  readonly buyer: Address;
  readonly asset: Address;
  readonly tokenId: bigint;
  readonly token: Address;
  /** The token's smallest unit. */
  readonly price: bigint;
  /** Index into CATEGORIES. */
  readonly category: number;
  /** Unix seconds. */
  readonly deadline: number;
}

/** Each kind is a type of its own to those who sign it, with fees of its own: the sale of a name, and any other. */
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

/** The limit given to a settlement; what is not used is not charged. */
export const SETTLE_GAS = 1_500_000n;

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
] as const;

const KINDS = {
  deal: { primaryType: 'Deal', functionName: 'settle' },
  name: { primaryType: 'NameDeal', functionName: 'settleName' },
} as const;

/** EIP-712 signature of a deal by one side's session key. */
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
 * Whether the deal would settle now. Costs nothing and sends nothing.
 * @throws ChainError reverted with the custom error of the settlement, an account, a policy or the token; down; slow
 */
export async function simulateSettlement(
  signer: Signer,
  deployment: Deployment,
  signed: SignedDeal,
): Promise<void> {
  await simulate(signer, settleCall(deployment, signed));
}

export interface Settled {
  readonly tx: Hex;
  readonly block: bigint;
}

/** By which a signer knows what it sent for a deal. */
export function settlePurpose(dealId: Hex): string {
  return `settle:${dealId}`;
}

/**
 * Moves the asset one way and the money the other, or nothing.
 * @returns the transaction and its block
 * @throws ChainError reverted with the named custom error, down when nothing was sent, unknown: then ask
 *   `findSettlement` before anything else
 */
export async function settleDeal(
  signer: Signer,
  deployment: Deployment,
  signed: SignedDeal,
): Promise<Settled> {
  const purpose = settlePurpose(signed.deal.dealId);
  const call = { ...settleCall(deployment, signed), gas: SETTLE_GAS, purpose };
  const { transactionHash, blockNumber } = await transact(signer, call);
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

/** The transaction that settled a deal; null when none has, up to the head now. @throws ReaderError */
export async function findSettlement(
  reader: ChainReader,
  deployment: Deployment,
  dealId: Hex,
): Promise<Settled | null> {
  const { number } = await reader.head();
  const { settlement: address } = deployment;
  const at = await reader.read({
    address,
    abi: settlementAbi,
    functionName: 'settledAt',
    args: [dealId],
    block: number,
  });
  if (Number(at) === 0) return null;
  const log = await findLog(reader, {
    address,
    topics: encodeEventTopics({ abi: settlementAbi, eventName: 'DealSettled', args: { dealId } }) as Hex[],
    fromBlock: BigInt(deployment.deployedAtBlock),
    toBlock: number,
  });
  // The contract says it settled: not knowing by which transaction is no reason to say that it did not.
  if (!log) throw new Error(`deal ${dealId} is settled, but the node does not serve the log that says where`);
  return { tx: log.transactionHash, block: log.blockNumber };
}
