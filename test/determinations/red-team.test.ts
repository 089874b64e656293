import { toHex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../../agents/determinations/panel/judge.ts';
import type { Verdict } from '../../agents/determinations/panel/types.ts';
import { withFreshHead } from '../../chain/rpc/fresh-head.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { readEthLabels } from '../../runtime/registers/list-labels.ts';
import { drawn, walletStage } from '../fixtures/wallets/wallet-stage.ts';

/**
 * Addresses that must never be CLEAN, on a real chain with real lists, at the depth that is the default. They are the
 * attacks that once came out CLEAN, each class in several ways.
 */

const [LISTED, SANCTIONED] = [drawn('listed'), drawn('sanctioned')];
const FILL = Array.from({ length: 60 }, (_, n) => drawn(`fill ${n}`));
const ADMIN_OF_PROXY = drawn('admin of a proxy');
const zeros = (digits: string): string => `0x${digits.padStart(40, '0')}`;
const minimal = (to: string): string => `0x363d3d373d3d3d363d73${to.slice(2)}5af43d82803e903d91602b57fd5bf3`;
/** Answers any call with this address. */
const answers = (address: string): string => `0x7f${address.slice(2).padStart(64, '0')}60005260206000f3`;

let stage: Awaited<ReturnType<typeof walletStage>>;

async function lists(known: readonly string[] = [], sanctioned: readonly string[] = []): Promise<void> {
  await stage.list('known-scam', [...FILL, LISTED, ...known]);
  await stage.list('sanctions', [...FILL, SANCTIONED, ...sanctioned]);
}

beforeAll(async () => {
  stage = await walletStage();
  await lists();
  await stage.usdc(LISTED, 10_000);
  await stage.usdc(SANCTIONED, 10_000);
}, 240_000);
afterEach(() => stage?.second.lie((_, result) => result));
afterAll(() => stage?.stop());

async function verdictOf(
  address: string,
  asked: Partial<EvidenceDeps> = {},
  asker?: string,
): Promise<Verdict> {
  const { evidence } = await stage.on(address, '2-of-2', asked, asker);
  return judge(evidence.determinations[0]!).verdict;
}

interface Attack {
  readonly by: string;
  /** Prepares it, and says whose verdict it is about. */
  readonly make: () => Promise<string>;
  /** What the wallet is asked with. */
  readonly asked?: () => Partial<EvidenceDeps>;
}

function refuses(all: readonly Attack[]): void {
  it.each(all.map((a) => [a.by, a] as const))('by %s', async (_, { make, asked }) => {
    const address = await make();
    expect(await verdictOf(address, asked?.())).not.toBe('CLEAN');
  });
}

let count = 0;
function attacks(all: readonly Attack[]): void {
  count += all.length;
  refuses(all);
}

describe('a principal whom a list names', () => {
  const owned = async (owner: string): Promise<string> => (await stage.agent(owner)).account;
  attacks([
    { by: 'owning the account, sanctioned', make: () => owned(SANCTIONED) },
    { by: 'owning the account, a known scam', make: () => owned(LISTED) },
    { by: 'owning the owner', make: async () => owned(await owned(SANCTIONED)) },
    { by: 'owning three accounts up', make: async () => owned(await owned(await owned(LISTED))) },
    { by: 'being a burn address that owns it', make: () => owned(zeros('dead')) },
    { by: 'having a published key', make: () => owned('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266') },
    {
      by: 'having a published key, at a distance',
      make: async () => owned(await owned('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')),
    },
  ]);
});

describe('a node that stands still or stands for another', () => {
  const PLAIN = drawn('plain');
  const make = async (): Promise<string> => PLAIN;
  const later = (seconds: number, clients: readonly ('viem' | 'ethers')[]) => () => {
    const now = () => new Date(Date.now() + seconds * 1000);
    const pair = stage.readersOf('ethers').get(1002)!;
    const stale = (client: 'viem' | 'ethers') =>
      clients.includes(client) ? withFreshHead(pair[client], { maxAgeSeconds: 120, now }) : pair[client];
    return { readers: new Map([[1002, { viem: stale('viem'), ethers: stale('ethers') }]]) };
  };
  const lying = (liar: 'viem' | 'ethers', method: string, answer: (result: unknown) => unknown) => () => {
    stage.second.lie((call, result) => (call.method === method ? answer(result) : result));
    return { readers: stage.readersOf(liar) };
  };
  const other = (result: unknown) => ({ ...(result as object), hash: `0x${'66'.repeat(32)}` });
  attacks([
    { by: 'two nodes stuck for sixty days', make, asked: later(60 * 86_400, ['viem', 'ethers']) },
    { by: 'the first node stuck for an hour', make, asked: later(3_600, ['viem']) },
    { by: 'the second node stuck for an hour', make, asked: later(3_600, ['ethers']) },
    { by: 'heads of the future', make, asked: later(-7_200, ['viem', 'ethers']) },
    { by: 'another chain behind the second URL', make, asked: lying('ethers', 'eth_chainId', () => '0x1') },
    { by: 'another chain behind the first URL', make, asked: lying('viem', 'eth_chainId', () => '0x1') },
    { by: 'another block of the same number', make, asked: lying('ethers', 'eth_getBlockByNumber', other) },
  ]);
});

describe('a list that cannot say who is not on it', () => {
  const PLAIN = drawn('plain');
  const changed = (change: () => Promise<void>) => async (): Promise<string> => {
    await lists();
    await change();
    return PLAIN;
  };
  afterEach(() => lists());
  attacks([
    {
      by: 'being frozen for sixty days',
      make: changed(() => stage.list('sanctions', FILL, { ageDays: 60 })),
    },
    { by: 'being just too old', make: changed(() => stage.list('known-scam', FILL, { ageDays: 31 })) },
    { by: 'having no date', make: changed(() => stage.list('sanctions', FILL, { undated: true })) },
    {
      by: 'one junk row of each',
      make: changed(async () => {
        for (const register of ['sanctions', 'known-scam'] as const)
          await stage.list(register, [drawn('junk')], { minimum: 50 });
      }),
    },
    { by: 'being empty', make: changed(() => stage.list('known-scam', [])) },
    {
      by: 'one of two being too old',
      make: async () => {
        await stage.list('sanctions', FILL, { ageDays: 20, source: 'two' });
        return PLAIN;
      },
    },
  ]);
  afterAll(() => stage?.list('sanctions', [], { source: 'two' }));
});

describe('an address behind which nobody stands', () => {
  const fixed = (by: string, address: string): Attack => ({ by, make: async () => address });
  attacks([
    fixed('being zero', zeros('')),
    fixed('burning', zeros('dead')),
    fixed('burning under another name', '0xdEAD000000000000000042069420694206942069'),
    fixed('standing for the chain’s own coin', `0x${'e'.repeat(40)}`),
    fixed('being ecrecover', zeros('1')),
    fixed('being the point evaluation', zeros('a')),
    fixed('being P256VERIFY', zeros('100')),
    fixed('being the contract of beacon roots', '0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02'),
    fixed('the first key of anvil', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'),
    fixed('the last key of anvil', '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'),
    fixed('the key 1', '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'),
    fixed('the key 2', '0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF'),
    { by: 'being the dollar itself', make: async () => stage.chain.deployment.usdc },
    { by: 'being the collection of agents', make: async () => stage.chain.deployment.agentNft },
  ]);
});

describe('code that works for a listed address', () => {
  const coded = (name: string, code: string) => async (): Promise<string> => {
    await stage.code(drawn(name), code);
    return drawn(name);
  };
  const proxied = (name: string, slot: 'implementation' | 'beacon' | 'admin', held: string) => async () => {
    await stage.code(drawn(name), '0x6080604052');
    await stage.slot(drawn(name), slot, held);
    return drawn(name);
  };
  const push = (address: string): string => `0x6080604052600073${address.slice(2)}5af1`;
  attacks([
    { by: 'a delegation (EIP-7702)', make: coded('delegated', `0xef0100${LISTED.slice(2)}`) },
    {
      by: 'a delegation to one who is sanctioned',
      make: coded('delegated 2', `0xef0100${SANCTIONED.slice(2)}`),
    },
    { by: 'a delegation to a burn address', make: coded('delegated 3', `0xef0100${zeros('dead').slice(2)}`) },
    { by: 'a minimal proxy (EIP-1167)', make: coded('minimal', minimal(LISTED)) },
    { by: 'an implementation (EIP-1967)', make: proxied('implemented', 'implementation', LISTED) },
    { by: 'an admin (EIP-1967)', make: proxied('administered', 'admin', LISTED) },
    { by: 'a beacon', make: proxied('beaconed', 'beacon', SANCTIONED) },
    {
      by: 'what a beacon tells',
      make: async () => {
        await stage.code(drawn('honest beacon'), answers(LISTED));
        return await proxied('told', 'beacon', drawn('honest beacon'))();
      },
    },
    {
      by: 'a delegate that pays it (EIP-7702)',
      make: async () => {
        await stage.code(drawn('sweeper'), push(LISTED));
        return await coded('swept', `0xef0100${drawn('sweeper').slice(2)}`)();
      },
    },
    {
      by: 'an implementation that pays it',
      make: async () => {
        await stage.code(drawn('paying'), push(SANCTIONED));
        return await coded('paid for', minimal(drawn('paying')))();
      },
    },
    {
      by: 'a delegate of its delegate',
      make: async () => {
        await stage.code(drawn('between'), `0xef0100${LISTED.slice(2)}`);
        return await coded('twice', `0xef0100${drawn('between').slice(2)}`)();
      },
    },
    {
      by: 'a delegation to where no code stands',
      make: coded('to nothing', `0xef0100${drawn('none').slice(2)}`),
    },
    {
      by: 'a minimal proxy to where no code stands',
      make: coded('clone of nothing', minimal(drawn('none'))),
    },
    {
      by: 'a clone of a clone of it (EIP-1167)',
      make: async () => {
        await stage.code(drawn('first clone'), minimal(LISTED));
        return await coded('second clone', minimal(drawn('first clone')))();
      },
    },
    { by: 'an owner, as the contract tells it', make: coded('owned', answers(LISTED)) },
    {
      by: 'an owner with a published key',
      make: coded('open', answers('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')),
    },
    { by: 'an address in its code', make: coded('constant', push(LISTED)) },
    {
      by: 'an immutable address behind a long code',
      make: coded('immutable', `0x6080604052${'5b'.repeat(600)}7f${LISTED.slice(2).padStart(64, '0')}00`),
    },
    {
      by: 'an admin and an implementation that no list names, of which one is listed later',
      make: async () => {
        const address = await proxied('later', 'admin', ADMIN_OF_PROXY)();
        await lists([ADMIN_OF_PROXY]);
        return address;
      },
    },
  ]);
  afterAll(() => lists());
});

describe('a listed contract under another address', () => {
  const DRAINER = '0x60013560025560ff60005260206000f3';
  const clone =
    (name: string, code: string, more: () => Promise<void> = async () => {}) =>
    async (): Promise<string> => {
      const listed = await stage.deploy(drawn('a drainer'), code);
      const same = await stage.deploy(drawn(name), code);
      await more();
      await lists([listed]);
      await stage.follow();
      return same;
    };
  attacks([
    { by: 'its code, byte by byte', make: clone('a copier', DRAINER) },
    { by: 'its code, put there by the same hand', make: clone('a drainer', `${DRAINER}01`) },
    {
      by: 'its code, with one other beside it',
      make: clone('another copier', `${DRAINER}02`, async () => {
        await stage.deploy(drawn('an honest one'), `${DRAINER}03`);
      }),
    },
    {
      by: 'being put there by one who is listed',
      make: async () => {
        const made = await stage.deploy(LISTED, '0x6080604052');
        await stage.follow();
        return made;
      },
    },
  ]);
  it('whose code many honest ones share is no accusation', async () => {
    const code = `${DRAINER}04`;
    const [listed, own] = [await stage.deploy(drawn('m1'), code), await stage.deploy(drawn('m2'), code)];
    for (const name of ['m3', 'm4', 'm5']) await stage.deploy(drawn(name), code);
    await lists([listed]);
    await stage.follow();
    const { record } = await stage.on(own);
    const check = record.evidence.checks.find((c) => c.id === 'contract-code');
    expect([record.verdict, check?.detail]).toEqual([
      'CLEAN',
      expect.stringContaining('1 of 4 contracts with that code on eip155:1002 are listed'),
    ]);
  });
  afterAll(() => lists());
});

describe('money of a listed address', () => {
  const between = (name: string, pay: (who: string) => Promise<void>) => async (): Promise<string> => {
    await pay(drawn(name));
    return drawn(name);
  };
  attacks([
    { by: 'funding it', make: between('funded', (who) => stage.pay(LISTED, who, 900)) },
    { by: 'funding it, sanctioned', make: between('funded 2', (who) => stage.pay(SANCTIONED, who, 50)) },
    {
      by: 'being paid by it',
      make: between('payer', async (who) => {
        await stage.usdc(who, 1_000);
        await stage.pay(who, LISTED, 800);
      }),
    },
    {
      by: 'being paid by it in parts',
      make: between('payer in parts', async (who) => {
        await stage.usdc(who, 300);
        for (let n = 0; n < 5; n++) await stage.pay(who, SANCTIONED, 50);
      }),
    },
  ]);
});

describe('one that a list names, or whom another should be taken for', () => {
  const PHISHERS = ['phish-hack', 'heist', 'fake-phishing', 'drainer'].map((label, n) => ({
    ...{ chainId: 1, address: drawn(`phisher ${n}`), label, nameTag: `Fake_Phishing${n}` },
  }));
  const labelled = (n: number): Attack => ({
    by: `a label of Etherscan: ${PHISHERS[n]!.label}`,
    make: async () => {
      const { rows } = readEthLabels(JSON.stringify(PHISHERS));
      await lists(rows.map((r) => r.key));
      return PHISHERS[n]!.address;
    },
  });
  const spelled =
    (change: (address: string) => string): (() => Promise<string>) =>
    async () =>
      change(LISTED);
  attacks([
    ...PHISHERS.map((_, n) => labelled(n)),
    { by: 'its own name on the list, in capitals', make: spelled((a) => `0x${a.slice(2).toUpperCase()}`) },
    { by: 'a checksum that is wrong', make: async () => '0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045' },
    { by: 'the list of sanctions', make: async () => SANCTIONED },
  ]);

  const ASKED = drawn('poisoner');
  const friend = `${ASKED.slice(0, 8)}${'7'.repeat(28)}${ASKED.slice(-6)}`;
  const contacts = (addresses: readonly string[], others?: boolean) => ({
    days: 365,
    addresses,
    ...(others === undefined ? {} : { others }),
  });
  const kept: readonly [string, ReturnType<typeof contacts>][] = [
    ['of one whom the asker dealt with', contacts([friend])],
    ['among many', contacts([drawn('x'), friend, drawn('y')])],
    ['in capitals', contacts([`0x${friend.slice(2).toUpperCase()}`])],
    ['kept without the others', contacts([friend], true)],
  ];
  count += kept.length;
  it.each(kept)('by looking like that %s', async (_, compared) => {
    const { evidence } = await stage.on(ASKED);
    const [own] = evidence.determinations;
    const common = { ...(own!.common as object), contacts: compared };
    expect(judge(own!).verdict).toBe('CLEAN');
    expect(judge({ ...own!, common }).verdict).toBe('FLAGGED');
  });
});

/** What one of two sources may say that is not so, of a wallet that is well and of one that is not. */
describe('a single source that is at fault, at 2-of-2', () => {
  const DELEGATED = drawn('delegated once more');
  const PLAIN = drawn('plain with a past');
  beforeAll(async () => {
    await lists();
    await stage.code(DELEGATED, `0xef0100${LISTED.slice(2)}`);
    await stage.rpc('anvil_setNonce', PLAIN, '0x5');
    await stage.usdc(PLAIN, 20);
  });
  const faults: readonly [string, string, (result: unknown) => unknown, 'PLAIN' | 'DELEGATED'][] = [
    ['hides the code', 'eth_getCode', () => '0x', 'DELEGATED'],
    ['hides it as another’s', 'eth_getCode', () => `0xef0100${drawn('nobody').slice(2)}`, 'DELEGATED'],
    ['makes code up', 'eth_getCode', () => '0x6080604052', 'PLAIN'],
    ['tells another nonce', 'eth_getTransactionCount', () => '0x4', 'PLAIN'],
    ['tells another balance', 'eth_getBalance', () => '0x1', 'PLAIN'],
    ['leaves transfers out', 'eth_getLogs', () => [], 'PLAIN'],
    ['tells of no answer to calls', 'eth_call', () => toHex(0, { size: 32 }), 'PLAIN'],
    ['answers null', 'eth_getBalance', () => null, 'PLAIN'],
    ['stands for another chain', 'eth_chainId', () => '0x2105', 'PLAIN'],
  ];
  const both = (['viem', 'ethers'] as const).flatMap((liar) => faults.map((f) => [liar, ...f] as const));
  it.each(both)('is told by the other where %s %s', async (liar, _, method, answer, whom) => {
    const who = whom === 'PLAIN' ? PLAIN : DELEGATED;
    expect(await verdictOf(PLAIN)).toBe('CLEAN');
    stage.second.lie((call, result) => (call.method === method ? answer(result) : result));
    expect(await verdictOf(who, { readers: stage.readersOf(liar) })).not.toBe('CLEAN');
  });
});

it('are at least sixty', () => {
  expect(count).toBeGreaterThanOrEqual(60);
});
