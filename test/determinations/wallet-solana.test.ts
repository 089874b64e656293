import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { judge } from '../../agents/determinations/panel/judge.ts';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import type { Depth, Outcome } from '../../agents/determinations/panel/types.ts';
import { kitSolanaReader } from '../../chain/rpc/solana/kit-reader.ts';
import { CLUSTERS } from '../../chain/rpc/solana/reader.ts';
import { web3SolanaReader } from '../../chain/rpc/solana/web3-reader.ts';
import type { EvidenceDeps } from '../../runtime/determinations/deps.ts';
import { determineWallet } from '../../runtime/determinations/determine-wallet.ts';
import { importRegister } from '../../store/registers/registers.ts';
import type { RegisterName } from '../../store/tables.ts';
import { type Conduct, type WaywardRpc, waywardRpc } from '../fixtures/chain/wayward-rpc.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { SLOT, SOLANA, SOLANA_ERRORS, solanaConduct } from '../fixtures/solana-rpc.ts';

const NOW = new Date();
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const PROGRAM = 'C7PXyLpLQBh3Ce7e9DNj3rDVUvwqa5orDwQG5hs1rfNi';
const TOKEN_ACCOUNT = 'Ac7YW6ktKRNX9aEFFes2NBsgYtz77PJX3CZg5KK7gx3B';
const NONCE = 'Cwe1oHwY8fnsQUAFiFYQDhGmm3ymiz7q9SjEdx4w7U1';
const NONCE_AUTHORITY = '6WJfN1fqrEEMSVKnzZkR4vJTMTxBaqvka2KA7aQHJMfF';
const CHECKS = [
  'address-form',
  'dead-end',
  'list-sanctions',
  'list-known-scam',
  'chain-activity:solana',
  'solana-curve',
  'solana-program',
  'solana-token-account',
  'solana-frozen',
  'solana-delegate',
  'exposure-one-hop',
  'platform-history',
];

interface WireAccount {
  readonly owner: string;
  readonly lamports: number;
}

let database: Awaited<ReturnType<typeof testDatabase>>;
let node: WaywardRpc;
let other: WaywardRpc;
let deps: EvidenceDeps;

/** Whoever answers is waited for, whatever the machine is busy with. */
const readers = (timeoutMs: number, nodes = [node, other]) =>
  [web3SolanaReader, kitSolanaReader].map((make, i) =>
    make({ rpcUrl: nodes[i]!.url, timeoutMs, deadlineMs: timeoutMs, retries: 0 }),
  );
/** Both nodes. */
const behave = (conduct: Conduct) => {
  node.behave(conduct);
  other.behave(conduct);
};

async function list(register: RegisterName, keys: readonly string[]): Promise<void> {
  const rows = (async function* () {
    for (const key of keys) yield { key, detail: {} };
  })();
  await importRegister(database.db, { register, source: 'test', asOf: NOW, mode: 'replace', rows });
}

beforeAll(async () => {
  [database, node, other] = await Promise.all([testDatabase(), waywardRpc(), waywardRpc()]);
  deps = {
    db: database.db,
    readers: new Map(),
    solana: readers(60_000),
    deployments: new Map(),
    now: () => NOW,
    seatTimeoutMs: 60_000,
  };
});

beforeEach(async () => {
  behave(solanaConduct({ at: new Date(NOW.getTime() - 20_000) }));
  await list('sanctions', [USDC]);
  await list('known-scam', [USDC]);
});

afterAll(async () => {
  await Promise.all([node?.stop(), other?.stop()]);
  await database?.drop();
});

async function on(address: string, depth: Depth = '2-of-2', with_: EvidenceDeps = deps) {
  const answer = await determineWallet(with_, { address, depth });
  const { checks, panel, gathered } = answer.record.evidence;
  const outcome = (id: string): Outcome | undefined => checks.find((c) => c.id === id)?.outcome;
  const detail = (id: string): string => checks.find((c) => c.id === id)?.detail ?? '';
  return { ...answer, checks, panel, gathered, outcome, detail, judged: judge(gathered).verdict };
}

describe('a wallet determination on a Solana address', () => {
  it.each(['1-of-1', '2-of-2', 'superconsensus'] as const)(
    'is CLEAN at depth %s for a plain wallet, without a chain id and without an EVM check',
    async (depth) => {
      const { record, filing } = await on(SOLANA.plain!, depth);
      expect(record.reasons.join('\n')).toContain('1234567890 lamports');
      expect([record.verdict, record.addressType, record.chainId, filing]).toEqual([
        'CLEAN',
        'solana',
        null,
        'file',
      ]);
      expect(record.checks).toEqual(depth === '1-of-1' ? CHECKS : [...CHECKS, 'readings-agree']);
    },
  );

  it('names reader, cluster, slot, time and limit as the source of each check', async () => {
    const { checks, panel } = await on(SOLANA.plain!);
    const [one, two] = [node, other].map(({ url }) => new URL(url).host);
    for (const id of CHECKS.filter((c) => c.includes('solana'))) {
      const [source] = checks.find((c) => c.id === id)!.sources;
      expect(source).toMatchObject({
        name: `@solana/web3.js over ${one}, solana mainnet-beta slot ${SLOT} (finalized)`,
        asOf: new Date(Math.floor((NOW.getTime() - 20_000) / 1000) * 1000).toISOString(),
        limit: expect.stringContaining('as this one endpoint tells it'),
      });
    }
    expect(panel.votes.map((v) => [v.seat, v.source])).toEqual([
      ['rules/viem', `@solana/web3.js over ${one}`],
      ['statistics/ethers', `@solana/kit over ${two}`],
    ]);
  });

  it('is FLAGGED by both methods for a token account and for a mint in place of a wallet', async () => {
    for (const address of [TOKEN_ACCOUNT, USDC]) {
      await list('sanctions', [SOLANA.nobody!]);
      await list('known-scam', [SOLANA.nobody!]);
      const found = await on(address);
      expect(found.outcome('solana-token-account')).toBe('FLAG');
      expect(found.panel.votes.map((v) => v.vote)).toEqual(['FLAGGED', 'FLAGGED']);
    }
    expect((await on(TOKEN_ACCOUNT)).detail('solana-token-account')).toContain(
      'it belongs to 5QxkJGkYTxkJBp575w39Qumi8v2g3bxLWaXjpJsquYky',
    );
  });

  it('is FLAGGED hard for a wallet whose dollars its issuer froze', async () => {
    const found = await on(SOLANA.frozenHolder!);
    expect(found.hardFlags).toEqual(['solana-frozen']);
    expect(found.detail('solana-frozen')).toContain('USDC');
    expect(found.panel.votes.map((v) => v.vote)).toEqual(['FLAGGED', 'FLAGGED']);
  });

  it('discloses a delegate, a program and its authority, and an address off the curve, and flags none of them', async () => {
    const delegated = await on(SOLANA.delegatedHolder!);
    expect([delegated.record.verdict, delegated.detail('solana-delegate')]).toEqual([
      'CLEAN',
      expect.stringContaining(`${SOLANA.delegate} may move 5000000 of its USDC`),
    ]);
    const program = await on(PROGRAM);
    expect([program.record.verdict, program.detail('solana-program')]).toEqual([
      'CLEAN',
      `a program, not a wallet; ${SOLANA.authority} can change it`,
    ]);
    const vault = await on(SOLANA.vault!);
    expect([vault.record.verdict, vault.detail('solana-curve')]).toEqual([
      'CLEAN',
      'off the curve: no key signs for it, only a program does',
    ]);
  });

  it('discloses who signs for a multisig, or decides over a nonce or a stake account, and looks them up', async () => {
    for (const [address, says] of [
      [SOLANA.multisig!, `1 of ${SOLANA.signer} sign for it; no list names it`],
      [NONCE, `${NONCE_AUTHORITY} may move what it holds; no list names it`],
      [
        SOLANA.stakeAccount!,
        `${SOLANA.staker} may stake, and ${SOLANA.withdrawer} withdraw, what it holds; no list names it`,
      ],
    ] as const) {
      const found = await on(address);
      expect([found.record.verdict, found.detail('solana-delegate')]).toEqual(['CLEAN', says]);
      expect(found.record.coverage.chains[0]?.code).toBe('resolved');
    }
  });

  it.each([
    ['a signer', SOLANA.multisig!, SOLANA.signer!],
    ['its nonce authority', NONCE, NONCE_AUTHORITY],
    ['its staker', SOLANA.stakeAccount!, SOLANA.staker!],
    ['its withdrawer', SOLANA.stakeAccount!, SOLANA.withdrawer!],
  ])('is FLAGGED hard by every method when a list names %s', async (_, address, party) => {
    await list('known-scam', [party]);
    const found = await on(address);
    expect(found.hardFlags).toEqual(['solana-delegate']);
    expect(found.panel.votes.map((v) => v.vote)).toEqual(['FLAGGED', 'FLAGGED']);
    expect((await on(address, 'superconsensus')).panel.votes.map((v) => v.vote)).not.toContain('CLEAN');
  });

  it('says of a program’s data and of an address off the curve that nobody saw who decides over them', async () => {
    for (const [address, what] of [
      [SOLANA.voteAccount!, 'who decides over its data, which the program Vote1'],
      [SOLANA.vault!, 'who decides over the program that signs for it'],
    ] as const) {
      const { coverage } = (await on(address)).record;
      expect(coverage.chains[0]?.code).toBe('unresolved');
      expect(coverage.notLookedAt).toContainEqual(expect.stringContaining(what));
      expect(coverage.asFarAs).toContain(what);
    }
    expect((await on(SOLANA.plain!)).record.coverage.chains[0]?.code).toBe('resolved');
  });

  it.each([
    ['delegatedHolder', 'delegate', 'solana-delegate'],
    ['program', 'authority', 'solana-program'],
  ] as const)('is FLAGGED hard when a list names who acts for it (%s)', async (who, party, check) => {
    await list('known-scam', [SOLANA[party]!]);
    const found = await on(who === 'program' ? PROGRAM : SOLANA[who]!);
    expect(found.hardFlags).toEqual([check]);
    expect(found.panel.votes.map((v) => v.vote)).toEqual(['FLAGGED', 'FLAGGED']);
  });

  it('is INCONCLUSIVE where nobody is seen to control it, and for a form that is not known', async () => {
    for (const [address, check] of [
      [SOLANA.nobody!, 'solana-curve'],
      [SOLANA.oddTokenAccount!, 'solana-token-account'],
      [SOLANA.closedProgram!, 'solana-program'],
    ] as const) {
      const found = await on(address);
      expect([found.outcome(check), found.judged]).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
      expect(found.panel.votes.map((v) => v.vote)).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
    }
  });

  it('is judged again to the same verdict from what is kept', async () => {
    for (const address of [SOLANA.plain!, SOLANA.frozenHolder!, SOLANA.nobody!, TOKEN_ACCOUNT]) {
      const { record, evidence } = await on(address, 'superconsensus');
      const kept = JSON.parse(JSON.stringify(evidence)) as typeof evidence;
      expect(recompute(kept).verdict).toBe(record.verdict);
    }
  });
});

describe('two readers of Solana', () => {
  const answers =
    (change: (account: WireAccount) => object | null): Conduct =>
    async (call, pass) => {
      const honest = solanaConduct({ at: new Date(NOW.getTime() - 20_000) });
      const answer = (await honest(call, pass)) as { result: { value: (WireAccount | null)[] } };
      if (call.method !== 'getMultipleAccounts') return answer as never;
      const [first, ...rest] = answer.result.value;
      return { result: { ...answer.result, value: [first && change(first), ...rest] } } as never;
    };

  it.each([
    ['another owner', (a: WireAccount) => ({ ...a, owner: 'Vote111111111111111111111111111111111111111' })],
    ['no account', () => null],
    ['another balance at the same slot', (a: WireAccount) => ({ ...a, lamports: a.lamports + 1 })],
  ])('are not CLEAN where the second is shown %s', async (_, change) => {
    other.behave(answers(change));
    const found = await on(SOLANA.plain!);
    expect([found.judged, found.outcome('readings-agree')]).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
    expect(found.panel.dissent.join()).toContain('read different facts: solana.account');
  });

  it('may show the balances of two slots', async () => {
    const later = { at: new Date(NOW.getTime() - 19_000), clockSlot: SLOT + 3 };
    other.behave(async (call, pass) => {
      const answer = (await solanaConduct(later)(call, pass)) as {
        result: { context: object; value: never[] };
      };
      if (call.method !== 'getMultipleAccounts') return answer as never;
      const [first, ...rest] = answer.result.value as WireAccount[];
      const context = { ...answer.result.context, slot: SLOT + 3 };
      return { result: { context, value: [{ ...first, lamports: 5 }, ...rest] } } as never;
    });
    expect((await on(SOLANA.plain!)).record.verdict).toBe('CLEAN');
  });

  it.each(['2-of-2', 'superconsensus'] as const)(
    'are one with a single endpoint: asked at %s the panel is 1-of-1, and says why',
    async (depth) => {
      const { panel, checks, record } = await on(SOLANA.plain!, depth, {
        ...deps,
        solana: deps.solana!.slice(0, 1),
      });
      expect([panel.depth, panel.votes.length, record.verdict]).toEqual(['1-of-1', 1, 'CLEAN']);
      expect(checks.find((c) => c.id === 'solana-curve')!.sources[0]!.limit).toContain(
        `asked at ${depth}: one Solana endpoint is configured, so one seat answers`,
      );
    },
  );
});

describe('a Solana address that cannot be read', () => {
  const depths = ['1-of-1', '2-of-2', 'superconsensus'] as const;
  const unread = CHECKS.filter((c) => c.includes('solana'));

  it.each(depths)('is INCONCLUSIVE at depth %s without a Solana RPC, check by check', async (depth) => {
    const { solana: _, ...without } = deps;
    for (const withNone of [without, { ...deps, solana: [] }]) {
      const found = await on(SOLANA.plain!, depth, withNone);
      expect(found.record.checks).toEqual(CHECKS);
      expect(unread.map(found.outcome)).toEqual(unread.map(() => 'INCONCLUSIVE'));
      expect([found.record.verdict, found.panel.votes.some((v) => v.vote === 'CLEAN')]).toEqual([
        'FLAGGED',
        false,
      ]);
      expect(found.detail('solana-frozen')).toBe('could not be read: no Solana RPC is configured');
    }
  });

  it.each(depths)('is never CLEAN at depth %s, however the node fails', async (depth) => {
    const failures: readonly Conduct[] = [
      () => 'cut',
      () => ({ status: 200, body: '<html>' }),
      () => ({ status: 429, body: '' }),
      () => ({ error: SOLANA_ERRORS.nodeBehind! }),
      () => ({ result: null }),
      () => ({ id: 'other', result: 1 }),
    ];
    for (const failure of failures) {
      behave(failure);
      const found = await on(SOLANA.plain!, depth);
      expect(unread.map(found.outcome)).toEqual(unread.map(() => 'INCONCLUSIVE'));
      expect(found.record.verdict).toBe('FLAGGED');
      expect(found.panel.votes.map((v) => v.vote)).not.toContain('CLEAN');
      expect(JSON.stringify(found.record)).not.toMatch(/http:\/\/127/);
    }
  });

  it.each(depths)('is INCONCLUSIVE at depth %s where its nodes stand for another cluster', async (depth) => {
    const honest = solanaConduct({ at: new Date(NOW.getTime() - 20_000) });
    behave((call, pass) =>
      call.method === 'getGenesisHash' ? { result: CLUSTERS.testnet } : honest(call, pass),
    );
    const found = await on(SOLANA.plain!, depth);
    expect(unread.map(found.outcome)).toEqual(unread.map(() => 'INCONCLUSIVE'));
    expect(found.panel.votes.map((v) => v.vote)).not.toContain('CLEAN');
    expect(found.judged).toBe('INCONCLUSIVE');
  });

  it('is not CLEAN when the node never answers, or stands still', async () => {
    behave(() => 'hang');
    const hasty = { ...deps, solana: readers(1_000) };
    expect((await on(SOLANA.plain!, '2-of-2', hasty)).record.verdict).toBe('FLAGGED');
    behave(solanaConduct({ at: new Date(NOW.getTime() - 11 * 60_000) }));
    const still = await on(SOLANA.plain!, 'superconsensus');
    expect(unread.map(still.outcome)).toEqual(unread.map(() => 'INCONCLUSIVE'));
    expect(still.panel.votes.map((v) => v.vote)).not.toContain('CLEAN');
  });
});
