import { type Hex, keccak256, type LocalAccount } from 'viem';
import { RpcRefusal, RpcSilence } from '../rpc/json-rpc.ts';
import type { Content, Fees, NonceStore } from './nonce-store.ts';

export type Ask = <T>(method: string, params: readonly unknown[]) => Promise<T>;

/** One signed version of the transaction under a nonce. */
export interface SignedVersion {
  readonly nonce: number;
  readonly raw: Hex;
  readonly hash: Hex;
}

/**
 * What a node did with it.
 * - `taken`: it, or another version of it, is pending or mined, under this hash.
 * - `nonce-used`: somebody else's transaction has the nonce, so this one can never be mined.
 * - `fee-too-low`, `refused`: the node certainly did not accept it.
 * - `unknown`: the node may have accepted it.
 */
type Submission =
  | { readonly kind: 'taken'; readonly hash: Hex }
  | { readonly kind: 'nonce-used' }
  | { readonly kind: 'fee-too-low' | 'refused' | 'unknown'; readonly cause: unknown };

interface SubmitDeps {
  readonly account: LocalAccount;
  readonly chainId: number;
  readonly ask: Ask;
  readonly book: NonceStore;
}

const ATTEMPTS = 3;
const PAUSE_MS = 100;

/** Signs and submits versions of transactions. Signing a version again gives the same bytes (RFC 6979). */
export function submitter({ account, chainId, ask, book }: SubmitDeps) {
  async function sign(nonce: number, content: Content, fees: Fees): Promise<SignedVersion> {
    const { to, data, value, gas } = content;
    const { maxFeePerGas, maxPriorityFeePerGas } = fees;
    const raw = await account.signTransaction({
      type: 'eip1559',
      ...{ chainId, nonce, to, data, value, gas, maxFeePerGas, maxPriorityFeePerGas },
    });
    return { nonce, raw, hash: keccak256(raw) };
  }

  /** The hashes of every version under a nonce, the newest first. */
  async function family(nonce: number): Promise<Hex[]> {
    const entry = await book.entry(nonce);
    if (!entry) return [];
    const versions = [entry.fees, ...[...entry.earlier].reverse()];
    return await Promise.all(versions.map(async (fees) => (await sign(nonce, entry, fees)).hash));
  }

  async function isKnown(hash: Hex): Promise<boolean> {
    try {
      return (await ask('eth_getTransactionByHash', [hash])) !== null;
    } catch {
      return false;
    }
  }

  /** Another process that shares the store may have sent it already, with these or higher fees. */
  async function knownVersion({ nonce, hash }: SignedVersion): Promise<Hex | null> {
    const versions = await family(nonce);
    for (const version of versions.includes(hash) ? versions : [hash]) {
      if (await isKnown(version)) return version;
    }
    return null;
  }

  async function handOver(version: SignedVersion): Promise<Submission> {
    let maybeSent = false;
    let last: unknown;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
      try {
        await ask('eth_sendRawTransaction', [version.raw]);
        return { kind: 'taken', hash: version.hash };
      } catch (error) {
        last = error;
        if (error instanceof RpcRefusal) {
          if (/already known|already imported|already in/i.test(error.message))
            return { kind: 'taken', hash: version.hash };
          const known = await knownVersion(version);
          if (known !== null) return { kind: 'taken', hash: known };
          if (maybeSent) break;
          if (isNonceConflict(error)) return { kind: 'nonce-used' };
          return { kind: isFeeTooLow(error) ? 'fee-too-low' : 'refused', cause: error };
        }
        // Sending the same bytes again is safe: they are the same transaction, which cannot spend twice.
        if (!(error instanceof RpcSilence) || error.sent) maybeSent = true;
      }
    }
    if (!maybeSent) return { kind: 'refused', cause: last };
    return (await isKnown(version.hash))
      ? { kind: 'taken', hash: version.hash }
      : { kind: 'unknown', cause: last };
  }

  return { sign, family, handOver };
}

function isNonceConflict(error: RpcRefusal): boolean {
  return /nonce too low|nonce is too low|replacement transaction|transaction underpriced|invalid nonce/i.test(
    error.message,
  );
}

function isFeeTooLow(error: RpcRefusal): boolean {
  return /less than block base fee|fee cap|feecap|max ?fee ?per ?gas/i.test(error.message);
}
