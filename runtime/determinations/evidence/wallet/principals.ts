import { accountKind, type CodeFacts } from '../../../../agents/determinations/wallet/code/account-code.ts';
import type { Principals } from '../../../../agents/determinations/wallet/wallet-evidence.ts';
import { type ChainReader, type Place, ReaderError } from '../../../../chain/rpc/reader.ts';
import { aboutEach, runBatched } from '../../../../store/batched-keys.ts';
import type { Database } from '../../../../store/database.ts';
import { AGENT_ABI } from '../agent/agent-abi.ts';
import { codeFacts } from './account-facts.ts';
import { readEdges } from './principal-edges.ts';

/**
 * An account may own the agent that owns an account. Owners further up than this are not read, and the answer says so.
 */
const MOST_OWNERS = 16;

/**
 * Reads the owners behind an account: the holder of the token to which it is bound (ERC-6551). If that holder is such
 * an account, the holder of its token, and so on to the first that is not. Reads the chain, for any collection.
 * Of the account, and of the last of them, it reads who else decides over it.
 * @param code the account's own code at this block
 * @param holder who holds a token, or held it at the time that is asked about
 * @throws ReaderError
 */
export async function readPrincipals(
  reader: ChainReader,
  account: string,
  code: CodeFacts,
  block: Place,
  holder: typeof holderOf = holderOf,
): Promise<Principals> {
  const owners: string[] = [];
  let last = { address: account, code };
  let at = accountKind(code);
  while (at.kind === 'token-bound') {
    const token = `${at.contract}/${at.tokenId}`;
    if (at.chainId !== String(reader.chainId))
      return { owners, unknown: `its token ${token} is on chain ${at.chainId}` };
    if (owners.length === MOST_OWNERS)
      return { owners, unknown: `more than ${MOST_OWNERS} owners stand above one another` };
    const owner = await holder(reader, at.contract, BigInt(at.tokenId), block);
    if (owner === null) return { owners, unknown: `nobody is seen to hold its token ${token}` };
    owners.push(owner);
    last = { address: owner, code: await codeFacts(reader, owner, block, await reader.code(owner, block)) };
    at = accountKind(last.code);
  }
  return { owners, ...(await readEdges(reader, last, block, owners.length === 0)) };
}

/** Null where the contract names nobody. @throws ReaderError */
export async function holderOf(
  reader: ChainReader,
  contract: string,
  tokenId: bigint,
  block: Place,
): Promise<`0x${string}` | null> {
  const address = contract as `0x${string}`;
  try {
    const owner = await reader.read({
      ...{ address, abi: AGENT_ABI, functionName: 'ownerOf', args: [tokenId], block },
    });
    return String(owner).toLowerCase() as `0x${string}`;
  } catch (error) {
    if (error instanceof ReaderError && error.kind === 'reverted') return null;
    throw error;
  }
}

const SESSION_KEYS = aboutEach({
  name: 'find-session-keys',
  text: "select session_key from agents where account = $1 and status <> 'retired'",
});

/**
 * The session keys with which the agents of this account sign, lower case. They are public, so evidence may contain
 * them.
 */
export async function sessionKeysOf(db: Database, account: string): Promise<readonly string[]> {
  const rows = await runBatched<{ session_key: string }>(db, SESSION_KEYS, account);
  return [...new Set(rows.map((r) => r.session_key.toLowerCase()))].sort();
}
