import { type Address, type Hex, toEventSelector } from 'viem';
import { type ChainLog, ReaderError } from '../rpc/reader.ts';

/** One transfer of one token id. */
export interface TokenMove {
  readonly block: bigint;
  readonly tx: Hex;
  readonly logIndex: number;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

export const MOVED = toEventSelector('Transfer(address,address,uint256)');
export const SINGLE = toEventSelector('TransferSingle(address,address,address,uint256,uint256)');
export const BATCH = toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])');

/** Of a transfer of ERC-721; the log of an ERC-20 transfer has no fourth topic. */
export function idOf({ topics }: ChainLog): readonly bigint[] {
  return topics.length === 4 ? [BigInt(topics[3]!)] : [];
}

/** Of a transfer of ERC-1155; what is of another form, as any contract may log it, moves nothing. */
export function idsIn(log: ChainLog): readonly bigint[] {
  return unitsIn(log)?.map(({ id }) => id) ?? [];
}

/** @throws ReaderError down for a malformed log */
export function singleMove(log: ChainLog): TokenMove {
  return { ...placeOf(log), from: addressIn(log.topics[1]), to: addressIn(log.topics[2]), amount: 1n };
}

/** What a log of ERC-1155 moves of one id; none when it moves others. @throws ReaderError down for a malformed log */
export function sharesMove(log: ChainLog, tokenId: bigint): readonly TokenMove[] {
  const amount = amountOf(log, tokenId);
  const parties = { from: addressIn(log.topics[2]), to: addressIn(log.topics[3]) };
  return amount === 0n ? [] : [{ ...placeOf(log), ...parties, amount }];
}

function placeOf(log: ChainLog): Pick<TokenMove, 'block' | 'tx' | 'logIndex'> {
  return { block: log.blockNumber, tx: log.transactionHash, logIndex: log.logIndex };
}

/** @throws ReaderError down for a malformed log */
function addressIn(topic: Hex | undefined): Address {
  if (topic === undefined || !/^0x0{24}[0-9a-f]{40}$/i.test(topic))
    throw new ReaderError('down', 'the node served a log of another form');
  return `0x${topic.slice(26).toLowerCase()}`;
}

/** How much of this id an ERC-1155 log moves. @throws ReaderError down for a malformed log */
function amountOf(log: ChainLog, tokenId: bigint): bigint {
  const units = unitsIn(log);
  if (units === null) throw new ReaderError('down', 'the node served a log of another form');
  return units.reduce((sum, { id, amount }) => (id === tokenId ? sum + amount : sum), 0n);
}

/** What an ERC-1155 log moves; null for a malformed one. */
function unitsIn(log: ChainLog): readonly { readonly id: bigint; readonly amount: bigint }[] | null {
  const words = (log.data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`));
  if (log.topics[0] === SINGLE) {
    const [id, amount] = words;
    return id === undefined || amount === undefined ? null : [{ id, amount }];
  }
  const array = (at: bigint | undefined): bigint[] | null => {
    const start = Number((at ?? -32n) / 32n);
    const length = Number(words[start] ?? -1n);
    const items = words.slice(start + 1, start + 1 + length);
    return length < 0 || items.length !== length ? null : items;
  };
  const [ids, amounts] = [array(words[0]), array(words[1])];
  if (ids === null || amounts === null || ids.length !== amounts.length) return null;
  return ids.map((id, i) => ({ id, amount: amounts[i]! }));
}
