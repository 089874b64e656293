import { encodeFunctionData, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../../agents/determinations/panel/judge.ts';
import { readEvidence } from '../../agents/evaluation/read-evidence.ts';
import { testUsdcAbi } from '../../chain/abi/test-usdc.ts';
import { withForks } from '../../chain/devnet/fork-reader.ts';
import { type Forks, openForks } from '../../chain/devnet/forks.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { rpc } from '../../chain/rpc/json-rpc.ts';
import type { Head } from '../../chain/rpc/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineWallet } from '../../runtime/determinations/determine-wallet.ts';
import { type WaywardRpc, waywardRpc } from '../fixtures/chain/wayward-rpc.ts';
import { drawn, walletStage } from '../fixtures/wallets/wallet-stage.ts';

/** Transactions on a chain whose nodes do not offer `eth_simulateV1`. */

const [FRIEND, STRANGER, VICTIM] = [drawn('friend'), drawn('stranger of forks'), drawn('victim of forks')];
const FILL = Array.from({ length: 60 }, (_, n) => drawn(`fill ${n}`));
const PATIENCE_MS = 60_000;

let stage: Awaited<ReturnType<typeof walletStage>>;
let old: WaywardRpc;
let forks: Forks;

beforeAll(async () => {
  stage = await walletStage();
  old = await waywardRpc(stage.chain.url);
  old.behave(async ({ method }, honest) =>
    method === 'eth_simulateV1'
      ? { error: { code: -32601, message: 'the method eth_simulateV1 does not exist' } }
      : await honest(),
  );
  forks = openForks();
  await stage.list('known-scam', FILL);
  await stage.list('sanctions', FILL);
  await stage.usdc(VICTIM, 5_000);
  await stage.rpc('anvil_setBalance', VICTIM, toHex(10n ** 19n));
  await stage.rpc('anvil_mine', '0x1');
}, 240_000);
afterAll(async () => {
  await forks?.stop();
  await old?.stop();
  await stage?.stop();
});

const options = { chainId: 1002, retries: 0, deadlineMs: PATIENCE_MS, timeoutMs: PATIENCE_MS };
function readersOver(viemUrl: string, ethersUrl: string, by: Forks | null): EvidenceDeps['readers'] {
  const simulating = (rpcUrl: string, read: typeof viemReader) => {
    const reader = read({ ...options, rpcUrl });
    const open = (url: string) => read({ ...options, rpcUrl: url });
    return by === null ? reader : withForks(reader, { forks: by, rpcUrl, open, patienceMs: PATIENCE_MS });
  };
  return new Map([
    [1002, { viem: simulating(viemUrl, viemReader), ethers: simulating(ethersUrl, ethersReader) }],
  ]);
}

const dollars = (name: 'transfer' | 'approve', to: string, amount: bigint) => ({
  to: stage.chain.deployment.usdc,
  data: encodeFunctionData({ abi: testUsdcAbi, functionName: name, args: [to as `0x${string}`, amount] }),
  value: '0',
  from: VICTIM,
});

async function asked(
  readers: EvidenceDeps['readers'],
  transaction: { to: string; data: string; value: string; from: string },
) {
  const { record, evidence } = await determineWallet(
    { ...stage.deps, readers },
    { address: FRIEND, chainId: 1002, depth: '2-of-2', transaction },
  );
  const kept = readEvidence('wallet', JSON.parse(JSON.stringify(evidence.determinations[0])));
  expect(judge(kept).verdict === 'CLEAN').toBe(record.verdict === 'CLEAN');
  return record;
}

describe('a node that does not simulate', () => {
  it('is forked at the pinned block, and the answer is that of a node which does', async () => {
    const payment = dollars('transfer', FRIEND, 5n);
    const [forked, told] = [
      await asked(readersOver(old.url, old.url, forks), payment),
      await asked(readersOver(stage.chain.url, stage.chain.url, null), payment),
    ];
    expect(forked.verdict).toBe('CLEAN');
    expect(forked.assetChanges).toEqual(told.assetChanges);
    expect(forked.simulation).toMatchObject({ outcome: 'success', conditions: told.simulation!.conditions });
    expect(forked.simulation!.node).toContain('a fork (anvil) of viem over');
    expect(told.simulation!.node).not.toContain('fork');
  });

  it('agrees with one that simulates by itself', async () => {
    const record = await asked(readersOver(stage.chain.url, old.url, forks), dollars('transfer', FRIEND, 6n));
    expect(record.verdict).toBe('CLEAN');
    expect(record.simulation!.node).toContain('; a fork (anvil) of ethers over');
  });

  it('hides no theft', async () => {
    const record = await asked(
      readersOver(old.url, old.url, forks),
      dollars('approve', STRANGER, 2n ** 256n - 1n),
    );
    expect(record.verdict).toBe('FLAGGED');
    expect(record.evidence.checks.find((c) => c.id === 'transaction-approvals')?.outcome).toBe('FLAG');
  });

  it.each([
    ['no fork is made', (): Forks | null => null, 'does not simulate transactions (eth_simulateV1)'],
    ['all forks are in use', () => openForks({ most: 0 }), 'a fork of it failed: all forks are in use'],
  ] as const)('leaves it INCONCLUSIVE where %s', async (_, by, says) => {
    const record = await asked(readersOver(old.url, old.url, by()), dollars('transfer', FRIEND, 5n));
    expect(record.verdict).toBe('FLAGGED');
    const check = record.evidence.checks.find((c) => c.id === 'transaction-simulated');
    expect(check).toMatchObject({ outcome: 'INCONCLUSIVE', detail: expect.stringContaining(says) });
    // Whatever else was asked of the chain was read.
    expect(record.evidence.checks.find((c) => c.id === 'contract-code')?.outcome).toBe('PASS');
  });
});

describe('forks', () => {
  const head = (): Promise<Head> => viemReader({ ...options, rpcUrl: stage.chain.url }).head();

  it('have the state of their block, whatever comes after it', async () => {
    const block = await head();
    await stage.rpc('anvil_mine', '0x1');
    await stage.rpc('anvil_setBalance', STRANGER, '0x7');
    await stage.rpc('anvil_mine', '0x2');
    const of = { rpcUrl: old.url, chainId: 1002, block };
    const seen = await forks.use(of, (url) => rpc(url, 'eth_getBalance', [STRANGER, 'latest']));
    const later = { ...of, block: await head() };
    expect(seen).toBe('0x0');
    expect(await forks.use(later, (url) => rpc(url, 'eth_getBalance', [STRANGER, 'latest']))).toBe('0x7');
  });

  it('are shared by those who ask of one block, kept for the next, and end', async () => {
    const own = openForks({ most: 1, idleMs: PATIENCE_MS });
    const of = { rpcUrl: old.url, chainId: 1002, block: await head() };
    const urls = await Promise.all([1, 2, 3].map(() => own.use(of, async (url) => url)));
    urls.push(await own.use(of, async (url) => url));
    expect(new Set(urls).size).toBe(1);
    await stage.rpc('anvil_mine', '0x1');
    // With room for one, that which nobody uses makes way.
    const next = await own.use({ ...of, block: await head() }, async (url) => url);
    await own.stop();
    for (const url of [urls[0]!, next]) await expect(rpc(url, 'eth_chainId')).rejects.toThrow();
  });

  it('are none of a block that was replaced', async () => {
    const block = { ...(await head()), hash: `0x${'09'.repeat(32)}` as const };
    const forking = forks.use({ rpcUrl: old.url, chainId: 1002, block }, async (url) => url);
    await expect(forking).rejects.toMatchObject({ kind: 'reorganised' });
  });
});
