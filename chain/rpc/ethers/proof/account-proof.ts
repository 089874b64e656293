import { verifyMerkleProof } from '@ethereumjs/mpt';
import { decodeRlp, getBigInt, getBytes, keccak256, toBeHex } from 'ethers';
import type { Hex } from '../../reader.ts';
import { bytesIn } from '../bytes.ts';

/** What the state of a block says of an account, in that block's own words. */
export interface ProvenAccount {
  readonly nonce: bigint;
  /** In wei. */
  readonly balance: bigint;
  readonly codeHash: Hex;
  /** Words of storage by their slot, both of 32 bytes. */
  readonly slots: ReadonlyMap<Hex, Hex>;
}

/** The root of an empty trie, and the hash of no code (Yellow Paper, 4.1). */
const NO_NODES = keccak256('0x80') as Hex;
const NO_CODE = keccak256('0x') as Hex;
const ZERO: Hex = `0x${'00'.repeat(32)}`;

/** An answer of `eth_getProof` (EIP-1186). Its own words on balance, nonce and values are not read. */
interface Told {
  readonly accountProof: readonly string[];
  readonly storageProof: readonly { readonly key: string; readonly proof: readonly string[] }[];
}

/**
 * Reads an account out of proofs alone: of the account in the state of a block, and of the slots in its storage. An
 * account that is proven absent has nothing.
 * @param slots of 32 bytes
 * @throws Error when a proof does not lead from its root to the account or the slot
 */
export async function provenAccount(
  answer: unknown,
  { stateRoot, address, slots }: { stateRoot: Hex; address: Hex; slots: readonly Hex[] },
): Promise<ProvenAccount> {
  const { accountProof, storageProof } = answer as Told;
  const leaf = await valueAt(stateRoot, address, accountProof);
  const [nonce, balance, storageRoot, codeHash] =
    leaf === null ? ['0x', '0x', NO_NODES, NO_CODE] : (decodeRlp(leaf) as readonly string[]);
  const root = bytesIn(storageRoot!, 32);
  const words = await Promise.all(
    slots.map(async (slot) => {
      const told = storageProof.find(({ key }) => getBigInt(key) === getBigInt(slot));
      const word = await valueAt(root, slot, told?.proof ?? []);
      return [slot, word === null ? ZERO : (toBeHex(quantity(String(decodeRlp(word))), 32) as Hex)] as const;
    }),
  );
  return {
    nonce: quantity(nonce!),
    balance: quantity(balance!),
    codeHash: bytesIn(codeHash!, 32),
    slots: new Map(words),
  };
}

/** RLP writes zero as no bytes. */
function quantity(bytes: string): bigint {
  return bytes === '0x' ? 0n : getBigInt(bytes);
}

/** Null where the proof shows that the trie has nothing there. */
async function valueAt(root: Hex, key: Hex, proof: readonly string[]): Promise<Uint8Array | null> {
  if (root === NO_NODES) return null;
  if (proof.length === 0) throw new Error('there is no proof');
  const nodes = proof.map((node) => getBytes(node));
  return await verifyMerkleProof(getBytes(key), nodes, { root: getBytes(root), useKeyHashing: true });
}
