import { type Hex, keccak } from '../../../canonical.ts';
import { instructions, PUSH0, PUSH1, PUSH32, withoutMetadata } from '../instructions.ts';

/**
 * Shorter code has no skeleton: clones, forwarders and the smallest proxies are alike whoever made them, and what so short
 * a code does is told by its shape.
 */
const LEAST_INSTRUCTIONS = 200;

/** The metadata of contracts that a contract holds to create them, as solc writes it: a hash of the sources, and a version. */
const HELD_METADATA =
  /a26469706673582212(?:20[0-9a-f]{64})64736f6c6343[0-9a-f]{6}0033|a165627a7a72305820[0-9a-f]{64}0029/g;

/**
 * What stays of a contract's code when its constants, immutable values and metadata are taken out: the keccak-256 of its
 * operation codes in order. Contracts of one source that differ in addresses, names, amounts or comments have one skeleton,
 * where one compiler with the same settings made them.
 * @param code the whole runtime code, hex with 0x
 * @returns null for code that is too short to be told from others, and for a delegation (EIP-7702)
 */
export function skeletonOf(code: string): Hex | null {
  if (code.toLowerCase().startsWith('0xef')) return null;
  const bare = withoutMetadata(code).replaceAll(HELD_METADATA, '');
  const found = instructions(bare);
  if (found.length < LEAST_INSTRUCTIONS) return null;
  // The width of a constant changes with its value.
  const ops = found.map(({ op }) => (op >= PUSH0 && op <= PUSH32 ? PUSH1 : op));
  return keccak(Uint8Array.from(ops));
}
