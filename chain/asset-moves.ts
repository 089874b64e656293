import { type Address, type Hex, parseEventLogs, toEventSelector } from 'viem';
import { spendPolicyAbi } from './abi/spend-policy.ts';
import type { Deployment } from './deployment.ts';
import type { ChainLog, ChainReader } from './readers/reader.ts';

/** Public nodes refuse wider ranges, and more addresses than about so many. */
const SPAN = 5_000n;
const MOST_ADDRESSES = 100;

/** ERC-721 and ERC-20 alike: only the former has its token's number among the topics. */
const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
const LISTED = toEventSelector(
  spendPolicyAbi.find((item) => item.type === 'event' && item.name === 'AssetListed') as never,
);

export interface AssetMove {
  readonly contract: Address;
  readonly tokenId: bigint;
}

/**
 * The tokens of these collections that changed hands, and those that an owner or the guardian took back from sale, from
 * one block to another, or to as far as one request may look. Each once.
 * @throws ReaderError
 */
export async function assetMoves(
  reader: ChainReader,
  { policy }: Pick<Deployment, 'policy'>,
  collections: readonly Address[],
  range: { readonly fromBlock: bigint; readonly head: bigint },
): Promise<{ readonly moves: readonly AssetMove[]; readonly upTo: bigint }> {
  const { fromBlock, head } = range;
  const toBlock = fromBlock + SPAN - 1n < head ? fromBlock + SPAN - 1n : head;
  if (toBlock < fromBlock) return { moves: [], upTo: head };
  const between = { fromBlock, toBlock };
  const moves = (await reader.logs({ ...between, address: policy, topics: [LISTED] })).flatMap(takenBack);
  for (let i = 0; i < collections.length; i += MOST_ADDRESSES) {
    const address = collections.slice(i, i + MOST_ADDRESSES);
    const logs = await reader.logs({ ...between, address, topics: [TRANSFER] });
    moves.push(
      ...logs.flatMap(({ address: contract, topics }) =>
        topics.length === 4 ? [{ contract, tokenId: BigInt(topics[3] as Hex) }] : [],
      ),
    );
  }
  const once = new Map(moves.map((m) => [`${m.contract.toLowerCase()}/${m.tokenId}`, m]));
  return { moves: [...once.values()], upTo: toBlock };
}

function takenBack(log: ChainLog): AssetMove[] {
  const [event] = parseEventLogs({ abi: spendPolicyAbi, eventName: 'AssetListed', logs: [log as never] });
  if (event === undefined || event.args.listed) return [];
  return [{ contract: event.args.asset, tokenId: event.args.tokenId }];
}
