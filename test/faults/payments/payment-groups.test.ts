import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  type TransactionReceipt,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MULTICALL3 } from '../../../chain/deploy/multicall3-code.ts';
import { openNode } from '../../../chain/deploy/rollout/node.ts';
import { fundWallet } from '../../../chain/devnet/dev-wallets.ts';
import type { Facilitator } from '../../../chain/facilitator/facilitator.ts';
import { inProcessFacilitator } from '../../../chain/facilitator/in-process.ts';
import { paymentGroups } from '../../../chain/facilitator/payment-groups.ts';
import { signedTransferOf, transferData } from '../../../chain/facilitator/transfer-data.ts';
import { ChainError } from '../../../chain/rpc/chain-error.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { createSigner } from '../../../chain/tx/signer.ts';
import { type TestChain, testChain } from '../../fixtures/chain/anvil.ts';
import { ethersPayment } from '../../fixtures/wallets/payers.ts';

const PAYEE = '0x00000000000000000000000000000000000000dd';
const PAYERS = 20;
let chain: TestChain;
let payers: Hex[];
let facilitator: Facilitator;
/** The gas of each transaction that was sent. */
let receipts: Map<Hex, TransactionReceipt>;

beforeAll(async () => {
  chain = await testChain(1002);
  payers = Array.from({ length: PAYERS + 1 }, () => generatePrivateKey());
  const dev = {
    rpcUrl: chain.url,
    deployment: chain.deployment,
    operatorPrivateKey: chain.accounts.operator.privateKey,
  };
  for (const key of payers) await fundWallet(dev, privateKeyToAddress(key), 1_000_000n);
});
afterAll(() => chain.stop());

beforeEach(async () => {
  const { url: rpcUrl, chainId, accounts } = chain;
  const signer = createSigner({ rpcUrl, chainId, privateKey: accounts.facilitator.privateKey });
  receipts = new Map();
  const watched = {
    ...signer,
    async receipt(hash: Hex, timeoutMs?: number) {
      const receipt = await signer.receipt(hash, timeoutMs);
      receipts.set(hash, receipt);
      return receipt;
    },
  };
  facilitator = inProcessFacilitator([{ chainId, rpcUrl, signer: watched }], { confirmationMs: 5_000 });
  // The first comes alone; from then on others come.
  expect(await pay(payers[PAYERS]!)).toMatchObject({ success: true });
  receipts.clear();
});

async function payment(key: Hex, amount = '10000') {
  const accepts = [
    {
      ...{
        scheme: 'exact',
        network: 'eip155:1002' as const,
        asset: chain.deployment.usdc,
        amount,
        payTo: PAYEE,
      },
      ...{ maxTimeoutSeconds: 60, extra: { name: 'USDC', version: '2' } },
    },
  ];
  return await ethersPayment(key, { x402Version: 2, resource: { url: 'http://handshake.test' }, accepts });
}
async function pay(key: Hex) {
  const one = await payment(key);
  return await facilitator.settle(one, one.accepted);
}
const settleAll = async (all: readonly Awaited<ReturnType<typeof payment>>[]) =>
  await Promise.all(all.map((one) => facilitator.settle(one, one.accepted)));
const paid = async (): Promise<bigint> => {
  const node = await openNode(chain.url, 1002);
  return (await node.read(chain.deployment.usdc, erc20Abi, 'balanceOf', [PAYEE as Address])) as bigint;
};

describe('payments that come together', () => {
  it('settle in few transactions, each for at most 50,000 gas', async () => {
    const all = await Promise.all(payers.slice(0, PAYERS).map((key) => payment(key)));
    const before = await paid();
    const answers = await settleAll(all);
    expect(answers.filter(({ success }) => success)).toHaveLength(PAYERS);
    expect((await paid()) - before).toBe(10_000n * BigInt(PAYERS));
    const gas = [...receipts.values()].reduce((sum, { gasUsed }) => sum + gasUsed, 0n);
    expect(receipts.size).toBeLessThan(PAYERS / 2);
    expect(gas / BigInt(PAYERS)).toBeLessThanOrEqual(50_000n);
    for (const [i, { transaction, payer }] of answers.entries()) {
      expect(receipts.has(transaction as Hex)).toBe(true);
      expect(payer?.toLowerCase()).toBe(privateKeyToAddress(payers[i]!).toLowerCase());
    }
  });

  it('leave the one that fails alone, and settle the others', async () => {
    const all = await Promise.all(payers.slice(0, 8).map((key) => payment(key)));
    // Its money goes between the check and the transfer.
    const [poor] = all;
    const others = await facilitator.verify(poor!, poor!.accepted);
    expect(others.isValid).toBe(true);
    await spend(payers[0]!);
    const before = await paid();
    const answers = await settleAll(all);
    expect(answers.map(({ success }) => success)).toEqual([false, ...Array(7).fill(true)]);
    expect((await paid()) - before).toBe(70_000n);
  });

  it('that are the same one settle once', async () => {
    const one = await payment(payers[9]!);
    const before = await paid();
    const answers = await settleAll([
      one,
      structuredClone(one),
      structuredClone(one),
      await payment(payers[10]!),
    ]);
    expect(answers.at(-1)?.success).toBe(true);
    // Who is told that it was paid was paid.
    expect(answers.slice(0, 3).filter(({ success }) => success)).toHaveLength(1);
    expect((await paid()) - before).toBe(20_000n);
  });

  it('settle all the same beside one that burns the whole group’s gas', async () => {
    const { groups, sent } = await watchedGroups();
    const { burner, all, honest } = await besideABurner(payers.slice(11, 15));
    const before = await paid();
    const hashes = await Promise.all(all.map((transfer) => groups.send(transfer)));
    const statuses = await Promise.all(
      hashes.map(async (hash, i) => (await groups.receipt(hash, all[i]!, 5_000)).status),
    );
    expect(statuses).toEqual(['reverted', ...Array(4).fill('success')]);
    expect((await paid()) - before).toBe(40_000n);
    // First all together, then each by itself.
    expect(sent.slice(1, 2)).toEqual([MULTICALL3]);
    expect(sent.slice(2).sort()).toEqual([burner, ...honest.map(({ to }) => to)].sort());
  });

  it('settle all the same where the group that was burnt is mined late', async () => {
    const { groups, sent } = await watchedGroups({ late: 1 });
    const { all } = await besideABurner(payers.slice(1, 5));
    const before = await paid();
    const hashes = await Promise.all(all.map((transfer) => groups.send(transfer)));
    // Nobody knew more than that it was sent.
    expect(new Set(hashes).size).toBe(1);
    const honest = all.slice(1);
    const told = await Promise.all(honest.map((transfer) => groups.receipt(hashes[0]!, transfer, 5_000)));
    expect(told.map(({ status }) => status)).toEqual(Array(4).fill('success'));
    expect(new Set(told.map(({ hash }) => hash)).size).toBe(4);
    expect(told.map(({ hash }) => hash)).not.toContain(hashes[0]);
    expect((await paid()) - before).toBe(40_000n);
    // Whoever asks twice has it sent once.
    const sends = sent.length;
    expect(await groups.receipt(hashes[0]!, honest[0]!, 5_000)).toMatchObject({ hash: told[0]!.hash });
    expect(sent).toHaveLength(sends);
  });
});

/** Groups over a signer whose first receipts of Multicall3 come late. */
async function watchedGroups({ late = 0 } = {}) {
  const { url: rpcUrl, chainId, accounts } = chain;
  const signer = createSigner({ rpcUrl, chainId, privateKey: accounts.facilitator.privateKey });
  const sent: Hex[] = [];
  const grouped = new Set<Hex>();
  const watched = {
    ...signer,
    send: async (t: Parameters<typeof signer.send>[0]) => {
      sent.push(t.to);
      const hash = await signer.send(t);
      if (t.to === MULTICALL3) grouped.add(hash);
      return hash;
    },
    receipt: async (hash: Hex, timeoutMs?: number) => {
      if (grouped.has(hash) && late-- > 0) throw new ChainError('unknown', 'no receipt in time', { hash });
      return await signer.receipt(hash, timeoutMs);
    },
  };
  const groups = paymentGroups(watched, {
    hasMulticall: async () => true,
    confirmationMs: 5_000,
    busyMs: 60_000,
  });
  await groups.send(await transferOf(payers[17]!));
  return { groups, sent };
}

async function transferOf(key: Hex) {
  const one = await payment(key);
  const { from, nonce } = one.payload.authorization;
  const data = transferData(signedTransferOf(one));
  return { to: chain.deployment.usdc, data, gas: 120_000n, from: from as Address, nonce: nonce as Hex };
}

/** Transfers of these payers, after one whose code loops until no gas is left. */
async function besideABurner(keys: readonly Hex[]) {
  const burner = `0x${'bb'.repeat(20)}` as const;
  await rpc(chain.url, 'anvil_setCode', [burner, '0x5b600056']);
  const honest = await Promise.all(keys.map(transferOf));
  const burning = { ...honest[0]!, to: burner, data: '0x' as Hex, nonce: `0x${'b0'.repeat(32)}` as Hex };
  return { burner, honest, all: [burning, ...honest] };
}

/** Moves all dollars of a key elsewhere. */
async function spend(key: Hex): Promise<void> {
  const { url: rpcUrl, chainId, deployment } = chain;
  const account = privateKeyToAccount(key);
  await rpc(rpcUrl, 'anvil_setBalance', [account.address, '0xde0b6b3a7640000']);
  const wallet = createWalletClient({ account, transport: http(rpcUrl) });
  const node = await openNode(rpcUrl, chainId);
  const held = (await node.read(deployment.usdc, erc20Abi, 'balanceOf', [account.address])) as bigint;
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [PAYEE.replace('dd', 'ee') as Address, held],
  });
  await wallet.sendTransaction({ chain: null, to: deployment.usdc, data });
}
