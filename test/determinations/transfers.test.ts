import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFunctionData, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import { type Devnet, startDevnet } from '../../chain/devnet/devnet.ts';
import { openExplorer } from '../../chain/explorer/open-explorer.ts';
import { knownChains } from '../../chain/known-chains.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { rpc as ask } from '../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { followTransfers } from '../../runtime/chain-sync/follow-transfers.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineWallet } from '../../runtime/determinations/determine-wallet.ts';
import { importRegister } from '../../store/registers/registers.ts';
import type { RegisterName } from '../../store/tables.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { type ExplorerServer, explorerServer } from '../fixtures/servers/explorer.ts';
import { lyingRpc } from './lying-rpc.ts';

/** Where money came from and went, on real chains: by the index where one is kept, else by an explorer and by logs. */

const BASE = 8453;
const USD = 1_000_000n;
const address = (n: number): `0x${string}` => `0x${n.toString(16).padStart(40, '0')}`;
const DEPTHS: readonly Depth[] = ['1-of-1', '2-of-2', 'superconsensus'];
const TRANSFER = [
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
    outputs: [{ name: '', type: 'bool' }],
  },
] as const;

let chain: Awaited<ReturnType<typeof testChain>>;
let second: Awaited<ReturnType<typeof lyingRpc>>;
let base: Devnet;
let explorer: ExplorerServer;
let database: Awaited<ReturnType<typeof testDatabase>>;
let deps: EvidenceDeps;
const dataDir = mkdtempSync(join(tmpdir(), 'transfers-'));
/** A fresh address that has money for gas. */
let fresh = 0xf00_000;

beforeAll(async () => {
  [chain, base, explorer] = await Promise.all([
    testChain(1002),
    startDevnet({ chainId: BASE, dataDir }),
    explorerServer(),
  ]);
  second = await lyingRpc(chain.url);
  await ask(base.rpcUrl, 'evm_mine', []);
});
beforeEach(async () => {
  database = await testDatabase();
  const pair = (chainId: number, one: string, two: string) => ({
    viem: viemReader({ rpcUrl: one, chainId, retries: 0 }),
    ethers: ethersReader({ rpcUrl: two, chainId, retries: 0 }),
  });
  deps = {
    db: database.db,
    readers: new Map([
      [1002, pair(1002, chain.url, second.url)],
      [BASE, pair(BASE, base.rpcUrl, base.rpcUrl)],
    ]),
    deployments: new Map([[1002, chain.deployment]]),
    known: await knownChains([BASE]),
    now: () => new Date(),
    seatTimeoutMs: 60_000,
  };
  await list('sanctions', [address(0x111)]);
  await list('known-scam', [address(0x222)]);
});
afterEach(async () => {
  second.lie((_, result) => result);
  explorer.misbehave(() => false);
  explorer.movements.length = 0;
  await database.drop();
});
afterAll(async () => {
  await explorer?.stop();
  await second?.stop();
  await base?.stop();
  await chain?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function list(
  register: RegisterName,
  keys: readonly string[],
  detail: Readonly<Record<string, string>> = {},
): Promise<void> {
  const rows = (async function* () {
    for (const key of keys) yield { key: key.toLowerCase(), detail };
  })();
  await importRegister(database.db, { register, source: 't', asOf: new Date(), mode: 'add', rows });
}

async function wallet(): Promise<`0x${string}`> {
  const who = address(fresh++);
  await ask(chain.url, 'anvil_setBalance', [who, toHex(10n ** 20n)]);
  await ask(chain.url, 'anvil_impersonateAccount', [who]);
  return who;
}
async function send(from: string, to: string, more: object): Promise<void> {
  await ask(chain.url, 'anvil_impersonateAccount', [from]);
  await ask(chain.url, 'eth_sendTransaction', [{ from, to, gas: toHex(200_000), ...more }]);
}
/** The test token keeps six decimals. */
const pay = (from: string, to: string, amount: bigint) =>
  send(from, chain.deployment.usdc, {
    data: encodeFunctionData({
      abi: TRANSFER,
      functionName: 'transfer',
      args: [to as `0x${string}`, amount],
    }),
  });
const give = (from: string, to: string, wei: bigint) => send(from, to, { value: toHex(wei) });
async function rich(usd: bigint): Promise<`0x${string}`> {
  const who = await wallet();
  await pay(chain.accounts.alice.address, who, usd * USD);
  return who;
}
async function follow(): Promise<void> {
  const readers = deps.readers.get(1002)!;
  while (await followTransfers(deps, { chainId: 1002, deployment: chain.deployment, readers }));
}
async function on(who: string, depth: Depth = '2-of-2', chainId = 1002, with_: EvidenceDeps = deps) {
  const { record, hardFlags } = await determineWallet(with_, { address: who, chainId, depth });
  const check = record.evidence.checks.find((c) => c.id === 'transfers');
  return { verdict: record.verdict, hardFlags, check, outcome: check?.outcome };
}

describe.each([
  ['by the index', follow],
  ['by recent logs alone', async () => {}],
] as const)('dollars %s', (_, ready) => {
  it('from a listed address accuse their receiver, and dust does not', async () => {
    const [bad, funded, dusted, stranger] = [
      await rich(100n),
      await wallet(),
      await rich(50n),
      await wallet(),
    ];
    await pay(bad, funded, 20n * USD);
    await pay(bad, dusted, USD / 100n);
    await pay(bad, stranger, USD / 100n);
    await list('known-scam', [bad]);
    await ready();
    for (const depth of DEPTHS) {
      const found = await on(funded, depth);
      expect([found.verdict, found.outcome, found.hardFlags]).toEqual(['FLAGGED', 'FLAG', []]);
      expect([(await on(dusted, depth)).verdict, (await on(stranger, depth)).verdict]).toEqual([
        'CLEAN',
        'CLEAN',
      ]);
    }
  });

  it('to a listed address accuse their payer', async () => {
    const [bad, payer] = [await wallet(), await rich(50n)];
    await pay(payer, bad, 5n * USD);
    await list('sanctions', [bad]);
    await ready();
    expect(await on(payer)).toMatchObject({ verdict: 'FLAGGED', outcome: 'FLAG' });
  });
});

describe('by the index', () => {
  it('money is followed over three hops, native currency too, and not through an exchange', async () => {
    const [bad, one, two, end] = [await rich(100n), await wallet(), await wallet(), await wallet()];
    await pay(bad, one, 90n * USD);
    await pay(one, two, 80n * USD);
    await pay(two, end, 70n * USD);
    const [native, paid] = [await wallet(), await wallet()];
    await give(bad, native, 10n ** 18n);
    await give(paid, bad, 10n ** 18n);
    await list('known-scam', [bad]);
    await follow();
    for (const who of [one, two, end, native, paid]) expect((await on(who)).verdict).toBe('FLAGGED');
    expect((await on(end)).check?.detail).toContain(`came from ${bad} at distance 3`);
    await list('labels', [one], { kind: 'exchange' });
    expect([(await on(one)).verdict, (await on(two)).verdict, (await on(end)).verdict]).toEqual([
      'CLEAN',
      'CLEAN',
      'CLEAN',
    ]);
  });

  it('and the blocks after it nothing is missed: what each seat reads counts, too', async () => {
    const [bad, funded] = [await rich(100n), await wallet()];
    await list('known-scam', [bad]);
    await follow();
    await pay(bad, funded, 20n * USD);
    expect((await on(funded)).verdict).toBe('FLAGGED');
  });

  it('a node that hides the latest transfer is caught at 2-of-2', async () => {
    const [bad, funded] = [await rich(100n), await wallet()];
    await list('known-scam', [bad]);
    await follow();
    await pay(bad, funded, 20n * USD);
    second.lie(({ method }, result) => (method === 'eth_getLogs' ? [] : result));
    expect((await on(funded)).verdict).toBe('FLAGGED');
  });

  it('a transfer that is missing from it shows in the balance, and leaves it open', async () => {
    const [bad, funded] = [await rich(100n), await wallet()];
    await pay(bad, funded, 20n * USD);
    await list('known-scam', [bad]);
    await follow();
    await database.db.deleteFrom('transfers').where('receiver', '=', funded).execute();
    const found = await on(funded);
    expect([found.verdict, found.outcome]).toEqual(['FLAGGED', 'INCONCLUSIVE']);
    expect(found.check?.detail).toContain('do not add up to the balance');
  });

  it('dust from an address that looks like a payee accuses its sender alone', async () => {
    const [payer] = [await rich(100n)];
    const payee = `0xabcde${'1'.repeat(30)}fabcd` as const;
    const twin = `0xabcde${'2'.repeat(30)}fabcd` as const;
    await ask(chain.url, 'anvil_setBalance', [twin, toHex(10n ** 20n)]);
    await pay(payer, payee, 10n * USD);
    await pay(twin, payer, 0n);
    await follow();
    const { record } = await determineWallet(deps, { address: twin, chainId: 1002, depth: '2-of-2' });
    expect(record.evidence.checks.find((c) => c.id === 'address-poisoning')).toMatchObject({
      outcome: 'FLAG',
    });
    expect([record.verdict, (await on(payer)).verdict]).toEqual(['FLAGGED', 'CLEAN']);
  });
});

describe.each(['etherscan', 'blockscout'] as const)('an explorer of the shape of %s', (shape) => {
  const explored = (): EvidenceDeps => ({
    ...deps,
    explorers: new Map([[BASE, openExplorer({ url: explorer[shape], chainId: BASE, pauseMs: 1 })]]),
  });
  const [bad, who, between] = [0xbad1, 0xa11ce1, 0xbe1].map(address) as [string, string, string];
  const native = (from: string, to: string) =>
    explorer.movements.push({ block: 0, token: null, from, to, amount: 10n ** 18n });

  it('tells of money from a listed address, over two hops', async () => {
    await list('known-scam', [bad]);
    native(bad, between);
    native(between, who);
    expect((await on(who, '2-of-2', BASE, explored())).verdict).toBe('FLAGGED');
    expect((await on(who, '2-of-2', BASE)).verdict).toBe('CLEAN');
    explorer.movements.length = 0;
    native(address(0x600d), who);
    expect((await on(who, '2-of-2', BASE, explored())).verdict).toBe('CLEAN');
  });

  it('that fails leaves it open, and says how it failed', async () => {
    explorer.misbehave((_, response) => {
      response.writeHead(503).end();
      return true;
    });
    const failed = await on(who, '2-of-2', BASE, explored());
    expect([failed.verdict, failed.outcome]).toEqual(['FLAGGED', 'INCONCLUSIVE']);
    expect(failed.check?.detail).toContain('HTTP 503');
  });
});
