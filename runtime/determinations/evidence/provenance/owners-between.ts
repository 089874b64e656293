import type { accountKind } from '../../../../agents/determinations/wallet/code/account-code.ts';
import { NOBODY } from '../../../../agents/ids.ts';
import { latestMove, movesBetween } from '../../../../chain/indexer/token-custody.ts';
import type { TokenMove } from '../../../../chain/indexer/transfer-logs.ts';
import { type Address, type ChainReader, type Place, ReaderError } from '../../../../chain/rpc/reader.ts';
import { kindAt } from './owners-above.ts';

/** After every log of a block. */
const STILL_THERE = Number.MAX_SAFE_INTEGER;

/** A place in the order of the chain. */
type Moment = Pick<TokenMove, 'block' | 'logIndex'>;

/** While a holder had a thing: after one moment and before the other, or until now. */
interface Stay {
  readonly came: Moment;
  readonly left: Moment;
}

/** A block in which an account that had a thing changed its owner, and the owners of that block by the logs. */
export interface OwnerChange {
  readonly block: bigint;
  readonly owners: readonly string[];
  /** Whether the thing was there still as the block ended. */
  readonly stayed: boolean;
}

/** Agents may own agents: so many accounts are followed for one holder. */
const MOST_ACCOUNTS = 24;

/** When each holder had any of a thing. @param moves in the order of the chain @param now the last block that counts */
export function staysOf(moves: readonly TokenMove[], now: bigint): ReadonlyMap<string, readonly Stay[]> {
  const held = new Map<string, bigint>();
  const open = new Map<string, Moment>();
  const stays = new Map<string, Stay[]>();
  const add = (holder: string, left: Moment): void => {
    const came = open.get(holder);
    if (came !== undefined) stays.set(holder, [...(stays.get(holder) ?? []), { came, left }]);
    open.delete(holder);
  };
  for (const { from, to, amount, block, logIndex } of moves) {
    const [giver, taker] = [from.toLowerCase(), to.toLowerCase()];
    held.set(giver, (held.get(giver) ?? 0n) - amount);
    if ((held.get(giver) ?? 0n) <= 0n) add(giver, { block, logIndex });
    held.set(taker, (held.get(taker) ?? 0n) + amount);
    if (!open.has(taker)) open.set(taker, { block, logIndex });
  }
  for (const holder of [...open.keys()]) add(holder, { block: now, logIndex: STILL_THERE });
  return stays;
}

/**
 * Who came to own an account while it had a thing, by the moves of its token, and of the tokens of the accounts that own it.
 * Of a collection that is not believed nothing is told: anybody may log what he likes of an account's owner.
 * @param believes whether the logs of a collection are believed
 * @throws ReaderError; also where not all of the moves could be read
 */
export async function changesBetween(
  reader: ChainReader,
  account: Address,
  stays: readonly Stay[],
  { pinned, believes }: { readonly pinned: Place; readonly believes: (contract: string) => Promise<boolean> },
  followed: { accounts: number } = { accounts: 0 },
): Promise<OwnerChange[]> {
  const kind = await kindAt(reader, account, pinned);
  if (stays.length === 0 || !isOwned(kind, reader)) return [];
  if (!(await believes(kind.contract.toLowerCase()))) return [];
  if (++followed.accounts > MOST_ACCOUNTS)
    throw new ReaderError('down', `more than ${MOST_ACCOUNTS} accounts owned it, or one another`, {
      lasting: true,
    });
  const token = { address: kind.contract as Address, tokenId: BigInt(kind.tokenId) };
  // They are in the order of the chain.
  const [first, last] = [stays[0]!.came.block, stays.at(-1)!.left.block];
  const [moves, before] = await Promise.all([
    movesBetween(reader, token, first, last),
    first === 0n ? null : latestMove(reader, token, null, first - 1n),
  ]);
  const all = before === null ? moves : [before, ...moves];
  const changes = new Map<bigint, OwnerChange>();
  const change = (block: bigint, owners: readonly string[], stayed: boolean): void => {
    const known = changes.get(block);
    changes.set(block, {
      block,
      owners: [...new Set([...(known?.owners ?? []), ...owners])],
      stayed: stayed || (known?.stayed ?? false),
    });
  };
  for (const { came, left } of stays) {
    const owned = new Map<string, Stay[]>();
    for (const [i, { to, ...at }] of all.entries()) {
      const next = all[i + 1];
      const [since, until] = [
        isBefore(at, came) ? came : at,
        next !== undefined && isBefore(next, left) ? next : left,
      ];
      if (to === NOBODY || !isBefore(since, until)) continue;
      owned.set(to, [...(owned.get(to) ?? []), { came: since, left: until }]);
      if (since === at) change(at.block, [to], lastsPast(at.block, left));
    }
    for (const [owner, during] of owned)
      for (const { block, owners, stayed } of await changesBetween(
        reader,
        owner as Address,
        during,
        { pinned, believes },
        followed,
      ))
        change(block, owners, stayed && lastsPast(block, left));
  }
  return [...changes.values()];
}

function isOwned(
  kind: ReturnType<typeof accountKind>,
  reader: ChainReader,
): kind is Extract<ReturnType<typeof accountKind>, { kind: 'token-bound' }> {
  return kind.kind === 'token-bound' && kind.chainId === String(reader.chainId);
}

/** Whether a stay that ends then lasts as the block ends. */
function lastsPast(block: bigint, left: Moment): boolean {
  return block < left.block || left.logIndex === STILL_THERE;
}

function isBefore(a: Moment, b: Moment): boolean {
  return a.block < b.block || (a.block === b.block && a.logIndex < b.logIndex);
}
