import { NOBODY } from '../../ids.ts';

/** One move of a token, from its log; addresses in lower case, the zero address for nobody. */
export interface CustodyMove {
  readonly block: string;
  readonly tx: string;
  readonly logIndex: number;
  readonly from: string;
  readonly to: string;
  /** The amount of this token id; `1` for ERC-721. */
  readonly amount: string;
}

/** A token's life as one seat read it, from the oldest block that was read to the pinned one. */
export interface TokenCustody {
  readonly chain: string;
  readonly contract: string;
  readonly tokenId: string;
  readonly standard: 'erc721' | 'erc1155' | null;
  readonly fromBlock: string;
  readonly moves: readonly CustodyMove[];
  /**
   * The holders at the pinned block, read independently of the moves; decimal amounts. Null when they could not be
   * read.
   */
  readonly holders: readonly { readonly address: string; readonly amount: string }[] | null;
  /**
   * Who owned the holders that are accounts of tokens (ERC-6551), when the token came to them; absent in evidence of
   * before.
   */
  readonly principals?: readonly HolderPrincipals[];
  /** Of a certificate: whether its issuer marked it void; absent for other tokens, and in evidence of before. */
  readonly void?: boolean;
  /** Why something here is missing. */
  readonly fault: string | null;
}

/** The owners behind one holder, nearest first. */
export interface HolderPrincipals {
  readonly holder: string;
  readonly block: string;
  readonly owners: readonly string[];
  /** Why not all of them are known. */
  readonly unknown: string | null;
}

/** Sorts moves by their order on the chain. */
export function inOrder(moves: readonly CustodyMove[]): CustodyMove[] {
  return [...moves].sort((a, b) => {
    const [one, other] = [BigInt(a.block), BigInt(b.block)];
    return one < other ? -1 : one > other ? 1 : a.logIndex - b.logIndex;
  });
}

/**
 * Every address that ever held the token or moved it, or owned the account that did, in any of these lives, without the
 * zero address.
 */
export function everyHolder(custody: readonly TokenCustody[]): string[] {
  const all = custody.flatMap((c) => [
    ...c.moves.flatMap((m) => [m.from, m.to]),
    ...(c.holders ?? []).map((h) => h.address),
    ...(c.principals ?? []).flatMap((p) => p.owners),
  ]);
  return [...new Set(all)].filter((a) => a !== NOBODY).sort();
}

/** The holders behind whom somebody stood who could not be read; in words. */
export function unknownPrincipals(custody: readonly TokenCustody[]): string[] {
  return custody.flatMap((c) =>
    (c.principals ?? []).flatMap(({ holder, block, unknown }) =>
      unknown === null ? [] : [`who owned ${holder} in block ${block} is not known: ${unknown}`],
    ),
  );
}

/**
 * What is missing between mint and now, in words; empty when the chain of custody is complete. Each move must start
 * where the one before it ended, the first one must come from nobody, and the last must end with the present holder.
 */
export function holesIn(custody: TokenCustody): string[] {
  if (custody.fault !== null) return [custody.fault];
  if (custody.standard === null) return ['the contract answers by no token standard that is known'];
  const { holders } = custody;
  if (holders === null) return ['who holds it now could not be read'];
  const moves = inOrder(custody.moves);
  if (moves.length === 0) return ['no move of it was found, not even its mint'];
  return custody.standard === 'erc721' ? singleHoles(moves, holders) : sharedHoles(moves, holders);
}

type Holders = NonNullable<TokenCustody['holders']>;

/** Checks a single thing, which one address holds at a time; after it is burned it may be minted again. */
function singleHoles(moves: readonly CustodyMove[], holders: Holders): string[] {
  const holes: string[] = [];
  let hand: string = NOBODY;
  for (const move of moves) {
    if (move.from !== hand)
      holes.push(`in block ${move.block} it came from ${named(move.from)}, while ${named(hand)} held it`);
    hand = move.to;
  }
  const now = holders[0]?.address ?? NOBODY;
  if (now !== hand) holes.push(`the last move left it with ${named(hand)}, but ${named(now)} holds it`);
  return holes;
}

/**
 * Checks amounts of one id held by many: nobody may send more than it received, and what is left must be what it holds.
 */
function sharedHoles(moves: readonly CustodyMove[], holders: Holders): string[] {
  const held = new Map<string, bigint>();
  const holes: string[] = [];
  for (const { from, to, amount, block } of moves) {
    const some = BigInt(amount);
    if (from !== NOBODY) {
      const left = (held.get(from) ?? 0n) - some;
      if (left < 0n)
        holes.push(`in block ${block} ${named(from)} parted with ${-left} more than ever came to it`);
      held.set(from, left);
    }
    if (to !== NOBODY) held.set(to, (held.get(to) ?? 0n) + some);
  }
  const now = new Map(holders.map((h) => [h.address, BigInt(h.amount)]));
  for (const address of new Set([...held.keys(), ...now.keys()])) {
    const [expected, found] = [held.get(address) ?? 0n, now.get(address) ?? 0n];
    if (expected >= 0n && expected !== found)
      holes.push(`the moves leave ${named(address)} with ${expected}, and it holds ${found}`);
  }
  return holes;
}

function named(address: string): string {
  return address === NOBODY ? 'nobody' : address;
}

/**
 * Answers the same question by sums instead of steps: what came to an address, minus what left it, must be what it
 * holds. A missing move always leaves two addresses out of balance.
 * @returns how many addresses are out of balance; null when that cannot be computed
 */
export function outOfBalance(custody: TokenCustody): number | null {
  if (custody.fault !== null || custody.standard === null || custody.holders === null) return null;
  if (custody.moves.length === 0) return null;
  const net = new Map<string, bigint>();
  const add = (address: string, amount: bigint): void => {
    if (address !== NOBODY) net.set(address, (net.get(address) ?? 0n) + amount);
  };
  for (const { from, to, amount } of custody.moves) {
    add(from, -BigInt(amount));
    add(to, BigInt(amount));
  }
  for (const { address, amount } of custody.holders) add(address, -BigInt(amount));
  return [...net.values()].filter((sum) => sum !== 0n).length;
}
