import type { HolderPrincipals } from '../../../agents/determinations/provenance/custody.ts';
import { accountKind, type CodeFacts } from '../../../agents/determinations/wallet/account-code.ts';
import type { Principals } from '../../../agents/determinations/wallet/wallet-evidence.ts';
import { NOBODY } from '../../../agents/ids.ts';
import { latestMove, unlessForgotten } from '../../../chain/indexer/token-custody.ts';
import { blockNumberOf, type ChainReader, type Place } from '../../../chain/rpc/reader.ts';
import { faultOf } from '../deps.ts';
import { codeFacts } from './account-facts.ts';
import { holderOf, readPrincipals } from './principals.ts';
import { walletOwners } from './told-deciders.ts';

/** Of more holders than this, the owners are not read, and the answer says so. */
const MOST_HOLDERS = 60;

/** A holder, and a block in which it held the token. */
interface Arrival {
  readonly to: string;
  readonly block: bigint;
}

/**
 * Who owned each holder that is the account of a token (ERC-6551) when the token came to it, and owns who holds it now.
 * The code of such an account never changes, so that it is read once, at the pinned block; its owner does, and is asked
 * for as of then. Of a holder that is a contract wallet those are told who own it at the pinned block.
 * @throws ReaderError when the code of a holder cannot be read
 */
export async function principalsOfHolders(
  reader: ChainReader,
  arrivals: readonly Arrival[],
  pinned: Place,
): Promise<HolderPrincipals[]> {
  const now = blockNumberOf(pinned);
  const holders = [...new Set(arrivals.map(({ to }) => to.toLowerCase()))].sort();
  const skipped = holders.slice(MOST_HOLDERS).map((holder): HolderPrincipals => {
    const unknown = `of more than ${MOST_HOLDERS} holders it was not read`;
    return { holder, block: now.toString(), owners: [], unknown };
  });
  const read = await Promise.all(
    holders.slice(0, MOST_HOLDERS).map(async (holder): Promise<HolderPrincipals[]> => {
      const address = holder as `0x${string}`;
      const code = await codeFacts(reader, address, pinned, await reader.code(address, pinned));
      const { kind } = accountKind(code);
      if (kind === 'contract' || kind === 'proxy') return await ownersOfWallet(reader, address, pinned);
      if (kind !== 'token-bound') return [];
      const blocks = new Set(
        arrivals.filter(({ to }) => to.toLowerCase() === holder).map(({ block }) => block),
      );
      return await Promise.all(
        [...blocks].map(async (block): Promise<HolderPrincipals> => {
          try {
            const { owners, unknown } = await ownersAt(reader, address, code, block, pinned);
            return { holder, block: block.toString(), owners, unknown };
          } catch (error) {
            return { holder, block: block.toString(), owners: [], unknown: faultOf(error) };
          }
        }),
      );
    }),
  );
  return [...read.flat(), ...skipped];
}

/**
 * Who owned an account at a block. Where the node does not keep the state of then, the moves of the tokens tell it: a
 * local chain that was restarted has their logs, and no state of before.
 * @throws ReaderError
 */
async function ownersAt(
  reader: ChainReader,
  account: `0x${string}`,
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

/** Whom a contract tells as its owners; none where it is nobody's wallet. */
async function ownersOfWallet(
  reader: ChainReader,
  holder: `0x${string}`,
  block: Place,
): Promise<HolderPrincipals[]> {
  const { deciders, unread, unknown: open } = await walletOwners(reader, holder, block);
  const owners = [...new Set(deciders.map((d) => d.who))].sort();
  const missing = [...open, ...unread];
  if (owners.length === 0 && missing.length === 0) return [];
  const unknown = missing.length === 0 ? null : `not looked at: ${missing.join(', ')}`;
  return [{ holder, block: blockNumberOf(block).toString(), owners, unknown }];
}
