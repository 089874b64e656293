import { keccak256, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../../agents/determinations/panel/judge.ts';
import { drawn, walletStage } from '../fixtures/wallets/wallet-stage.ts';

/** Accounts that run listed code by every way there is, and the same ways to honest code, on a real chain. */

const [LISTED, HONEST] = [drawn('listed'), drawn('honest implementation')];
const FILL = Array.from({ length: 60 }, (_, n) => drawn(`fill ${n}`));
const slotOf = (name: string): string => keccak256(toHex(name));
const minusOne = (hash: string): string => toHex(BigInt(hash) - 1n, { size: 32 });
const SLOTS = {
  'EIP-1967': minusOne(slotOf('eip1967.proxy.implementation')),
  'EIP-1822': slotOf('PROXIABLE'),
  ZeppelinOS: slotOf('org.zeppelinos.proxy.implementation'),
} as const;

const bare = (address: string): string => address.slice(2);
const word = (value: string): string => value.replace(/^0x/, '').padStart(64, '0');
/** Answers any call with these words, and hands nothing on, although it could. */
const answers = (...words: readonly string[]): string =>
  `0x${words.map((w, i) => `7f${word(w)}60${(32 * i).toString(16).padStart(2, '0')}52`).join('')}60${(32 * words.length).toString(16)}5ff35f5f5f5f5f5af4`;
/** Hands every call on to what a slot holds. */
const forwards = (slot: string): string => `0x365f5f375f5f365f7f${word(slot)}545af43d5f5f3e3d5ff3`;
const clone = {
  'EIP-1167': (to: string) => `0x363d3d373d3d3d363d73${bare(to)}5af43d82803e903d91602b57fd5bf3`,
  'EIP-1167 with arguments': (to: string) =>
    `0x363d3d373d3d3d363d73${bare(to)}5af43d82803e903d91602b57fd5bf3${'07'.repeat(40)}`,
  '0age': (to: string) => `0x3d3d3d3d363d3d37363d73${bare(to)}5af43d3d93803e602a57fd5bf3`,
  'a clone with PUSH0': (to: string) => `0x365f5f375f5f365f73${bare(to)}5af43d5f5f3e5f3d91602a57fd5bf3`,
  'a clone of Vyper': (to: string) =>
    `0x366000600037611000600036600073${bare(to)}5af4602c57600080fd5b6110006000f3`,
  'a clone with immutable arguments': (to: string) =>
    `0x3d3d3d3d363d3d3761003f603736393661003f013d73${bare(to)}5af43d3d93803e603557fd5bf3`,
} as const;
const delegated = (to: string): string => `0xef0100${bare(to)}`;

let stage: Awaited<ReturnType<typeof walletStage>>;
let made = 0;
async function at(code: string, held: Readonly<Record<string, string>> = {}): Promise<string> {
  const who = drawn(`account of code ${made++}`);
  await stage.code(who, code);
  for (const [slot, value] of Object.entries(held))
    await stage.rpc('anvil_setStorageAt', who, slot, `0x${word(value)}`);
  await stage.rpc('anvil_mine', '0x1');
  return who;
}

beforeAll(async () => {
  stage = await walletStage();
  await stage.list('known-scam', [...FILL, LISTED]);
  await stage.list('sanctions', FILL);
  await stage.code(HONEST, '0x6001600101');
  await stage.code(LISTED, '0x6001600101');
}, 240_000);
afterAll(() => stage?.stop());

const ALL_WAYS: (readonly [string, (to: string) => Promise<string>])[] = [];
/** Each way to run other code. */
const WAYS: readonly (readonly [string, (to: string) => Promise<string>])[] = [
  ...Object.entries(clone).map(([by, code]) => [by, (to: string) => at(code(to))] as const),
  ...Object.entries(SLOTS).map(
    ([by, slot]) => [`the slot of ${by}`, (to: string) => at(forwards(slot), { [slot]: to })] as const,
  ),
  [
    'the first slot, as Safe has it',
    (to) => at(forwards(`0x${'00'.repeat(32)}`), { [`0x${'00'.repeat(32)}`]: to }),
  ],
  ['implementation() (EIP-897)', (to) => at(answers(to))],
  ['a diamond, one facet', (to) => at(answers('20', '1', to))],
  ['a diamond, the second facet', (to) => at(answers('20', '2', HONEST, to))],
  [
    'a beacon',
    async (to) => at(forwards('01'), { [minusOne(slotOf('eip1967.proxy.beacon'))]: await at(answers(to)) }),
  ],
  ['a constant of its code', (to) => at(`0x73${bare(to)}5000`)],
  ['a delegation (EIP-7702)', (to) => at(delegated(to))],
  ...Object.entries(clone).map(
    ([by, code]) =>
      [`a delegation to ${by}`, async (to: string) => at(delegated(await at(code(to))))] as const,
  ),
  ['a delegation to code with a constant', async (to) => at(delegated(await at(`0x73${bare(to)}5000`)))],
  [
    'a delegation that reads a slot',
    async (to) => at(delegated(await at(forwards(SLOTS['EIP-1967']))), { [SLOTS['EIP-1967']]: to }),
  ],
  ['a clone of a clone', async (to) => at(clone['EIP-1167'](await at(clone['EIP-1167'](to))))],
  [
    'a clone of a clone of a clone',
    async (to) => at(clone['0age'](await at(clone['EIP-1167'](await at(clone['EIP-1167'](to)))))),
  ],
  ['a clone of code with a constant', async (to) => at(clone['EIP-1167'](await at(`0x73${bare(to)}5000`)))],
  [
    'a proxy of a clone',
    async (to) => at(forwards(SLOTS['EIP-1967']), { [SLOTS['EIP-1967']]: await at(clone['EIP-1167'](to)) }),
  ],
  [
    'a proxy of a proxy',
    async (to) => {
      const inner = await at(answers(to));
      return at(forwards(SLOTS['EIP-1822']), { [SLOTS['EIP-1822']]: inner });
    },
  ],
  [
    'a delegation to a clone of a clone',
    async (to) => at(delegated(await at(clone['EIP-1167'](await at(clone['0age'](to)))))),
  ],
];

const MORE_WAYS: typeof WAYS = [
  ['a delegation to implementation()', async (to) => at(delegated(await at(answers(to))))],
  [
    'a delegation that reads the slot of EIP-1822',
    async (to) => at(delegated(await at(forwards(SLOTS['EIP-1822']))), { [SLOTS['EIP-1822']]: to }),
  ],
  [
    'a delegation that reads the slot of ZeppelinOS',
    async (to) => at(delegated(await at(forwards(SLOTS.ZeppelinOS))), { [SLOTS.ZeppelinOS]: to }),
  ],
  ['a constant of 32 bytes', (to) => at(`0x7f${word(to)}5000`)],
];
ALL_WAYS.push(...WAYS, ...MORE_WAYS);

const PAYS = (to: string): string => `0x5f5f5f5f4773${bare(to)}5af100`;
const SWEEPERS: readonly (readonly [string, () => Promise<string>])[] = [
  ['a delegate that sends all away', async () => at(delegated(await at(PAYS(drawn('taker')))))],
  [
    'a delegate that passes on what comes',
    async () => at(delegated(await at(PAYS(drawn('taker')).replace('47', '34')))),
  ],
  [
    'a clone of a delegate that sends all away',
    async () => at(delegated(await at(clone['EIP-1167'](await at(PAYS(drawn('taker'))))))),
  ],
  ['a delegate that pays a listed address', async () => at(delegated(await at(PAYS(LISTED))))],
  ['a delegate that is not there', async () => at(delegated(drawn('nothing stands here')))],
  ['a delegate that is itself delegated', async () => at(delegated(await at(delegated(LISTED))))],
];

const verdictOf = async (address: string, depth: '2-of-2' | '1-of-1' = '2-of-2') => {
  const { evidence } = await stage.on(address, depth);
  return judge(evidence.determinations[0]!);
};

describe('an account is FLAGGED that runs listed code', () => {
  it('by at least forty ways, with as many honest ones but sweepers', () => {
    expect(ALL_WAYS.length + SWEEPERS.length).toBeGreaterThanOrEqual(40);
  });
  it.each(ALL_WAYS)('by %s', async (_, make) => {
    const { verdict, checks } = await verdictOf(await make(LISTED));
    expect([verdict, checks.filter((c) => c.outcome === 'INCONCLUSIVE').map((c) => c.detail)]).toEqual([
      'FLAGGED',
      [],
    ]);
  });
  it.each(SWEEPERS)('or has %s', async (_, make) => {
    expect((await verdictOf(await make())).verdict).toBe('FLAGGED');
  });
});

describe('an account that runs honest code is accused of nothing', () => {
  it.each(ALL_WAYS)('by %s', async (_, make) => {
    const { checks } = await verdictOf(await make(HONEST));
    const ids = ['contract-code', 'eip7702-delegation', 'readings-agree'];
    expect(checks.filter((c) => ids.includes(c.id) && c.outcome !== 'PASS')).toEqual([]);
  });
});

describe('an account that hands on to many', () => {
  /** Answers `facetAddresses()` with these and nothing else, and hands nothing on, although it could. */
  const diamond = (facets: readonly string[]): string => {
    const words = ['20', facets.length.toString(16), ...facets];
    const offset = (n: number): string => (32 * n).toString(16).padStart(4, '0');
    const held = words.map((w, i) => `7f${word(w)}61${offset(i)}52`).join('');
    return `0x60003560e01c6352ef6b2c146100155760006000fd5b${held}61${offset(words.length)}5ff35f5f5f5f5f5af4`;
  };
  const honest = async (many: number): Promise<string[]> => {
    const facets = Array.from({ length: many }, (_, n) => drawn(`facet ${n}`));
    for (const facet of facets) await stage.code(facet, '0x6001600101');
    return facets;
  };
  const nested = async (steps: number, to: string): Promise<string> =>
    steps === 0 ? to : await at(clone['EIP-1167'](await nested(steps - 1, to)));
  const behind = async (who: string) => (await verdictOf(who)).checks.find((c) => c.id === 'principals');

  it('is FLAGGED by the last of twenty facets', async () => {
    const who = await at(diamond([...(await honest(19)), LISTED]));
    const { checks } = await verdictOf(who);
    expect(checks.find((c) => c.id === 'contract-code')).toMatchObject({ outcome: 'FLAG' });
    expect(await behind(await at(diamond(await honest(20))))).toMatchObject({ outcome: 'PASS' });
  });

  it('is not CLEAN where more runs in its name than is read', async () => {
    const open = {
      outcome: 'INCONCLUSIVE',
      detail: expect.stringContaining('more code runs in the name of'),
    };
    expect(await behind(await at(diamond([...(await honest(20)), LISTED])))).toMatchObject(open);
    expect(await behind(await nested(6, HONEST))).toMatchObject(open);
    expect(await behind(await nested(4, HONEST))).toMatchObject({ outcome: 'PASS' });
  });
});
