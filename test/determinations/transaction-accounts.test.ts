import { encodeFunctionData, type Hex, keccak256, parseAbi, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../../agents/determinations/panel/judge.ts';
import { KNOWN_CONTRACTS } from '../../agents/determinations/transaction/known-contracts.ts';
import { atDepth, readEvidence } from '../../agents/evaluation/read-evidence.ts';
import { testUsdcAbi } from '../../chain/abi/test-usdc.ts';
import { determineWallet } from '../../runtime/determinations/determine-wallet.ts';
import { batched, executed, MULTISEND, SAFE_ABI, safeAt, safeCode } from '../fixtures/wallets/safes.ts';
import { drawn, walletStage } from '../fixtures/wallets/wallet-stage.ts';

/**
 * Transactions of accounts that the sender decides over, and trades whose gain goes elsewhere, with honest ones of the same
 * form, on a real chain with Safes as their makers build them.
 */

const [LISTED, FRIEND, STRANGER, OWNER, SAFE, PASSER, OTHER] = [
  'listed taker',
  'friend of the safe',
  'stranger to the safe',
  'owner of the safe',
  'the safe',
  'some contract',
  'other code',
].map(drawn) as [Hex, Hex, Hex, Hex, Hex, Hex, Hex];
/** Contracts that many trust; each gets one code, since a code that changes is told. */
const ROUTERS = [...KNOWN_CONTRACTS.keys()] as Hex[];
const ROUTER = ROUTERS[0]!;
const FILL = Array.from({ length: 60 }, (_, n) => drawn(`filling ${n}`));
const AGENT_ACCOUNT = parseAbi([
  'function execute(address to, uint256 value, bytes data, uint8 operation) payable returns (bytes)',
]);
const ETHER = 10n ** 18n;
const MAX = 2n ** 256n - 1n;
const DEPTHS = ['1-of-1', '2-of-2', 'superconsensus'] as const;

let stage: Awaited<ReturnType<typeof walletStage>>;
let usdc: Hex;
/** An agent's account of the owner. */
let agent: Hex;

const bare = (address: string): string => address.slice(2);
const push = (value: bigint): string => {
  const hex = value.toString(16).padStart(2 * Math.max(1, Math.ceil(value.toString(16).length / 2)), '0');
  return `${(0x5f + hex.length / 2).toString(16)}${hex}`;
};
/** Code that pays this much native currency, and goes on. */
const pays = (to: string, amount: bigint): string => `5f5f5f5f${push(amount)}73${bare(to)}5af150`;
/** transferFrom(caller, to, amount) of the dollar; all that the caller holds where no amount is given. */
const takes = (to: string, amount?: bigint): string =>
  (amount === undefined
    ? `7f70a08231${'0'.repeat(56)}5f52336004526020608060245f73${bare(usdc)}5afa50`
    : `${push(amount)}608052`) +
  `7f23b872dd${'0'.repeat(56)}5f523360045273${bare(to)}6024526080516044525f5f60645f5f73${bare(usdc)}5af150`;
/** Tells that the owner got so many of a token that the contract itself is. */
const rewards = (amount: bigint): string =>
  `${push(amount)}5f5273${bare(OWNER)}307f${bare(keccak256(toHex('Transfer(address,address,uint256)')))}60205fa3`;
const STOP = '00';

const dollars = {
  transfer: (to: Hex, amount: bigint) =>
    encodeFunctionData({ abi: testUsdcAbi, functionName: 'transfer', args: [to, amount] }),
  approve: (to: Hex, amount: bigint) =>
    encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: [to, amount] }),
};
const own = (functionName: 'enableModule' | 'setFallbackHandler' | 'setGuard', who: Hex): Hex =>
  encodeFunctionData({ abi: SAFE_ABI, functionName, args: [who] });

beforeAll(async () => {
  stage = await walletStage();
  usdc = stage.chain.deployment.usdc.toLowerCase() as Hex;
  await stage.list('known-scam', [...FILL, LISTED]);
  await stage.list('sanctions', FILL);
  await safeCode(stage);
  await stage.rpc('anvil_setBalance', OWNER, toHex(10n * ETHER));
  agent = (await stage.agent(OWNER)).account.toLowerCase() as Hex;
  await stage.usdc(agent, 5_000);
  await safeAt(stage, SAFE, [OWNER, drawn('another owner') as Hex]);
  await stage.rpc('anvil_setBalance', SAFE, toHex(10n * ETHER));
  await stage.usdc(SAFE, 5_000);
  await stage.usdc(OWNER, 5_000);
  await stage.code(OTHER, '0x6002600201');
  await stage.code(PASSER, '0x6001600101');
  await stage.rpc('anvil_mine', '0x1');
}, 240_000);
afterAll(() => stage?.stop());

let made = 0;
async function put(at: Hex, code: string): Promise<void> {
  await stage.code(at, `0x${code}`);
  await stage.rpc('anvil_setBalance', at, toHex(100n * ETHER));
}
interface Case {
  readonly by: string;
  readonly tx: () => { to: Hex; data?: Hex; value?: string };
  /** Runtime code at the address `CODE`, or at the router, which the safe and its owner let spend their dollars. */
  readonly code?: () => string;
  /** Runtime code at the address `POOL`: it gives what is bought. */
  readonly pool?: () => string;
  readonly at?: Hex;
  readonly address?: Hex;
}
/** Stand for the addresses of the case's own codes. */
const CODE: Hex = `0x${'c0de'.repeat(10)}`;
const POOL: Hex = `0x${'900100'.repeat(6)}9001`;
/** Makes the pool give what is bought. */
const trades = (): string => pays(POOL, 0n);

async function asked({ tx, code, pool, at, address = FRIEND }: Case) {
  const filled = (text: string): string => text.replaceAll(bare(POOL), bare(drawn(`pool ${made}`)));
  if (pool !== undefined) await put(drawn(`pool ${made}`) as Hex, `${pool()}${STOP}`);
  const target = at ?? (drawn(`coded ${made}`) as Hex);
  if (code !== undefined) {
    await put(target, filled(code()));
    for (const from of [OWNER, SAFE]) {
      await stage.rpc('anvil_impersonateAccount', from);
      const data = dollars.approve(target, MAX);
      await stage.rpc('eth_sendTransaction', { from, to: usdc, data, gas: toHex(100_000) });
    }
  }
  made += 1;
  await stage.rpc('anvil_mine', '0x1');
  const { to, data = '0x', value = '0' } = tx();
  const { record, evidence } = await determineWallet(stage.deps, {
    ...{ address, chainId: 1002, depth: '2-of-2' },
    transaction: {
      ...{ to: to === CODE ? target : to, value, from: OWNER },
      data: data.replaceAll(bare(CODE), bare(target)),
    },
  });
  const determined = evidence.determinations[0]!;
  const failing = record.evidence.checks
    .filter((c) => c.outcome !== 'PASS')
    .map((c) => `${c.id}: ${c.outcome}: ${c.detail}`);
  return { record, determined, failing };
}

const bySafe = (call: Parameters<typeof executed>[1]): { to: Hex; data: Hex } => ({
  ...{ to: SAFE, data: executed(OWNER, call) },
});
/** Writes 1 << 160 less something into slot 0, where Safes keep the address of their code. */
const rewrites = (to: string): string => `73${bare(to)}5f55${STOP}`;

const byAgent = (to: Hex, data: Hex): { to: Hex; data: Hex } => {
  const args = [to, 0n, data, 0] as const;
  return { to: agent, data: encodeFunctionData({ abi: AGENT_ACCOUNT, functionName: 'execute', args }) };
};

const flagged: readonly Case[] = [
  {
    by: "dollars of an agent's account for a listed address",
    tx: () => byAgent(usdc, dollars.transfer(LISTED, 5n)),
  },
  {
    by: 'any amount of a Safe for an account',
    tx: () => bySafe({ to: usdc, data: dollars.approve(STRANGER, MAX) }),
  },
  {
    by: 'dollars of a Safe for a listed address, asked about the Safe',
    tx: () => bySafe({ to: usdc, data: dollars.transfer(LISTED, 5n) }),
    address: SAFE,
  },
  {
    by: 'a call that takes all dollars of a Safe',
    tx: () => bySafe({ to: CODE, data: '0xdeadbeef' }),
    code: () => takes(STRANGER) + STOP,
  },
  {
    by: 'a batch of a Safe with an approval in it',
    tx: () =>
      bySafe({
        ...{ to: MULTISEND, operation: 1 },
        data: batched([
          { to: usdc, data: dollars.transfer(FRIEND, 5n) },
          { to: usdc, data: dollars.approve(STRANGER, MAX) },
        ]),
      }),
  },
  {
    by: 'foreign code that runs as a Safe and exchanges its code',
    tx: () => bySafe({ to: CODE, data: '0xdeadbeef', operation: 1 }),
    code: () => rewrites(OTHER),
  },
  { by: 'a module of a Safe', tx: () => bySafe({ to: SAFE, data: own('enableModule', STRANGER) }) },
  {
    by: 'a fallback handler of a Safe',
    tx: () => bySafe({ to: SAFE, data: own('setFallbackHandler', STRANGER) }),
  },
  {
    by: 'another owner of a Safe',
    tx: () =>
      bySafe({
        to: SAFE,
        data: encodeFunctionData({
          ...{ abi: SAFE_ABI, functionName: 'addOwnerWithThreshold', args: [STRANGER, 1n] },
        }),
      }),
  },
  {
    by: 'another threshold of a Safe',
    tx: () =>
      bySafe({
        to: SAFE,
        data: encodeFunctionData({ abi: SAFE_ABI, functionName: 'changeThreshold', args: [2n] }),
      }),
  },
  {
    by: 'a known router that gives what is bought to a stranger, for all dollars',
    tx: () => ({ to: CODE, data: '0x414bf389' }),
    ...{ at: ROUTERS[1]!, code: () => takes(POOL) + trades() + STOP, pool: () => pays(STRANGER, ETHER) },
  },
  {
    by: 'a known router that gives what is bought to a listed address',
    tx: () => ({ to: CODE, data: '0x414bf389' }),
    ...{
      at: ROUTERS[2]!,
      code: () => takes(POOL, 5n) + trades() + STOP,
      pool: () => pays(LISTED, 1n) + pays(OWNER, ETHER),
    },
  },
  {
    by: 'a call that takes all dollars and gives one wei back',
    tx: () => ({ to: CODE, data: '0x4e71d92d' }),
    code: () => takes(STRANGER) + pays(OWNER, 1n) + STOP,
  },
];

const open: readonly Case[] = [
  {
    by: 'a call that takes all dollars and gives a token that nobody knows',
    tx: () => ({ to: CODE, data: '0x4e71d92d' }),
    code: () => takes(STRANGER) + rewards(10n ** 24n) + STOP,
  },
  {
    by: 'a call that takes all dollars and pays a thousandth of them',
    tx: () => ({ to: CODE, data: '0x4e71d92d' }),
    code: () => takes(STRANGER) + pays(OWNER, ETHER / 1_000n) + STOP,
  },
  {
    by: 'a known router that gives what is bought to another, for some dollars',
    tx: () => ({ to: CODE, data: '0x414bf389' }),
    ...{
      at: ROUTERS[3]!,
      code: () => takes(POOL, 5_000n) + trades() + STOP,
      pool: () => pays(STRANGER, ETHER),
    },
  },
  {
    by: 'a known router that gives the sender one wei of what it buys',
    tx: () => ({ to: CODE, data: '0x414bf389' }),
    ...{
      at: ROUTERS[4]!,
      code: () => takes(POOL, 5_000n) + trades() + STOP,
      pool: () => pays(STRANGER, ETHER) + pays(OWNER, ETHER / 100n),
    },
  },
  {
    by: 'an approval of all that is held for a contract that nobody knows',
    tx: () => ({ to: usdc, data: dollars.approve(PASSER, 5_000_000_000n) }),
  },
  {
    by: 'the same approval of a Safe',
    tx: () => bySafe({ to: usdc, data: dollars.approve(PASSER, 4_900_000_000n) }),
  },
];

const honest: readonly Case[] = [
  {
    by: "all dollars of an agent's account to a friend",
    tx: () => byAgent(usdc, dollars.transfer(FRIEND, 5_000_000_000n)),
  },
  { by: 'dollars of a Safe to a friend', tx: () => bySafe({ to: usdc, data: dollars.transfer(FRIEND, 5n) }) },
  {
    by: 'all dollars of a Safe to a friend',
    tx: () => bySafe({ to: usdc, data: dollars.transfer(FRIEND, 5_000_000_000n) }),
  },
  { by: 'the native currency of a Safe to a friend', tx: () => bySafe({ to: FRIEND, value: 9n * ETHER }) },
  {
    by: 'several payments of a Safe',
    tx: () =>
      bySafe({
        ...{ to: MULTISEND, operation: 1 },
        data: batched([
          { to: usdc, data: dollars.transfer(FRIEND, 5n) },
          { to: usdc, data: dollars.transfer(STRANGER, 4_000_000_000n) },
          { to: FRIEND, value: ETHER },
        ]),
      }),
  },
  {
    by: 'any amount of a Safe for a known router',
    tx: () => bySafe({ to: usdc, data: dollars.approve(ROUTER, MAX) }),
  },
  {
    by: 'some dollars of a Safe for a contract',
    tx: () => bySafe({ to: usdc, data: dollars.approve(PASSER, 100_000_000n) }),
  },
  {
    by: 'a deposit of a Safe that stays',
    tx: () => bySafe({ to: CODE, data: '0xd0e30db0' }),
    code: () =>
      `7f23b872dd${'0'.repeat(56)}5f523360045230602452620f42406044525f5f60645f5f73${bare(usdc)}5af150${STOP}`,
  },
  {
    by: 'a trade of a Safe',
    tx: () => bySafe({ to: CODE, data: '0x414bf389' }),
    code: () => takes(POOL) + trades() + STOP,
    pool: () => pays(SAFE, 2n * ETHER),
  },
  {
    by: 'a trade of all dollars for the native currency',
    tx: () => ({ to: CODE, data: '0x414bf389' }),
    code: () => takes(POOL) + trades() + STOP,
    pool: () => pays(OWNER, 2n * ETHER),
  },
  {
    by: 'the same by a known router, with a fee',
    tx: () => ({ to: CODE, data: '0x414bf389' }),
    ...{
      at: ROUTERS[5]!,
      code: () => takes(POOL) + trades() + STOP,
      pool: () => pays(OWNER, 2n * ETHER) + pays(STRANGER, ETHER / 100n),
    },
  },
  {
    by: 'a token by a known router',
    tx: () => ({ to: CODE, data: '0x414bf389' }),
    ...{ at: ROUTERS[6]!, code: () => takes(POOL) + trades() + STOP, pool: () => rewards(10n ** 20n) },
  },
  {
    by: 'some dollars that a known router trades for whoever was asked about',
    tx: () => ({ to: CODE, data: '0x414bf389' }),
    ...{
      at: ROUTERS[7]!,
      code: () => takes(POOL, 5_000n) + trades() + STOP,
      pool: () => pays(FRIEND, ETHER),
    },
  },
  {
    by: 'some dollars for a token that nobody knows',
    tx: () => ({ to: CODE, data: '0x414bf389' }),
    code: () => takes(POOL, 1_000_000_000n) + rewards(10n ** 20n) + STOP,
  },
  {
    by: 'an approval of some dollars for a contract that nobody knows',
    tx: () => ({ to: usdc, data: dollars.approve(PASSER, 100_000_000n) }),
  },
];

describe('a transaction of an account that the sender decides over, or of a trade', () => {
  it.each(flagged.map((c) => [c.by, c] as const))('is FLAGGED by %s', async (_, attack) => {
    const { failing, determined } = await asked(attack);
    expect(failing.join('\n')).toContain('FLAG');
    expect(DEPTHS.map((depth) => judge(atDepth(determined, depth)).verdict)).toEqual(
      DEPTHS.map(() => 'FLAGGED'),
    );
  });

  it.each(open.map((c) => [c.by, c] as const))('is INCONCLUSIVE by %s', async (_, attack) => {
    const { failing, determined } = await asked(attack);
    expect(failing.join('\n')).not.toContain('FLAG');
    expect(DEPTHS.map((depth) => judge(atDepth(determined, depth)).verdict)).toEqual(
      DEPTHS.map(() => 'INCONCLUSIVE'),
    );
  });

  it.each(honest.map((c) => [c.by, c] as const))('is CLEAN by %s', async (_, twin) => {
    const { record, failing, determined } = await asked(twin);
    expect(failing).toEqual([]);
    expect(record.verdict).toBe('CLEAN');
    expect(DEPTHS.map((depth) => judge(atDepth(determined, depth)).verdict)).toEqual(
      DEPTHS.map(() => 'CLEAN'),
    );
    expect(readEvidence('wallet', JSON.parse(JSON.stringify(determined)))).toMatchObject({ id: 'wallet' });
  });

  it('tells that the code of a Safe was exchanged without an event', async () => {
    const { record } = await asked(flagged.find((c) => c.by.includes('exchanges its code'))!);
    expect(record.simulation?.ownerChanges).toContainEqual({
      ...{ contract: SAFE, event: 'masterCopy()', to: OTHER },
      from: expect.stringMatching(/^0x5afe/),
    });
  });
});
