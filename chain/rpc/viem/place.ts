import { type Hex, numberToHex } from 'viem';
import { type Head, type Place, ReaderError } from '../reader.ts';

/** The block parameter of a call: the head, a number, or a hash that must be canonical (EIP-1898). */
export type BlockParam = Hex | 'latest' | { readonly blockHash: Hex; readonly requireCanonical: true };

export type Placed = <T>(place: Place | 'latest', read: (block: BlockParam) => Promise<T>) => Promise<T>;

/**
 * Reads at a place. For a place with a hash, only the state of exactly that block is accepted. When a node does not
 * take hashes, it is asked by number from then on, and for the block's hash after each read.
 */
export function placed(confirm: (pin: Pick<Head, 'number' | 'hash'>) => Promise<void>): Placed {
  let byHash = true;
  return async (place, read) => {
    if (place === 'latest') return await read(place);
    if (typeof place === 'bigint') return await read(numberToHex(place));
    if (byHash) {
      try {
        return await read({ blockHash: place.hash, requireCanonical: true });
      } catch (error) {
        if (!takesNoHash(error)) throw error;
        byHash = false;
      }
    }
    const found = await read(numberToHex(place.number));
    await confirm(place);
    return found;
  };
}

interface Told {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly details?: unknown;
  readonly cause?: unknown;
  readonly error?: unknown;
  readonly info?: { readonly error?: unknown };
}

/**
 * True when a node does not take a hash: "invalid params", or a parser's error that expects text instead of the object.
 */
function takesNoHash(error: unknown): boolean {
  if (!(error instanceof ReaderError) || error.kind !== 'down') return false;
  const open: unknown[] = [error.cause];
  for (let seen = 0; open.length > 0 && seen < 20; seen++) {
    const at = open.pop() as Told | undefined;
    if (typeof at !== 'object' || at === null) continue;
    if (at.code === -32602) return true;
    if (
      /cannot unmarshal|invalid (?:argument|params|block)|expected (?:a )?string/i.test(
        `${at.message} ${at.details}`,
      )
    )
      return true;
    open.push(at.cause, at.error, at.info?.error);
  }
  return false;
}
