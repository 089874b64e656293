import type { HolderPrincipals } from '../../../agents/determinations/provenance/custody.ts';
import { accountKind, type CodeFacts } from '../../../agents/determinations/wallet/account-code.ts';
import type { Principals } from '../../../agents/determinations/wallet/wallet-evidence.ts';
import { lowerAddress, NOBODY, sameAddress } from '../../../agents/ids.ts';
import { latestMove, type TokenMove, unlessForgotten } from '../../../chain/indexer/token-custody.ts';
import { blockNumberOf, type ChainReader, type Place } from '../../../chain/rpc/reader.ts';
import { faultOf } from '../deps.ts';
import { codeFacts } from './account-facts.ts';
import { holderOf, readPrincipals } from './principals.ts';
import { walletOwners } from './told-deciders.ts';

/** Of more holders than this, the owners are not read, and the answer says so. */
const MOST_HOLDERS = 60;
/** Nor in more blocks than this, of all holders together. */
const MOST_READINGS = 120;

type Address = `0x${string}`;

/** A holder, and a block in which it held the token. */
interface Reading {
  readonly holder: Address;
  readonly block: bigint;
}

/**
 * When it is read who stood behind the holders of a token: as it came to each of them, as each last had it, and now of who
 * has it now. Who comes to own a wallet later never held the token by it.
 * @param moves in the order of the chain
 */
export function readingsOf(
  moves: readonly Pick<TokenMove, 'from' | 'to' | 'block'>[],
  holders: readonly { readonly address: Address }[],
  now: bigint,
): Reading[] {
  const came = new Map<string, bigint>();
  const readings: Reading[] = [];
  for (const { from, to, block } of moves) {
    const since = came.get(from.toLowerCase());
    // A block is read as it ended: of who still had the token before this one, the one before tells.
    if (since !== undefined) readings.push({ holder: from, block: since < block ? block - 1n : block });
    readings.push({ holder: to, block });
    came.set(to.toLowerCase(), block);
  }
  const all = [...readings, ...holders.map(({ address }) => ({ holder: address, block: now }))];
  const each = all
    .filter(({ holder }) => !sameAddress(holder, NOBODY))
    .map(({ holder, block }) => ({ holder: lowerAddress(holder), block }));
  return [...new Map(each.map((one) => [`${one.holder} ${one.block}`, one])).values()];
}

/**
 * Who owned each holder that is the account of a token (ERC-6551), or a contract wallet that tells its owners, while it had
 * the token. The code of an account never changes, so that it is read once, at the pinned block; its owner does, and is
 * asked for as of then.
 * @throws ReaderError when the code of a holder cannot be read
 */
export async function principalsOfHolders(
  reader: ChainReader,
  readings: readonly Reading[],
  pinned: Place,
): Promise<HolderPrincipals[]> {
  const now = blockNumberOf(pinned);
  const holders = [...new Set(readings.map(({ holder }) => holder))].sort();
  const unread = (holder: string, block: bigint, unknown: string): HolderPrincipals => ({
    ...{ holder, block: block.toString(), owners: [], unknown },
  });
  const skipped = holders
    .slice(MOST_HOLDERS)
    .map((holder) => unread(holder, now, `of more than ${MOST_HOLDERS} holders it was not read`));
  const found = await Promise.all(
    holders.slice(0, MOST_HOLDERS).map(async (holder) => {
      const blocks = readings.filter((r) => r.holder === holder).map(({ block }) => block);
      const read = await ownersReader(reader, holder, blocks[0] ?? now, pinned);
      return read === null ? [] : blocks.map((block) => ({ holder, block, read }));
    }),
  );
  const asked = found.flat();
  const read = await Promise.all(
    asked.slice(0, MOST_READINGS).map(async ({ holder, block, read }): Promise<HolderPrincipals[]> => {
      try {
        const { owners, unknown } = await read(block);
        return owners.length === 0 && unknown === null
          ? []
          : [{ holder, block: block.toString(), owners, unknown }];
      } catch (error) {
        return [unread(holder, block, faultOf(error))];
      }
    }),
  );
  const beyond = asked
    .slice(MOST_READINGS)
    .map(({ holder, block }) =>
      unread(holder, block, `in more than ${MOST_READINGS} blocks it was not read`),
    );
  return [...read.flat(), ...skipped, ...beyond.slice(0, 1)];
}

type OwnersOf = (block: bigint) => Promise<Pick<Principals, 'owners' | 'unknown'>>;

/**
 * How it is read who owns a holder at a block; null where it has no owners. A contract that tells of none now, nor told of
 * any when the token first came to it, is nobody's wallet, like a market's.
 * @throws ReaderError
 */
async function ownersReader(
  reader: ChainReader,
  holder: Address,
  first: bigint,
  pinned: Place,
): Promise<OwnersOf | null> {
  const code = await codeFacts(reader, holder, pinned, await reader.code(holder, pinned));
  const { kind } = accountKind(code);
  if (kind === 'token-bound') return (block) => ownersAt(reader, holder, code, block, pinned);
  if (kind !== 'contract' && kind !== 'proxy') return null;
  const read: OwnersOf = (block) => ownersOfWallet(reader, holder, block, pinned);
  const isWallet = ({ owners, unknown }: Awaited<ReturnType<OwnersOf>>) =>
    owners.length > 0 || unknown !== null;
  if (isWallet(await read(blockNumberOf(pinned)))) return read;
  const before = await unlessForgotten(() => walletOwners(reader, holder, first));
  return before !== null && isWallet(toldBy(before)) ? read : null;
}

/**
 * Who owned an account at a block. Where the node does not keep the state of then, the moves of the tokens tell it: a
 * local chain that was restarted has their logs, and no state of before.
 * @throws ReaderError
 */
async function ownersAt(
  reader: ChainReader,
  account: Address,
  code: CodeFacts,
  block: bigint,
  pinned: Place,
): Promise<Principals> {
  if (block === blockNumberOf(pinned)) return await readPrincipals(reader, account, code, pinned);
  return (
    (await unlessForgotten(() => readPrincipals(reader, account, code, block))) ??
    (await readPrincipals(reader, account, code, pinned, async (_, contract, tokenId) => {
      const token = { address: contract as `0x${string}`, tokenId };
      const [then, last, holder] = await Promise.all([
        latestMove(reader, token, null, block),
        latestMove(reader, token, null, blockNumberOf(pinned)),
        holderOf(reader, contract, tokenId, pinned),
      ]);
      // Logs that do not lead to whom the contract names now are no history of who held it.
      return last === null || last.to !== holder || then === null || then.to === NOBODY ? null : then.to;
    }))
  );
}

/**
 * Whom a contract told as its owners at a block. Nothing else tells it where the node does not keep the state of then: a
 * wallet may log what it likes.
 * @throws ReaderError
 */
async function ownersOfWallet(
  reader: ChainReader,
  holder: Address,
  block: bigint,
  pinned: Place,
): ReturnType<OwnersOf> {
  if (block === blockNumberOf(pinned)) return toldBy(await walletOwners(reader, holder, pinned));
  const told = await unlessForgotten(() => walletOwners(reader, holder, block));
  if (told !== null) return toldBy(told);
  return { owners: [], unknown: 'the node does not keep the state of then' };
}

function toldBy({
  deciders,
  unread,
  unknown: open,
}: Awaited<ReturnType<typeof walletOwners>>): Awaited<ReturnType<OwnersOf>> {
  const owners = [...new Set(deciders.map((d) => d.who))].sort();
  const missing = [...open, ...unread];
  return { owners, unknown: missing.length === 0 ? null : `not looked at: ${missing.join(', ')}` };
}
