import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  MandateChainFacts,
  MandateCommon,
} from '../../agents/determinations/mandate/mandate-evidence.ts';
import { judge } from '../../agents/determinations/panel/judge.ts';
import { panelFor } from '../../agents/determinations/panel/panel.ts';
import { recompute } from '../../agents/determinations/panel/recompute.ts';
import { rollUpTier, rollVerdict } from '../../agents/determinations/panel/rollup.ts';
import type { Depth, DeterminationEvidence, Verdict } from '../../agents/determinations/panel/types.ts';
import type { Claim, PledgeCommon } from '../../agents/determinations/pledge/pledge-evidence.ts';
import type { PriceCommon } from '../../agents/determinations/price/price-evidence.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import { recordHash, reversed } from '../fixtures/record-hash.ts';
import '../fixtures/seeded.ts';

const AT = '2026-11-21T08:00:00.000Z';
const CHAIN = 'eip155:1002';

type MandateEvidence = DeterminationEvidence<MandateCommon, MandateChainFacts>;

const depth = fc.constantFrom<Depth | null>('1-of-1', '2-of-2', 'superconsensus', null);

function evidence<C, F>(
  id: DeterminationEvidence['id'],
  at: Depth | null,
  common: C,
  facts: readonly F[],
): DeterminationEvidence<C, F> {
  return {
    id,
    rules: 1,
    at: AT,
    performer: at === null ? 'EXECUTOR' : 'AGENT',
    depth: at,
    common,
    blocks: {},
    seats: panelFor(at).seats.map(({ seat, method, client }, i) => ({
      seat,
      method,
      source: `${client} over 127.0.0.1:1`,
      limit: 'a test',
      facts: client === 'all' ? null : facts[i % facts.length]!,
      fault: null,
    })),
    latencyMs: 1,
  };
}

/** A value that is seldom there. */
const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
/** The first value, but now and then one of the others. */
const mostly = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
const usd = (n: number): string => String(BigInt(n) * 1_000_000n);

const terms: fc.Arbitrary<Mandate> = fc
  .record({
    side: mostly('both', 'buy', 'sell'),
    cap_per_deal: fc.constantFrom('500', '400'),
    cap_per_day: fc.constantFrom('800', '900'),
    categories_allow: mostly(
      ['digital-products', 'real-world-assets'],
      ['real-world-assets', 'digital-products', 'travel-and-perishables'],
      ['travel-and-perishables'],
    ),
    max_deals_per_day: mostly(9, 3),
    max_pct_of_market: seldom(fc.constant('90')),
    max_pct_of_face: seldom(fc.constant('90')),
    require_clean: seldom(fc.constantFrom(['wallet', 'provenance'], ['wallet'])),
    counterparties_deny: seldom(fc.constantFrom(['bob', 'eve'], ['eve', 'mal'])),
    counterparties_allow: seldom(fc.constantFrom(['0xother', 'zed'], ['zed', 'bob', 'ann'])),
    chains_deny: seldom(fc.constantFrom(['base', 'eip155:7'], ['eip155:1002'])),
    not_before: seldom(fc.constantFrom('2026-11-20T00:00:00Z', '2026-12-20T00:00:00Z')),
    expires_at: mostly('2026-12-31T23:59:59Z', '2026-11-20T00:00:00Z'),
  })
  .map(
    (fields) =>
      Object.fromEntries(
        Object.entries({ currency: 'USDC', ...fields }).filter(([, value]) => value !== undefined),
      ) as unknown as Mandate,
  );

const UNCAPPED = String((1n << 256n) - 1n);
const left = (most: string) => ({
  day: most,
  week: UNCAPPED,
  month: UNCAPPED,
  total: UNCAPPED,
  spendable: most,
});
const chainFacts: fc.Arbitrary<MandateChainFacts> = fc.record({
  owner: fc.constant('0xa'),
  keyLive: mostly<boolean | null>(true, false, null, null),
  mandateHash: mostly<string | null>('0xhash', '0xHASH', '0xelse', null, null),
  remaining: mostly<MandateChainFacts['remaining']>(left(usd(600)), left(usd(300)), null, null),
  funds: mostly<string | null>(usd(2000), usd(50), null, null),
  fault: fc.constant('down'),
});
const mandateEvidence: fc.Arbitrary<MandateEvidence> = fc
  .record({
    at: depth,
    mandate: terms,
    price: mostly(usd(100), usd(350), usd(400), '400000001', '500000001'),
    side: fc.constantFrom('buy' as const, 'buy' as const, 'sell' as const),
    status: mostly('active', 'paused'),
    reserved: mostly('0', usd(450)),
    deals: fc.record({ day: fc.nat(4), total: fc.constant(20) }),
    median: mostly<string | null>(usd(1000), usd(200), null),
    face: mostly<string | null>(usd(1000), usd(200), null),
    verdict: mostly<Verdict | undefined>('CLEAN', 'FLAGGED', undefined),
    one: chainFacts,
    other: fc.option(chainFacts, { freq: 5 }),
  })
  .map(({ at, mandate, one, other, ...drawn }) => {
    const common: MandateCommon = {
      handle: 'alice',
      chain: CHAIN,
      agent: { status: drawn.status, mandate, mandateHash: '0xhash' },
      proposal: {
        side: drawn.side,
        category: 'digital-products',
        price: drawn.price,
        chainId: 1002,
        counterparty: 'bob',
        aliases: ['0xother', 'bob', '0xowner'],
      },
      reserved: drawn.reserved,
      sold: { day: '0', week: '0', month: '0', total: '0' },
      deals: drawn.deals,
      marketMedian: drawn.median,
      faceValue: drawn.face === null ? null : { amount: drawn.face, source: 'the indenture' },
      verdicts: drawn.verdict === undefined ? {} : { wallet: drawn.verdict, provenance: drawn.verdict },
      names: {},
    };
    return evidence('mandate-compliance', at, common, other === null ? [one] : [one, other]);
  });

type Worse = (e: MandateEvidence) => MandateEvidence;
const withCommon = (change: (c: MandateCommon) => Partial<MandateCommon>): Worse => {
  return (e) => ({ ...e, common: { ...e.common, ...change(e.common) } });
};
const withFacts = (change: Partial<MandateChainFacts>): Worse => {
  return (e) => ({
    ...e,
    seats: e.seats.map((s) => ({ ...s, facts: s.facts && { ...s.facts, ...change } })),
  });
};
const withTerms = (change: (m: Mandate) => Partial<Mandate>): Worse =>
  withCommon(({ agent }) => ({
    agent: agent && { ...agent, mandate: { ...agent.mandate, ...change(agent.mandate) } },
  }));
const SPENT = { day: '0', week: '0', month: '0', total: '0', spendable: '0' };

/** Each makes one thing worse and nothing better; those of the second list hide something instead. */
const WORSE: readonly Worse[] = [
  withFacts({ keyLive: false }),
  withFacts({ mandateHash: '0xelse' }),
  withFacts({ funds: '0' }),
  withFacts({ remaining: SPENT }),
  withCommon((c) => ({ reserved: String(BigInt(c.reserved) + 10n ** 12n) })),
  withCommon((c) => ({ deals: { day: c.deals.day + 9, total: c.deals.total + 9 } })),
  withCommon((c) => ({ verdicts: { ...c.verdicts, wallet: 'FLAGGED' } })),
  withCommon((c) => ({ agent: c.agent && { ...c.agent, status: 'paused' } })),
  withCommon((c) => ({ proposal: { ...c.proposal, price: String(BigInt(c.proposal.price) + 10n ** 10n) } })),
  withTerms(() => ({ expires_at: '2026-11-20T00:00:00Z' })),
  withTerms((m) => ({ counterparties_deny: [...(m.counterparties_deny ?? []), 'bob'] })),
  withTerms((m) => ({ chains_deny: [...(m.chains_deny ?? []), 'eip155:1002'] })),
];
const HIDING: readonly Worse[] = [
  withFacts({ keyLive: null, mandateHash: null, remaining: null, funds: null }),
  withCommon(() => ({ verdicts: {} })),
  withCommon(() => ({ marketMedian: null })),
  withCommon(() => ({ faceValue: null })),
  withCommon(() => ({ agent: null })),
  (e) => ({ ...e, seats: e.seats.map((s) => ({ ...s, facts: null, fault: 'late' })) }),
];

const claim: fc.Arbitrary<Claim> = fc.record({
  id: fc.uuid(),
  kind: fc.constantFrom('listing', 'pledge'),
  listingRef: fc.constantFrom('lst_1', 'lst_1', 'lst_2', 'lst_3'),
  holder: fc.constantFrom('alice', 'bob'),
  lender: fc.constantFrom(null, null, 'bank'),
  since: fc.constant(AT),
  sameKey: fc.boolean(),
  otherMaker: fc.constantFrom(false, false, true),
});
const pledgeEvidence = fc
  .tuple(depth, fc.constantFrom(null, 'lst_1'), fc.array(claim, { maxLength: 4 }))
  .map(([at, listingRef, claims]) => {
    const common: PledgeCommon = { assetKey: 'serial:vin:X', listingRef, handle: null, claims };
    return evidence('double-pledge', at, common, [{}]);
  });

const priceEvidence = fc
  .tuple(
    depth,
    fc.array(fc.integer({ min: 80, max: 120 }), { minLength: 3, maxLength: 14 }),
    fc.integer({ min: 30, max: 240 }),
  )
  .map(([at, prices, price]) => {
    const common: PriceCommon = {
      priceUsd: String(price),
      category: 'digital-products',
      subject: 'serial:vin:1HGCM82633A004352',
      comparables: prices.map((p, i) => ({
        id: `s${i}`,
        source: 'test',
        soldAt: '2026-11-11T00:00:00.000Z',
        priceUsd: String(p),
        similarity: 'same-kind',
        dropped: null,
      })),
      leftOut: 0,
      lists: [],
    };
    return evidence('price-intelligence', at, common, [{}]);
  });

const KINDS: readonly (readonly [string, fc.Arbitrary<DeterminationEvidence>])[] = [
  ['mandate compliance', mandateEvidence],
  ['double pledge', pledgeEvidence],
  ['price intelligence', priceEvidence],
];

describe.each(KINDS)('%s, whatever the evidence', (_, any) => {
  it('meets all three verdicts here', () => {
    const verdicts = fc.sample(any, { numRuns: 400, seed: 5 }).map((e) => judge(e).verdict);
    expect(new Set(verdicts)).toEqual(new Set(['CLEAN', 'FLAGGED', 'INCONCLUSIVE']));
  });

  it('is CLEAN when the quorum says so and every check passed, whatever a minority says, and only then', () => {
    fc.assert(
      fc.property(any, (e) => {
        const { verdict, checks, panel } = judge(e);
        const hard = panel.votes.some((v) => v.hard === true) || checks.some((c) => c.hard === true);
        const clean = panel.votes.filter((v) => v.vote === 'CLEAN').length;
        const passed = checks.length > 0 && checks.every((c) => c.outcome === 'PASS');
        expect(verdict === 'CLEAN').toBe(passed && !hard && clean >= panel.quorum);
      }),
      { numRuns: 250 },
    );
  });

  it('never rolls up to CLEAN unless every determination is CLEAN and every check passed', () => {
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 3 }), (all) => {
        const judged = all.map((e) => judge(e));
        const clean = judged.every(
          (d) => d.verdict === 'CLEAN' && d.checks.every((c) => c.outcome === 'PASS'),
        );
        const record = rollUpTier({ tier: 'tier2', category: 'digital-products' }, judged, []);
        expect([record.verdict === 'CLEAN', rollVerdict(judged)]).toEqual([clean, record.verdict]);
      }),
      { numRuns: 100 },
    );
  });

  it('does not depend on the order of facts or seats', () => {
    fc.assert(
      fc.property(any, fc.nat(), (e, seed) => {
        const [one, two] = [judge(e), judge(mixed(e, seed) as DeterminationEvidence)];
        expect(two.verdict).toBe(one.verdict);
        expect(two.checks.map((c) => [c.id, c.outcome])).toEqual(one.checks.map((c) => [c.id, c.outcome]));
        expect(two.panel.votes.map((v) => [v.seat, v.vote])).toEqual(
          one.panel.votes.map((v) => [v.seat, v.vote]),
        );
      }),
      { numRuns: 150 },
    );
  });

  it('gives the same record hash for the same evidence, and the same verdict again from what was stored', () => {
    fc.assert(
      fc.property(any, (e) => {
        const stored = JSON.parse(JSON.stringify(e)) as DeterminationEvidence;
        expect(recordHash(reversed(stored) as DeterminationEvidence)).toBe(recordHash(e));
        expect(recompute({ kind: 'tier2', determinations: [stored] }).verdict).toBe(rollVerdict([judge(e)]));
      }),
      { numRuns: 50 },
    );
  });
});

describe('mandate compliance, made worse in one thing', () => {
  it('never turns CLEAN, and stays FLAGGED where nothing was hidden', () => {
    const seen = { CLEAN: 0, FLAGGED: 0, INCONCLUSIVE: 0 };
    fc.assert(
      fc.property(mandateEvidence, fc.constantFrom(...WORSE.keys()), (e, which) => {
        const [before, after] = [judge(e).verdict, judge(WORSE[which]!(e)).verdict];
        seen[before]++;
        if (before !== 'CLEAN') expect(after).not.toBe('CLEAN');
        if (before === 'FLAGGED') expect(after).toBe('FLAGGED');
      }),
      { numRuns: 600, seed: 3 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
  });

  it('never turns CLEAN by what is hidden', () => {
    fc.assert(
      fc.property(mandateEvidence, fc.constantFrom(...HIDING.keys()), (e, which) => {
        expect(judge(e).verdict === 'CLEAN' || judge(HIDING[which]!(e)).verdict !== 'CLEAN').toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

/** The same document with every list in another order; seats keep their readings. */
function mixed(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) {
    return value
      .map((item, i) => ({ item: mixed(item, seed), at: Math.imul(i + 1, seed | 1) >>> 8 }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, mixed(v, seed)]));
}
