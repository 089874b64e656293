import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { documentHash, type Hex } from '../canonical.ts';

/** What the entries of a list name. */
export type Listed = 'addresses' | 'hosts';

/** One list as a snapshot carries it. */
export interface SnapshotList {
  /** `register/source`, as records name it. */
  readonly list: string;
  readonly holds: Listed;
  /** ISO 8601: as of when it is complete; null: nobody says, and it only adds what it names. */
  readonly asOf: string | null;
  /** Later than so many days after `asOf` it cannot say "not listed". */
  readonly maxAgeDays: number;
  readonly rows: number;
  /** Made up, for demonstration or tests. */
  readonly synthetic: boolean;
  /** Base64 of the sorted entries, each by the first eight bytes of its SHA-256: what is listed can be asked, not read. */
  readonly entries: string;
}

/** Every list of bad addresses and hosts that the service holds, for programs that must refuse without it. */
export interface ListSnapshot {
  readonly version: 1;
  /** ISO 8601. A reader that holds a later one keeps that. */
  readonly issuedAt: string;
  /** ISO 8601. Afterwards it still names what it names, and its silence says nothing. */
  readonly expiresAt: string;
  readonly lists: readonly SnapshotList[];
}

export interface SignedSnapshot {
  readonly snapshot: ListSnapshot;
  /** keccak-256 of the snapshot's canonical JSON (RFC 8785). */
  readonly hash: Hex;
  /** EIP-712 by the key that signs records. */
  readonly signature: { readonly signer: Hex; readonly value: Hex };
}

const SNAPSHOT_TYPES = {
  ListSnapshot: [
    { name: 'hash', type: 'bytes32' },
    { name: 'issuedAt', type: 'uint64' },
    { name: 'expiresAt', type: 'uint64' },
  ],
} as const;

/** The EIP-712 typed data that the service signs for a snapshot. */
export interface SnapshotTypedData {
  readonly domain: { readonly name: string; readonly version: string };
  readonly types: typeof SNAPSHOT_TYPES;
  readonly primaryType: 'ListSnapshot';
  /** Times in unix seconds. */
  readonly message: { readonly hash: Hex; readonly issuedAt: bigint; readonly expiresAt: bigint };
}

export function snapshotTypedData(snapshot: ListSnapshot): SnapshotTypedData {
  const seconds = (time: string) => BigInt(Math.floor(Date.parse(time) / 1000));
  return {
    domain: { name: 'SafeHandshakeLists', version: '1' },
    types: SNAPSHOT_TYPES,
    primaryType: 'ListSnapshot',
    message: {
      hash: documentHash(snapshot),
      issuedAt: seconds(snapshot.issuedAt),
      expiresAt: seconds(snapshot.expiresAt),
    },
  };
}

/** Bytes of an entry: of a million others, one in 18 million million would be taken for it. */
const PREFIX = 8;

/** @param key an address in lower case, or a host */
function prefixOf(key: string): Uint8Array {
  return sha256(utf8ToBytes(key)).subarray(0, PREFIX);
}

function compare(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < PREFIX; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return 0;
}

/** The entries of a list, packed. */
export function packEntries(keys: Iterable<string>): string {
  const prefixes = [...keys].map(prefixOf).sort(compare);
  let text = '';
  for (const prefix of prefixes) text += String.fromCharCode(...prefix);
  return btoa(text);
}

/** Asks packed entries, by binary search. */
export function entryFinder(entries: string): (key: string) => boolean {
  const bytes = Uint8Array.from(atob(entries), (sign) => sign.charCodeAt(0));
  const count = Math.floor(bytes.length / PREFIX);
  return (key) => {
    const wanted = prefixOf(key);
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >> 1;
      const order = compare(bytes.subarray(middle * PREFIX, (middle + 1) * PREFIX), wanted);
      if (order === 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return false;
  };
}
