import { type Address, pad, toHex, zeroAddress } from 'viem';
import { unlessForgotten } from '../rpc/forgotten-state.ts';
import { blockNumberOf, type ChainReader, type Place, ReaderError } from '../rpc/reader.ts';
import { isOfShares, orNull, TOKEN_ABI, type Token } from './token-contract.ts';
import { BATCH, idOf, MOVED, SINGLE, sharesMove, singleMove, type TokenMove } from './transfer-logs.ts';
import { WALK, type Walked, type WalkLimits, walkBack } from './walk-back.ts';

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

/** Each holder costs a read. */
const MAX_HOLDERS = 50;

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
  if (!(await isOfShares(reader, token, block)))
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
  const { moves, hole } = await walkBack(reader, { address, topics }, walk, (log) => [singleMove(log)]);
  if (moves.length === 0 && hole !== null) throw new ReaderError('down', hole, { lasting: true });
  return moves.at(-1) ?? null;
}

/**
 * Every transfer of an ERC-721 token in these blocks, the oldest first.
 * @throws ReaderError; also where not all of them could be read
 */
export async function movesBetween(
  reader: ChainReader,
  token: Token,
  fromBlock: bigint,
  toBlock: bigint,
): Promise<readonly TokenMove[]> {
  const topics = [MOVED, null, null, pad(toHex(token.tokenId), { size: 32 })];
  const walk = { block: toBlock, floor: fromBlock, limits: WALK, enough: () => false };
  const { moves, hole } = await walkBack(reader, { address: token.address, topics }, walk, (log) => [
    singleMove(log),
  ]);
  if (hole !== null) throw new ReaderError('down', hole, { lasting: true });
  return moves;
}

/** As many ids as a node takes in one question. */
const IDS_AT_ONCE = 200;

/**
 * Where each of these ids of one ERC-721 contract was minted, by its decimal id; those that never were are left out.
 * @param floor the contract has no log before this block
 * @throws ReaderError; also where not all blocks could be read
 */
export async function mintsOf(
  reader: ChainReader,
  { address, ids }: { readonly address: Address; readonly ids: readonly bigint[] },
  block: Place,
  floor: bigint,
): Promise<ReadonlyMap<string, Pick<TokenMove, 'block' | 'logIndex'>>> {
  const found = new Map<string, Pick<TokenMove, 'block' | 'logIndex'>>();
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const some = ids.slice(at, at + IDS_AT_ONCE).map((id) => pad(toHex(id), { size: 32 }));
    const topics = [MOVED, pad(zeroAddress, { size: 32 }), null, some];
    const walk = { block: blockNumberOf(block), floor, limits: WALK, enough: () => false };
    const { hole } = await walkBack(reader, { address, topics }, walk, (log) => {
      const move = singleMove(log);
      for (const id of idOf(log)) found.set(id.toString(), move);
      return [move];
    });
    if (hole !== null) throw new ReaderError('down', hole, { lasting: true });
  }
  return found;
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
    singleMove(log),
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
    (log) => sharesMove(log, tokenId),
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
