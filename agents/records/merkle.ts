import { fromHex, type Hex, keccak } from '../canonical.ts';

/**
 * Merkle trees over record hashes. A leaf is keccak256(keccak256(hash)), a node keccak256 of its two children in
 * ascending order, so OpenZeppelin's `MerkleProof.verify` accepts the proofs. Leaves are hashed twice so that no inner
 * node (the hash of 64 bytes) can pass for a record (the hash of a hash of 32 bytes). A node without a sibling moves up
 * unchanged.
 */
export interface MerkleTree {
  readonly root: Hex;
  readonly size: number;
  /** The proof of the record hash at `index`: its siblings, from the leaf up. */
  proof(index: number): Hex[];
}

export function merkleLeaf(recordHash: Hex): Hex {
  return keccak(fromHex(keccak(fromHex(requireHash(recordHash)))));
}

/** @throws RangeError when there are no hashes, or one is not 32 bytes */
export function merkleTree(recordHashes: readonly Hex[]): MerkleTree {
  if (recordHashes.length === 0) throw new RangeError('a tree needs at least one record');
  const levels: Hex[][] = [recordHashes.map(merkleLeaf)];
  for (let level = levels[0]!; level.length > 1; level = levels.at(-1)!) levels.push(parents(level));
  return {
    root: levels.at(-1)![0]!,
    size: recordHashes.length,
    proof(index) {
      if (!Number.isInteger(index) || index < 0 || index >= recordHashes.length) {
        throw new RangeError(`there is no leaf ${index} among ${recordHashes.length}`);
      }
      const siblings: Hex[] = [];
      let at = index;
      for (const level of levels.slice(0, -1)) {
        const sibling = level[at ^ 1];
        if (sibling !== undefined) siblings.push(sibling);
        at >>= 1;
      }
      return siblings;
    },
  };
}

/** True when the record hash is in the tree with this root. What is no proof gives false, never an error. */
export function verifyMerkleProof(recordHash: Hex, proof: readonly Hex[], root: Hex): boolean {
  if (!Array.isArray(proof) || ![recordHash, root, ...proof].every(isHash)) return false;
  const computed = proof.reduce<Hex>((node, sibling) => pair(node, sibling), merkleLeaf(recordHash));
  return computed === root.toLowerCase();
}

function parents(level: readonly Hex[]): Hex[] {
  const next: Hex[] = [];
  for (let i = 0; i < level.length; i += 2) {
    const [left, right] = [level[i]!, level[i + 1]];
    next.push(right === undefined ? left : pair(left, right));
  }
  return next;
}

function pair(a: Hex, b: Hex): Hex {
  const [low, high] = a.toLowerCase() < b.toLowerCase() ? [a, b] : [b, a];
  return keccak(new Uint8Array([...fromHex(low), ...fromHex(high)]));
}

function isHash(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value);
}

function requireHash(value: Hex): Hex {
  if (!isHash(value)) throw new RangeError('a record hash is 0x and 64 hex digits');
  return value;
}
