import { type Abi, type Address, type Hex, pad, parseAbi, toEventSelector, toHex, zeroAddress } from 'viem';
import {
  blockNumberOf,
  type ChainLog,
  type ChainReader,
  type LogQuery,
  type Place,
  ReaderError,
} from '../rpc/reader.ts';

/** One transfer of one token id. */
export interface TokenMove {
  readonly block: bigint;
  readonly tx: Hex;
  readonly logIndex: number;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

export interface TokenLife {
  readonly standard: 'erc721' | 'erc1155' | null;
  /** The oldest block that was read. */
  readonly fromBlock: bigint;
  /** The oldest first. */
  readonly moves: readonly TokenMove[];
  /** At the block that was asked about. */
  readonly holders: readonly { readonly address: Address; readonly amount: bigint }[];
  /** Why the search ended before the mint; null when it did not. */
  readonly hole: string | null;
}

interface WalkLimits {
  /**
   * How many blocks the first request covers. The number doubles while the node answers and halves when it refuses, as
   * public nodes do with wide ranges.
   */
  readonly span: bigint;
  readonly widest: bigint;
  readonly narrowest: bigint;
  readonly requests: number;
  readonly moves: number;
}

/** When a contract's logs need more than this, the search stops and the answer says so. */
const WALK: WalkLimits = {
  span: 5_000n,
  widest: 1_000_000n,
  narrowest: 500n,
  requests: 200,
  moves: 5_000,
};
/** Each holder costs a read. */
const MAX_HOLDERS = 50;

const TOKEN_ABI: Abi = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function balanceOf(address, uint256) view returns (uint256)',
  'function supportsInterface(bytes4) view returns (bool)',
]);
const MOVED = toEventSelector('Transfer(address,address,uint256)');
const SINGLE = toEventSelector('TransferSingle(address,address,address,uint256,uint256)');
const BATCH = toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])');
const ERC1155 = '0xd9b67a26';

interface Token {
  readonly address: Address;
  readonly tokenId: bigint;
}

/**
 * Finds every transfer of a token from its mint to `block` (ERC-721, ERC-1155), in bounded ranges, the newest first. Logs
 * are asked by number, whatever names the block.
 * @param floor the contract has no log before this block; null when that is unknown
 * @throws ReaderError
 */
export async function tokenLife(
  reader: ChainReader,
  token: Token,
  block: Place,
  floor: bigint | null,
  limits: WalkLimits = WALK,
): Promise<TokenLife> {
  const holder = orNull<Address>(reader, token, 'ownerOf', [token.tokenId], block);
  const singleMoves = walkSingle(reader, token, blockNumberOf(block), floor, limits);
  const [owner, walked] = await Promise.all([holder, singleMoves]);
  if (owner !== null || walked.moves.length > 0) {
    const holders = owner === null ? [] : [{ address: owner, amount: 1n }];
    return { standard: 'erc721', ...walked, holders };
  }
  if ((await orNull(reader, token, 'supportsInterface', [ERC1155], block)) !== true)
    return { standard: null, fromBlock: walked.fromBlock, moves: [], holders: [], hole: walked.hole };
  return await sharedLife(reader, token, block, floor, limits);
}

/**
 * The newest transfer of an ERC-721 token until `block`; null where none is found.
 * @param to the receiver; null for any
 * @throws ReaderError; also where nobody could look back far enough to say that there is none
 */
export async function latestMove(
  reader: ChainReader,
  { address, tokenId }: Token,
  to: Address | null,
  block: bigint,
): Promise<TokenMove | null> {
  const topics = [MOVED, null, to && pad(to, { size: 32 }), pad(toHex(tokenId), { size: 32 })];
  const enough = (moves: readonly TokenMove[]): boolean => moves.length > 0;
  const walk = { block, floor: 0n, limits: WALK, enough };
  const { moves, hole } = await walkBack(reader, { address, topics }, walk, (log) => [
    { ...placeOf(log), from: addressIn(log.topics[1]), to: addressIn(log.topics[2]), amount: 1n },
  ]);
  if (moves.length === 0 && hole !== null) throw new ReaderError('down', hole, { lasting: true });
  return moves.at(-1) ?? null;
}

/** A token that came to an address, as its contract's log says; any contract can log anything. */
export interface Received {
  readonly contract: Address;
  readonly tokenId: bigint;
  /** By a log of ERC-1155. */
  readonly asShares: boolean;
}

/**
 * Whether an address holds shares of a token, by a contract that says it is of ERC-1155 (ERC-165).
 * @throws ReaderError where the node does not answer
 */
export async function holdsShares(
  reader: ChainReader,
  { contract: address, tokenId }: Pick<Received, 'contract' | 'tokenId'>,
  holder: Address,
  block: Place,
): Promise<boolean> {
  const token = { address, tokenId };
  if ((await orNull(reader, token, 'supportsInterface', [ERC1155], block)) !== true) return false;
  const units = await orNull<bigint>(reader, token, 'balanceOf', [holder, tokenId], block);
  return units !== null && units > 0n;
}

/**
 * What tokens, other than money, ever came to an address by the logs, until `block`. Whether they are there still, each
 * contract tells.
 * @param floor nothing came before this block
 * @param most so many are kept
 * @param worthwhile which ones are kept where more came: one transaction can log any number
 * @returns with a hole where more are worthwhile, or the logs were not read so far back; and how many were not kept
 * @throws ReaderError
 */
export async function tokensReceived(
  reader: ChainReader,
  to: Address,
  {
    block,
    floor,
    most,
    worthwhile,
  }: {
    readonly block: bigint;
    readonly floor: bigint;
    readonly most: number;
    readonly worthwhile: (tokens: readonly Received[]) => Promise<readonly Received[]>;
  },
): Promise<{ readonly tokens: readonly Received[]; readonly hole: string | null; readonly dropped: number }> {
  const found = new Map<string, Received>();
  const kept: Received[] = [];
  let dropped = 0;
  const topic = pad(to, { size: 32 });
  const enough = async (): Promise<boolean> => {
    if (found.size > most) {
      const many = [...found.values()];
      found.clear();
      const some = await worthwhile(many);
      kept.push(...some);
      dropped += many.length - some.length;
    }
    return kept.length > most;
  };
  const keep = (log: ChainLog): readonly TokenMove[] => {
    const asShares = log.topics[0] !== MOVED;
    for (const tokenId of asShares ? idsIn(log) : idOf(log))
      found.set(`${log.address.toLowerCase()}/${tokenId}/${asShares}`, {
        ...{ contract: log.address, tokenId, asShares },
      });
    return [];
  };
  const walk = { block, floor, limits: WALK, enough };
  const walked = await Promise.all(
    [
      [MOVED, null, topic],
      [[SINGLE, BATCH], null, null, topic],
    ].map((topics) => walkBack(reader, { topics: topics as LogQuery['topics'] }, walk, keep)),
  );
  const many = kept.length > most ? `more than ${most} tokens came to it` : null;
  const hole = many ?? walked.find((one) => one.hole !== null)?.hole ?? null;
  return { tokens: [...kept, ...found.values()], hole, dropped };
}

/** Of a transfer of ERC-721; the log of an ERC-20 transfer has no fourth topic. */
function idOf({ topics }: ChainLog): readonly bigint[] {
  return topics.length === 4 ? [BigInt(topics[3]!)] : [];
}

/** Of a transfer of ERC-1155; what is of another form, as any contract may log it, moves nothing. */
function idsIn(log: ChainLog): readonly bigint[] {
  return unitsIn(log)?.map(({ id }) => id) ?? [];
}

/** For ERC-721: the id is among the topics, and the search may end at the mint when nothing comes before it. */
async function walkSingle(
  reader: ChainReader,
  { address, tokenId }: Token,
  block: bigint,
  floor: bigint | null,
  limits: WalkLimits,
): Promise<Walked> {
  const topics = [MOVED, null, null, pad(toHex(tokenId), { size: 32 })];
  // Without a known floor the newest mint ends the search, since any earlier life of the id ended before it.
  const enough = (moves: readonly TokenMove[]): boolean => floor === null && moves[0]?.from === zeroAddress;
  return await walkBack(reader, { address, topics }, { block, floor: floor ?? 0n, limits, enough }, (log) => [
    { ...placeOf(log), from: addressIn(log.topics[1]), to: addressIn(log.topics[2]), amount: 1n },
  ]);
}

/** For ERC-1155: the id is in the data, so every transfer of the contract is read from the block of its deployment. */
async function sharedLife(
  reader: ChainReader,
  token: Token,
  block: Place,
  floor: bigint | null,
  limits: WalkLimits,
): Promise<TokenLife> {
  const { address, tokenId } = token;
  const number = blockNumberOf(block);
  const oldest = floor ?? (await deployedAt(reader, address, number));
  const query = { address, topics: [[SINGLE, BATCH]] };
  const walked = await walkBack(
    reader,
    query,
    { block: number, floor: oldest, limits, enough: () => false },
    (log) => {
      const amount = amountOf(log, tokenId);
      const parties = { from: addressIn(log.topics[2]), to: addressIn(log.topics[3]) };
      return amount === 0n ? [] : [{ ...placeOf(log), ...parties, amount }];
    },
  );
  const everybody = [...new Set(walked.moves.flatMap((m) => [m.from, m.to]))].filter(
    (a) => a !== zeroAddress,
  );
  if (everybody.length > MAX_HOLDERS) {
    const hole = `more than ${MAX_HOLDERS} addresses held it: what each holds now was not read`;
    return { standard: 'erc1155', ...walked, holders: [], hole };
  }
  const holders = await Promise.all(
    everybody.map(async (holder) => ({
      address: holder,
      amount: (await reader.read({
        address,
        abi: TOKEN_ABI,
        functionName: 'balanceOf',
        args: [holder, tokenId],
        block,
      })) as bigint,
    })),
  );
  return { standard: 'erc1155', ...walked, holders: holders.filter((h) => h.amount > 0n) };
}

interface Walked {
  readonly fromBlock: bigint;
  readonly moves: readonly TokenMove[];
  readonly hole: string | null;
}

async function walkBack(
  reader: ChainReader,
  query: Omit<LogQuery, 'fromBlock' | 'toBlock'>,
  walk: {
    readonly block: bigint;
    readonly floor: bigint;
    readonly limits: WalkLimits;
    readonly enough: (moves: readonly TokenMove[]) => boolean | Promise<boolean>;
  },
  read: (log: ChainLog) => readonly TokenMove[],
): Promise<Walked> {
  const { block, floor, limits, enough } = walk;
  let moves: TokenMove[] = [];
  let [toBlock, span, widest] = [block, limits.span, limits.widest];
  for (let requests = 0; toBlock >= floor; requests++) {
    if (requests === limits.requests)
      return {
        fromBlock: toBlock + 1n,
        moves,
        hole: `nobody looked further back than block ${toBlock + 1n}`,
      };
    const fromBlock = toBlock - span + 1n > floor ? toBlock - span + 1n : floor;
    let logs: readonly ChainLog[];
    try {
      logs = await reader.logs({ ...query, fromBlock, toBlock });
    } catch (error) {
      if (!refused(error) || span <= limits.narrowest) throw error;
      // A node that refuses this many blocks at once may accept fewer.
      [span, widest] = [span / 2n, span / 2n];
      continue;
    }
    moves = [...logs.flatMap(read).sort(byPlace), ...moves];
    if (moves.length > limits.moves)
      return {
        fromBlock,
        moves,
        hole: `it moved more than ${limits.moves} times: the moves before are not read`,
      };
    if (await enough(moves)) return { fromBlock, moves, hole: null };
    toBlock = fromBlock - 1n;
    span = span * 2n > widest ? widest : span * 2n;
  }
  return { fromBlock: floor, moves, hole: null };
}

function refused(error: unknown): boolean {
  return error instanceof ReaderError && (error.kind === 'down' || error.kind === 'slow');
}

function byPlace(a: TokenMove, b: TokenMove): number {
  return a.block < b.block ? -1 : a.block > b.block ? 1 : a.logIndex - b.logIndex;
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

/**
 * Finds the first block with the contract's code by binary search, or one before it where the node keeps no state of so
 * long ago.
 * @throws ReaderError
 */
async function deployedAt(reader: ChainReader, address: Address, block: bigint): Promise<bigint> {
  let [low, high] = [0n, block];
  while (low < high) {
    const middle = (low + high) / 2n;
    const code = await unlessForgotten(() => reader.code(address, middle));
    if (code === null) return low;
    if (code === '0x') low = middle + 1n;
    else high = middle;
  }
  return low;
}

/** Null where the node does not keep the state that is asked for: many keep logs for ever, and old state for an hour. */
export async function unlessForgotten<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reorganised') return null;
    throw error;
  }
}

/** Turns a revert into null, since it means that there is no such thing. */
async function orNull<T>(
  reader: ChainReader,
  { address }: Token,
  functionName: string,
  args: readonly unknown[],
  block: Place,
): Promise<T | null> {
  try {
    return (await reader.read({ address, abi: TOKEN_ABI, functionName, args, block })) as T;
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return null;
    throw error;
  }
}
