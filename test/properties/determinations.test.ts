import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../agents/determinations/panel/judge.ts';
import type { RegisterState } from '../../agents/determinations/panel/lists.ts';
import { decide, panelFor } from '../../agents/determinations/panel/panel.ts';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import { rollUpTier, rollVerdict } from '../../agents/determinations/panel/rollup.ts';
import type {
  Depth,
  Determination,
  DeterminationEvidence,
  Heard,
  SeatReading,
  Verdict,
} from '../../agents/determinations/panel/types.ts';
import type { Claim, PledgeCommon } from '../../agents/determinations/pledge/pledge-evidence.ts';
import type {
  ChainReading,
  WalletCommon,
  WalletFacts,
} from '../../agents/determinations/wallet/wallet-evidence.ts';
import { recordHash, reversed } from '../fixtures/record-hash.ts';
import '../fixtures/seeded.ts';

type WalletEvidence = DeterminationEvidence<WalletCommon, WalletFacts>;
type PledgeEvidence = DeterminationEvidence<PledgeCommon, object>;

const AT = '2026-11-21T08:00:00.000Z';
const ADDRESS = `0x${'a1'.repeat(20)}`;
const OTHER = `0x${'b2'.repeat(20)}`;
const CHAINS = ['eip155:1002', 'eip155:84532'];

const depth = fc.constantFrom<Depth | null>('1-of-1', '2-of-2', 'superconsensus', null);
const list = fc.record({
  name: fc.constantFrom('x', 'y', 'z'),
  asOf: fc.constantFrom('2026-11-20T00:00:00.000Z', '2026-11-18T00:00:00.000Z', '2020-01-01T00:00:00.000Z'),
  rows: fc.constantFrom(0, 3, 900),
});
const register = (name: RegisterState['register']) =>
  fc.record({
    register: fc.constant(name),
    maxAgeDays: fc.constant(7),
    lists: fc.uniqueArray(list, { maxLength: 3, selector: (l) => l.name }),
    lookedUp: fc.constantFrom([ADDRESS, OTHER], [ADDRESS], []),
    hits: fc.array(fc.record({ key: fc.constantFrom(ADDRESS, OTHER), list: fc.constantFrom('x', 'y') }), {
      maxLength: 2,
    }),
  });
const code = fc.constantFrom(
  { size: 0, hash: null, head: '0x' as const, implementation: null },
  { size: 23, hash: null, head: `0xef0100${OTHER.slice(2)}` as const, implementation: null },
  { size: 5, hash: null, head: '0x6080604052' as const, implementation: OTHER },
);
const reading = (chain: string): fc.Arbitrary<ChainReading> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        chain: fc.constant(chain),
        nonce: fc.nat(3),
        balance: fc.constant('7'),
        code,
        fault: fc.constant(null),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ chain, nonce: null, balance: null, code: null, fault: 'down' }) },
  );
const facts = fc.tuple(...CHAINS.map(reading)).map((chains): WalletFacts => ({ chains }));

/** Mostly good evidence, so that CLEAN is met as often as the rest. */
const good: fc.Arbitrary<WalletCommon> = fc.constant({
  address: ADDRESS,
  addressType: 'evm',
  chainId: 1002,
  chains: CHAINS,
  sanctions: {
    register: 'sanctions',
    maxAgeDays: 7,
    lists: [{ name: 'x', asOf: AT, rows: 9 }],
    lookedUp: [ADDRESS, OTHER],
    hits: [],
  },
  knownScam: {
    register: 'known-scam',
    maxAgeDays: 7,
    lists: [{ name: 'y', asOf: AT, rows: 9 }],
    lookedUp: [ADDRESS, OTHER],
    hits: [],
  },
  history: { days: 90, hardFlags: [], stoppedDeals: [] },
  platform: [],
});
const anyCommon: fc.Arbitrary<WalletCommon> = fc
  .tuple(good, register('sanctions'), register('known-scam'), fc.nat(2), fc.nat(2))
  .map(([base, sanctions, knownScam, flags, deals]) => ({
    ...base,
    sanctions,
    knownScam,
    history: {
      days: 90,
      hardFlags: Array.from({ length: flags }, (_, i) => ({ recordId: `rec_${i}`, at: AT, check: 'c' })),
      stoppedDeals: Array.from({ length: deals }, (_, i) => ({ dealId: `deal_${i}`, at: AT, reason: 'r' })),
    },
  }));

function seatsOf<F>(at: Depth | null, facts: readonly F[]): SeatReading<F>[] {
  return panelFor(at).seats.map(({ seat, method, client }, i) => ({
    seat,
    method,
    source: `${client} over 127.0.0.1:${client.length}`,
    limit: 'a test',
    facts: client === 'all' ? null : facts[i % facts.length]!,
    fault: null,
  }));
}

const blocks = Object.fromEntries(CHAINS.map((c) => [c, { number: '5', hash: '0x05' as const, at: AT }]));

const walletEvidence: fc.Arbitrary<WalletEvidence> = fc
  .tuple(depth, fc.oneof(good, anyCommon), facts, fc.option(facts, { freq: 4 }))
  .map(([at, common, one, other]) => ({
    id: 'wallet',
    rules: 1,
    at: AT,
    performer: at === null ? 'EXECUTOR' : 'AGENT',
    depth: at,
    common,
    blocks,
    seats: seatsOf(at, other === null ? [one] : [one, other]),
    latencyMs: 1,
  }));

const claim: fc.Arbitrary<Claim> = fc.record({
  id: fc.uuid(),
  kind: fc.constantFrom('listing', 'pledge'),
  listingRef: fc.constantFrom('lst_1', 'lst_2', 'lst_3'),
  holder: fc.constantFrom('alice', 'bob'),
  lender: fc.constantFrom(null, 'bank'),
  since: fc.constant(AT),
  sameKey: fc.boolean(),
  otherMaker: fc.constantFrom(false, false, true),
});
const pledgeEvidence: fc.Arbitrary<PledgeEvidence> = fc
  .tuple(
    depth,
    fc.constantFrom(null, 'lst_1'),
    fc.constantFrom(null, 'alice'),
    fc.array(claim, { maxLength: 3 }),
  )
  .map(([at, listingRef, handle, claims]) => ({
    id: 'double-pledge',
    rules: 1,
    at: AT,
    performer: at === null ? 'EXECUTOR' : 'AGENT',
    depth: at,
    common: { assetKey: 'serial:vin:X', listingRef, handle, claims },
    blocks: {},
    seats: seatsOf(at, [{}]),
    latencyMs: 1,
  }));

const anyEvidence: fc.Arbitrary<DeterminationEvidence> = fc.oneof(walletEvidence, pledgeEvidence);

/** Each adds one adverse fact and takes nothing away. */
const ADVERSE: readonly ((e: WalletEvidence) => WalletEvidence)[] = [
  (e) =>
    withCommon(e, {
      sanctions: { ...e.common.sanctions, hits: [...e.common.sanctions.hits, { key: ADDRESS, list: 'x' }] },
    }),
  (e) =>
    withCommon(e, {
      knownScam: { ...e.common.knownScam, hits: [...e.common.knownScam.hits, { key: OTHER, list: 'y' }] },
    }),
  (e) => withCommon(e, { sanctions: { ...e.common.sanctions, lists: [] } }),
  (e) =>
    withCommon(e, {
      knownScam: {
        ...e.common.knownScam,
        lists: e.common.knownScam.lists.map((l) => ({ ...l, asOf: '2019-01-01T00:00:00.000Z' })),
      },
    }),
  (e) =>
    withCommon(e, {
      history: {
        ...e.common.history,
        hardFlags: [...e.common.history.hardFlags, { recordId: 'rec_new', at: AT, check: 'c' }],
      },
    }),
  (e) =>
    withCommon(e, {
      history: {
        ...e.common.history,
        stoppedDeals: [...e.common.history.stoppedDeals, { dealId: 'deal_new', at: AT, reason: 'r' }],
      },
    }),
  (e) => ({
    ...e,
    seats: e.seats.map((s) => ({
      ...s,
      facts:
        s.facts === null
          ? null
          : {
              chains: s.facts.chains.map((c) => ({
                ...c,
                nonce: null,
                balance: null,
                code: null,
                fault: 'down',
              })),
            },
    })),
  }),
  (e) => ({ ...e, seats: e.seats.map((s) => ({ ...s, facts: null, fault: 'late' })) }),
];

function withCommon(e: WalletEvidence, common: Partial<WalletCommon>): WalletEvidence {
  return { ...e, common: { ...e.common, ...common } };
}

const heard: fc.Arbitrary<Heard | null> = fc.option(
  fc.record({
    by: fc.constant('m at h'),
    vote: fc.constantFrom<Verdict | null>('CLEAN', 'CLEAN', 'FLAGGED', 'INCONCLUSIVE', null),
    reasons: fc.array(fc.string(), { maxLength: 2 }),
    silence: fc.constantFrom(null, 'it refused'),
  }),
  { freq: 8 },
);

function factsOf(e: WalletEvidence): WalletFacts[] {
  const read = e.seats.flatMap((s) => (s.facts === null ? [] : [s.facts]));
  return read.length === 0 ? [{ chains: [] }] : read;
}

/** The same readings on a panel that language models have joined. */
function withModels(e: WalletEvidence, models: readonly (Heard | null)[]): WalletEvidence {
  const seats = panelFor(e.depth, models.length).seats.map((plan, i) => {
    const { seat, method, base } = plan;
    const said = base === undefined ? null : models[base === 'rules' ? 0 : 1]!;
    return { ...e.seats[i]!, seat, method, ...(said === null ? {} : { heard: said }) };
  });
  return { ...e, models: models.length, seats };
}

const determination = (verdict: Verdict, id: Determination['id'] = 'wallet'): Determination => ({
  ...judge({
    id: 'price-intelligence',
    rules: 1,
    at: AT,
    performer: 'AGENT',
    depth: '1-of-1',
    common: {},
    blocks: {},
    seats: [],
    latencyMs: 0,
  }),
  id,
  verdict,
});

describe('determinations', () => {
  it('meet all three verdicts on the evidence generated here', () => {
    const verdicts = fc.sample(anyEvidence, { numRuns: 400, seed: 7 }).map((e) => judge(e).verdict);
    expect(new Set(verdicts)).toEqual(new Set(['CLEAN', 'FLAGGED', 'INCONCLUSIVE']));
  });

  it('are CLEAN when every check passed and the quorum voted CLEAN, whatever a minority says, and only then', () => {
    let outvoted = 0;
    fc.assert(
      fc.property(anyEvidence, (evidence) => {
        const { verdict, checks, panel } = judge(evidence);
        const clean = panel.votes.filter((v) => v.vote === 'CLEAN').length;
        const hard = panel.votes.some((v) => v.hard === true) || checks.some((c) => c.hard === true);
        const passed = checks.length > 0 && checks.every((c) => c.outcome === 'PASS');
        expect(verdict === 'CLEAN').toBe(passed && !hard && clean >= panel.quorum);
        if (verdict === 'CLEAN' && clean < panel.votes.length) outvoted++;
      }),
      { numRuns: 500, seed: 13 },
    );
    expect(outvoted).toBeGreaterThan(0);
  });

  it('are FLAGGED by any hard flag', () => {
    fc.assert(
      fc.property(anyEvidence, (evidence) => {
        const { verdict, checks } = judge(evidence);
        return !checks.some((c) => c.hard === true && c.outcome === 'FLAG') || verdict === 'FLAGGED';
      }),
      { numRuns: 500 },
    );
  });

  it('never turn CLEAN by a further adverse fact', () => {
    fc.assert(
      fc.property(walletEvidence, fc.constantFrom(...ADVERSE.keys()), (evidence, which) => {
        const before = judge(evidence).verdict;
        const after = judge(ADVERSE[which]!(evidence)).verdict;
        return before === 'CLEAN' || after !== 'CLEAN';
      }),
      { numRuns: 800 },
    );
  });

  it('never turn CLEAN by a further claim on the asset', () => {
    fc.assert(
      fc.property(pledgeEvidence, claim, (evidence, extra) => {
        const more = {
          ...evidence,
          common: { ...evidence.common, claims: [...evidence.common.claims, extra] },
        };
        return judge(evidence).verdict === 'CLEAN' || judge(more).verdict !== 'CLEAN';
      }),
      { numRuns: 500 },
    );
  });

  it('do not depend on the order of facts or seats', () => {
    fc.assert(
      fc.property(walletEvidence, fc.nat(), (evidence, seed) => {
        const mix = <T>(items: readonly T[]): T[] =>
          [...items].sort((a, b) => order(a, seed) - order(b, seed));
        const turn = (r: RegisterState): RegisterState => ({
          ...r,
          lists: mix(r.lists),
          hits: mix(r.hits),
          lookedUp: mix(r.lookedUp),
        });
        const mixed: WalletEvidence = {
          ...evidence,
          common: {
            ...evidence.common,
            chains: mix(evidence.common.chains),
            sanctions: turn(evidence.common.sanctions),
            knownScam: turn(evidence.common.knownScam),
          },
          // Each seat's own reading keeps one order among the seats: they are compared place by place.
          seats: mix(
            evidence.seats.map((s) =>
              s.facts === null ? s : { ...s, facts: { chains: mix(s.facts.chains) } },
            ),
          ),
        };
        const [one, two] = [judge(evidence), judge(mixed)];
        const votes = (d: Determination) => d.panel.votes.map((v) => `${v.seat} ${v.vote}`);
        expect(two.verdict).toBe(one.verdict);
        expect(votes(two)).toEqual(votes(one));
      }),
      { numRuns: 300 },
    );
  });

  it('are tightened by language models and never loosened, whatever these say or leave unsaid', () => {
    const weight = { CLEAN: 0, INCONCLUSIVE: 1, FLAGGED: 2 } as const;
    fc.assert(
      fc.property(walletEvidence, fc.array(heard, { minLength: 1, maxLength: 2 }), (evidence, models) => {
        const plain = {
          ...evidence,
          depth: 'superconsensus' as const,
          seats: seatsOf('superconsensus', factsOf(evidence)),
        };
        const [without, joined] = [judge(plain), judge(withModels(plain, models))];
        expect(weight[joined.verdict]).toBeGreaterThanOrEqual(weight[without.verdict]);
        joined.panel.votes.forEach((v, i) => {
          expect(weight[v.vote]).toBeGreaterThanOrEqual(weight[without.panel.votes[i]!.vote]);
        });
        if (models.some((m) => m === null || m.vote === null)) {
          expect(joined.panel.votes.filter((v) => v.vote === 'CLEAN').length).toBeLessThan(
            joined.panel.seats,
          );
        }
        if (models.every((m) => m?.vote === 'CLEAN')) expect(joined.verdict).toBe(without.verdict);
        const outcomes = (d: Determination) => d.checks.map((c) => [c.id, c.outcome, c.hard]);
        expect(outcomes(joined)).toEqual(outcomes(without));
      }),
      { numRuns: 250 },
    );
  });

  it('give the same record hash for the same evidence, and the same verdict again from what was stored', () => {
    fc.assert(
      fc.property(anyEvidence, (evidence) => {
        const stored = JSON.parse(JSON.stringify(evidence)) as DeterminationEvidence;
        expect(recordHash(reversed(stored) as DeterminationEvidence)).toBe(recordHash(evidence));
        expect(recompute({ kind: 'wallet', determinations: [stored] }).verdict).toBe(
          rollVerdict([judge(evidence)]),
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('the rules of a panel', () => {
  const vote = fc.constantFrom<Verdict>('CLEAN', 'FLAGGED', 'INCONCLUSIVE');

  it('take no vote for CLEAN that was not cast as CLEAN', () => {
    fc.assert(
      fc.property(
        fc.array(vote, { maxLength: 5 }),
        fc.integer({ min: 1, max: 5 }),
        fc.boolean(),
        (votes, quorum, hard) => {
          const verdict = decide(votes, quorum, hard);
          const clean = votes.filter((v) => v === 'CLEAN').length;
          expect(verdict === 'CLEAN').toBe(!hard && clean >= quorum);
          if (!hard && clean < quorum)
            expect(verdict).toBe(votes.includes('FLAGGED') ? 'FLAGGED' : 'INCONCLUSIVE');
        },
      ),
    );
  });

  it('seat at most two models, on the second seat of a method, in superconsensus alone', () => {
    const seats = (models: number) => panelFor('superconsensus', models).seats.map((s) => s.seat);
    expect(seats(1)).toEqual([
      'rules/viem',
      'rules+llm/ethers',
      'statistics/viem',
      'statistics/ethers',
      'adversarial/all',
    ]);
    expect(seats(2)).toEqual([
      'rules/viem',
      'rules+llm/ethers',
      'statistics/viem',
      'statistics+llm/ethers',
      'adversarial/all',
    ]);
    expect(seats(9)).toEqual(seats(2));
    expect([panelFor('1-of-1', 2), panelFor('2-of-2', 2), panelFor(null, 2)]).toEqual([
      panelFor('1-of-1'),
      panelFor('2-of-2'),
      panelFor(null),
    ]);
  });

  it('seat one, two of different method and client, or five with a quorum of four', () => {
    expect(
      [panelFor('1-of-1'), panelFor('2-of-2'), panelFor('superconsensus')].map((p) => [
        p.seats.length,
        p.quorum,
      ]),
    ).toEqual([
      [1, 1],
      [2, 2],
      [5, 4],
    ]);
    const [one, two] = panelFor('2-of-2').seats;
    expect([one?.method === two?.method, one?.client === two?.client]).toEqual([false, false]);
  });
});

describe('a rolled-up record', () => {
  it('is CLEAN exactly when something ran and all of it is CLEAN', () => {
    const verdicts = fc.array(fc.constantFrom<Verdict>('CLEAN', 'FLAGGED', 'INCONCLUSIVE'), { maxLength: 5 });
    fc.assert(
      fc.property(verdicts, (all) => {
        const rolled = rollVerdict(all.map((v) => determination(v)));
        return (rolled === 'CLEAN') === (all.length > 0 && all.every((v) => v === 'CLEAN'));
      }),
    );
  });

  it('names what flagged, what could not say, what ran and what did not, whatever order they came in', () => {
    const parts = [
      determination('INCONCLUSIVE', 'price-intelligence'),
      determination('FLAGGED', 'double-pledge'),
      determination('CLEAN', 'shill-collusion'),
    ];
    const head = { tier: 'tier2', category: 'digital-products' } as const;
    const record = rollUpTier(head, parts, ['mandate-compliance']);
    expect(record).toMatchObject({
      verdict: 'FLAGGED',
      flagged: ['double-pledge'],
      determinationsRun: ['shill-collusion', 'double-pledge', 'price-intelligence'],
      determinationsNotRun: ['mandate-compliance'],
    });
    expect(record.inconclusive).toContain('price-intelligence');
    expect(record.inconclusive).not.toContain('double-pledge');
    expect(rollUpTier(head, [...parts].reverse(), ['mandate-compliance'])).toEqual(record);
  });
});

function order(value: unknown, seed: number): number {
  let hash = seed % 9973;
  for (const c of JSON.stringify(value)) hash = (hash * 31 + c.charCodeAt(0)) % 1_000_003;
  return hash;
}
