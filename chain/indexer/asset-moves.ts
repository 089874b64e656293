import { type Address, getAbiItem, type Hex, parseEventLogs, toEventSelector } from 'viem';
import { spendPolicyAbi } from '../abi/spend-policy.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { type ChainLog, type ChainReader, viemLog } from '../rpc/reader.ts';

/** Public nodes refuse wider ranges, and more addresses than about this many. */
const SPAN = 5_000n;
const MOST_ADDRESSES = 100;

/** ERC-721 and ERC-20 have the same event, but only ERC-721 has the token id among the topics. */
const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
const LISTED = toEventSelector(getAbiItem({ abi: spendPolicyAbi, name: 'AssetListed' }));

export interface AssetMove {
  readonly contract: Address;
  readonly tokenId: bigint;
}

export interface AssetMoves {
  readonly moves: readonly AssetMove[];
  /** Collections whose transfers the node refused to list although it answers. They may have too many. */
  readonly unlisted: readonly Address[];
  readonly upTo: bigint;
}

/**
 * Finds the tokens of these collections that changed hands, and those that an owner or the guardian took back from
 * sale, from one block to another, or as far as one request may look. Each token is listed once. A collection can be
 * anybody's contract, and can write as many logs as somebody pays for. So when a node refuses to list one collection,
 * the others are still listed.
 * @throws ReaderError when the node does not answer
 */
export async function assetMoves(
  reader: ChainReader,
  { policy }: Pick<Deployment, 'policy'>,
  collections: readonly Address[],
  range: { readonly fromBlock: bigint; readonly head: bigint },
): Promise<AssetMoves> {
  const { fromBlock, head } = range;
  const toBlock = fromBlock + SPAN - 1n < head ? fromBlock + SPAN - 1n : head;
  if (toBlock < fromBlock) return { moves: [], unlisted: [], upTo: head };
  const between = { fromBlock, toBlock };
  const moves = (await reader.logs({ ...between, address: policy, topics: [LISTED] })).flatMap(takenBack);
  const unlisted: Address[] = [];
  for (let i = 0; i < collections.length; i += MOST_ADDRESSES) {
    const found = await transfersOf(reader, collections.slice(i, i + MOST_ADDRESSES), between);
    for (const move of found.moves) moves.push(move);
    unlisted.push(...found.unlisted);
  }
  const once = new Map(moves.map((m) => [`${m.contract.toLowerCase()}/${m.tokenId}`, m]));
  return { moves: [...once.values()], unlisted, upTo: toBlock };
}

/**
 * Halves a refused list of collections until only those remain that are refused alone.
 * @throws ReaderError when the node does not answer
 */
async function transfersOf(
  reader: ChainReader,
  address: readonly Address[],
  between: { readonly fromBlock: bigint; readonly toBlock: bigint },
): Promise<Omit<AssetMoves, 'upTo'>> {
  try {
    const logs = await reader.logs({ ...between, address, topics: [TRANSFER] });
    return { moves: logs.flatMap(moveOf), unlisted: [] };
  } catch {
    await reader.head();
    if (address.length === 1) return { moves: [], unlisted: address };
    const middle = Math.ceil(address.length / 2);
    const first = await transfersOf(reader, address.slice(0, middle), between);
    const second = await transfersOf(reader, address.slice(middle), between);
    return {
      moves: [...first.moves, ...second.moves],
      unlisted: [...first.unlisted, ...second.unlisted],
    };
  }
}

/** An ERC-20 transfer has its amount in the data instead of the topics, so it names no token. */
function moveOf({ address: contract, topics }: ChainLog): AssetMove[] {
  return topics.length === 4 ? [{ contract, tokenId: BigInt(topics[3] as Hex) }] : [];
}

function takenBack(log: ChainLog): AssetMove[] {
  const [event] = parseEventLogs({ abi: spendPolicyAbi, eventName: 'AssetListed', logs: [viemLog(log)] });
  if (event === undefined || event.args.listed) return [];
  return [{ contract: event.args.asset, tokenId: event.args.tokenId }];
}

/** How many recent blocks are read to see whether a collection's transfers can be listed again. */
const LATELY = 16n;

/** Tries to list a collection's newest transfers, to see whether the node will. @throws ReaderError */
export async function transfersListed(reader: ChainReader, address: Address): Promise<void> {
  const { number: toBlock } = await reader.head();
  const fromBlock = toBlock > LATELY ? toBlock - LATELY : 0n;
  await reader.logs({ fromBlock, toBlock, address, topics: [TRANSFER] });
}
