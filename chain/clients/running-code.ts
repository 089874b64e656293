import { type Address, type Hex, hexToBytes, keccak256, size } from 'viem';

/** The code that a wallet runs, however it is cloned, proxied or delegated. Hashes are keccak-256. */
export interface RunningCode {
  /**
   * The hash of the code that certainly runs: the wallet's own, its EIP-7702 delegate's, that of the implementation
   * behind an exact minimal proxy (EIP-1167), or behind a proxy whose own code is known. Null when there is no such
   * code.
   */
  readonly runs: Hex | null;
  /**
   * The keys by which failures are counted, at least one: the shape of each code on the way. Clones that differ only in
   * immutable arguments, constants or metadata have the same shape.
   */
  readonly shapes: readonly Hex[];
}

/** The chain reads that are needed to find the code that runs. */
export interface CodeReader {
  /** `0x` when there is no code. */
  code(address: Address): Promise<Hex>;
  /** The 32 bytes in a storage slot. */
  slot(address: Address, slot: Hex): Promise<Hex>;
  /** The answer of `implementation()`; null when it reverts or is not an address. */
  implementation(beacon: Address): Promise<Address | null>;
}

/** Where a proxy of known code stores its implementation: in an ERC-1967 slot, or in slot 0 as Safe's proxies do. */
export type KnownProxies = ReadonlyMap<Hex, 'erc1967' | 'slot0'>;

const DELEGATION = '0xef0100';
/** The code of EIP-1167 before and after the address; bytes after it never run. */
const MINIMAL = { head: '363d3d373d3d3d363d73', tail: '5af43d82803e903d91602b57fd5bf3' };
/** ERC-1967: keccak-256 of `eip1967.proxy.implementation` and `eip1967.proxy.beacon`, minus one. */
const IMPLEMENTATION_SLOT: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const BEACON_SLOT: Hex = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
const SLOT_0: Hex = `0x${'00'.repeat(32)}`;
/** The most bytes of code, with arguments, that only forwards calls. */
const FORWARDER_BYTES = 1_024;
/** How many delegations and proxies in a row are followed. */
const STEPS = 4;
const DELEGATECALL = 0xf4;

/**
 * Finds the code that a wallet runs. Storage is always read from the wallet itself, because delegated code runs on the
 * wallet's storage.
 * @param own the wallet's code, with which the search begins
 * @throws whatever the reader throws
 */
export async function runningCode(
  wallet: Address,
  own: Hex,
  reader: CodeReader,
  proxies: KnownProxies,
): Promise<RunningCode> {
  const delegate = delegateOf(own);
  let code = delegate === null ? own : await reader.code(delegate);
  for (let step = 0; step < STEPS; step++) {
    // As on chain, a delegation to a delegated account is not followed.
    if (code === '0x' || delegateOf(code) !== null) break;
    const known = proxies.get(keccak256(code));
    const target = minimalTarget(code) ?? (known ? await slotTarget(wallet, reader, known) : null);
    if (target === null) return await plainCode(wallet, code, reader);
    code = await reader.code(target);
  }
  return { runs: null, shapes: [shapeOf(code)] };
}

/**
 * Takes the code as what runs. It may still be a proxy of an unknown kind, whose clones differ in what they forward to.
 * So failures count against both codes, and neither becomes known by that.
 */
async function plainCode(wallet: Address, code: Hex, reader: CodeReader): Promise<RunningCode> {
  const shapes = [shapeOf(code)];
  const target = await forwardTarget(wallet, code, reader);
  const targetCode = target === null ? '0x' : await reader.code(target);
  if (targetCode !== '0x' && targetCode !== code) shapes.push(shapeOf(targetCode));
  return { runs: keccak256(code), shapes };
}

/** The account whose code an EIP-7702 account runs. */
export function delegateOf(code: Hex): Address | null {
  return code.startsWith(DELEGATION) && size(code) === 23 ? `0x${code.slice(8)}` : null;
}

/** The target of an exact minimal proxy (EIP-1167), whatever bytes follow. */
export function minimalTarget(code: Hex): Address | null {
  const { head, tail } = MINIMAL;
  const body = code.slice(2);
  if (!body.startsWith(head) || !body.startsWith(tail, head.length + 40)) return null;
  return `0x${body.slice(head.length, head.length + 40)}`;
}

async function slotTarget(
  wallet: Address,
  reader: CodeReader,
  kind: 'erc1967' | 'slot0',
): Promise<Address | null> {
  if (kind === 'slot0') return addressIn(await reader.slot(wallet, SLOT_0));
  const [implementation, beacon] = await Promise.all([
    reader.slot(wallet, IMPLEMENTATION_SLOT),
    reader.slot(wallet, BEACON_SLOT),
  ]);
  const beaconAddress = addressIn(beacon);
  return (
    addressIn(implementation) ?? (beaconAddress === null ? null : await reader.implementation(beaconAddress))
  );
}

async function forwardTarget(wallet: Address, code: Hex, reader: CodeReader): Promise<Address | null> {
  const parts = instructions(code);
  if (!parts.some(({ op }) => op === DELEGATECALL)) return null;
  const standard = await slotTarget(wallet, reader, 'erc1967');
  if (standard !== null || size(code) > FORWARDER_BYTES) return standard;
  // Other minimal proxies have the address in their code; the oldest keep it in slot 0.
  const pushed = parts.find(({ op, data }) => op === PUSH20 && data !== null);
  return pushed?.data ?? (await slotTarget(wallet, reader, 'slot0'));
}

/** The address in a word; null for zero, and for a value longer than an address. */
function addressIn(word: Hex): Address | null {
  if (!/^0x0{24}[0-9a-fA-F]{40}$/.test(word) || /^0x0*$/.test(word)) return null;
  return `0x${word.slice(26)}`;
}

const PUSH1 = 0x60;
const PUSH20 = 0x73;
const PUSH32 = 0x7f;
/** Jump targets take up to three bytes; longer values are constants, such as immutable arguments. */
const PLACE_BYTES = 3;

interface Instruction {
  readonly op: number;
  readonly data: Hex | null;
}

function instructions(code: Hex): Instruction[] {
  const bytes = hexToBytes(code);
  const end = bytes.length - metadataBytes(bytes);
  const found: Instruction[] = [];
  for (let at = 0; at < end; at++) {
    const op = bytes[at]!;
    const width = op >= PUSH1 && op <= PUSH32 ? op - PUSH1 + 1 : 0;
    const data =
      width === 0
        ? null
        : (`0x${Buffer.from(bytes.subarray(at + 1, at + 1 + width)).toString('hex')}` as const);
    found.push({ op, data });
    at += width;
  }
  return found;
}

/**
 * The length of the compiler's metadata (CBOR, with its length in the last two bytes). It is not code, and changes with
 * every comment.
 */
function metadataBytes(bytes: Uint8Array): number {
  if (bytes.length < 4) return 0;
  const length = (bytes[bytes.length - 2]! << 8) | bytes[bytes.length - 1]!;
  const start = bytes.length - 2 - length;
  // The metadata begins as a CBOR map of one to four entries.
  return start >= 0 && length > 0 && bytes[start]! >= 0xa1 && bytes[start]! <= 0xa4 ? length + 2 : 0;
}

/** The hash of a code without its constants and metadata. */
export function shapeOf(code: Hex): Hex {
  const skeleton: number[] = [];
  for (const { op, data } of instructions(code)) {
    skeleton.push(op);
    if (data !== null && size(data) <= PLACE_BYTES) skeleton.push(...hexToBytes(data));
  }
  return keccak256(Uint8Array.from(skeleton));
}
