import { type Address, decodeEventLog, encodeEventTopics, type Hex } from 'viem';
import { settlementAbi } from '../abi/settlement.ts';
import type { Deployment } from '../deploy/deployment.ts';
import { type ChainReader, ReaderError } from '../rpc/reader.ts';
import { WALK, walkBack } from './walk-back.ts';

/** How a token is named among those that {@link boughtBy} returns. */
export function tokenName(contract: Address, tokenId: bigint): string {
  return `${contract.toLowerCase()}/${tokenId}`;
}

/**
 * The tokens that an account bought in these blocks, as the settlement contract says.
 * @throws ReaderError; also where not all of the blocks could be read
 */
export async function boughtBy(
  reader: ChainReader,
  { settlement: address }: Pick<Deployment, 'settlement'>,
  buyer: Address,
  { fromBlock, toBlock }: { readonly fromBlock: bigint; readonly toBlock: bigint },
): Promise<ReadonlySet<string>> {
  const event = { abi: settlementAbi, eventName: 'DealSettled' } as const;
  const topics = encodeEventTopics({ ...event, args: { buyer } }) as (Hex | null)[];
  const bought = new Set<string>();
  const walk = { block: toBlock, floor: fromBlock, limits: WALK, enough: () => false };
  const { hole } = await walkBack(reader, { address, topics }, walk, (log) => {
    const { args } = decodeEventLog({ ...event, topics: log.topics as [Hex, ...Hex[]], data: log.data });
    bought.add(tokenName(args.asset, args.tokenId));
    return [];
  });
  if (hole !== null) throw new ReaderError('down', hole, { lasting: true });
  return bought;
}
