import { type Address, decodeEventLog, encodeEventTopics, type Hex } from 'viem';
import { settlementAbi } from '../abi/settlement.ts';
import type { Deployment } from '../deploy/deployment.ts';
import type { ChainReader } from '../rpc/reader.ts';
import { WALK, walkBack } from './walk-back.ts';

/** How a token is named among those that {@link dealtTokens} returns. */
export function tokenName(contract: Address, tokenId: bigint): string {
  return `${contract.toLowerCase()}/${tokenId}`;
}

export interface DealtTokens {
  /** In which block each was dealt with last, by its name. */
  readonly last: ReadonlyMap<string, bigint>;
  /** Why not all of the blocks could be read; the newest are read first. */
  readonly hole: string | null;
}

/**
 * The tokens that an account bought, or sold, in these blocks, as the settlement contract says.
 * @throws ReaderError
 */
export async function dealtTokens(
  reader: ChainReader,
  { settlement: address }: Pick<Deployment, 'settlement'>,
  side: { readonly buyer: Address } | { readonly seller: Address },
  { fromBlock, toBlock }: { readonly fromBlock: bigint; readonly toBlock: bigint },
): Promise<DealtTokens> {
  const event = { abi: settlementAbi, eventName: 'DealSettled' } as const;
  const topics = encodeEventTopics({ ...event, args: side }) as (Hex | null)[];
  const last = new Map<string, bigint>();
  const walk = { block: toBlock, floor: fromBlock, limits: WALK, enough: () => false };
  const { hole } = await walkBack(reader, { address, topics }, walk, (log) => {
    const { args } = decodeEventLog({ ...event, topics: log.topics as [Hex, ...Hex[]], data: log.data });
    const name = tokenName(args.asset, args.tokenId);
    const known = last.get(name);
    if (known === undefined || log.blockNumber > known) last.set(name, log.blockNumber);
    return [];
  });
  return { last, hole };
}
