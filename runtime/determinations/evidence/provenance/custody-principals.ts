import type { HolderPrincipals } from '../../../../agents/determinations/provenance/custody.ts';
import { accountKind, type CodeFacts } from '../../../../agents/determinations/wallet/code/account-code.ts';
import type { Principals } from '../../../../agents/determinations/wallet/wallet-evidence.ts';
import { type Address, lowerAddress, NOBODY, sameAddress } from '../../../../agents/ids.ts';
import { latestMove } from '../../../../chain/indexer/token-custody.ts';
import type { TokenMove } from '../../../../chain/indexer/transfer-logs.ts';
import { unlessForgotten } from '../../../../chain/rpc/forgotten-state.ts';
import { blockNumberOf, type ChainReader, type Place } from '../../../../chain/rpc/reader.ts';
import { faultOf } from '../../deps.ts';
import { codeFacts } from '../wallet/account-facts.ts';
import { holderOf, readPrincipals } from '../wallet/principals.ts';
import { changesBetween, staysOf } from './owners-between.ts';
import { mayHaveTold, type Reading, unreadPrincipals } from './told-then.ts';
import { walletsThen } from './wallets-then.ts';

/** Of more holders than this, the owners are not read, and the answer says so. */
const MOST_HOLDERS = 60;
/** Nor in more blocks than this, of all holders together. */
const MOST_READINGS = 120;

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
  const readings = new Map<string, { -readonly [K in keyof Reading]: Reading[K] }>();
  const staying = new Map<string, Set<{ left: bigint | null }>>();
  const read = (address: Address, block: bigint): void => {
    if (sameAddress(address, NOBODY)) return;
    const holder = lowerAddress(address);
    const key = `${holder} ${block}`;
    const reading = readings.get(key) ?? { holder, block, left: null };
    readings.set(key, reading);
    if (reading.left === null)
      staying.set(holder, (staying.get(holder) ?? new Set<{ left: bigint | null }>()).add(reading));
  };
  for (const { from, to, block } of moves) {
    const since = came.get(from.toLowerCase());
    // A block is read as it ended: of who still had the token before this one, the one before tells.
    if (since !== undefined) read(from, since < block ? block - 1n : block);
    for (const reading of staying.get(from.toLowerCase()) ?? []) reading.left = block;
    staying.delete(from.toLowerCase());
    read(to, block);
    came.set(to.toLowerCase(), block);
  }
  for (const { address } of holders) read(address, now);
  return [...readings.values()];
}

/**
 * Who owned each holder that is the account of a token (ERC-6551), or a contract wallet that tells its owners, while it had
 * the token. The code of an account never changes, so that it is read once, at the pinned block; its owner does, and is
 * asked for as of then.
 * @param known.labelled contracts that are known to be nobody's wallet; lower case
 * @param known.moves of the token, in the order of the chain
 * @param known.believes whether the logs of a collection tell who owned its tokens, also only for a while
 * @throws ReaderError when the code of a holder cannot be read
 */
export async function principalsOfHolders(
  reader: ChainReader,
  readings: readonly Reading[],
  pinned: Place,
  {
    labelled,
    moves,
    believes,
  }: {
    readonly labelled: ReadonlySet<string>;
    readonly moves: readonly TokenMove[];
    readonly believes: (contract: string) => Promise<boolean>;
  },
): Promise<HolderPrincipals[]> {
  const now = blockNumberOf(pinned);
  const wallets = walletsThen(reader, pinned, labelled);
  const holders = [...new Set(readings.map(({ holder }) => holder))].sort();
  const skipped = holders
    .slice(MOST_HOLDERS)
    .map((holder) => unreadPrincipals(holder, now, `of more than ${MOST_HOLDERS} holders it was not read`));
  const found = await Promise.all(
    holders.slice(0, MOST_HOLDERS).map(async (holder) => {
      const code = await codeFacts(reader, holder, pinned, await reader.code(holder, pinned));
      const { kind } = accountKind(code);
      const isContract = kind === 'contract' || kind === 'proxy';
      const tells = isContract && (await wallets.tells(holder));
      const mine = readings.filter((r) => r.holder === holder);
      return { holder, code, kind, mine, tells, isContract };
    }),
  );
  const shares = sharesOf(found.filter(({ isContract }) => isContract));
  const asked = await Promise.all(
    found.map(async ({ holder, code, kind, mine, tells, isContract }): Promise<Asked[]> => {
      if (kind === 'token-bound')
        return mine.map(({ block, left }) => ({
          ...{ holder, block },
          read: async () => {
            const { owners, unknown } = await ownersAt(reader, holder, code, block, pinned);
            const row = { holder, block: block.toString(), owners, unknown };
            return await wallets.withAbove(row, owners.slice(-1), left);
          },
        }));
      if (!isContract) return [];
      // A contract that told of none whenever the token was there is nobody's wallet, like a market's, whatever it tells now.
      const some = shares.get(holder) ?? 0;
      const told = await wallets.told(mine.slice(0, some));
      if (mine.length <= some && (told === 'silent' || (told === 'absent' && !tells))) return [];
      const mayHave =
        tells ||
        told === 'told' ||
        (!labelled.has(holder) && (await mayHaveTold(reader, holder, code, pinned)));
      if (!mayHave) return [];
      return mine.map((reading) => ({ ...reading, read: () => wallets.ownersOf(reading) }));
    }),
  );
  const stays = staysOf(moves, now);
  const between = await Promise.all(
    found.map(async ({ holder, code, kind }): Promise<Asked[]> => {
      if (kind !== 'token-bound') return [];
      const asOf = { pinned, believes };
      const changes = await changesBetween(reader, holder, stays.get(holder) ?? [], asOf).catch(
        (error: unknown) => faultOf(error),
      );
      if (typeof changes === 'string')
        return [{ holder, block: now, read: async () => unreadPrincipals(holder, now, changes) }];
      return changes.map(({ block, owners, stayed }) => ({
        ...{ holder, block },
        read: async () => {
          const then = stayed
            ? await ownersAt(reader, holder, code, block, pinned)
            : { owners: [], unknown: null };
          const row = { holder, block: block.toString(), owners: then.owners, unknown: then.unknown };
          const first = [...new Set([...then.owners.slice(-1), ...owners])];
          const all = { ...row, owners: [...new Set([...row.owners, ...owners])] };
          return await wallets.withAbove(all, first, null);
        },
      }));
    }),
  );
  const all = [...asked.flat(), ...between.flat()];
  const read = await Promise.all(
    all.slice(0, MOST_READINGS).map(async ({ holder, block, read }) => {
      return await read().catch((error: unknown) => unreadPrincipals(holder, block, faultOf(error)));
    }),
  );
  const beyond = all
    .slice(MOST_READINGS)
    .map(({ holder, block }) =>
      unreadPrincipals(holder, block, `in more than ${MOST_READINGS} blocks it was not read`),
    );
  const rows = read
    .map((row) => ({ ...row, unknown: row.unknown ?? wallets.fellSilent(row) }))
    .filter(({ owners, unknown }) => owners.length > 0 || unknown !== null);
  const once = new Map<string, HolderPrincipals>();
  for (const row of rows) {
    const key = `${row.holder} ${row.block}`;
    const { owners = [], unknown = null } = once.get(key) ?? {};
    const both = [...new Set([...owners, ...row.owners])];
    once.set(key, { ...row, owners: both, unknown: unknown ?? row.unknown });
  }
  return [...once.values(), ...skipped, ...beyond.slice(0, 1)];
}

/**
 * How many readings of each contract may tell whether it is a wallet. All of them share what may be read, since what a
 * contract tells now is its own word; what one does not need is for the others.
 */
function sharesOf(
  contracts: readonly { readonly holder: string; readonly mine: readonly Reading[] }[],
): Map<string, number> {
  const shares = new Map<string, number>();
  let left = MOST_READINGS;
  for (const { holder, mine } of [...contracts].sort((a, b) => a.mine.length - b.mine.length)) {
    const share = Math.min(mine.length, Math.floor(left / (contracts.length - shares.size)));
    shares.set(holder, share);
    left -= share;
  }
  return shares;
}

/** A reading that is made. */
interface Asked extends Pick<Reading, 'holder' | 'block'> {
  readonly read: () => Promise<HolderPrincipals>;
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
