import { type Hex, keccak256, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../../agents/determinations/panel/judge.ts';
import { KNOWN_CONTRACTS } from '../../agents/determinations/transaction/known-contracts.ts';
import { atDepth, readEvidence } from '../../agents/evaluation/read-evidence.ts';
import { determineWallet } from '../../runtime/determinations/determine-wallet.ts';
import { drawn, walletStage } from '../fixtures/wallets/wallet-stage.ts';

/**
 * Transactions that take more than they say, and honest ones of the same form, on a real chain: each is simulated by both
 * clients, and judged.
 */

const [LISTED, FRIEND, SHOP, STRANGER] = [
  drawn('listed'),
  drawn('friend'),
  drawn('shop'),
  drawn('stranger of transactions'),
];
const VICTIM = drawn('victim of transactions');
const FILL = Array.from({ length: 60 }, (_, n) => drawn(`fill ${n}`));
const MAX = (2n ** 256n - 1n).toString(16);

const word = (value: string | bigint): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.replace(/^0x/, '')).padStart(64, '0');
const call = (selector: string, ...args: readonly (string | bigint)[]): string =>
  `0x${selector}${args.map(word).join('')}`;
const TRANSFER = 'a9059cbb';
const TRANSFER_FROM = '23b872dd';
const APPROVE = '095ea7b3';
const CLAIM = '4e71d92d';

let stage: Awaited<ReturnType<typeof walletStage>>;
let usdc: string;
const ETHER = 10n ** 18n;

/** Calls `to` with this much native currency, given as code that leaves the amount on the stack. */
const pays = (to: string, amount: string): string => `5f5f5f5f${amount}73${to.slice(2)}5af150`;
const BALANCE = '47';
const CALLVALUE = '34';
/** Runs `then` only where the condition (code that leaves a truth) holds. */
const when = (condition: string, then: string, at: number): string => {
  const end = at + condition.length / 2 + 1 + 3 + then.length / 2;
  return `${condition}1560${end.toString(16).padStart(2, '0')}57${then}5b`;
};
/** transferFrom(CALLER, to, all that the caller holds) of the dollar. */
const takesDollars = (token: string, to: string): string =>
  // balanceOf(caller)
  `7f70a08231${'0'.repeat(56)}5f52336004526020608060245f73${token.slice(2)}5afa50` +
  // transferFrom(caller, to, balance)
  `7f23b872dd${'0'.repeat(56)}5f523360045273${to.slice(2)}6024526080516044525f5f60645f5f73${token.slice(2)}5af150`;

interface Case {
  readonly by: string;
  readonly tx: () => { to: string; data?: string; value?: string };
  /** Runtime code at the address that is called. */
  readonly code?: () => string;
  /** Lets the called contract spend the victim's dollars. */
  readonly allowed?: boolean;
}

beforeAll(async () => {
  stage = await walletStage();
  usdc = stage.chain.deployment.usdc.toLowerCase();
  // The receivers of the test dapp are on the lists that wallets use.
  await stage.list('known-scam', [...FILL, LISTED, DAPP]);
  await stage.list('sanctions', FILL);
  await stage.usdc(VICTIM, 5_000);
  await stage.rpc('anvil_setBalance', VICTIM, toHex(10n * ETHER));
  await stage.rpc('anvil_mine', '0x1');
}, 240_000);
afterAll(() => stage?.stop());

let made = 0;
async function asked({ tx, code, allowed }: Case) {
  const { to, data = '0x', value = '0' } = tx();
  const target = to === 'code' ? drawn(`called ${made++}`) : to;
  if (code !== undefined) await stage.code(target, `0x${code()}`);
  if (allowed === true) {
    await stage.rpc('anvil_impersonateAccount', VICTIM);
    const sent = {
      from: VICTIM,
      to: usdc,
      data: call(APPROVE, target, BigInt(`0x${MAX}`)),
      gas: toHex(100_000),
    };
    await stage.rpc<Hex>('eth_sendTransaction', sent);
  }
  await stage.rpc('anvil_mine', '0x1');
  const { record, evidence } = await determineWallet(stage.deps, {
    ...{ address: FRIEND, chainId: 1002, depth: '2-of-2' },
    transaction: { to: target, data: data.replaceAll('SELF', target.slice(2)), value, from: VICTIM },
  });
  return { record, determined: evidence.determinations[0]! };
}

const failing = ({ evidence }: Awaited<ReturnType<typeof asked>>['record']): string[] =>
  evidence.checks
    .filter((c) => c.outcome !== 'PASS' && c.id.startsWith('transaction'))
    .map((c) => `${c.id}: ${c.outcome}: ${c.detail}`);

/** Conditions that no preview shows, as code that leaves a truth: the author of the block, the price of gas, and so on. */
const GATES: readonly (readonly [string, string])[] = [
  ['the author of the block', '41'],
  ['the price of gas', '3a'],
  ['the riches of its sender', '683635c9adc5dea000003331 11'.replace(' ', '')],
  ['an origin that is not its sender', '33321415'],
];

const OWNERSHIPS = [
  'OwnershipTransferred(address,address)',
  'OwnershipTransferStarted(address,address)',
  'AdminChanged(address,address)',
  'OwnerChanged(address,address)',
];
/** Logs an event with two indexed addresses. */
const tells = (event: string, from: string, to: string): string =>
  `7f${word(to)}7f${word(from)}7f${keccak256(toHex(event)).slice(2)}5f5fa300`;

const attacks: readonly Case[] = [
  { by: 'paying a listed address', tx: () => ({ to: LISTED, value: '1000' }) },
  { by: 'dollars to a listed address', tx: () => ({ to: usdc, data: call(TRANSFER, LISTED, 5n) }) },
  { by: 'dollars to the dollar itself', tx: () => ({ to: usdc, data: call(TRANSFER, usdc, 5n) }) },
  { by: 'dollars to a burn address', tx: () => ({ to: usdc, data: call(TRANSFER, 'dead', 5n) }) },
  {
    by: 'the native currency to a burn address',
    tx: () => ({ to: `0x${'dead'.padStart(40, '0')}`, value: '5' }),
  },
  { by: 'an approval of a listed spender', tx: () => ({ to: usdc, data: call(APPROVE, LISTED, 5n) }) },
  {
    by: 'any amount for an account',
    tx: () => ({ to: usdc, data: call(APPROVE, STRANGER, BigInt(`0x${MAX}`)) }),
  },
  { by: 'some dollars for an account', tx: () => ({ to: usdc, data: call(APPROVE, STRANGER, 5_000_000n) }) },
  {
    by: 'any amount for a contract that nobody knows',
    tx: () => ({ to: usdc, data: call(APPROVE, drawn('unknown contract'), BigInt(`0x${MAX}`)) }),
  },
  {
    by: 'an account that spends for another',
    tx: () => ({ to: usdc, data: call(TRANSFER_FROM, VICTIM, LISTED, 5n) }),
  },
  {
    by: 'a claim that passes the value on',
    tx: () => ({ to: 'code', data: call(CLAIM), value: '1000' }),
    code: () => pays(STRANGER, CALLVALUE),
  },
  {
    by: 'a claim that passes the value to a listed address',
    tx: () => ({ to: 'code', data: call(CLAIM), value: '1000' }),
    code: () => pays(LISTED, CALLVALUE),
  },
  {
    by: 'a call that takes nearly all of the native currency',
    tx: () => ({ to: 'code', data: '0xdeadbeef', value: `${(10n * ETHER * 95n) / 100n}` }),
    code: () => pays(STRANGER, BALANCE),
  },
  {
    by: 'a call that takes all dollars',
    tx: () => ({ to: 'code', data: '0xdeadbeef' }),
    code: () => takesDollars(usdc, STRANGER),
    allowed: true,
  },
  {
    by: 'a call that takes all dollars and the value',
    tx: () => ({ to: 'code', data: '0xdeadbeef', value: '1000' }),
    code: () => takesDollars(usdc, STRANGER) + pays(STRANGER, CALLVALUE),
    allowed: true,
  },
  { by: 'a function of nothing', tx: () => ({ to: STRANGER, data: call(CLAIM), value: '1000' }) },
  ...GATES.map(([by, condition]) => ({
    by: `the value that it passes on only by ${by}`,
    tx: () => ({ to: 'code', data: call(CLAIM), value: '1000' }),
    code: () => when(condition, pays(STRANGER, CALLVALUE), 0),
  })),
  ...GATES.map(([by, condition]) => ({
    by: `a listed taker, only by ${by}`,
    tx: () => ({ to: 'code', data: '0xdeadbeef' }),
    code: () => when(condition, takesDollars(usdc, LISTED), 0),
    allowed: true,
  })),
  ...OWNERSHIPS.map((event) => ({
    by: `${event}, from the sender to a stranger`,
    tx: () => ({ to: 'code', data: '0xdeadbeef' }),
    code: () => tells(event, VICTIM, STRANGER),
  })),
  ...GATES.map(([by, condition]) => ({
    by: `what it does only by ${by}`,
    tx: () => ({ to: 'code', data: '0xdeadbeef' }),
    code: () => when(condition, takesDollars(usdc, STRANGER), 0),
    allowed: true,
  })),
];

/** What MetaMask's test dapp sends (`@metamask/test-dapp`, src/components/ppom), by the buttons that send it. */
const [DAPP, DAPP_SPENDER] = [
  '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  'e50a2dbc466d01a34c3e8b7e8e45fce4f7da39e6',
];
const dapp: readonly Case[] = [
  { by: 'Send Eth Malicious', tx: () => ({ to: DAPP, value: '0' }) },
  {
    by: 'Malicious Eth Transfer With Odd Hex Data',
    tx: () => ({ to: DAPP, value: '10000000000000', data: '0x1' }),
  },
  { by: 'Malicious Eth Transfer Without 0x Prefix', tx: () => ({ to: DAPP, value: '72057594037927935' }) },
  { by: 'Malicious ERC20 Transfer', tx: () => ({ to: usdc, data: call(TRANSFER, DAPP, 100n) }) },
  {
    by: 'Malicious ERC20 Approval',
    tx: () => ({ to: usdc, data: call(APPROVE, DAPP_SPENDER, 2n ** 64n - 1n) }),
  },
  {
    by: 'Malicious ERC20 Approval With Odd Hex Data',
    tx: () => ({ to: usdc, data: `0x${call(APPROVE, DAPP_SPENDER, 2n ** 64n - 1n).slice(3)}` }),
  },
  {
    by: 'Malicious Contract Interaction',
    tx: () => ({
      to: '0x00008f1149168c1d2fa1eba1ad3e9cd644510000',
      data: call('ef5cfb8c', '0b3e87a076ac4b0d1975f0f232444af6deb96c59'),
    }),
  },
  {
    by: 'Malicious Set Approval For All',
    tx: () => ({
      to: drawn('a collection'),
      data: call('a22cb465', 'b85492afc686d5ca405e3cd4f50b05d358c75ede', 1n),
    }),
  },
];

const honest: readonly Case[] = [
  { by: 'a payment', tx: () => ({ to: FRIEND, value: '1000' }) },
  { by: 'dollars to a friend', tx: () => ({ to: usdc, data: call(TRANSFER, FRIEND, 5n) }) },
  { by: 'all dollars to a friend', tx: () => ({ to: usdc, data: call(TRANSFER, FRIEND, 5_000_000_000n) }) },
  { by: 'an approval taken back', tx: () => ({ to: usdc, data: call(APPROVE, STRANGER, 0n) }) },
  {
    by: 'some dollars for a contract',
    tx: () => ({ to: usdc, data: call(APPROVE, stage.chain.deployment.ledger, 5n) }),
  },
  {
    by: 'any amount for the settlement of this service',
    tx: () => ({ to: usdc, data: call(APPROVE, stage.chain.deployment.settlement, BigInt(`0x${MAX}`)) }),
  },
  {
    by: 'a deposit that stays',
    tx: () => ({ to: 'code', data: '0xd0e30db0', value: '1000' }),
    code: () => '00',
  },
  {
    by: 'a payment through a contract to a shop',
    tx: () => ({ to: 'code', data: '0xdeadbeef', value: '1000' }),
    code: () => pays(SHOP, CALLVALUE),
  },
  { by: 'a call that does nothing', tx: () => ({ to: 'code', data: '0xdeadbeef' }), code: () => '00' },
  ...[...KNOWN_CONTRACTS].map(([address, { name }]) => ({
    by: `any amount for ${name}`,
    tx: () => ({ to: usdc, data: call(APPROVE, address, BigInt(`0x${MAX}`)) }),
  })),
  ...GATES.map(([by, condition]) => ({
    by: `a contract that answers otherwise by ${by}`,
    tx: () => ({ to: 'code', data: '0xdeadbeef', value: '1000' }),
    code: () => when(condition, '6001600155', 0),
  })),
  ...OWNERSHIPS.map((event) => ({
    by: `${event} of a new contract to its maker`,
    tx: () => ({ to: 'code', data: '0xdeadbeef' }),
    code: () => tells(event, `0x${'00'.repeat(20)}`, VICTIM),
  })),
  ...['claim', 'claimRewards', 'claimAirdrop', 'mint', 'connect', 'verify'].map((name) => ({
    by: `${name}() that keeps the value`,
    tx: () => ({ to: 'code', data: keccak256(toHex(`${name}()`)).slice(0, 10), value: '1000' }),
    code: () => '00',
  })),
  ...[1n, 1_000_000n, 999_999_999n, 4_000_000_000n].map((amount) => ({
    by: `${amount} millionths of a dollar to a friend`,
    tx: () => ({ to: usdc, data: call(TRANSFER, FRIEND, amount) }),
  })),
  { by: 'a message to a friend', tx: () => ({ to: FRIEND, data: '0x68656c6c6f', value: '1' }) },
];

describe('both suites', () => {
  it('have at least forty cases each', () => {
    expect(attacks.length + dapp.length).toBeGreaterThanOrEqual(40);
    expect(honest.length).toBeGreaterThanOrEqual(40);
  });
});

describe('a transaction is never CLEAN', () => {
  it.each([...attacks, ...dapp].map((c) => [c.by, c] as const))('by %s', async (_, attack) => {
    if (attack.by.includes('nobody knows')) await stage.code(drawn('unknown contract'), '0x6001600101');
    const { record, determined } = await asked(attack);
    expect(judge(determined).verdict).toBe('FLAGGED');
    expect(failing(record).join('\n')).toContain('FLAG');
  });
});

describe('an honest transaction is CLEAN', () => {
  it.each(honest.map((c) => [c.by, c] as const))('by %s', async (_, twin) => {
    const { record, determined } = await asked(twin);
    expect(failing(record)).toEqual([]);
    expect(record.verdict).toBe('CLEAN');
    // The adversary finds no fact against it, either.
    expect(judge(atDepth(determined, 'superconsensus'))).toMatchObject({ verdict: 'CLEAN' });
    const kept = JSON.parse(JSON.stringify(determined));
    expect(readEvidence('wallet', kept)).toMatchObject({ id: 'wallet' });
  });

  it('and INCONCLUSIVE where nobody says who sends it: an address that nobody has loses nothing', async () => {
    const target = drawn('a claim that takes what its caller has');
    await stage.code(target, `0x${takesDollars(usdc, STRANGER)}`);
    await stage.rpc('anvil_mine', '0x1');
    const { record } = await determineWallet(stage.deps, {
      ...{ address: FRIEND, chainId: 1002, depth: '2-of-2', transaction: { to: target, data: call(CLAIM) } },
    });
    expect(record.simulation).toMatchObject({ outcome: 'success', assumedSender: true });
    expect(record.verdict).not.toBe('CLEAN');
    expect(failing(record).join()).not.toContain('FLAG');
    expect(failing(record).join()).toContain('nobody said who sends it');
  });

  it('tells who gains and loses what, and at which block', async () => {
    const { record } = await asked(honest[1]!);
    expect(record.assetChanges).toEqual([
      {
        party: VICTIM,
        role: 'sender',
        asset: { kind: 'erc20', token: usdc, tokenId: null, symbol: expect.any(String), decimals: 6 },
        delta: '-5',
        before: '5000000000',
      },
      expect.objectContaining({ party: FRIEND, role: 'counterparty', delta: '5' }),
    ]);
    expect(record.simulation).toMatchObject({
      ...{ chainId: 1002, outcome: 'success', call: { name: 'transfer' } },
      block: expect.stringMatching(/^\d+$/),
    });
  });
});
