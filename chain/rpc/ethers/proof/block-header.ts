import { encodeRlp, keccak256, toBeArray } from 'ethers';
import { type Head, type Hex, ReaderError } from '../../reader.ts';
import { bytesIn } from '../bytes.ts';

/** A number, without leading zeros, or bytes as they are. */
type Form = 'number' | 'bytes';

/** The fields of a header in the order of its hash, which every block has (Yellow Paper, 4.3). */
const FIELDS: readonly (readonly [name: string, form: Form])[] = [
  ['parentHash', 'bytes'],
  ['sha3Uncles', 'bytes'],
  ['miner', 'bytes'],
  ['stateRoot', 'bytes'],
  ['transactionsRoot', 'bytes'],
  ['receiptsRoot', 'bytes'],
  ['logsBloom', 'bytes'],
  ['difficulty', 'number'],
  ['number', 'number'],
  ['gasLimit', 'number'],
  ['gasUsed', 'number'],
  ['timestamp', 'number'],
  ['extraData', 'bytes'],
  ['mixHash', 'bytes'],
  ['nonce', 'bytes'],
];
/** Those that upgrades have added at its end: EIP-1559, 4895, 4844 (two), 4788, 7685, 7928. */
const ADDED: typeof FIELDS = [
  ['baseFeePerGas', 'number'],
  ['withdrawalsRoot', 'bytes'],
  ['blobGasUsed', 'number'],
  ['excessBlobGas', 'number'],
  ['parentBeaconBlockRoot', 'bytes'],
  ['requestsHash', 'bytes'],
  ['blockAccessListHash', 'bytes'],
];

/**
 * The root of the state after a block, out of the header that a node tells of it.
 * @param told as `eth_getBlockByHash` answers
 * @throws ReaderError reorganised where the node lacks the block; disagreeing where its header has another hash, which a
 *   chain with other headers has, too
 */
export function stateRootOf(told: unknown, { number, hash }: Pick<Head, 'number' | 'hash'>): Hex {
  if (told === null) throw new ReaderError('reorganised', `the node does not have block ${number}`);
  const header = told as Readonly<Record<string, unknown>>;
  const found = hashOf(header);
  if (found === hash.toLowerCase()) return bytesIn(String(header.stateRoot), 32);
  throw new ReaderError(
    'disagreeing',
    `the header that the node tells of block ${number} is not that of ${hash}`,
  );
}

/** Null where a field is missing or has another form. */
function hashOf(header: Readonly<Record<string, unknown>>): string | null {
  try {
    const added = ADDED.filter(([name]) => header[name] !== undefined && header[name] !== null);
    return keccak256(encodeRlp([...FIELDS, ...added].map(([name, form]) => encoded(header[name], form))));
  } catch {
    return null;
  }
}

function encoded(value: unknown, form: Form): Uint8Array | string {
  return form === 'number' ? toBeArray(String(value)) : bytesIn(String(value));
}
