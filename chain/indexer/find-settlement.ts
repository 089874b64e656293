import { type Address, encodeEventTopics, getAbiItem, type Hex, toEventSelector } from 'viem';
import { sameAddress } from '../../agents/ids.ts';
import { settlementAbi } from '../abi/settlement.ts';
import type { DealOnChain, Settled } from '../clients/settlement.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { addressInWord } from '../rpc/address-word.ts';
import { type ChainLog, type ChainReader, ReaderError } from '../rpc/reader.ts';
import { findLog } from './find-log.ts';

/** The fields that a `DealSettled` must have, for it to be the settlement of this deal. */
export interface SettlementTerms
  extends Pick<DealOnChain, 'dealId' | 'seller' | 'buyer' | 'asset' | 'tokenId' | 'token' | 'price'> {
  /** The platform's fee, in the token's smallest unit. */
  readonly fee: bigint;
}

/**
 * - `none`: the contract has settled nothing between the two parties under this deal's id.
 * - `settled`: it settled exactly this deal.
 * - `taken`: it settled something else between the same two accounts under the id, so this deal can no longer be
 *   settled. The id belongs to the pair, so nobody else can use it up.
 */
export type SettlementFound =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'settled' } & Settled)
  | { readonly kind: 'taken'; readonly tx: Hex };

/**
 * Finds what the settlement contract did under a deal's id between its two parties. The deal counts as settled only by
 * an event of that contract in which every field is the deal's.
 * @param at as of this block; the head when left out
 * @throws ReaderError; `reorganised` when the event's block is no longer part of the chain
 */
export async function findSettlement(
  reader: ChainReader,
  deployment: Deployment,
  terms: SettlementTerms,
  at?: bigint,
): Promise<SettlementFound> {
  if (reader.chainId !== deployment.chainId)
    throw new Error(`the reader of chain ${reader.chainId} was asked of chain ${deployment.chainId}`);
  const number = at ?? (await reader.head()).number;
  if (!(await isMarked(reader, deployment, terms, number))) return { kind: 'none' };
  const query = {
    address: deployment.settlement,
    topics: encodeEventTopics({
      abi: settlementAbi,
      eventName: 'DealSettled',
      args: { dealId: terms.dealId, seller: terms.seller, buyer: terms.buyer },
    }) as Hex[],
    fromBlock: BigInt(deployment.deployedAtBlock),
    toBlock: number,
  };
  const own = await findLog(reader, query, (log) => isSettlementOf(log, deployment.settlement, terms));
  if (own !== null) {
    await requireCanonical(reader, own);
    return { kind: 'settled', tx: own.transactionHash, block: own.blockNumber };
  }
  const other = await findLog(reader, query);
  // The contract says that it settled. Without the log the transaction is unknown, which must not be reported as
  // unsettled.
  if (other === null)
    throw new Error(`deal ${terms.dealId} is settled, but the node does not serve the log that says where`);
  await requireCanonical(reader, other);
  return { kind: 'taken', tx: other.transactionHash };
}

/** True when the contract has marked the deal's id as settled. Asked first, because a "no" saves searching the logs. */
export async function isMarked(
  reader: ChainReader,
  { settlement: address }: Deployment,
  { dealId, seller, buyer }: Pick<SettlementTerms, 'dealId' | 'seller' | 'buyer'>,
  block: bigint,
): Promise<boolean> {
  const args = [seller, buyer, dealId];
  return (
    Number(await reader.read({ address, abi: settlementAbi, functionName: 'settledAt', args, block })) !== 0
  );
}

/** True when a log is the settlement contract's event for exactly this deal. Pure. */
export function isSettlementOf(log: ChainLog, settlement: Address, terms: SettlementTerms): boolean {
  if (!sameAddress(log.address, settlement)) return false;
  const said = readSettled(log);
  return (
    said !== null &&
    said.dealId.toLowerCase() === terms.dealId.toLowerCase() &&
    sameAddress(said.seller, terms.seller) &&
    sameAddress(said.buyer, terms.buyer) &&
    sameAddress(said.asset, terms.asset) &&
    said.tokenId === terms.tokenId &&
    sameAddress(said.token, terms.token) &&
    said.price === terms.price &&
    said.fee === terms.fee
  );
}

const DEAL_SETTLED = toEventSelector(getAbiItem({ abi: settlementAbi, name: 'DealSettled' }));
/** What its data holds: the asset's contract, its number, the token, the price and the fee, a word each. */
const DATA_WORDS = 5;
const WORD = 64;

/**
 * The fields of a `DealSettled`, addresses in lower case; null for any other log. Cut by hand, because many are looked
 * through in each determination, and a decoder hashes the event's signature for every log.
 */
export function readSettled({ topics, data }: Pick<ChainLog, 'topics' | 'data'>): SettlementTerms | null {
  const [event, dealId, seller, buyer] = topics;
  if (topics.length !== 4 || event?.toLowerCase() !== DEAL_SETTLED) return null;
  if (!dealId || !seller || !buyer || data.length !== 2 + DATA_WORDS * WORD) return null;
  const word = (at: number): Hex => `0x${data.slice(2 + at * WORD, 2 + (at + 1) * WORD)}`;
  return {
    ...{ dealId, seller: addressInWord(seller), buyer: addressInWord(buyer) },
    ...{ asset: addressInWord(word(0)), tokenId: BigInt(word(1)), token: addressInWord(word(2)) },
    ...{ price: BigInt(word(3)), fee: BigInt(word(4)) },
  };
}

/** @throws ReaderError reorganised when the log's block is no longer part of the chain */
async function requireCanonical(reader: ChainReader, { blockNumber, blockHash }: ChainLog): Promise<void> {
  const hash = await reader.blockHash(blockNumber);
  if (hash.toLowerCase() === blockHash.toLowerCase()) return;
  throw new ReaderError('reorganised', `block ${blockNumber} with a settlement was taken back`);
}
