import {
  type Address,
  formatTransactionReceipt,
  type Hex,
  keccak256,
  type RpcTransactionReceipt,
  type TransactionReceipt,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ChainError } from './chain-error.ts';
import { RpcRefusal, RpcSilence, rpc } from './json-rpc.ts';

export interface TransactionRequest {
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value?: bigint;
  /** Gas limit. Fixed by the caller: estimating would cost a round trip and fail on what is about to change. */
  readonly gas: bigint;
}

/** One key on one chain. Any number of sends at once; they leave in order, none is lost when another fails. */
export interface Signer {
  readonly address: Address;
  readonly chainId: number;
  /**
   * Signs and hands over; the hash says it is on its way, not that it succeeded.
   * @throws ChainError down (nothing was sent) or unknown (carries the hash: reconcile, never send again blindly)
   */
  send(transaction: TransactionRequest): Promise<Hex>;
  /** Waits for the receipt, whatever its status. @throws ChainError unknown when none comes in time */
  receipt(hash: Hex, timeoutMs?: number): Promise<TransactionReceipt>;
  /** `eth_call` from this key against what would be the next block. @throws RpcRefusal, RpcSilence */
  call(transaction: Omit<TransactionRequest, 'gas'>, block?: bigint): Promise<Hex>;
}

interface SignerOptions {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly privateKey: Hex;
  readonly timeoutMs?: number;
  /** Wei per gas: the most that is paid, and what of it goes to the block's author. */
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
}

const ATTEMPTS = 3;
const PAUSE_MS = 100;
const RECEIPT_MS = 60_000;
const POLL_MAX_MS = 1_000;

/**
 * Another process may share the key: a nonce it took is found out and the next one used. Only two sends of one and the
 * same content under one nonce are one transaction; what this service sends carries a key that is used once.
 *
 * A mutex around nonce, sign and send with fixed gas; receipts are awaited outside it. Other arrangements lose
 * transactions when one of many reverts.
 */
export function createSigner(options: SignerOptions): Signer {
  const { rpcUrl, chainId, timeoutMs = 10_000 } = options;
  const maxFeePerGas = options.maxFeePerGas ?? 10_000_000_000n;
  const maxPriorityFeePerGas = options.maxPriorityFeePerGas ?? 1_000_000n;
  const account = privateKeyToAccount(options.privateKey);
  const ask = <T>(method: string, params: readonly unknown[]) => rpc<T>(rpcUrl, method, params, timeoutMs);

  let tail: Promise<unknown> = Promise.resolve();
  let next: number | null = null;

  async function sendNext(transaction: TransactionRequest): Promise<Hex> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      next ??= await pendingNonce();
      const raw = await account.signTransaction({
        type: 'eip1559',
        chainId,
        nonce: next,
        to: transaction.to,
        data: transaction.data,
        value: transaction.value ?? 0n,
        gas: transaction.gas,
        maxFeePerGas,
        maxPriorityFeePerGas,
      });
      const hash = keccak256(raw);
      if (await handOver(raw, hash)) {
        next++;
        return hash;
      }
      next = null;
    }
    throw new ChainError('down', 'the node kept refusing the nonce it had given');
  }

  /** True when the node has it; false when another transaction took its nonce, so that it can never arrive. */
  async function handOver(raw: Hex, hash: Hex): Promise<boolean> {
    let maybeSent = false;
    let last: unknown;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (attempt > 0) await pause(PAUSE_MS * attempt);
      try {
        await ask('eth_sendRawTransaction', [raw]);
        return true;
      } catch (error) {
        last = error;
        if (error instanceof RpcRefusal) {
          if (/already known|already imported|already in/i.test(error.message) || (await isKnown(hash)))
            return true;
          if (!maybeSent && isNonceConflict(error)) return false;
          break;
        }
        // The same bytes again are the same transaction: handing them over twice cannot spend twice.
        if (!(error instanceof RpcSilence) || error.sent) maybeSent = true;
      }
    }
    if (maybeSent && (await isKnown(hash))) return true;
    if (maybeSent) {
      throw new ChainError('unknown', `transaction ${hash} may or may not be on its way`, {
        hash,
        cause: last,
      });
    }
    throw new ChainError('down', `the transaction was not taken: ${messageOf(last)}`, { cause: last });
  }

  async function pendingNonce(): Promise<number> {
    try {
      return Number(await ask<Hex>('eth_getTransactionCount', [account.address, 'pending']));
    } catch (error) {
      throw new ChainError('down', `the nonce cannot be read: ${messageOf(error)}`, { cause: error });
    }
  }

  async function isKnown(hash: Hex): Promise<boolean> {
    try {
      return (await ask('eth_getTransactionByHash', [hash])) !== null;
    } catch {
      return false;
    }
  }

  return {
    address: account.address,
    chainId,
    send(transaction) {
      const sending = tail.then(() => sendNext(transaction));
      tail = sending.catch(() => {
        next = null;
      });
      return sending;
    },
    async receipt(hash, waitMs = RECEIPT_MS) {
      const deadline = performance.now() + waitMs;
      for (let wait = 10; ; wait = Math.min(wait * 1.5, POLL_MAX_MS)) {
        const found = await ask<RpcTransactionReceipt | null>('eth_getTransactionReceipt', [hash]).catch(
          () => null,
        );
        if (found !== null) return formatTransactionReceipt(found);
        if (performance.now() + wait > deadline) {
          throw new ChainError('unknown', `no receipt of ${hash} in time`, { hash });
        }
        await pause(wait);
      }
    },
    call(transaction, block) {
      const { to, data, value = 0n } = transaction;
      const tag = block === undefined ? 'pending' : `0x${block.toString(16)}`;
      return ask<Hex>('eth_call', [
        { from: account.address, to, data, value: `0x${value.toString(16)}` },
        tag,
      ]);
    },
  };
}

function isNonceConflict(error: RpcRefusal): boolean {
  return /nonce too low|nonce is too low|replacement transaction|underpriced|invalid nonce/i.test(
    error.message,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
