import { keccak256 } from 'ethers';

const ADDRESS_DIGITS = 40;
/** An address and its hash take some hundred bytes. */
const MOST = 4_096;

/** The same function, which hashes an address's digits once while it remembers them; nothing else is remembered. */
export function rememberingAddresses(
  hash: (data: Uint8Array) => Uint8Array,
  most = MOST,
): (data: Uint8Array) => Uint8Array {
  const known = new Map<string, Uint8Array>();
  return (data) => {
    if (data.length !== ADDRESS_DIGITS) return hash(data);
    const key = Buffer.from(data).toString('latin1');
    const hashed = known.get(key) ?? hash(data);
    if (!known.has(key) && known.size >= most) known.clear();
    known.set(key, hashed);
    return hashed;
  };
}

let isRegistered = false;

/**
 * Has ethers hash each address once: it spells every address of every answer with its checksum, which is a hash of its
 * digits, and logs name the same few again and again.
 */
export function hashAddressesOnce(): void {
  if (isRegistered) return;
  isRegistered = true;
  keccak256.register(rememberingAddresses(keccak256._));
}
