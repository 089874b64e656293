import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hex, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Devnet, startDevnet } from '../../chain/devnet/devnet.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import { memoryNonceStore, type NonceStore } from '../../chain/tx/nonce-store.ts';
import { createSigner, type Signer, type SignerOptions } from '../../chain/tx/signer.ts';
import { nonceStore } from '../../store/chain-sync/signers.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

/**
 * What happens to transactions after they were sent, on a chain that loses them, does not mine them, or removes blocks.
 */

const SENDER = new URL('../fixtures/processes/sending-process.ts', import.meta.url).pathname;
const SINK = '0x00000000000000000000000000000000000000bb';
const GWEI = 10n ** 9n;
const dataDir = mkdtempSync(join(tmpdir(), 'signers-'));
let devnet: Devnet;
let database: TestDatabase;
let privateKey: Hex;
const children: ChildProcess[] = [];

beforeAll(async () => {
  devnet = await startDevnet({ chainId: 1002, dataDir, checkpointMs: 3_600_000 });
  database = await testDatabase();
});

beforeEach(async () => {
  privateKey = generatePrivateKey();
  await ask('anvil_setBalance', [privateKeyToAddress(privateKey), toHex(10n ** 20n)]);
  await ask('anvil_setBalance', [SINK, '0x0']);
  await ask('evm_setAutomine', [true]);
  await ask('evm_mine');
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await ask('evm_setAutomine', [true]);
  await ask('anvil_dropAllTransactions');
});

afterAll(async () => {
  await database.drop();
  await devnet.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const ask = <T>(method: string, params: readonly unknown[] = []) => rpc<T>(devnet.rpcUrl, method, params);
const received = async () => Number(await ask<Hex>('eth_getBalance', [SINK, 'latest']));
const minedBy = async (address: Hex) =>
  Number(await ask<Hex>('eth_getTransactionCount', [address, 'latest']));
const setBaseFee = (fee: bigint) => ask('anvil_setNextBlockBaseFeePerGas', [toHex(fee)]);
const sharedBook = () =>
  nonceStore(database.db, { chainId: 1002, address: privateKeyToAddress(privateKey).toLowerCase() });

function signerWith(book: NonceStore, options: Partial<SignerOptions> = {}): Signer {
  return createSigner({ rpcUrl: devnet.rpcUrl, chainId: 1002, privateKey, book, resendMs: 0, ...options });
}

const pay = (from: Signer, value = 1n, purpose?: string) =>
  from.send({ to: SINK, data: '0x', value, gas: 21_000n, ...(purpose ? { purposes: [purpose] } : {}) });

interface Mined {
  readonly hash: Hex;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly nonce: Hex;
  readonly input: Hex;
}

/** Every transaction of the key that is in a block. */
async function minedTransactions(from: Hex): Promise<Mined[]> {
  const head = Number(await ask<Hex>('eth_blockNumber'));
  const blocks = await Promise.all(
    Array.from({ length: head + 1 }, (_, number) =>
      ask<{ transactions: Mined[] }>('eth_getBlockByNumber', [toHex(number), true]),
    ),
  );
  return blocks.flatMap((b) => b.transactions).filter((t) => t.from === from.toLowerCase());
}

describe.each([
  ['in memory', () => memoryNonceStore()],
  ['in Postgres', sharedBook],
] as const)('a signer with its nonces %s', (_where, openBook) => {
  it('replaces a transaction that is stuck, and accepts the receipt of the version that was mined', async () => {
    await ask('evm_setAutomine', [false]);
    const signer = signerWith(openBook(), { stuckMs: 0 });
    const first = await pay(signer);
    const before = await ask<Record<string, Hex>>('eth_getTransactionByHash', [first]);
    expect(await signer.rebroadcastPending()).toMatchObject({ replaced: [0], sent: [] });
    expect(await ask('eth_getTransactionByHash', [first])).toBeNull();
    await ask('evm_mine');
    const receipt = await signer.receipt(first);
    expect(receipt.status).toBe('success');
    expect(receipt.transactionHash).not.toBe(first);
    const mined = await ask<Record<string, Hex>>('eth_getTransactionByHash', [receipt.transactionHash]);
    for (const fee of ['maxFeePerGas', 'maxPriorityFeePerGas']) {
      expect(BigInt(mined[fee]!) * 8n).toBeGreaterThanOrEqual(BigInt(before![fee]!) * 9n);
    }
    expect(await received()).toBe(1);
    expect(await minedBy(signer.address)).toBe(1);
  });

  it('pays more when the chain has become more expensive, but never more than the cap', async () => {
    await ask('evm_setAutomine', [false]);
    const book = openBook();
    const poor = signerWith(book, { stuckMs: 0, feeCap: 15n * GWEI });
    const hash = await pay(poor);
    // The node drops what the previous block could not take.
    await setBaseFee(40n * GWEI);
    await ask('evm_mine');
    expect(await ask('eth_getTransactionByHash', [hash])).toBeNull();
    await setBaseFee(40n * GWEI);
    expect(await poor.rebroadcastPending()).toMatchObject({ sent: [], capped: [0] });
    await setBaseFee(40n * GWEI);
    await ask('evm_mine');
    expect(await received()).toBe(0);

    const rich = signerWith(book, { stuckMs: 0, feeCap: 200n * GWEI });
    expect(await rich.rebroadcastPending()).toMatchObject({ sent: [0] });
    await setBaseFee(40n * GWEI);
    await ask('evm_mine');
    expect(await received()).toBe(1);
    expect(await minedBy(rich.address)).toBe(1);
  });

  it('offers the price of an expensive chain from the start', async () => {
    await setBaseFee(40n * GWEI);
    await ask('evm_mine');
    await setBaseFee(40n * GWEI);
    const signer = signerWith(openBook());
    await signer.receipt(await pay(signer));
    expect(await minedBy(signer.address)).toBe(1);
    await setBaseFee(40n * GWEI);
    await ask('evm_mine');
    const thrifty = signerWith(openBook(), { feeCap: 20n * GWEI });
    await expect(pay(thrifty)).rejects.toMatchObject({
      kind: 'down',
      message: expect.stringMatching(/highest fee/),
    });
  });

  it('sends a transaction again that the node has lost', async () => {
    await ask('evm_setAutomine', [false]);
    const signer = signerWith(openBook());
    const [first, second] = [await pay(signer, 1n), await pay(signer, 2n)];
    await ask('anvil_dropTransaction', [first]);
    expect(await signer.rebroadcastPending()).toMatchObject({ sent: expect.arrayContaining([0]) });
    await ask('evm_mine');
    expect(await signer.receipt(first)).toMatchObject({ status: 'success', transactionHash: first });
    expect(await signer.receipt(second)).toMatchObject({ status: 'success', transactionHash: second });
    expect(await received()).toBe(3);
  });

  it('sends the same transactions again that a reorg removed, each once', async () => {
    const signer = signerWith(openBook());
    const hashes = [await pay(signer, 1n), await pay(signer, 2n), await pay(signer, 4n)];
    for (const hash of hashes) await signer.receipt(hash);
    await ask('anvil_reorg', [2, []]);
    expect(await received()).toBe(1);
    await signer.rebroadcastPending();
    for (const hash of hashes) {
      expect(await signer.receipt(hash)).toMatchObject({ status: 'success', transactionHash: hash });
    }
    expect(await received()).toBe(7);
    expect(await minedBy(signer.address)).toBe(3);
  });

  it('closes the gap that a refused transaction leaves before a later one', async () => {
    const book = openBook();
    const signer = signerWith(book);
    await signer.receipt(await pay(signer));
    const fees = { maxFeePerGas: 10n * GWEI, maxPriorityFeePerGas: 1n };
    const content = { to: SINK, data: '0x', value: 10n ** 30n, gas: 21_000n, purposes: [] } as const;
    const refused = await book.take(content, fees);
    const later = pay(signer, 2n);
    await later;
    expect(await book.giveBack(refused!, signer.address)).toBe('gap');
    await signer.receipt(await later);
    expect(await received()).toBe(3);
    expect(await minedBy(signer.address)).toBe(3);
  });

  it('uses a nonce again under which nothing was sent', async () => {
    const signer = signerWith(openBook());
    await expect(pay(signer, 10n ** 30n)).rejects.toMatchObject({ kind: 'down' });
    await signer.receipt(await pay(signer));
    expect(await minedBy(signer.address)).toBe(1);
  });

  it('follows a chain back that lost more than the store remembers', async () => {
    const book = openBook();
    const signer = signerWith(book);
    await book.atLeast(7);
    await signer.rebroadcastPending();
    await signer.receipt(await pay(signer));
    expect(await minedBy(signer.address)).toBe(1);
  });

  it('finds what is pending by its purpose', async () => {
    await ask('evm_setAutomine', [false]);
    const signer = signerWith(openBook());
    const hash = await pay(signer, 1n, 'deal-one');
    expect(await signer.underWay('deal-one')).toBe(true);
    expect(await signer.underWay('deal-two')).toBe(false);
    await ask('evm_mine');
    await signer.receipt(hash);
    expect(await signer.underWay('deal-one')).toBe(false);
  });

  it('takes what was mined for pending while a reorg may remove its block', async () => {
    const signer = signerWith(openBook());
    await signer.receipt(await pay(signer, 1n, 'deal-three'));
    expect(await signer.underWay('deal-three', 2)).toBe(true);
    await ask('evm_mine');
    expect(await signer.underWay('deal-three', 2)).toBe(true);
    expect(await signer.underWay('deal-three', 1)).toBe(false);
    await ask('evm_mine');
    expect(await signer.underWay('deal-three', 2)).toBe(false);
  });
});

function sender(numbers: readonly number[], crash: { at?: string; after?: number } = {}): ChildProcess {
  const child = spawn(
    process.execPath,
    [
      ...['--import', 'tsx', SENDER, database.url, devnet.rpcUrl, privateKey, SINK],
      ...[numbers.join(), crash.at ?? '-', String(crash.after ?? 1)],
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  children.push(child);
  return child;
}

async function end(child: ChildProcess): Promise<number | string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode ?? child.signalCode ?? 'unknown';
}

describe('processes that share one key', { timeout: 180_000 }, () => {
  const numbersFrom = (first: number) => Array.from({ length: 40 }, (_, i) => first + i);

  it('send 120 transactions, each once and under its own nonce, though one process is killed on the way', async () => {
    const works = [numbersFrom(0), numbersFrom(40), numbersFrom(80)];
    const [doomed, ...others] = works.map((numbers, i) =>
      sender(numbers, i === 0 ? { at: 'after-nonce-before-send', after: 15 } : {}),
    );
    expect(await end(doomed!)).toBe('SIGKILL');
    // They continue, although the dead process took a nonce before theirs.
    expect(await Promise.all(others.map(end))).toEqual([0, 0]);
    expect(await end(sender(works[0]!))).toBe(0);

    const mined = await minedTransactions(privateKeyToAddress(privateKey));
    expect(mined.map((t) => Number(t.nonce)).sort((a, b) => a - b)).toEqual(numbersFromTo(120));
    expect(mined.map((t) => Number(t.input)).sort((a, b) => a - b)).toEqual(numbersFromTo(120));
    expect(await received()).toBe(120);
  });

  it('lose nothing when one is killed at any moment', async () => {
    const works = [numbersFrom(0), numbersFrom(40), numbersFrom(80)];
    const running = works.map((numbers) => sender(numbers));
    await until(async () => (await received()) >= 20);
    running[0]!.kill('SIGKILL');
    expect(await Promise.all(running.slice(1).map(end))).toEqual([0, 0]);
    await end(running[0]!);
    expect(await end(sender(works[0]!))).toBe(0);
    await until(async () => (await received()) === 120);
    const mined = await minedTransactions(privateKeyToAddress(privateKey));
    expect(mined.map((t) => Number(t.input)).sort((a, b) => a - b)).toEqual(numbersFromTo(120));
  });
});

const numbersFromTo = (count: number) => Array.from({ length: count }, (_, i) => i);

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
