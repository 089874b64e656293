import {
  type Address,
  formatTransactionReceipt,
  type Hex,
  type RpcTransactionReceipt,
  type TransactionReceipt,
} from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { ChainError } from './chain-error.ts';
import { feesAt } from './fees.ts';
import { rpc } from './json-rpc.ts';
import { type Content, type Fees, memoryNonceBook, type NonceBook } from './nonce-book.ts';
import { type SignedVersion, submitter } from './submit.ts';
import { type Tended, tender } from './tend.ts';

export interface TransactionRequest {
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value?: bigint;
  /** Gas limit. Fixed by the caller: estimating would cost a round trip and fail on what is about to change. */
  readonly gas: bigint;
  /** What it is for, such as `settle:deal_…`: `underWay` asks by it. */
  readonly purpose?: string;
}

/** One key on one chain. Any number of sends at once; they leave in order, none is lost when another fails. */
export interface Signer {
  readonly address: Address;
  readonly chainId: number;
  /** Wei per gas: what is offered first, which a node wants covered by the balance before it takes a transaction. */
  readonly maxFeePerGas: bigint;
  /**
   * Signs and hands over; the hash says it is on its way, not that it succeeded. What is replaced by a dearer version
   * keeps its first hash here.
   * @throws ChainError down (nothing was sent, nor will be) or unknown (carries the hash: it may be on its way, and is
   *   sent again by `tend`: reconcile)
   */
  send(transaction: TransactionRequest): Promise<Hex>;
  /** Waits for the receipt, whatever its status, of any version. @throws ChainError unknown when none comes in time */
  receipt(hash: Hex, timeoutMs?: number): Promise<TransactionReceipt>;
  /** `eth_call` from this key against what would be the next block. @throws RpcRefusal, RpcSilence */
  call(transaction: Omit<TransactionRequest, 'gas'>, block?: bigint): Promise<Hex>;
  /** What the key holds, and what gas costs now, both in wei. @throws ChainError down */
  funds(): Promise<{ readonly balance: bigint; readonly gasPrice: bigint }>;
  /**
   * Whether a transaction for this purpose, by any process that shares the book, may still be mined.
   * @throws ChainError down when the chain or the book does not tell
   */
  underWay(purpose: string): Promise<boolean>;
  /**
   * One round of care for what was sent and is not mined: sent again when the node does not have it (dropped, taken
   * back with its block, or never sent by a process that died), replaced by a dearer version when it is stuck, gaps
   * closed. To be called every second or two, by any number of processes; who waits for a receipt does it meanwhile.
   * @throws ChainError down
   */
  tend(): Promise<Tended>;
}

export interface SignerOptions {
  readonly rpcUrl: string;
  readonly chainId: number;
  /** Or the account that holds it. */
  readonly privateKey: Hex | PrivateKeyAccount;
  readonly timeoutMs?: number;
  /** Wei per gas: what is offered first, and what of it goes to the block's author. */
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
  /** Wei per gas: the most that is ever offered. */
  readonly feeCap?: bigint;
  /** Shared by all processes that hold this key; left out, this process is the only one. */
  readonly book?: NonceBook;
  /** How long a transaction that the node does not have is left alone, and one that it does not mine. Milliseconds. */
  readonly resendMs?: number;
  readonly stuckMs?: number;
  /** A named point at which a test may end the process. */
  readonly crash?: (point: string) => void;
}

const GWEI = 1_000_000_000n;
/** Of others who hold the key as many may be sending at this moment, each a nonce ahead. */
const ATTEMPTS = 25;
const RECEIPT_MS = 60_000;
const POLL_MAX_MS = 1_000;
/** After so long a wait, a receipt is looked for under every version of its transaction. */
const FAMILY_MS = 500;
const TEND_MS = 1_000;
/** Hashes whose nonce is remembered, for receipts of replaced transactions. */
const REMEMBERED = 5_000;

/**
 * A mutex around nonce, sign and send with fixed gas; receipts are awaited outside it. Other arrangements lose
 * transactions when one of many reverts. The nonce comes from a book which is written before anything is signed: a
 * process that dies in between leaves what it was about to send to be sent by the others.
 *
 * A stranger to the book may share the key: a nonce it took is found out and the next one used.
 */
export function createSigner(options: SignerOptions): Signer {
  const { rpcUrl, chainId, timeoutMs = 10_000, book = memoryNonceBook(), crash = () => {} } = options;
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
    tend: round,
    count,
    baseFee,
  } = tender({
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
  /** False until the chain's own count was seen: it may be ahead of the book. */
  let level = false;
  const nonces = new Map<Hex, number>();
  let tending: Promise<Tended> | null = null;
  let tendedAt = 0;

  async function sendNext(transaction: TransactionRequest): Promise<Hex> {
    const { to, data, value = 0n, gas, purpose = null } = transaction;
    const content: Content = { to, data, value, gas, purpose };
    let fees = usual;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const nonce = await takeNonce(content, fees);
      crash('after-nonce-before-send');
      const version = await submit.sign(nonce, content, fees);
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
      if ((await book.giveBack(nonce, account.address)) === 'tended') throw unknown(version, outcome.cause);
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

  /** One round at a time, and for all who wait for receipts not more than one a second. */
  function tendNow(): Promise<Tended | null> {
    if (performance.now() - tendedAt < TEND_MS) return Promise.resolve(null);
    return tend();
  }

  function tend(): Promise<Tended> {
    tending ??= round().finally(() => {
      tending = null;
      tendedAt = performance.now();
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

  return {
    address: account.address,
    chainId,
    maxFeePerGas: usual.maxFeePerGas,
    tend,
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
        if (waited > FAMILY_MS) await tendNow().catch(() => {});
        if (waited + wait > waitMs) {
          throw new ChainError('unknown', `no receipt of ${hash} in time`, { hash });
        }
        await new Promise((resolve) => setTimeout(resolve, wait));
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
    async underWay(purpose) {
      try {
        const nonces = await book.withPurpose(purpose);
        if (nonces.length === 0) return false;
        const mined = await count('latest');
        return nonces.some((nonce) => nonce >= mined);
      } catch (error) {
        throw new ChainError('down', `nobody tells what is under way: ${messageOf(error)}`, { cause: error });
      }
    },
  };
}

function unknown({ hash }: SignedVersion, cause: unknown): ChainError {
  return new ChainError('unknown', `transaction ${hash} may or may not be on its way`, { hash, cause });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
