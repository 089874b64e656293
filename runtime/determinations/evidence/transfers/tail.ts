import { type Hex, pad, toEventSelector } from 'viem';
import type { Tail } from '../../../../agents/determinations/wallet/flows.ts';
import { type ChainLog, type ChainReader, type Place, ReaderError } from '../../../../chain/rpc/reader.ts';
import { microOf, type TransferPlan } from './plan.ts';

const TRANSFER = toEventSelector('Transfer(address,address,uint256)');
const BALANCE_ABI = [
  {
    type: 'function',
    name: 'balanceOf',
    stateMutability: 'view',
    inputs: [{ name: 'account', type: 'address' }],
    outputs: [{ name: '', type: 'uint256' }],
  },
] as const;

/**
 * Reads, through one reader, the dollar transfers after the end of the history, and the balances.
 * @param confirmed whether logs were read, which belong to block numbers: the pinned block must then be confirmed
 * @throws ReaderError
 */
export async function readTail(
  reader: ChainReader,
  plan: TransferPlan,
  who: `0x${string}`,
  block: Exclude<Place, bigint>,
): Promise<Tail> {
  const { tokens, tailFrom: fromBlock, block: toBlock } = plan;
  const range = { address: tokens.map((t) => t.token), fromBlock, toBlock };
  const topic = pad(who.toLowerCase() as Hex, { size: 32 });
  const asked = tokens.length > 0 && fromBlock <= toBlock;
  const [logs, balances] = await Promise.all([
    asked
      ? Promise.all([
          reader.logs({ ...range, topics: [TRANSFER, topic] }),
          reader.logs({ ...range, topics: [TRANSFER, null, topic] }),
        ]).then(([out, into]) => [...out, ...into])
      : [],
    Promise.all(tokens.map(({ token }) => balanceOf(reader, token, who, block))),
  ]);
  if (logs.length > 0) await reader.confirm(block);
  return {
    fromBlock: fromBlock.toString(),
    toBlock: toBlock.toString(),
    transfers: unique(logs).flatMap((log) => transferOf(log, plan)),
    balances: balances.map((held, i) => ({ token: tokens[i]!.token.toLowerCase(), held: held.toString() })),
  };
}

/** A transfer to oneself is found twice. */
function unique(logs: readonly ChainLog[]): ChainLog[] {
  const found = new Map(logs.map((log) => [`${log.blockNumber}/${log.logIndex}`, log]));
  return [...found.values()].sort((a, b) =>
    a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber < b.blockNumber ? -1 : 1,
  );
}

function transferOf(
  { address, topics, data, blockNumber }: ChainLog,
  { tokens }: TransferPlan,
): Tail['transfers'] {
  const token = tokens.find((t) => t.token.toLowerCase() === address.toLowerCase());
  if (token === undefined || topics.length !== 3 || data.length !== 66) return [];
  const [from, to] = topics.slice(1).map((t) => `0x${t.slice(26)}`.toLowerCase()) as [string, string];
  const amount = BigInt(data);
  return [
    {
      ...{ from, to, token: address.toLowerCase(), amount: amount.toString() },
      ...{ usd: microOf(amount, token).toString(), block: blockNumber.toString() },
    },
  ];
}

/** Where no contract answers, nobody holds anything. @throws ReaderError */
async function balanceOf(
  reader: ChainReader,
  address: `0x${string}`,
  who: string,
  block: Place,
): Promise<bigint> {
  try {
    const call = { address, abi: BALANCE_ABI, functionName: 'balanceOf', args: [who], block };
    return BigInt((await reader.read(call)) as bigint);
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return 0n;
    throw error;
  }
}
