import { describe, expect, it } from 'vitest';
import { readEvidence } from '../../evaluation/read-evidence.ts';
import { judge } from '../panel/judge.ts';
import type { DeterminationEvidence } from '../panel/types.ts';
import { AT, evidence } from '../wallet/money/transfer-cases.ts';
import type { WalletCommon } from '../wallet/wallet-evidence.ts';
import { effectsOf } from './effects.ts';
import { unfolded } from './inner-calls.ts';
import { KNOWN_CONTRACTS } from './known-contracts.ts';
import { takingPart } from './taking-part.ts';
import type { Approval, AssetChange, OwnerChange, Simulation } from './transaction-evidence.ts';
import { selector, topic } from './words.ts';

/** Transactions by their effects alone: whose money leaves, what comes for it, and where what is bought goes. */

const who = (n: number): string => `0x7e57${n.toString(16).padStart(36, '0')}`;
const [ASKED, SENDER, SAFE, INNER, TARGET, POOL, SHOP, THIEF, PAIR, FEES] = Array.from(
  { length: 10 },
  (_, n) => who(n + 1),
) as [string, string, string, string, string, string, string, string, string, string];
const [USDC, COIN, ART] = [who(0x51), who(0x52), who(0x53)] as [string, string, string];
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const WETH_L2 = '0x4200000000000000000000000000000000000006';
const BRIDGE = '0x4200000000000000000000000000000000000010';
const DEPOSITS = '0x00000000219ab540356cbb839cbe05303d7705fa';
const PRECOMPILE = `0x${'2'.padStart(40, '0')}`;
const PUBLISHED = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const [, , ROUTER] = [...KNOWN_CONTRACTS.keys()] as [string, string, string];
const ETHER = 10n ** 18n;

const word = (value: string | bigint): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.replace(/^0x/, '')).padStart(64, '0');
const bytes = (data: string): string => {
  const bare = data.slice(2);
  return `${word(BigInt(bare.length / 2))}${bare.padEnd(Math.ceil(bare.length / 64) * 64, '0')}`;
};
const transfer = (to: string, amount: bigint): string => `0xa9059cbb${word(to)}${word(amount)}`;
const approve = (to: string, amount: bigint): string => `0x095ea7b3${word(to)}${word(amount)}`;
/** A Safe's call. */
const execTransaction = (to: string, data: string, value = 0n, operation = 0n): string =>
  `${selector('execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)')}${word(to)}${word(value)}${word(0x140n)}${word(operation)}${word(0n).repeat(5)}${word(0n)}${bytes(data)}`;
/** Several calls of a Safe in one, by the library that its makers publish. */
const batch = (...calls: readonly (readonly [to: string, data: string])[]): string => {
  const packed = calls.map(
    ([to, data]) => `00${to.slice(2)}${word(0n)}${word(BigInt(data.length / 2 - 1))}${data.slice(2)}`,
  );
  const data = `${selector('multiSend(bytes)')}${word(0x20n)}${bytes(`0x${packed.join('')}`)}`;
  return execTransaction('0x9641d764fc13c8b624c04430c7356c1c7c8102e2', data, 0n, 1n);
};
/** A token-bound account's call. */
const execute = (to: string, data: string, value = 0n): string =>
  `${selector('execute(address,uint256,bytes,uint8)')}${word(to)}${word(value)}${word(0x80n)}${word(0n)}${bytes(data)}`;

const asset = (kind: AssetChange['asset']['kind'], token: string | null, tokenId: string | null = null) => ({
  ...{ kind, token, tokenId, symbol: null },
  decimals: kind !== 'erc20' ? null : token === USDC ? 6 : 18,
});
const moved = (
  party: string,
  of: AssetChange['asset'],
  delta: bigint,
  before: bigint | null,
): AssetChange => ({
  ...{ party, asset: of, delta: `${delta}`, before: before === null ? null : `${before}` },
});
const ether = (party: string, delta: bigint, before: bigint | null = null) =>
  moved(party, asset('native', null), delta, before);
const coins = (party: string, token: string, delta: bigint, before: bigint | null = null) =>
  moved(party, asset('erc20', token), delta, before);
const art = (party: string, delta: bigint, id = '7') => moved(party, asset('erc721', ART, id), delta, null);
const approval = (
  owner: string,
  spender: string,
  amount: bigint,
  more: Partial<Approval> = {},
): Approval => ({
  ...{ owner, spender, token: COIN, tokenId: null, via: 'allowance', amount: `${amount}`, ...more },
});

interface Case {
  readonly to?: string;
  readonly data?: string;
  readonly value?: bigint;
  readonly changes?: readonly AssetChange[];
  readonly approvals?: readonly Approval[];
  readonly owners?: readonly OwnerChange[];
  readonly accounts?: Simulation['accounts'];
  /** Of whom it is read that a key alone decides over them; of all others that they are contracts. */
  readonly keys?: readonly string[];
  readonly chain?: string;
  readonly listed?: string;
  readonly address?: string;
  readonly effects?: 2 | undefined;
}

const DEPTHS = ['1-of-1', '2-of-2', 'superconsensus'] as const;

function given(c: Case, depth: (typeof DEPTHS)[number]): DeterminationEvidence {
  const { to = TARGET, data = '0xdeadbeef', value = 0n, changes = [], approvals = [], owners = [] } = c;
  const { keys = [THIEF], chain = 'eip155:1002', listed, address = ASKED } = c;
  const all = [
    ...changes.map((x) => x.party),
    ...approvals.map((a) => a.spender),
    ...owners.flatMap((o) => o.to ?? []),
  ];
  const tx = { chain, from: SENDER, to, data, value: `${value}` };
  const everybody = [...new Set([address, ...takingPart(tx, null), ...all])].filter((one) => one !== SENDER);
  const code = { size: 0, hash: null, head: '0x' as const, implementation: null };
  const simulation: Simulation = {
    ...{ changes, approvals, owners, outcome: 'success', reason: null },
    conditions: (['execution', 'later', 'much-later', 'richer', 'other-origin'] as const).map(
      (condition) => ({
        ...{ condition, outcome: 'same', worse: [] },
      }),
    ),
    ...(c.accounts === undefined ? {} : { accounts: c.accounts }),
    parties: everybody.map((one) => ({
      address: one,
      code: { ...code, size: keys.includes(one) ? 0 : 900 },
    })),
  };
  const register = (name: 'sanctions' | 'known-scam') => ({
    ...{ register: name, maxAgeDays: 7, lookedUp: everybody },
    hits: listed === undefined ? [] : [{ key: listed, list: `${name}/test` }],
    lists: [{ name: `${name}/test`, asOf: AT, rows: 3 }],
  });
  const common: Partial<WalletCommon> = {
    ...{ address, chains: [chain], sanctions: register('sanctions'), knownScam: register('known-scam') },
    tokens: [{ chain, token: USDC, name: 'USDC' }],
    transaction: tx,
    policy: [{ chain, required: [], notConfigured: [] }],
    ...('effects' in c ? {} : { effects: 2 as const }),
  };
  const reading = { chain, simulation, freeze: { token: USDC, state: 'clear' as const } };
  const made = evidence({ ...{ flows: [], depth, common, reading }, history: { chain } });
  const blocks = { [chain]: { number: '9', hash: '0x09' as const, at: AT } };
  return { ...made, blocks, adversary: 2 };
}

const verdicts = (c: Case): string[] => DEPTHS.map((depth) => judge(given(c, depth)).verdict);
const failing = (c: Case): string[] =>
  judge(given(c, '2-of-2'))
    .checks.filter((x) => x.outcome !== 'PASS')
    .map((x) => `${x.id}: ${x.outcome}: ${x.detail}`);

const ALL = 5_000_000_000n;
const paidAll = (to: string) => [coins(SENDER, USDC, -ALL, ALL), coins(to, USDC, ALL)];
const told = [{ address: TARGET, owners: [SENDER] }];

const clean: Record<string, Case> = {
  'all dollars for the native currency at an exchange that nobody knows': {
    changes: [...paidAll(POOL), ether(POOL, -ETHER), ether(SENDER, ETHER, 5n * ETHER)],
  },
  'half of the dollars for a token that nobody knows': {
    changes: [
      ...[coins(SENDER, USDC, -ALL / 2n, ALL), coins(POOL, USDC, ALL / 2n)],
      ...[coins(POOL, COIN, -9n * ETHER), coins(SENDER, COIN, 9n * ETHER, 0n)],
    ],
  },
  'two tokens into a pair that gives shares': {
    changes: [
      ...[coins(SENDER, USDC, -ALL / 5n, ALL), coins(PAIR, USDC, ALL / 5n)],
      ...[coins(SENDER, COIN, -ETHER, 9n * ETHER), coins(PAIR, COIN, ETHER)],
      coins(SENDER, PAIR, ETHER, 0n),
    ],
  },
  'all dollars into a lending pool that gives a token for them': {
    changes: [...paidAll(PAIR), coins(SENDER, PAIR, ALL * 10n ** 12n, 0n)],
  },
  'a sale of a collectible': {
    changes: [art(SENDER, -1n), art(SHOP, 1n), ether(SHOP, -ETHER / 2n), ether(SENDER, ETHER / 2n, ETHER)],
  },
  'the same for fifty dollars': {
    changes: [art(SENDER, -1n), art(SHOP, 1n), coins(SENDER, USDC, 50_000_000n, 0n)],
  },
  'all of a token that nobody knows sold at an exchange that nobody knows': {
    changes: [
      ...[coins(SENDER, COIN, -ETHER, ETHER), coins(POOL, COIN, ETHER)],
      ...[ether(POOL, -ETHER / 10n), ether(SENDER, ETHER / 10n, ETHER)],
    ],
  },
  'collectibles sold through a known market': {
    ...{ to: ROUTER, keys: [SHOP] },
    changes: [
      ...['7', '8'].flatMap((id) => [art(SENDER, -1n, id), art(SHOP, 1n, id)]),
      ...[ether(SHOP, -ETHER / 100n), ether(SENDER, ETHER / 100n, ETHER)],
    ],
  },
  'a collectible bought at a market that nobody knows': {
    ...{ value: ETHER / 10n, keys: [SHOP, FEES] },
    changes: [
      ...[ether(SENDER, -ETHER / 10n, ETHER), ether(SHOP, ETHER / 11n), ether(FEES, ETHER / 110n)],
      ...[art(SHOP, -1n), art(SENDER, 1n)],
    ],
  },
  'the same through a known one': {
    ...{ to: ROUTER, value: ETHER, keys: [SHOP, FEES] },
    changes: [
      ...[ether(SENDER, -ETHER, ETHER), ether(SHOP, (ETHER * 95n) / 100n), ether(FEES, (ETHER * 5n) / 100n)],
      ...[art(SHOP, -1n), art(SENDER, 1n)],
    ],
  },
  'a bid for a collectible that is taken through a known one': {
    ...{ to: ROUTER, keys: [SHOP, FEES] },
    changes: [
      ...[art(SENDER, -1n), art(SHOP, 1n), coins(SHOP, COIN, -ETHER)],
      ...[coins(SENDER, COIN, (ETHER * 93n) / 100n, 0n), coins(FEES, COIN, (ETHER * 7n) / 100n)],
    ],
  },
  'a gift to whoever was asked about, through a known one': {
    ...{ to: ROUTER, value: ETHER / 10n, keys: [SHOP, ASKED] },
    changes: [ether(SENDER, -ETHER / 10n, ETHER), ether(SHOP, ETHER / 10n), art(SHOP, -1n), art(ASKED, 1n)],
  },
  'a token whose contract sells its fees in the same trade': {
    ...{ to: ROUTER, keys: [FEES] },
    changes: [
      ...[coins(SENDER, COIN, -ETHER, ETHER), coins(COIN, COIN, -3n * ETHER), coins(POOL, COIN, 4n * ETHER)],
      ...[ether(POOL, -4n * ETHER), ether(SENDER, ETHER, ETHER), ether(FEES, 3n * ETHER)],
    ],
  },
  'the native currency for dollars by a known router, where it is wrapped': {
    ...{ to: ROUTER, chain: 'eip155:1', value: ETHER },
    changes: [
      ...[ether(SENDER, -ETHER, ETHER), ether(WETH, ETHER), coins(POOL, WETH, ETHER)],
      ...[coins(POOL, USDC, -ALL), coins(SENDER, USDC, ALL, 0n)],
    ],
  },
  'liquidity by a known router': {
    to: ROUTER,
    changes: [
      ...paidAll(PAIR),
      coins(SENDER, COIN, -ETHER, ETHER),
      coins(PAIR, COIN, ETHER),
      coins(SENDER, PAIR, 9n * ETHER, 0n),
    ],
  },
  'the native currency wrapped by a payment': {
    ...{ to: WETH, address: WETH, chain: 'eip155:1', data: '0x', value: ETHER },
    changes: [ether(SENDER, -ETHER, ETHER), ether(WETH, ETHER), coins(SENDER, WETH, ETHER, 0n)],
  },
  'the native currency wrapped by a call': {
    ...{ to: WETH_L2, address: WETH_L2, chain: 'eip155:8453', data: '0xd0e30db0', value: ETHER },
    changes: [ether(SENDER, -ETHER, ETHER), ether(WETH_L2, ETHER), coins(SENDER, WETH_L2, ETHER, 0n)],
  },
  'the same by a payment': {
    ...{ to: WETH_L2, address: WETH_L2, chain: 'eip155:8453', data: '0x', value: ETHER },
    changes: [ether(SENDER, -ETHER, ETHER), ether(WETH_L2, ETHER), coins(SENDER, WETH_L2, ETHER, 0n)],
  },
  'a bridge of the chain itself': {
    ...{
      to: BRIDGE,
      address: BRIDGE,
      value: ETHER,
      changes: [ether(SENDER, -ETHER, 9n * ETHER), ether(BRIDGE, ETHER)],
    },
  },
  'the deposit of a validator': {
    ...{ to: DEPOSITS, address: DEPOSITS, chain: 'eip155:1', value: ETHER },
    changes: [ether(SENDER, -ETHER, 9n * ETHER), ether(DEPOSITS, ETHER)],
  },
  'less power over dollars': {
    to: USDC,
    address: USDC,
    data: `${selector('decreaseAllowance(address,uint256)')}${word(SHOP)}${word(5n)}`,
  },
  'dollars of a token-bound account to a friend': {
    ...{ to: SAFE, data: execute(USDC, transfer(SHOP, ALL)), keys: [SHOP] },
    changes: [coins(SAFE, USDC, -ALL, ALL), coins(SHOP, USDC, ALL)],
  },
  'an approval of a Safe and a trade by it, in one': {
    ...{ to: SAFE, data: batch([USDC, approve(ROUTER, ALL)], [ROUTER, '0x414bf389']) },
    changes: [
      ...[coins(SAFE, USDC, -ALL, ALL), coins(POOL, USDC, ALL)],
      ...[coins(POOL, COIN, -9n * ETHER), coins(SAFE, COIN, 9n * ETHER, 0n)],
    ],
  },
  'payments of a Safe of all that it has, in one': {
    ...{
      to: SAFE,
      data: batch([USDC, transfer(SHOP, ALL - 5n)], [USDC, transfer(FEES, 5n)]),
      keys: [SHOP, FEES],
    },
    changes: [coins(SAFE, USDC, -ALL, ALL), coins(SHOP, USDC, ALL - 5n), coins(FEES, USDC, 5n)],
  },
  'wages from a contract of the sender': {
    ...{ accounts: told, keys: [SHOP, FEES] },
    changes: [
      coins(TARGET, USDC, -ALL / 5n, ALL),
      coins(SHOP, USDC, ALL / 10n),
      coins(FEES, USDC, ALL / 10n),
    ],
  },
  'what a contract of the sender gives back to him': {
    accounts: told,
    changes: [coins(TARGET, USDC, -ALL, ALL), coins(SENDER, USDC, ALL, 0n)],
  },
  'an approval of nothing that is held': { approvals: [approval(SENDER, TARGET, ETHER, { held: '0' })] },
  'power that somebody else gives': { approvals: [approval(POOL, SHOP, 2n ** 255n)] },
};

const open: Record<string, Case> = {
  'all dollars for a token that nobody knows': {
    changes: [...paidAll(POOL), coins(POOL, COIN, -9n * ETHER), coins(SENDER, COIN, 9n * ETHER, 0n)],
  },
  'all dollars for little of the native currency': {
    changes: [...paidAll(POOL), ether(POOL, -ETHER / 500n), ether(SENDER, ETHER / 500n, ETHER)],
  },
  'two assets for a position that nobody knows': {
    changes: [
      ...[coins(SENDER, USDC, -5n, ALL), coins(POOL, USDC, 5n)],
      ...[coins(SENDER, COIN, -ETHER, 9n * ETHER), coins(POOL, COIN, ETHER), art(SENDER, 1n)],
    ],
  },
  'three collectibles and all of a token for a dollar': {
    changes: [
      ...['7', '8', '9'].flatMap((id) => [art(SENDER, -1n, id), art(THIEF, 1n, id)]),
      ...[
        coins(SENDER, COIN, -ETHER, ETHER),
        coins(THIEF, COIN, ETHER),
        coins(SENDER, USDC, 1_000_000n, ALL),
      ],
    ],
  },
  'a collectible for a dollar': {
    changes: [art(SENDER, -1n), art(THIEF, 1n), coins(SENDER, USDC, 1_000_000n, ALL)],
  },
  'all of a token that nobody knows for a dollar, and a hundredth of the native currency': {
    changes: [
      ...[
        coins(SENDER, COIN, -ETHER, ETHER),
        coins(THIEF, COIN, ETHER),
        coins(SENDER, USDC, 1_000_000n, ALL),
      ],
      ether(SENDER, ETHER / 100n, ETHER),
    ],
  },
  'two collectibles for much, which is no price of either': {
    changes: [
      ...['7', '8'].flatMap((id) => [art(SENDER, -1n, id), art(SHOP, 1n, id)]),
      ether(SENDER, ETHER, ETHER),
    ],
  },
  'a collectible for another one': { changes: [art(SENDER, -1n), art(THIEF, 1n), art(SENDER, 1n, '9')] },
  'a gift to somebody else through a known one': {
    ...{ to: ROUTER, value: ETHER / 10n, keys: [SHOP, THIEF] },
    changes: [ether(SENDER, -ETHER / 10n, ETHER), ether(SHOP, ETHER / 10n), art(SHOP, -1n), art(THIEF, 1n)],
  },
  'a known router that gives a crumb to the sender and the rest to another': {
    to: ROUTER,
    changes: [
      ...[...paidAll(POOL), ether(POOL, -2n * ETHER), ether(THIEF, 2n * ETHER)],
      ...[coins(POOL, COIN, -1n * ETHER), coins(SENDER, COIN, ETHER, 0n)],
    ],
  },
  'the same, where another pool puts in more': {
    to: ROUTER,
    changes: [
      ...[
        ...paidAll(POOL),
        coins(PAIR, USDC, -9n * ALL),
        coins(INNER, USDC, 9n * ALL),
        ether(POOL, -2n * ETHER),
      ],
      ...[ether(THIEF, 2n * ETHER), coins(POOL, COIN, -1n * ETHER), coins(SENDER, COIN, ETHER, 0n)],
    ],
  },
  'one collectible for a contract that nobody knows': {
    approvals: [approval(SENDER, TARGET, 1n, { via: 'token', token: ART, tokenId: '7' })],
  },
  'nearly all that is held for a contract that nobody knows': {
    approvals: [approval(SENDER, TARGET, 9n * ETHER, { held: `${10n * ETHER}` })],
  },
  'a limit of which nobody knows what is held': { approvals: [approval(SENDER, TARGET, ETHER)] },
  'all of a contract of the sender, by what it does itself': {
    accounts: told,
    changes: [coins(TARGET, USDC, -ALL, ALL), coins(THIEF, USDC, ALL)],
  },
  'a Safe’s call that is cut off': {
    to: SAFE,
    data: execTransaction(TARGET, `0x${'00'.repeat(64)}`).slice(0, -64),
  },
};

const flagged: Record<string, Case> = {
  'all of a token-bound account': {
    ...{ to: SAFE, data: execute(TARGET, '0xdeadbeef') },
    changes: [coins(SAFE, USDC, -ALL, ALL), coins(THIEF, USDC, ALL)],
  },
  'power over what a Safe inside a Safe holds': {
    ...{ to: SAFE, data: execTransaction(INNER, execTransaction(COIN, approve(THIEF, ETHER))) },
    approvals: [approval(INNER, THIEF, ETHER, { held: `${90n * ETHER}` })],
  },
  'an approval of a Safe that the next call uses up': {
    ...{ to: SAFE, data: batch([USDC, approve(TARGET, ALL)], [TARGET, '0xdeadbeef']) },
    changes: [coins(SAFE, USDC, -ALL, ALL), coins(THIEF, USDC, ALL)],
  },
  'the same beside a small payment': {
    ...{
      to: SAFE,
      data: batch([USDC, approve(TARGET, ALL)], [TARGET, '0xdeadbeef'], [USDC, transfer(SHOP, 5n)]),
    },
    changes: [coins(SAFE, USDC, -ALL, ALL), coins(THIEF, USDC, ALL - 5n), coins(SHOP, USDC, 5n)],
  },
  'collectibles for one wei': { changes: [art(SENDER, -1n), art(THIEF, 1n), ether(SENDER, 1n, ETHER)] },
  'all of the native currency by a known router, for dollars of a stranger': {
    ...{ to: ROUTER, chain: 'eip155:1', value: ETHER },
    changes: [
      ...[ether(SENDER, -ETHER, ETHER), ether(WETH, ETHER), coins(POOL, WETH, ETHER)],
      ...[coins(POOL, USDC, -ALL), coins(THIEF, USDC, ALL)],
    ],
  },
  'somebody listed who gets what is bought': {
    ...{ to: ROUTER, listed: FEES },
    changes: [...paidAll(POOL), ether(POOL, -ETHER), ether(SENDER, ETHER, 0n), ether(FEES, 1n)],
  },
  'somebody listed whom a contract on the way gives power': {
    ...{ listed: FEES, approvals: [approval(POOL, FEES, 1n)] },
  },
  'foreign code that runs as an account': { to: SAFE, data: execTransaction(TARGET, '0xdeadbeef', 0n, 1n) },
  'a module of the Safe that is called': {
    ...{ to: SAFE, data: '0xdeadbeef' },
    owners: [{ contract: SAFE, event: 'EnabledModule', from: null, to: THIEF }],
  },
  'a payment to a bridge of the chain itself, without a call': {
    ...{ to: BRIDGE, address: BRIDGE, data: '0x', value: ETHER },
    changes: [ether(SENDER, -ETHER, 9n * ETHER), ether(BRIDGE, ETHER)],
  },
  'dollars to the contract of the dollar': { to: USDC, address: USDC, data: transfer(USDC, 5n) },
  'a call of a precompile': { to: PRECOMPILE, address: PRECOMPILE },
  'a call of an address whose key is published': { to: PUBLISHED, address: PUBLISHED },
  'another code of the account that is called': {
    ...{ to: SAFE, data: '0xdeadbeef' },
    owners: [{ contract: SAFE, event: 'masterCopy()', from: POOL, to: THIEF }],
  },
};

const table = (cases: Record<string, Case>) => Object.entries(cases);

describe('the effects of a transaction', () => {
  it.each(table(clean))('are CLEAN: %s', (_, c) => {
    expect(failing(c)).toEqual([]);
    expect(verdicts(c)).toEqual(DEPTHS.map(() => 'CLEAN'));
  });

  it.each(table(open))('are INCONCLUSIVE: %s', (_, c) => {
    expect(failing(c).join('\n')).not.toContain('FLAG');
    expect(verdicts(c)).toEqual(DEPTHS.map(() => 'INCONCLUSIVE'));
  });

  it.each(table(flagged))('are FLAGGED: %s', (_, c) => {
    expect(failing(c).join('\n')).toContain('FLAG');
    expect(verdicts(c)).toEqual(DEPTHS.map(() => 'FLAGGED'));
  });

  it.each([...table(clean), ...table(open), ...table(flagged)])(
    'are kept in a form that is read: %s',
    (_, c) => {
      const kept = JSON.parse(JSON.stringify(given(c, '2-of-2')));
      expect(readEvidence('wallet', kept)).toMatchObject({ id: 'wallet' });
    },
  );

  it('are judged by the earlier rules in earlier evidence', () => {
    for (const c of [
      open['all dollars for a token that nobody knows']!,
      flagged['collectibles for one wei']!,
    ])
      expect(verdicts({ ...c, effects: undefined })).toEqual(DEPTHS.map(() => 'CLEAN'));
    expect(failing({ ...clean['a bridge of the chain itself']!, effects: undefined }).join()).toContain(
      'dead-end',
    );
  });

  it('are those of all that one log moves, behind however many of nothing', () => {
    const array = (numbers: readonly bigint[]): string =>
      `${word(BigInt(numbers.length))}${numbers.map(word).join('')}`;
    const nothing = Array.from({ length: 100 }, () => 0n);
    const [ids, amounts] = [array([...nothing, 7n, 8n]), array([...nothing, 1n, 5n])];
    const seen = (said: string) =>
      effectsOf(
        [
          {
            address: ART,
            topics: [
              topic('TransferBatch(address,address,address,uint256[],uint256[])'),
              ...[SENDER, SENDER, THIEF].map((one) => `0x${word(one)}`),
            ],
            data: `0x${word(0x40n)}${word(0x40n + BigInt(ids.length / 2))}${said}${amounts}`,
          },
        ],
        COIN,
      ).changes.map(({ party, asset, delta }) => [party, asset.tokenId, delta]);
    const all = [
      ...[
        [SENDER, '7', '-1'],
        [THIEF, '7', '1'],
        [SENDER, '8', '-5'],
        [THIEF, '8', '5'],
      ],
    ];
    expect(seen(ids)).toEqual(all);
    // An array that says that it has no end.
    expect(seen(`${word(2n ** 255n)}${ids.slice(64)}`)).toEqual(expect.arrayContaining(all));
  });

  it('are not all looked up where more than three hundred take part', () => {
    const crowd = Array.from({ length: 310 }, (_, n) => coins(who(0x1000 + n), COIN, 1n));
    expect(failing({ changes: [coins(SENDER, COIN, -310n, ETHER), ...crowd] }).join()).toContain(
      'more than the 300',
    );
  });
});

describe('the calls that a transaction makes', () => {
  const tx = (to: string, data: string) => ({ from: SENDER, to, data, value: '5' });

  it('are those inside of accounts, too', () => {
    const found = unfolded(tx(SAFE, execTransaction(INNER, execute(USDC, transfer(SHOP, 7n), 3n))));
    expect(found.calls.map(({ account, to, value }) => [account, to, value])).toEqual([
      [SENDER, SAFE, 5n],
      [SAFE, INNER, 0n],
      [INNER, USDC, 3n],
    ]);
    expect(found).toMatchObject({ accounts: [SAFE, INNER], unread: false });
    expect(found.calls.at(-1)?.data).toBe(transfer(SHOP, 7n));
  });

  it.each([
    ['an operation that is none', execTransaction(TARGET, '0x', 0n, 2n)],
    ['an offset behind the end', `${execTransaction(TARGET, '0x').slice(0, 138)}${word(2n ** 200n)}`],
    ['a length behind the end', execTransaction(TARGET, `0x${'11'.repeat(40)}`).slice(0, -64)],
  ])('are told to be unread for %s', (_, data) => {
    expect(unfolded(tx(SAFE, data)).unread).toBe(true);
  });

  it('are of the account itself where a library takes the zero address for it', () => {
    const [older, newer] = [
      '0x9641d764fc13c8b624c04430c7356c1c7c8102e2',
      '0xa83c336b20401af773b6219ba5027174338d1836',
    ];
    const packed = `00${'00'.repeat(20)}${word(0n)}${word(4n)}deadbeef`;
    const data = `${selector('multiSend(bytes)')}${word(0x20n)}${bytes(`0x${packed}`)}`;
    const to = (library: string) =>
      unfolded(tx(SAFE, execTransaction(library, data, 0n, 1n))).calls.map((call) => call.to);
    expect([to(older!), to(newer!)]).toEqual([
      [SAFE, older, `0x${'00'.repeat(20)}`],
      [SAFE, newer, SAFE],
    ]);
  });

  it('end, however deep they are told', () => {
    let data = '0x';
    for (let n = 0; n < 12; n++) data = execTransaction(SAFE, data);
    expect(unfolded(tx(SAFE, data))).toMatchObject({ unread: true });
  });
});
