import { type Address, pad } from 'viem';
import { addressInWord } from '../rpc/address-word.ts';
import type { ChainLog, ChainReader, LogQuery, Place } from '../rpc/reader.ts';
import { isOfShares, orNull } from './token-contract.ts';
import { BATCH, idOf, idsIn, MOVED, SINGLE, type TokenMove } from './transfer-logs.ts';
import { WALK, walkBack } from './walk-back.ts';

/** A token that came to an address, as its contract's log says; any contract can log anything. */
export interface Received {
  readonly contract: Address;
  readonly tokenId: bigint;
  /** By a log of ERC-1155. */
  readonly asShares: boolean;
  /** When it came last. */
  readonly block: bigint;
  /**
   * Whether it came by nothing but gifts of strangers: what was in the account before is none for having been out of it,
   * unless what came so is over.
   */
  readonly isGift: boolean;
}

/** A log by which a token came to an address. */
export interface Came extends Pick<Received, 'contract' | 'tokenId' | 'block'> {
  /** Lower case; the zero address of what was made there. */
  readonly from: string;
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
  if (!(await isOfShares(reader, token, block))) return false;
  const units = await orNull<bigint>(reader, token, 'balanceOf', [holder, tokenId], block);
  return units !== null && units > 0n;
}

/**
 * What tokens, other than money, ever came to an address by the logs, until `block`. Whether they are there still, each
 * contract tells.
 * @param floor nothing came before this block
 * @param most so many are kept
 * @param isOver whether what came so left again for good, and says nothing of what is there; nothing did when left out
 * @param isGift whether what came so is a stranger's gift; nothing is when left out
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
    isOver = () => false,
    isGift = () => false,
    worthwhile,
  }: {
    readonly block: bigint;
    readonly floor: bigint;
    readonly most: number;
    readonly isOver?: (came: Came) => boolean;
    readonly isGift?: (came: Came) => boolean;
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
    const { blockNumber: block, address: contract } = log;
    const from = addressInWord(log.topics[asShares ? 2 : 1]);
    for (const tokenId of asShares ? idsIn(log) : idOf(log)) {
      const came = { block, from, contract, tokenId };
      if (!asShares && isOver(came)) continue;
      const key = `${contract.toLowerCase()}/${tokenId}/${asShares}`;
      const known = found.get(key);
      // Later blocks are read first, and within a range the earlier ones.
      found.set(key, {
        ...{ contract, tokenId, asShares },
        isGift: (known?.isGift ?? true) && isGift(came),
        block: known === undefined || block >= known.block ? block : known.block,
      });
    }
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
