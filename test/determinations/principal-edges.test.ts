import { encodeAbiParameters, type Hex, toEventSelector, toFunctionSelector } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { rpc as ask } from '../../chain/rpc/json-rpc.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineWallet } from '../../runtime/determinations/determine-wallet.ts';
import { importRegister } from '../../store/registers/registers.ts';
import { testChain } from '../fixtures/chain/anvil.ts';
import { testDatabase } from '../fixtures/postgres.ts';

/** Who decides over a contract stands behind it, as the contract itself tells it, at any distance. */

const address = (n: number): Hex => `0x${n.toString(16).padStart(40, '0')}`;
const [SAFE, SAFE_OF_ONE, OWNED, OWNED_BY_OWNED, FAR, GOVERNED, DELEGATED, ROUND, AROUND] = [
  0x5afe1, 0x5afe2, 0x0e1, 0x0e2, 0x0e3, 0xad1, 0xde1, 0xc1, 0xc2,
].map(address) as [Hex, Hex, Hex, Hex, Hex, Hex, Hex, Hex, Hex];
const [GRANTED, REVOKED, INDEXED, TO_NOTHING] = [0x9a1, 0x9a2, 0xcb1, 0xde2].map(address) as [
  Hex,
  Hex,
  Hex,
  Hex,
];
const [CROWD, CROWD_OF_MANY, CROWD_OF_TOO_MANY] = [0x5afe3, 0x5afe4, 0x5afe5].map(address) as [Hex, Hex, Hex];
const [MANY_INDEXED, MANY_GOVERNED] = [0xcb2, 0xad2].map(address) as [Hex, Hex];
const PERSON = address(0xbad);
const [ALICE, BOB] = [address(0xa11ce1), address(0xb0b1)];

let chain: Awaited<ReturnType<typeof testChain>>;
let database: Awaited<ReturnType<typeof testDatabase>>;
let deps: EvidenceDeps;

/** The runtime code of a contract that answers these functions with these words, and reverts at any other. */
function contract(answers: Readonly<Record<string, Hex>>): Hex {
  const hex = (n: number, bytes: number) => n.toString(16).padStart(bytes * 2, '0');
  const cases = Object.entries(answers).map(([name, data]) => ({
    selector: toFunctionSelector(`function ${name}`).slice(2),
    ...(data.startsWith('0x5b')
      ? { code: data.slice(2), words: [] }
      : { code: undefined, words: data.slice(2).match(/.{64}/g)! }),
  }));
  const bodyOf = ({ words, code }: (typeof cases)[number]) =>
    code ??
    `5b${words.map((w, i) => `7f${w}61${hex(i * 32, 2)}52`).join('')}61${hex(words.length * 32, 2)}6000f3`;
  // What stands in the first bytes of a code is looked up as such, so the answers come after them.
  const head = 6 + cases.length * 11 + 5 + 256;
  let at = head;
  const jumps = cases.map((c) => {
    const dest = at;
    at += bodyOf(c).length / 2;
    return `8063${c.selector}1461${hex(dest, 2)}57`;
  });
  return `0x60003560e01c${jumps.join('')}60006000fd${'00'.repeat(256)}${cases.map(bodyOf).join('')}`;
}
const word = (type: string, value: unknown): Hex => encodeAbiParameters([{ type }], [value]);
const owned = (by: Hex): Hex => contract({ 'owner()': word('address', by) });
const NONE = `0x${'00'.repeat(32)}` as const;
/** The code of a function that logs that somebody was made an admin (AccessControl). */
const grants = (to: Hex): Hex => {
  const topics = [NONE, word('address', to), NONE, toEventSelector('RoleGranted(bytes32,address,address)')];
  return `0x5b${topics.map((t) => `7f${t.slice(2)}`).join('')}60006000a400`;
};
const governed = (has: boolean): Hex =>
  contract({
    'grant()': grants(PERSON),
    'getRoleAdmin(bytes32)': NONE,
    'hasRole(bytes32,address)': word('bool', has),
  });
const safe = (owners: readonly Hex[], threshold: bigint): Hex =>
  contract({ 'getOwners()': word('address[]', owners), 'getThreshold()': word('uint256', threshold) });

const crowd = (many: number): Hex[] => Array.from({ length: many }, (_, n) => address(0xc40_000 + n));

async function list(keys: readonly string[]): Promise<void> {
  for (const register of ['sanctions', 'known-scam'] as const) {
    const rows = (async function* () {
      for (const key of [address(0x999), ...keys]) yield { key, detail: {} };
    })();
    await importRegister(database.db, { register, source: 't', asOf: new Date(), mode: 'replace', rows });
  }
}

beforeAll(async () => {
  [chain, database] = await Promise.all([testChain(1002), testDatabase()]);
  const codes: readonly (readonly [Hex, Hex])[] = [
    [SAFE, safe([ALICE, PERSON, BOB], 2n)],
    [SAFE_OF_ONE, safe([PERSON, ALICE], 1n)],
    [OWNED, owned(PERSON)],
    [OWNED_BY_OWNED, owned(OWNED)],
    [FAR, owned(OWNED_BY_OWNED)],
    [
      GOVERNED,
      contract({
        'getRoleMemberCount(bytes32)': word('uint256', 1n),
        'getRoleMember(bytes32,uint256)': word('address', PERSON),
      }),
    ],
    [DELEGATED, `0xef0100${OWNED.slice(2)}`],
    [GRANTED, governed(true)],
    [REVOKED, governed(false)],
    [
      INDEXED,
      contract({
        'nextOwnerIndex()': word('uint256', 1n),
        'ownerAtIndex(uint256)': word('bytes', word('address', PERSON)),
      }),
    ],
    [CROWD, safe([...crowd(20), PERSON], 1n)],
    [CROWD_OF_MANY, safe([...crowd(59), PERSON], 1n)],
    [CROWD_OF_TOO_MANY, safe([...crowd(60), PERSON], 1n)],
    [
      MANY_INDEXED,
      contract({
        'nextOwnerIndex()': word('uint256', 61n),
        'ownerAtIndex(uint256)': word('bytes', word('address', PERSON)),
      }),
    ],
    [
      MANY_GOVERNED,
      contract({
        'getRoleMemberCount(bytes32)': word('uint256', 61n),
        'getRoleMember(bytes32,uint256)': word('address', PERSON),
      }),
    ],
    [TO_NOTHING, `0xef0100${address(0x404).slice(2)}`],
    [ROUND, owned(AROUND)],
    [AROUND, owned(ROUND)],
  ];
  for (const [who, code] of codes) await ask(chain.url, 'anvil_setCode', [who, code]);
  for (const to of [GRANTED, REVOKED]) {
    const [from, data] = [chain.accounts.alice.address, toFunctionSelector('function grant()')];
    await ask(chain.url, 'anvil_impersonateAccount', [from]);
    await ask(chain.url, 'eth_sendTransaction', [{ from, to, data, gas: '0x30d40' }]);
  }
  await ask(chain.url, 'evm_mine', []);
  const options = { rpcUrl: chain.url, chainId: 1002, retries: 0 };
  deps = {
    db: database.db,
    readers: new Map([[1002, { viem: viemReader(options), ethers: ethersReader(options) }]]),
    deployments: new Map([[1002, chain.deployment]]),
    now: () => new Date(),
    seatTimeoutMs: 60_000,
  };
});
beforeEach(() => list([]));
afterAll(async () => {
  await database?.drop();
  await chain?.stop();
});

async function on(who: string, depth: Depth = '2-of-2') {
  const { record, hardFlags } = await determineWallet(deps, { address: who, chainId: 1002, depth });
  const check = record.evidence.checks.find((c) => c.id === 'principals');
  const votes = record.evidence.panel.votes.map((v) => v.vote);
  return { verdict: record.verdict, hardFlags, outcome: check?.outcome, detail: check?.detail, votes };
}

describe('a contract', () => {
  it('is CLEAN where no list names anybody who decides over it, and says who they are and who told it', async () => {
    for (const who of [SAFE, SAFE_OF_ONE, OWNED, FAR, GOVERNED, GRANTED, REVOKED, INDEXED, ROUND]) {
      const found = await on(who);
      expect([who, found.verdict, found.outcome]).toEqual([who, 'CLEAN', 'PASS']);
    }
    expect((await on(SAFE)).detail).toContain(`${ALICE} is an owner (2 of 3 sign) of ${SAFE} (getOwners())`);
    expect((await on(FAR)).detail).toContain(`${PERSON} is the owner of ${OWNED} (owner())`);
  });

  it.each([
    ['its owner', OWNED],
    ['an owner of its owner', OWNED_BY_OWNED],
    ['a signer of a Safe that needs one', SAFE_OF_ONE],
    ['an admin of it', GOVERNED],
    ['an admin that only its logs name', GRANTED],
    ['an owner that it has by an index', INDEXED],
  ] as const)('is FLAGGED, hard, where a list names %s', async (_, who) => {
    await list([PERSON]);
    for (const depth of ['1-of-1', '2-of-2', 'superconsensus'] as const) {
      const found = await on(who, depth);
      expect([found.verdict, found.hardFlags]).toEqual(['FLAGGED', ['principals']]);
    }
  });

  it.each([
    ['one of the signers of whom more must sign', SAFE],
    ['somebody at a distance of three', FAR],
  ] as const)('is FLAGGED by every vote, but not hard, where a list names %s', async (_, who) => {
    await list([PERSON]);
    const found = await on(who);
    expect([found.verdict, found.hardFlags, found.votes]).toEqual(['FLAGGED', [], ['FLAGGED', 'FLAGGED']]);
  });
});

it.each([
  ['twenty-one', CROWD, 'CLEAN'],
  ['sixty', CROWD_OF_MANY, 'FLAGGED'],
] as const)(
  'a Safe of %s that one signs for is FLAGGED, hard, by the last of them',
  async (_, who, unlisted) => {
    // Whether more than two dozen are contracts, over which others decide, is not known.
    expect((await on(who)).verdict).toBe(unlisted);
    expect((await on(who)).outcome).toBe(unlisted === 'CLEAN' ? 'PASS' : 'INCONCLUSIVE');
    await list([PERSON]);
    for (const depth of ['1-of-1', '2-of-2', 'superconsensus'] as const)
      expect(await on(who, depth)).toMatchObject({ verdict: 'FLAGGED', hardFlags: ['principals'] });
  },
);

it.each([
  ['a Safe', CROWD_OF_TOO_MANY],
  ['a wallet with owners by index', MANY_INDEXED],
  ['a contract with admins', MANY_GOVERNED],
] as const)('%s over which more decide than are looked up is not CLEAN', async (_, who) => {
  const found = await on(who);
  expect([found.verdict, found.outcome]).toEqual(['FLAGGED', 'INCONCLUSIVE']);
});

it('an admin whose role was taken away decides over nothing', async () => {
  await list([PERSON]);
  expect((await on(REVOKED)).verdict).toBe('CLEAN');
});

it('an account that delegates to where no code stands is not CLEAN, because anybody may put some there', async () => {
  const found = await on(TO_NOTHING);
  expect([found.verdict, found.outcome, found.votes]).toEqual([
    ...['FLAGGED', 'INCONCLUSIVE'],
    ['FLAGGED', 'FLAGGED'],
  ]);
  expect(found.detail).toContain(`would stand at ${address(0x404)}, and no code stands there`);
});

it('an account that delegates is FLAGGED where a list names the owner of its delegate', async () => {
  expect((await on(DELEGATED)).verdict).toBe('CLEAN');
  await list([PERSON]);
  expect((await on(DELEGATED)).verdict).toBe('FLAGGED');
});
