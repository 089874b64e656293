import { type Address, type Hex, toEventSelector } from 'viem';
import { keccak } from '../../agents/canonical.ts';
import { skeletonOf } from '../../agents/determinations/wallet/code/code-skeleton.ts';
import { type BlockTransfers, type ChainLog, type ChainReader, ReaderError } from '../../chain/rpc/reader.ts';
import { valueTransfersIn } from '../../chain/rpc/value-transfers-in.ts';
import {
  addTransfers,
  type BlockHash,
  type CreationRow,
  readBlocks,
  rollBackTransfers,
  type TransferRange,
  type TransferRow,
  transferRange,
} from '../../store/chain-sync/transfers.ts';
import type { Database } from '../../store/database.ts';
import { changedOfLate } from '../durable/jobs/bring-forward.ts';
import { atRest, type RecurringJob } from '../durable/jobs/recurring-job.ts';
import type { ChainAccess, Services } from '../services.ts';

const FOLLOW_MS = 2_000;
const LIMIT_MS = 300_000;
/** The most blocks of one step: each is read whole, by both readers. */
const STEP = 50n;
/** Steps of one run: what is left waits for the next, which comes at once. */
const MOST_STEPS = 100;

const TRANSFER = toEventSelector('Transfer(address,address,uint256)');

type Deps = Pick<Services, 'db'>;
type Followed = Pick<ChainAccess, 'chainId' | 'deployment' | 'readers'> & {
  /** The first block that is read, where that is not the deployment's own. */
  readonly since?: bigint;
};

/** Keeps the transfers of every chain on which this service stands: a job for each chain. */
export function followTransfersJob({
  config,
  db,
  chains,
}: Pick<Services, 'config' | 'db' | 'chains'>): RecurringJob {
  const changed = changedOfLate<string>();
  return {
    kind: 'follow-transfers',
    lane: 'upkeep',
    items: [...chains.keys()].map(String),
    everyMs: FOLLOW_MS,
    timeLimitMs: LIMIT_MS,
    waits: ({ heads }) => changed([...heads].map(([chainId, hash]) => [String(chainId), hash] as const)),
    async run(item, { signal }) {
      const since = config.transfersSince.get(Number(item));
      const chain = {
        ...chains.get(Number(item))!,
        ...(since === undefined ? {} : { since: BigInt(since) }),
      };
      let read: bigint | undefined;
      for (let step = 0; step < MOST_STEPS; step++) {
        if (signal.aborted) return undefined;
        // Blocks that were too long for a step are rarely alone.
        read = await followTransfers({ db }, chain, read === undefined ? STEP : 2n * read);
        if (read === undefined) return atRest({ everyMs: FOLLOW_MS });
      }
      return { afterMs: 0 };
    },
  };
}

/**
 * Reads the next blocks of a chain and adds what they moved: the dollar token and the native currency. Nothing is added
 * unless both readers say the same, because a node that hides a transfer would hide it for good. After a reorganisation
 * what is not on the chain any more is taken back first.
 * @param most so many blocks are asked for at once, and no more than a step has
 * @returns how many blocks were read, where there are more
 * @throws ReaderError disagreeing, when the readers differ
 */
export async function followTransfers(
  { db }: Deps,
  chain: Followed,
  most = STEP,
): Promise<bigint | undefined> {
  const { chainId, deployment, readers } = chain;
  const both = [readers.viem, readers.ethers] as const;
  const held = await readBlocks(db, chainId);
  const [heads, stand] = await Promise.all([
    Promise.all(both.map((reader) => reader.head())),
    held[0] === undefined || stands(chain, held[0]),
  ]);
  const head = heads.map(({ number }) => number).sort((a, b) => (a < b ? -1 : 1))[0]!;
  if (!stand) await takeBack({ db }, chain, held.slice(1));
  const fromBlock = await nextBlock(db, chain);
  if (fromBlock > head) return undefined;
  const [last] = await readBlocks(db, chainId);
  const furthest = fromBlock + (most < STEP ? most : STEP) - 1n;
  const asked = { usdc: deployment.usdc, fromBlock, toBlock: furthest < head ? furthest : head, last };
  const { toBlock, told } = await readSome(both, asked);
  const [mine, other] = told;
  if (digest(mine) !== digest(other))
    throw new ReaderError(
      'disagreeing',
      `the transfers of the blocks ${fromBlock} to ${toBlock} differ over viem and over ethers`,
    );
  const blocks = mine.blocks.map(({ number, hash }) => ({ block: number, hash }));
  const codes = await Promise.all(both.map((reader) => codesOf(reader, mine)));
  const created = creationsOf(mine).map((c, i) => ({
    ...c,
    // A code that only one of them can show, or shows otherwise, is none that anything may rest on.
    ...(codes[0]![i]!.code_hash === codes[1]![i]!.code_hash ? codes[0]![i]! : NO_CODE),
  }));
  const rows = { transfers: rowsOf(mine), created };
  await addTransfers(db, chainId, { fromBlock, toBlock }, blocks, rows);
  return toBlock < head ? toBlock - fromBlock + 1n : undefined;
}

/** What is held is left behind where the operator has the chain kept from a block above it. */
async function nextBlock(db: Database, { chainId, deployment, since = 0n }: Followed): Promise<bigint> {
  const deployed = BigInt(deployment.deployedAtBlock);
  const first = since > deployed ? since : deployed;
  const held = await transferRange(db, chainId);
  if (held !== null && held.toBlock + 1n >= first) return held.toBlock + 1n;
  if (held !== null) await rollBackTransfers(db, chainId, null);
  return first;
}

/** Goes back to the newest of these blocks that both readers still have as it was read. */
async function takeBack({ db }: Deps, chain: Followed, blocks: readonly BlockHash[]): Promise<void> {
  for (const block of blocks) {
    if (await stands(chain, block)) return await rollBackTransfers(db, chain.chainId, block.block);
  }
  await rollBackTransfers(db, chain.chainId, null);
}

/** Whether both readers still have a block as it was read. */
async function stands({ readers }: Followed, block: BlockHash): Promise<boolean> {
  try {
    await Promise.all([readers.viem, readers.ethers].map((reader) => reader.confirm(placeOf(block))));
    return true;
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reorganised') return false;
    throw error;
  }
}

const placeOf = ({ block, hash }: BlockHash) => ({ number: block, hash: hash as Hex });

interface Range {
  readonly blocks: readonly BlockTransfers[];
  readonly logs: readonly ChainLog[];
}

interface RangeQuery extends TransferRange {
  readonly usdc: Address;
  /** The newest block that is held; the range follows it. */
  readonly last: BlockHash | undefined;
}

/**
 * Reads as many of the blocks as both readers tell. What stands in a block costs strangers little, and no node tells any
 * length in one answer: what fails is asked again in halves, down to a single block.
 * @throws ReaderError
 */
async function readSome(
  both: readonly [ChainReader, ChainReader],
  range: RangeQuery,
): Promise<{ readonly toBlock: bigint; readonly told: readonly [Range, Range] }> {
  const { fromBlock, toBlock } = range;
  try {
    const [one, other] = both;
    return { toBlock, told: await Promise.all([readRange(one, range), readRange(other, range)]) };
  } catch (error) {
    const mayTellLess = error instanceof ReaderError && (error.kind === 'down' || error.kind === 'slow');
    if (!mayTellLess || fromBlock === toBlock) throw error;
    return await readSome(both, { ...range, toBlock: (fromBlock + toBlock) / 2n });
  }
}

/** @throws ReaderError reorganised, when the logs are of other blocks, or the last one that is held is gone */
async function readRange(
  reader: ChainReader,
  { usdc, fromBlock, toBlock, last }: RangeQuery,
): Promise<Range> {
  const [blocks, logs] = await Promise.all([
    valueTransfersIn(reader, fromBlock, toBlock),
    reader.logs({ address: usdc, topics: [TRANSFER], fromBlock, toBlock }),
  ]);
  const hashes = new Map(blocks.map((b) => [b.number, b.hash.toLowerCase()]));
  if (logs.some((log) => hashes.get(log.blockNumber) !== log.blockHash.toLowerCase()))
    throw new ReaderError(
      'reorganised',
      `the blocks ${fromBlock} to ${toBlock} changed while they were read`,
    );
  // Asked last. What was read continues what is held only if that still stands.
  await Promise.all([
    reader.confirm(blocks.at(-1)!),
    ...(last === undefined ? [] : [reader.confirm(placeOf(last))]),
  ]);
  return { blocks, logs };
}

function rowsOf({ blocks, logs }: Range): TransferRow[] {
  const times = new Map(blocks.map((b) => [b.number, new Date(Number(b.timestamp) * 1000)]));
  const native = blocks.flatMap(({ number, transfers }) =>
    transfers.map(({ tx, from, to, amount }, i) => ({
      ...{ block: number, place: -1 - i, tx, token: null, sender: from, receiver: to, amount },
      at: times.get(number)!,
    })),
  );
  const tokens = logs.flatMap(({ address, topics, data, blockNumber: block, transactionHash, logIndex }) => {
    // An ERC-721 has the same event with a fourth topic and no data.
    if (topics.length !== 3 || data.length !== 66) return [];
    const [sender, receiver] = topics.slice(1).map((topic) => `0x${topic.slice(26)}`.toLowerCase());
    return [
      {
        ...{ block, place: logIndex, tx: transactionHash.toLowerCase(), token: address.toLowerCase() },
        ...{ sender: sender!, receiver: receiver!, amount: BigInt(data), at: times.get(block)! },
      },
    ];
  });
  return [...native, ...tokens];
}

type CodeOf = Pick<CreationRow, 'code_hash' | 'skeleton'>;
const NO_CODE: CodeOf = { code_hash: null, skeleton: null };

/** The code of each new contract, by its hashes; null where the node keeps no state of so long ago. */
async function codesOf(reader: ChainReader, range: Range): Promise<CodeOf[]> {
  const read = creationsOf(range).map(async ({ contract, block }) => {
    try {
      const code = await reader.code(contract as Address, block);
      if (code === '0x') return NO_CODE;
      return { code_hash: keccak(Buffer.from(code.slice(2), 'hex')), skeleton: skeletonOf(code) };
    } catch (error) {
      if (error instanceof ReaderError && error.kind !== 'slow') return NO_CODE;
      throw error;
    }
  });
  return await Promise.all(read);
}

function creationsOf({ blocks }: Range): Omit<CreationRow, keyof CodeOf>[] {
  return blocks.flatMap(({ number, created }) =>
    created.map(({ tx, by, contract }) => ({ block: number, tx, deployer: by, contract })),
  );
}

/** The same for both readers where they read the same blocks and rows. */
function digest(range: Range): string {
  const hashes = range.blocks.map((b) => b.hash.toLowerCase());
  const rows = rowsOf(range).map((r) =>
    [r.block, r.place, r.tx, r.token, r.sender, r.receiver, r.amount].join(),
  );
  const created = creationsOf(range).map((c) => Object.values(c).join());
  return [...hashes, ...rows.sort(), ...created.sort()].join(';');
}
