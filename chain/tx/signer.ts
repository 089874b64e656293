import {
  type Address,
  formatTransactionReceipt,
  type Hex,
  type LocalAccount,
  type RpcTransactionReceipt,
  type TransactionReceipt,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ChainError } from '../rpc/chain-error.ts';
import { rpc } from '../rpc/json-rpc.ts';
import { feesAt } from './fees.ts';
import { type Content, type Fees, memoryNonceStore, type NonceStore } from './nonce-store.ts';
import { type Rebroadcast, rebroadcaster } from './rebroadcast-pending.ts';
import { type SignedVersion, submitter } from './submit.ts';

export interface TransactionRequest {
  readonly to: Address;
  readonly data: Hex;
  /** In wei. */
  readonly value?: bigint;
  /**
   * The gas limit, set by the caller. An estimate would cost a round trip, and would fail for a call that depends on a
   * transaction still pending.
   */
  readonly gas: bigint;
  /** What it is for, such as `settle:deal_…`. `underWay` looks it up by each of these. */
  readonly purposes?: readonly string[];
}

/**
 * One key on one chain. Any number of sends may run at once. They leave in order, and when one fails the others are not
 * lost.
 */
export interface Signer {
  readonly address: Address;
  readonly chainId: number;
  /** In wei per gas: the first offer. A node accepts a transaction only when the balance covers it. */
  readonly maxFeePerGas: bigint;
  /** In wei per gas: the part of the fee that goes to the block's author. */
  readonly maxPriorityFeePerGas: bigint;
  /**
   * Signs and sends. The returned hash means that the transaction is pending, not that it succeeded. A transaction that
   * is replaced with higher fees keeps its first hash here.
   * @throws ChainError down (nothing was sent, nor will be) or unknown (with the hash: the transaction may be pending
   *   and is sent again by `rebroadcastPending`, so reconcile)
   */
  send(transaction: TransactionRequest): Promise<Hex>;
  /** Waits for the receipt of any version, whatever its status. @throws ChainError unknown when none comes in time */
  receipt(hash: Hex, timeoutMs?: number): Promise<TransactionReceipt>;
  /**
   * Runs `eth_call` from this key against the next block. With a gas limit it runs as the transaction will: with that
   * limit, and at the offered price.
   * @throws RpcRefusal, RpcSilence
   */
  call(
    transaction: Omit<TransactionRequest, 'gas'> & Partial<Pick<TransactionRequest, 'gas'>>,
    block?: bigint,
  ): Promise<Hex>;
  /** Estimates the gas of a transaction as it will be sent, within its limit. @throws RpcRefusal, RpcSilence */
  estimate(transaction: TransactionRequest): Promise<bigint>;
  /** The key's balance and the present gas price, both in wei. @throws ChainError down */
  funds(): Promise<{ readonly balance: bigint; readonly gasPrice: bigint }>;
  /**
   * True when a transaction for this purpose, by any process that shares the nonce store, may still be mined: with a
   * depth, also one that fewer blocks lie on, since a reorg may mine it anew, with another outcome.
   * @throws ChainError down when the chain or the store cannot be read
   */
  underWay(purpose: string, depth?: number): Promise<boolean>;
  /**
   * Rebroadcasts pending transactions: sends a transaction again when the node does not have it (it was dropped, a reorg
   * removed its block, or its process crashed before sending), replaces a stuck one with higher fees, and fills nonce
   * gaps. Call it every second or two, in any number of processes; whoever waits for a receipt calls it meanwhile.
   * @throws ChainError down
   */
  rebroadcastPending(): Promise<Rebroadcast>;
}

export interface SignerOptions {
  readonly rpcUrl: string;
  readonly chainId: number;
  /** A private key, or the account that signs with it, wherever the key is held. */
  readonly privateKey: Hex | LocalAccount;
  readonly timeoutMs?: number;
  /** In wei per gas: the first offer, and the part of it that goes to the block's author. */
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
  /** In wei per gas: the most that is ever offered. */
  readonly feeCap?: bigint;
  /** The nonce store that all processes with this key share. When left out, this process must be the only one. */
  readonly book?: NonceStore;
  /**
   * In milliseconds: how long to wait before a transaction that the node does not have is sent again, and before one
   * that is not mined is replaced.
   */
  readonly resendMs?: number;
  readonly stuckMs?: number;
  /** Tests end the process at a named point. */
  readonly crash?: (point: string) => void;
}

const GWEI = 1_000_000_000n;
/** How many other processes with the same key may be sending at this moment, each one nonce ahead. */
const ATTEMPTS = 25;
const RECEIPT_MS = 60_000;
const POLL_MAX_MS = 1_000;
/** After waiting this long, the receipt is looked for under every version of the transaction. */
const FAMILY_MS = 500;
const REBROADCAST_EVERY_MS = 1_000;
/** How many hashes have their nonce remembered, to find receipts of replaced transactions. */
const REMEMBERED = 5_000;

/**
 * A mutex around nonce, sign and send with a fixed gas limit; receipts are awaited outside it. Without it, transactions
 * are lost when one of many reverts. The nonce comes from a store that is written before anything is signed: when a
 * process crashes in between, the others send what it was about to send.
 *
 * Somebody who does not share the store may use the same key: a nonce that they took is detected, and the next one used.
 */
export function createSigner(options: SignerOptions): Signer {
  const { rpcUrl, chainId, timeoutMs = 10_000, book = memoryNonceStore(), crash = () => {} } = options;
  const usual: Fees = {
    maxFeePerGas: options.maxFeePerGas ?? 10n * GWEI,
    maxPriorityFeePerGas: options.maxPriorityFeePerGas ?? GWEI / 1_000n,
  };
  const { privateKey } = options;
  const account = typeof privateKey === 'string' ? privateKeyToAccount(privateKey) : privateKey;
  const feeCap = options.feeCap ?? 500n * GWEI;
  const ask = <T>(method: string, params: readonly unknown[]) => rpc<T>(rpcUrl, method, params, timeoutMs);
  const submit = submitter({ account, chainId, ask, book });
  const {
    rebroadcastPending: round,
    count,
    baseFee,
  } = rebroadcaster({
    ...submit,
    address: account.address,
    ask,
    book,
    usual,
    feeCap,
    resendMs: options.resendMs ?? 3_000,
    stuckMs: options.stuckMs ?? 30_000,
  });

  let tail: Promise<unknown> = Promise.resolve();
  /** False until the chain's nonce was read: it may be ahead of the store. */
  let level = false;
  const nonces = new Map<Hex, number>();
  let tending: Promise<Rebroadcast> | null = null;
  let rebroadcastAt = 0;

  async function sendNext(transaction: TransactionRequest): Promise<Hex> {
    const { to, data, value = 0n, gas, purposes = [] } = transaction;
    const content: Content = { to, data, value, gas, purposes };
    let fees = usual;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const nonce = await takeNonce(content, fees);
      crash('after-nonce-before-send');
      const version = await signed(nonce, content, fees);
      const outcome = await submit.handOver(version);
      if (outcome.kind === 'taken') return remember(outcome.hash, nonce);
      if (outcome.kind === 'nonce-used') {
        await book.drop(nonce);
        level = false;
        continue;
      }
      if (outcome.kind === 'unknown') {
        remember(version.hash, nonce);
        throw unknown(version, outcome.cause);
      }
      if ((await book.giveBack(nonce, account.address)) === 'rebroadcast')
        throw unknown(version, outcome.cause);
      if (outcome.kind === 'fee-too-low') {
        fees = feesAt(await baseFee(), usual);
        if (fees.maxFeePerGas <= feeCap) continue;
        throw new ChainError('down', 'the chain asks for more than the highest fee that may be paid');
      }
      throw new ChainError('down', `the transaction was not taken: ${messageOf(outcome.cause)}`, {
        cause: outcome.cause,
      });
    }
    throw new ChainError('down', 'the node kept refusing the nonce it had given');
  }

  /** What could not be signed was not sent, so its nonce is free again, unless somebody signed and sent it meanwhile. */
  async function signed(nonce: number, content: Content, fees: Fees): Promise<SignedVersion> {
    try {
      return await submit.sign(nonce, content, fees);
    } catch (cause) {
      const sent = (await book.giveBack(nonce, account.address)) === 'rebroadcast';
      const what = `the transaction was not signed here: ${messageOf(cause)}`;
      throw new ChainError(sent ? 'unknown' : 'down', what, { cause });
    }
  }

  /** Rebroadcasts, one run at a time and at most once a second for all callers that wait for receipts. */
  function rebroadcastNow(): Promise<Rebroadcast | null> {
    if (performance.now() - rebroadcastAt < REBROADCAST_EVERY_MS) return Promise.resolve(null);
    return rebroadcastPending();
  }

  function rebroadcastPending(): Promise<Rebroadcast> {
    tending ??= round().finally(() => {
      tending = null;
      rebroadcastAt = performance.now();
    });
    return tending;
  }

  async function takeNonce(content: Content, fees: Fees): Promise<number> {
    try {
      if (!level) await book.atLeast(await count('pending'));
      level = true;
      const nonce = await book.take(content, fees);
      if (nonce !== null) return nonce;
      await book.atLeast(await count('pending'));
      return (await book.take(content, fees))!;
    } catch (error) {
      throw new ChainError('down', `no nonce can be had: ${messageOf(error)}`, { cause: error });
    }
  }

  function remember(hash: Hex, nonce: number): Hex {
    nonces.set(hash, nonce);
    if (nonces.size > REMEMBERED) nonces.delete(nonces.keys().next().value!);
    return hash;
  }

  /** Every hash under which this transaction may be mined. */
  async function versionsOf(hash: Hex): Promise<readonly Hex[]> {
    const nonce = nonces.get(hash);
    if (nonce === undefined) return [hash];
    const family = await submit.family(nonce).catch((): Hex[] => []);
    return family.includes(hash) ? family : [hash];
  }

  const asSent = ({ to, data, value = 0n, gas }: Parameters<Signer['call']>[0]) => ({
    ...{ from: account.address, to, data, value: hex(value) },
    ...(gas === undefined
      ? {}
      : {
          gas: hex(gas),
          maxFeePerGas: hex(usual.maxFeePerGas),
          maxPriorityFeePerGas: hex(usual.maxPriorityFeePerGas),
        }),
  });

  return {
    address: account.address,
    chainId,
    ...usual,
    rebroadcastPending,
    send(transaction) {
      const sending = tail.then(() => sendNext(transaction));
      tail = sending.catch(() => {
        level = false;
      });
      return sending;
    },
    async receipt(hash, waitMs = RECEIPT_MS) {
      const started = performance.now();
      for (let wait = 10; ; wait = Math.min(wait * 1.5, POLL_MAX_MS)) {
        const waited = performance.now() - started;
        for (const version of waited > FAMILY_MS ? await versionsOf(hash) : [hash]) {
          const found = await ask<RpcTransactionReceipt | null>('eth_getTransactionReceipt', [version]).catch(
            () => null,
          );
          if (found !== null) return formatTransactionReceipt(found);
        }
        if (waited > FAMILY_MS) await rebroadcastNow().catch(() => {});
        if (waited + wait > waitMs) {
          throw new ChainError('unknown', `no receipt of ${hash} in time`, { hash });
        }
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    },
    call(transaction, block) {
      const tag = block === undefined ? 'pending' : hex(block);
      return ask<Hex>('eth_call', [asSent(transaction), tag]);
    },
    async estimate(transaction) {
      return BigInt(await ask<Hex>('eth_estimateGas', [asSent(transaction), 'pending']));
    },
    async funds() {
      try {
        const [balance, gasPrice] = await Promise.all([
          ask<Hex>('eth_getBalance', [account.address, 'latest']),
          ask<Hex>('eth_gasPrice', []),
        ]);
        return { balance: BigInt(balance), gasPrice: BigInt(gasPrice) };
      } catch (error) {
        throw new ChainError('down', `the balance cannot be read: ${messageOf(error)}`, { cause: error });
      }
    },
    async underWay(purpose, depth = 0) {
      try {
        const nonces = await book.withPurpose(purpose);
        if (nonces.length === 0) return false;
        const head = depth === 0 ? null : Number(await ask<Hex>('eth_blockNumber', []));
        const mined = await count(head === null ? 'latest' : hex(BigInt(Math.max(0, head - depth))));
        return nonces.some((nonce) => nonce >= mined);
      } catch (error) {
        throw new ChainError('down', `nobody tells what is under way: ${messageOf(error)}`, { cause: error });
      }
    },
  };
}

const hex = (value: bigint): Hex => `0x${value.toString(16)}`;

function unknown({ hash }: SignedVersion, cause: unknown): ChainError {
  return new ChainError('unknown', `transaction ${hash} may or may not be on its way`, { hash, cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
