import { encodeFunctionData, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import type { WalletCommon } from '../../agents/determinations/wallet/wallet-evidence.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { rpc as ask } from '../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { followTransfers } from '../../runtime/chain-sync/follow-transfers.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineWallet } from '../../runtime/determinations/determine-wallet.ts';
import { importRegister } from '../../store/registers/registers.ts';
import type { RegisterName } from '../../store/tables.ts';
import { minedIn, testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { lyingRpc } from './lying-rpc.ts';

/** Where money came from and went on a real chain: by the index where one is kept, else by recent logs alone. */

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
let database: Awaited<ReturnType<typeof testDatabase>>;
let deps: EvidenceDeps;
/** A fresh address that has money for gas. */
let fresh = 0xf00_000;

beforeAll(async () => {
  chain = await testChain(1002);
  second = await lyingRpc(chain.url);
});
beforeEach(async () => {
  database = await testDatabase();
  const pair = (chainId: number, one: string, two: string) => ({
    viem: viemReader({ rpcUrl: one, chainId, retries: 0 }),
    ethers: ethersReader({ rpcUrl: two, chainId, retries: 0 }),
  });
  deps = {
    db: database.db,
    readers: new Map([[1002, pair(1002, chain.url, second.url)]]),
    deployments: new Map([[1002, chain.deployment]]),
    now: () => new Date(),
    seatTimeoutMs: 60_000,
  };
  await list('sanctions', [address(0x111)]);
  await list('known-scam', [address(0x222)]);
});
afterEach(async () => {
  second.lie((_, result) => result);
  await database.drop();
});
afterAll(async () => {
  await second?.stop();
  await chain?.stop();
});

async function list(
  register: RegisterName,
  keys: readonly string[],
  detail: Readonly<Record<string, string>> = {},
  { source = 't', asOf = new Date() }: { source?: string; asOf?: Date | null } = {},
): Promise<void> {
  const rows = (async function* () {
    for (const key of keys) yield { key: key.toLowerCase(), detail };
  })();
  await importRegister(database.db, { register, source, asOf, mode: 'add', rows });
}

async function wallet(): Promise<`0x${string}`> {
  const who = address(fresh++);
  await ask(chain.url, 'anvil_setBalance', [who, toHex(10n ** 20n)]);
  await ask(chain.url, 'anvil_impersonateAccount', [who]);
  return who;
}
async function send(from: string, to: string, more: object): Promise<void> {
  await ask(chain.url, 'anvil_impersonateAccount', [from]);
  const sent = { from, to, gas: toHex(200_000), ...more };
  await minedIn(chain.url, await ask<string>(chain.url, 'eth_sendTransaction', [sent]));
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
async function follow(since = 0n): Promise<void> {
  const readers = deps.readers.get(1002)!;
  while (await followTransfers(deps, { chainId: 1002, deployment: chain.deployment, readers, since }));
}
async function on(who: string, depth: Depth = '2-of-2') {
  const { record, hardFlags } = await determineWallet(deps, { address: who, chainId: 1002, depth });
  const check = record.evidence.checks.find((c) => c.id === 'transfers');
  const { notLookedAt } = record.coverage;
  return { verdict: record.verdict, hardFlags, check, outcome: check?.outcome, notLookedAt, record };
}

describe.each([
  ['by the index', () => follow()],
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

  it('a label that is old, undated or contradicted excuses nobody, and the check names its list', async () => {
    const [bad, one, two] = [await rich(100n), await wallet(), await wallet()];
    await pay(bad, one, 90n * USD);
    await pay(one, two, 80n * USD);
    await list('known-scam', [bad]);
    await follow();
    const expectFlagged = async (name: string, asOf: string, limit: RegExp) => {
      for (const who of [one, two]) {
        const { verdict, check } = await on(who);
        expect(verdict).toBe('FLAGGED');
        const source = check?.sources.find((s) => s.name === name);
        expect(source).toMatchObject({
          asOf: expect.stringContaining(asOf),
          limit: expect.stringMatching(limit),
        });
      }
    };
    const exchange = { kind: 'exchange' };
    await list('labels', [one], exchange, { source: 'undated', asOf: null });
    await expectFlagged('labels/undated', '', /excuses nobody/);
    const old = new Date(Date.now() - 400 * 86_400_000);
    await list('labels', [one], exchange, { source: 'old', asOf: old });
    await expectFlagged('labels/old', old.toISOString(), /excuses nobody/);
    await list('labels', [one], exchange, { source: 'z-fresh' });
    expect([(await on(one)).verdict, (await on(two)).verdict]).toEqual(['CLEAN', 'CLEAN']);
    await list('labels', [one], { kind: 'mixer' }, { source: 'a-mixers' });
    await expectFlagged('labels/a-mixers', '', /what an address is known as/);
  });

  it('and the blocks after it nothing is missed: what each seat reads counts, too', async () => {
    const [bad, funded] = [await rich(100n), await wallet()];
    await list('known-scam', [bad]);
    await follow();
    await pay(bad, funded, 20n * USD);
    expect((await on(funded)).verdict).toBe('FLAGGED');
  });

  it('and the blocks after it native money is not missed either, where they are few', async () => {
    const [bad, funded] = [await wallet(), await wallet()];
    await list('known-scam', [bad]);
    await follow();
    await give(bad, funded, 10n ** 18n);
    expect((await on(funded)).verdict).toBe('FLAGGED');
    // A node that hides it is caught by the other one.
    second.lie(({ method }, result) =>
      method === 'eth_getBlockByNumber' && result !== null ? { ...result, transactions: [] } : result,
    );
    expect((await on(funded)).verdict).toBe('FLAGGED');
  });

  it('and many blocks after it native money is not looked at, and the answer says so', async () => {
    await follow();
    const from = BigInt(await ask<string>(chain.url, 'eth_blockNumber', [])) + 1n;
    await ask(chain.url, 'anvil_mine', [toHex(40)]);
    const { verdict, notLookedAt } = await on(await wallet());
    expect(verdict).toBe('CLEAN');
    expect(notLookedAt).toContain(`native currency in blocks ${from} to ${from + 39n} of eip155:1002`);
  });

  it('that begins late leaves a wallet CLEAN as far as it looked, and says how far that is', async () => {
    const [bad, funded] = [await rich(100n), await wallet()];
    await pay(bad, funded, 20n * USD);
    await list('known-scam', [bad]);
    const since = BigInt(await ask<string>(chain.url, 'eth_blockNumber', [])) + 1n;
    await pay(chain.accounts.alice.address, funded, 2n * USD);
    await follow(since);
    const { verdict, notLookedAt, record } = await on(funded);
    expect(verdict).toBe('CLEAN');
    expect(notLookedAt).toEqual(
      expect.arrayContaining([
        `transfers on eip155:1002: transfers before block ${since} are not kept`,
        'who paid it first on eip155:1002',
      ]),
    );
    expect(record.coverage.asFarAs).toContain(`transfers in blocks ${since} to `);
  });

  it('who deployed a contract is told, and a deployer whom a list names is a soft flag', async () => {
    const by = await wallet();
    // It returns a code of five bytes.
    const data = '0x6460806040526000526005601bf3';
    const tx = await ask<string>(chain.url, 'eth_sendTransaction', [{ from: by, data, gas: toHex(200_000) }]);
    const { contractAddress, blockNumber } = await minedIn(chain.url, tx);
    const before = await on(contractAddress!);
    expect(before.notLookedAt).toContain('who deployed it on eip155:1002');
    await follow();
    const told = await on(contractAddress!);
    const principals = (of: typeof told) => of.record.evidence.checks.find((c) => c.id === 'principals')!;
    expect([told.verdict, principals(told).detail]).toEqual([
      'CLEAN',
      expect.stringContaining(
        `${by} is the deployer (this service's index of transfers, block ${Number(blockNumber)})`,
      ),
    ]);
    expect(told.notLookedAt).not.toContain('who deployed it on eip155:1002');
    await list('known-scam', [by]);
    const found = await on(contractAddress!);
    expect([found.verdict, found.hardFlags, principals(found).outcome]).toEqual(['FLAGGED', [], 'FLAG']);
  });

  it('a few dollars from a listed address accuse nobody who did not ask for them, and whoever spends them', async () => {
    const [bad, victim, receiver] = [await rich(100n), await wallet(), await wallet()];
    for (const who of [victim, receiver]) await pay(bad, who, 5n * USD);
    await pay(receiver, await wallet(), 4n * USD);
    await list('known-scam', [bad]);
    await follow();
    for (const depth of DEPTHS)
      expect([(await on(victim, depth)).verdict, (await on(receiver, depth)).verdict]).toEqual([
        'CLEAN',
        'FLAGGED',
      ]);
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

  it('an address that looks like one whom the asker paid is told, and who asked is not', async () => {
    const asker = await rich(100n);
    const payee = `0xfeed5${'1'.repeat(30)}5beef`;
    const twin = `0xfeed5${'2'.repeat(30)}5beef`;
    await pay(asker, payee, 10n * USD);
    await pay(asker, address(0x600d), 10n * USD);
    await follow();
    const by = (who: string) =>
      determineWallet(deps, { address: twin, chainId: 1002, depth: '2-of-2', asker: who });
    const { record, evidence } = await by(asker);
    const check = record.evidence.checks.find((c) => c.id === 'look-alike')!;
    expect([record.verdict, check.outcome, check.detail]).toEqual([
      ...['FLAGGED', 'FLAG'],
      expect.stringContaining(payee),
    ]);
    const { contacts } = evidence.determinations[0]!.common as WalletCommon;
    expect(contacts).toEqual({ days: 365, addresses: [payee], others: true, onChain: true });
    expect(JSON.stringify(evidence)).not.toContain(asker.slice(2));
    expect((await by(await rich(1n))).record.verdict).toBe('CLEAN');
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
