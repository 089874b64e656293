import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Proofs that a key is not on a list. The list's keys, each once and sorted by their bytes, are the leaves of a Merkle
 * tree as in Certificate Transparency (RFC 6962, SHA-256: a leaf is hashed behind 0x00, a node behind 0x01). Two leaves
 * that stand side by side, one before the key and one after it, leave no place for it between them.
 */
export interface Absence {
  /** The list's name, as in the register. */
  readonly list: string;
  readonly key: string;
  /** The last leaf before the key; null when the key would be the first. */
  readonly before: Leaf | null;
  /** The first leaf after it; null when the key would be the last. Its path ends where it meets that of `before`. */
  readonly after: Leaf | null;
}

export interface Leaf {
  readonly key: string;
  readonly index: number;
  /** Its siblings from the leaf up, SHA-256 in hex. */
  readonly path: readonly string[];
}

/**
 * Whether the two leaves stand side by side in the tree with this root and have no place for the key between them. Wrong
 * forms give false, never an error.
 * @param size how many leaves the tree has
 */
export function provesAbsence({ key, before, after }: Absence, root: string, size: number): boolean {
  if (before === null && after === null) return false;
  if (before !== null && !(before.key < key && rootOf(before, before.path, size) === root)) return false;
  if (after === null) return before!.index === size - 1;
  if (!(key < after.key) || after.index !== (before === null ? 0 : before.index + 1)) return false;
  const shared = before === null ? [] : tail(before.path, lengthOf(after.index, size) - after.path.length);
  return rootOf(after, [...after.path, ...shared], size) === root;
}

/** The proof without what the second path repeats of the first. Both paths are whole here. */
export function withoutRepeats(proof: Absence): Absence {
  const { before, after } = proof;
  if (before === null || after === null) return proof;
  let kept = after.path.length;
  for (let up = 1; kept > 0 && after.path.at(-up) === before.path.at(-up); up++) kept -= 1;
  return { ...proof, after: { ...after, path: after.path.slice(0, kept) } };
}

function tail(path: readonly string[], length: number): readonly string[] {
  return length <= 0 ? [] : path.slice(-length);
}

/** How many siblings lie on the way from a leaf to the root. */
function lengthOf(index: number, size: number): number {
  let length = 0;
  for (let [at, last] = [index, size - 1]; last > 0; at = Math.floor(at / 2), last = Math.floor(last / 2))
    if (at % 2 === 1 || at < last) length += 1;
  return length;
}

/** RFC 9162, section 2.1.3.2; null when the path does not fit the place. */
function rootOf({ key, index }: Leaf, path: readonly string[], size: number): string | null {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return null;
  if (path.length !== lengthOf(index, size) || !path.every((hash) => /^[0-9a-f]{64}$/.test(hash)))
    return null;
  let hash = sha256(concatBytes(Uint8Array.of(0), utf8ToBytes(key)));
  const siblings = [...path];
  for (let [at, last] = [index, size - 1]; last > 0; at = Math.floor(at / 2), last = Math.floor(last / 2)) {
    if (at % 2 === 0 && at === last) continue;
    const sibling = hexToBytes(siblings.shift()!);
    const [left, right] = at % 2 === 1 ? [sibling, hash] : [hash, sibling];
    hash = sha256(concatBytes(Uint8Array.of(1), left, right));
  }
  return bytesToHex(hash);
}
