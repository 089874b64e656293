import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../agents/determinations/panel/judge.ts';
import type { RegisterState } from '../../agents/determinations/panel/lists.ts';
import { panelFor } from '../../agents/determinations/panel/panel.ts';
import type { Depth, DeterminationEvidence, SeatReading } from '../../agents/determinations/panel/types.ts';
import type {
  SolanaReading,
  SolanaShape,
  TokenAccount,
} from '../../agents/determinations/wallet/solana/wallet-solana-facts.ts';
import type {
  ChainReading,
  WalletCommon,
  WalletFacts,
} from '../../agents/determinations/wallet/wallet-evidence.ts';
import '../fixtures/seeded.ts';

type Evidence = DeterminationEvidence<WalletCommon, WalletFacts>;

const AT = '2026-11-21T08:00:00.000Z';
const EVM = `0x${'a1'.repeat(20)}`;
const OTHER = `0x${'b2'.repeat(20)}`;
const CHAINS = ['eip155:1002', 'eip155:84532'];
const TOKENS = CHAINS.map((chain, i) => ({ chain, token: `0x${`c${i}`.repeat(20)}`, name: 'USDC' }));
const MINTS = ['USDC', 'USDT', 'PYUSD'].map((name) => ({ mint: `${name}mint`, name }));
/** On the curve: bytes of a key made for tests. */
const WALLET = 'So11111111111111111111111111111111111111112';
const VAULT = 'Ac7YW6ktKRNX9aEFFes2NBsgYtz77PJX3CZg5KK7gx3B';
const PARTY = 'CLwYqDZ2q5k9hD2mD7bQ3v1gJ8m1Rk6cWvWQF1Ws2AAA';
const KNOWN = [EVM, OTHER, WALLET, VAULT, PARTY];

const depth = fc.constantFrom<Depth | null>('1-of-1', '2-of-2', 'superconsensus', null);
const register = (name: RegisterState['register']): fc.Arbitrary<RegisterState> =>
  fc.record({
    register: fc.constant(name),
    maxAgeDays: fc.constant(7),
    lists: fc.constant([
      { name: `${name}/x`, asOf: AT, rows: 4 },
      { name: `${name}/y`, asOf: AT, rows: 5 },
    ]),
    lookedUp: fc.constantFrom(KNOWN, KNOWN, KNOWN, [EVM, WALLET]),
    hits: fc.oneof(
      { weight: 5, arbitrary: fc.constant([]) },
      {
        weight: 1,
        arbitrary: fc
          .uniqueArray(fc.constantFrom(...KNOWN), { maxLength: 2 })
          .map((keys) => keys.map((key) => ({ key, list: `${name}/x` }))),
      },
    ),
  });

const code: fc.Arbitrary<ChainReading['code']> = fc.constantFrom(
  { size: 0, hash: null, head: '0x' as const, implementation: null, beacon: null, admin: null },
  { size: 0, hash: null, head: '0x' as const, implementation: null },
  { size: 5, hash: null, head: '0x6080604052' as const, implementation: OTHER, beacon: null, admin: OTHER },
  { size: 5, hash: null, head: '0x6080604052' as const, implementation: null, beacon: OTHER, admin: null },
);
const reading = (chain: string): fc.Arbitrary<ChainReading> =>
  fc.record({
    chain: fc.constant(chain),
    nonce: fc.nat(3),
    balance: fc.constant('7'),
    code,
    freeze: fc.record({
      token: fc.constant(TOKENS.find((t) => t.chain === chain)!.token),
      state: fc.constantFrom('clear', 'clear', 'no-list', 'frozen'),
    }),
    fault: fc.constant(null),
  });
const evmFacts: fc.Arbitrary<WalletFacts> = fc.tuple(...CHAINS.map(reading)).map((chains) => ({ chains }));

const token = (mint: string): fc.Arbitrary<TokenAccount> =>
  fc.record({
    mint: fc.constant(mint),
    holder: fc.constantFrom(WALLET, PARTY),
    amount: fc.constant('5'),
    frozen: fc.constantFrom(false, false, false, true),
    delegate: fc.constantFrom(null, null, PARTY),
    delegatedAmount: fc.constant('1'),
    closeAuthority: fc.constantFrom(null, null, PARTY),
  });
const shape: fc.Arbitrary<SolanaShape> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'wallet' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'data' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'nonce', authority: PARTY } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'stake', staker: PARTY, withdrawer: WALLET } as const) },
  {
    weight: 1,
    arbitrary: fc.constant({ kind: 'multisig', required: 1, signers: [WALLET, PARTY] } as const),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'unknown', why: 'odd' } as const) },
  { weight: 1, arbitrary: fc.constant({ kind: 'program', upgradeable: true, authority: PARTY } as const) },
  { weight: 1, arbitrary: token('Xmint').map((t) => ({ kind: 'token-account', ...t }) as const) },
  {
    weight: 1,
    arbitrary: fc.constant({ kind: 'mint', mintAuthority: PARTY, freezeAuthority: null } as const),
  },
);
const solana = (address: string): fc.Arbitrary<WalletFacts> =>
  fc
    .tuple(fc.option(shape, { freq: 6 }), fc.subarray(MINTS), fc.infiniteStream(token('')))
    .map(([is, mints, tokens]): SolanaReading => {
      const stream = tokens[Symbol.iterator]();
      return {
        cluster: 'mainnet-beta',
        slot: '437047333',
        at: '2026-11-21T07:59:40.000Z',
        onCurve: address === WALLET,
        account:
          is === null
            ? null
            : { lamports: '9', owner: '1'.repeat(32), executable: is.kind === 'program', is },
        holdings: mints.map(({ mint }) => ({ ...(stream.next().value as TokenAccount), mint })),
        source: '@solana/web3.js over 127.0.0.1:1',
        fault: null,
      };
    })
    .map((read) => ({ chains: [], solana: read }));

function seats(at: Depth | null, facts: WalletFacts, one: boolean): SeatReading<WalletFacts>[] {
  return panelFor(at).seats.map(({ seat, method, client }) => ({
    seat,
    method,
    source: one ? '@solana/web3.js over 127.0.0.1:1' : `${client} over 127.0.0.1:${client.length}`,
    limit: 'a test',
    facts: client === 'all' ? null : facts,
    fault: null,
  }));
}

const evidence: fc.Arbitrary<Evidence> = fc
  .tuple(depth, fc.constantFrom(EVM, WALLET, VAULT), register('sanctions'), register('known-scam'), fc.nat(8))
  .chain(([at, address, sanctions, knownScam, flags]) => {
    const evm = address === EVM;
    return (evm ? evmFacts : solana(address)).map(
      (facts): Evidence => ({
        id: 'wallet',
        rules: 1,
        at: AT,
        performer: at === null ? 'EXECUTOR' : 'AGENT',
        depth: at,
        common: {
          address,
          addressType: evm ? 'evm' : 'solana',
          chainId: evm ? 1002 : null,
          chains: evm ? CHAINS : ['solana'],
          ...(evm ? { tokens: TOKENS } : { solana: { mints: MINTS } }),
          sanctions,
          knownScam,
          history: {
            days: 90,
            hardFlags: flags > 7 ? [{ recordId: 'rec_1', at: AT, check: 'c' }] : [],
            stoppedDeals: [],
          },
          platform: [],
        },
        blocks: evm
          ? Object.fromEntries(CHAINS.map((c) => [c, { number: '5', hash: '0x05' as const, at: AT }]))
          : {},
        seats: seats(at, facts, !evm),
        latencyMs: 1,
      }),
    );
  });

/** Every way a reading of one seat can be missing; `which` chooses among chains. */
const FAILURES: readonly ((facts: WalletFacts, which: number) => WalletFacts | null)[] = [
  () => null,
  (facts) => ({ ...facts, chains: [], ...(facts.solana ? { solana: unread(facts.solana) } : {}) }),
  ({ solana: _, ...facts }) => ({ ...facts, chains: [] }),
  (facts, which) => ({
    chains: facts.chains.map((c, i) =>
      i === which % CHAINS.length ? { ...c, nonce: null, balance: null, code: null, freeze: null } : c,
    ),
    ...(facts.solana ? { solana: unread(facts.solana) } : {}),
  }),
  (facts, which) => ({
    chains: facts.chains.map((c, i) => (i === which % CHAINS.length ? { ...c, freeze: null } : c)),
    ...(facts.solana ? { solana: { ...facts.solana, at: '2026-11-21T07:00:00.000Z' } } : {}),
  }),
];

function unread(read: SolanaReading): SolanaReading {
  const nothing = { cluster: null, slot: null, at: null, onCurve: null, account: null, holdings: [] };
  return { ...nothing, source: read.source, fault: 'down' };
}

const mapFacts = (e: Evidence, map: (facts: WalletFacts, seat: string) => WalletFacts | null): Evidence => ({
  ...e,
  seats: e.seats.map((s) => (s.facts === null ? s : { ...s, facts: map(s.facts, s.seat) })),
});

describe('readings of a wallet', () => {
  it('meet all three verdicts here, for either family of chains', () => {
    const seen = fc
      .sample(evidence, { numRuns: 1_500, seed: 11 })
      .map((e) => `${e.common.addressType} ${judge(e).verdict}`);
    for (const family of ['evm', 'solana']) {
      for (const verdict of ['CLEAN', 'FLAGGED', 'INCONCLUSIVE'])
        expect(seen).toContain(`${family} ${verdict}`);
    }
  });

  it('that fail, for one client or for all, in any way, never end in CLEAN', () => {
    const failing = fc.constantFrom('viem', 'ethers', 'all');
    fc.assert(
      fc.property(evidence, failing, fc.nat(FAILURES.length - 1), fc.nat(), (e, client, how, which) => {
        // One Solana client serves every seat: when it fails it fails for all.
        const whose = e.common.addressType === 'solana' ? 'all' : client;
        fc.pre(whose !== 'ethers' || e.seats.some((s) => s.seat.endsWith('ethers')));
        const failed = mapFacts(e, (facts, seat) =>
          whose === 'all' || seat.endsWith(whose) ? FAILURES[how]!(facts, which) : facts,
        );
        expect(judge(failed).verdict).not.toBe('CLEAN');
      }),
      { numRuns: 2_000 },
    );
  });

  it('give the same verdict, votes and outcomes in any order', () => {
    fc.assert(
      fc.property(evidence, fc.infiniteStream(fc.double({ noNaN: true })), (e, random) => {
        const next = random[Symbol.iterator]();
        const mix = <T>(items: readonly T[]): T[] =>
          items
            .map((item) => [next.next().value as number, item] as const)
            .sort(([a], [b]) => a - b)
            .map(([, item]) => item);
        const { tokens, solana: asked } = e.common;
        const turned: Evidence = {
          ...e,
          common: {
            ...e.common,
            chains: mix(e.common.chains),
            ...(tokens ? { tokens: mix(tokens) } : {}),
            ...(asked ? { solana: { mints: mix(asked.mints) } } : {}),
          },
          seats: mix(e.seats),
        };
        const order = mix(CHAINS);
        const mixed = mapFacts(turned, (facts) => ({
          chains: [...facts.chains].sort((a, b) => order.indexOf(a.chain) - order.indexOf(b.chain)),
          ...(facts.solana ? { solana: { ...facts.solana, holdings: mix(facts.solana.holdings) } } : {}),
        }));
        const [one, two] = [judge(e), judge(mixed)];
        expect(two.verdict).toBe(one.verdict);
        expect(two.panel.votes.map((v) => v.vote)).toEqual(one.panel.votes.map((v) => v.vote));
        expect(two.checks.map((c) => `${c.id} ${c.outcome}`).sort()).toEqual(
          one.checks.map((c) => `${c.id} ${c.outcome}`).sort(),
        );
      }),
      { numRuns: 800 },
    );
  });

  it('with one more adverse fact never turn CLEAN', () => {
    const frozen = (facts: WalletFacts): WalletFacts => ({
      chains: facts.chains.map((c) => (c.freeze ? { ...c, freeze: { ...c.freeze, state: 'frozen' } } : c)),
      ...(facts.solana
        ? {
            solana: {
              ...facts.solana,
              holdings: [
                ...facts.solana.holdings,
                {
                  mint: 'USDCmint',
                  holder: WALLET,
                  amount: '1',
                  frozen: true,
                  delegate: null,
                  delegatedAmount: '0',
                  closeAuthority: null,
                },
              ],
            },
          }
        : {}),
    });
    fc.assert(
      fc.property(evidence, (e) => {
        expect(judge(mapFacts(e, frozen)).verdict).toBe('FLAGGED');
      }),
      { numRuns: 500 },
    );
  });
});
