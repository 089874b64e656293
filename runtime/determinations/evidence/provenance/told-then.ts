import type { HolderPrincipals } from '../../../../agents/determinations/provenance/custody.ts';
import { accountKind, type CodeFacts } from '../../../../agents/determinations/wallet/code/account-code.ts';
import { unlessForgotten } from '../../../../chain/rpc/forgotten-state.ts';
import { type Address, blockNumberOf, type ChainReader, type Place } from '../../../../chain/rpc/reader.ts';
import { walletOwners } from '../wallet/told-deciders.ts';

/** A holder, and a block in which it held the token. */
export interface Reading {
  readonly holder: Address;
  readonly block: bigint;
  /** The block in which the token left it again, for the first time since; null while it is there. */
  readonly left: bigint | null;
}

/** What a contract told of its owners in a block. */
export type Told =
  | {
      readonly state: 'told';
      readonly row: HolderPrincipals;
      /** Owners who were not looked up; of the row also who cannot be found out, such as who holds a passkey. */
      readonly missing: readonly string[];
    }
  /** It has code and tells of none; it has none; the node does not keep the state of then. */
  | { readonly state: 'silent' | 'absent' | 'forgotten' };

/** Why it is not known who owned a wallet. */
export const WHY = {
  silent: 'it told of no owners then',
  absent: 'it was not deployed then',
  forgotten: 'the node does not keep the state of then',
} as const;

/** That it is not known who owned a holder. */
export function unreadPrincipals(holder: string, block: bigint, unknown: string): HolderPrincipals {
  return { holder, block: block.toString(), owners: [], unknown };
}

/**
 * What a contract told of its owners in a block. Nothing else than the contract tells it where the node does not keep the
 * state of then: a wallet may log what it likes.
 * @throws ReaderError
 */
export async function toldAt(
  reader: ChainReader,
  holder: Address,
  block: bigint,
  pinned: Place,
): Promise<Told> {
  const isNow = block === blockNumberOf(pinned);
  const place = isNow ? pinned : block;
  const ask = async <T>(read: () => Promise<T>): Promise<T | null> =>
    isNow ? await read() : await unlessForgotten(read);
  const told = await ask(() => walletOwners(reader, holder, place));
  if (told === null) return { state: 'forgotten' };
  const owners = [...new Set(told.deciders.map((d) => d.who))].sort();
  const missing = [...told.unknown, ...told.unread];
  if (owners.length > 0 || missing.length > 0) {
    const unknown = missing.length === 0 ? null : `not looked at: ${missing.join(', ')}`;
    const row = { holder, block: block.toString(), owners, unknown };
    return { state: 'told', row, missing: told.unknown };
  }
  const code = await ask(() => reader.code(holder, place));
  return { state: code === null ? 'forgotten' : code === '0x' ? 'absent' : 'silent' };
}

/** `getOwners()` and `nextOwnerIndex()`, as compilers push them to compare with what is called. */
const TELLING = /63(a0e67e2b|d948fd2e)/;

/**
 * Whether a contract that tells of no owners may have told of some before: its code can tell of them, or may have been
 * other code. A market's or an escrow's, which is no proxy that its owner changes, is nobody's wallet.
 * @throws ReaderError
 */
export async function mayHaveTold(
  reader: ChainReader,
  holder: Address,
  code: CodeFacts,
  pinned: Place,
): Promise<boolean> {
  const account = accountKind(code);
  const runs = code.runs ?? [];
  const isFixed = account.kind === 'proxy' ? account.standard === 'EIP-1167' : account.kind === 'contract';
  if (!isFixed || code.unresolved === true || runs.some(({ by }) => by !== 'EIP-1167')) return true;
  const all = await Promise.all(
    [holder, ...runs.map(({ to }) => to as Address)].map((address) => reader.code(address, pinned)),
  );
  return all.some((one) => TELLING.test(one.toLowerCase()));
}
