import { type Hex, pad, toEventSelector } from 'viem';
import type { Tail } from '../../../../agents/determinations/wallet/money/flows.ts';
import { type ChainLog, type ChainReader, type Place, ReaderError } from '../../../../chain/rpc/reader.ts';
import { valueTransfersIn } from '../../../../chain/rpc/value-transfers-in.ts';
import { requireIndexed } from './indexed.ts';
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

/** Each is one question, and one more for each payment in it. */
const MOST_NATIVE_BLOCKS = 16n;

/**
 * Reads, through one reader, the transfers after the end of the history, and the balances, and asks whether the history
 * is of the chain that the reader sees. The native currency is in no
 * log, so its blocks are read one by one where they are few.
 * @throws ReaderError
 */
export async function readTail(
  reader: ChainReader,
  plan: TransferPlan,
  who: `0x${string}`,
  block: Exclude<Place, bigint>,
): Promise<Tail> {
  const { tokens, source, indexed, tailFrom: fromBlock, block: toBlock } = plan;
  const range = { address: tokens.map((t) => t.token), fromBlock, toBlock };
  const topic = pad(who.toLowerCase() as Hex, { size: 32 });
  const asked = tokens.length > 0 && fromBlock <= toBlock;
  const native = nativeRange(plan);
  const [logs, balances, moved] = await Promise.all([
    asked
      ? Promise.all([
          reader.logs({ ...range, topics: [TRANSFER, topic] }),
          reader.logs({ ...range, topics: [TRANSFER, null, topic] }),
        ]).then(([out, into]) => [...out, ...into])
      : [],
    Promise.all(tokens.map(({ token }) => balanceOf(reader, token, who, block))),
    native === null || native.isLong ? [] : readNative(reader, native.fromBlock, who, block),
    // The history before it was read by number, at some time before: it must be this chain's.
    source === 'index' ? requireIndexed(reader, indexed) : null,
  ]);
  // Logs and blocks are asked by number: the pinned block must still stand.
  if (logs.length + moved.length > 0) await reader.confirm(block);
  return {
    fromBlock: fromBlock.toString(),
    toBlock: toBlock.toString(),
    transfers: [...unique(logs).flatMap((log) => transferOf(log, plan)), ...moved],
    ...(native?.isLong === true
      ? { unreadNative: { fromBlock: native.fromBlock.toString(), toBlock: toBlock.toString() } }
      : {}),
    balances: balances.map((held, i) => ({ token: tokens[i]!.token.toLowerCase(), held: held.toString() })),
  };
}

function nativeRange({ nativeFrom, block }: TransferPlan): { fromBlock: bigint; isLong: boolean } | null {
  if (nativeFrom === null || nativeFrom > block) return null;
  return { fromBlock: nativeFrom, isLong: block - nativeFrom >= MOST_NATIVE_BLOCKS };
}

async function readNative(
  reader: ChainReader,
  fromBlock: bigint,
  who: string,
  { number, hash }: Exclude<Place, bigint>,
): Promise<Tail['transfers']> {
  const blocks = await valueTransfersIn(reader, fromBlock, number);
  const last = blocks.at(-1)!;
  if (last.hash.toLowerCase() !== hash.toLowerCase())
    throw new ReaderError('reorganised', `block ${number} was ${hash} and is now ${last.hash}`);
  const own = who.toLowerCase();
  return blocks.flatMap((block) =>
    block.transfers
      .filter((t) => t.from === own || t.to === own)
      .map(({ from, to, amount }) => ({
        ...{ from, to, token: null, amount: amount.toString(), usd: '0', block: block.number.toString() },
      })),
  );
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
  // A token lets anybody move nothing in anybody's name.
  if (amount === 0n) return [];
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
