import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../panel/judge.ts';
import { recompute } from '../../panel/recompute.ts';
import type { DeterminationEvidence, Verdict } from '../../panel/types.ts';
import type { WalletCommon, WalletFacts } from '../wallet-evidence.ts';
import { type Exposure, exposureCheck, exposureScore } from './exposure.ts';

const AT = '2026-11-21T08:00:00.000Z';
const OLD = '2026-11-01T00:00:00.000Z';
const ADDRESS = `0x${'5a'.repeat(20)}`;
const DEPTHS = ['1-of-1', '2-of-2', 'superconsensus', null] as const;
const address = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;

type Register = Exposure['registers'][number];
type Party = Exposure['parties'][number];

function register(name: 'sanctions' | 'known-scam', hits: string[] = [], asOf = AT, rows = 3): Register {
  return {
    register: name,
    maxAgeDays: 7,
    lists: [{ name: `${name}/test`, asOf, rows }],
    hits: hits.map((key) => ({ key, list: `${name}/test` })),
  };
}

const party = (n: number, dealings = 1): Party => ({
  account: address(n),
  owner: address(n + 1_000),
  dealings,
  last: AT,
});

function exposed(parties: readonly Party[], registers: readonly Register[], beyond = 0): Exposure {
  const dealings = parties.reduce((sum, p) => sum + p.dealings, beyond);
  return { days: 365, most: 200, counterparties: parties.length + beyond, dealings, parties, registers };
}

function evidence(
  depth: DeterminationEvidence['depth'],
  exposure: Exposure | undefined,
): DeterminationEvidence<WalletCommon, WalletFacts> {
  const code = { size: 0, hash: null, head: '0x' as const, implementation: null };
  const facts = { chains: [{ chain: 'eip155:1002', nonce: 4, balance: '1', code, fault: null }] };
  const seats = (['rules', 'statistics'] as const).flatMap((method) =>
    ['viem', 'ethers'].map((client) => ({
      seat: `${method}/${client}`,
      method,
      source: client,
      limit: 'test',
      facts,
      fault: null,
    })),
  );
  const all = { seat: 'adversarial/all', method: 'adversarial' as const, source: 'all', limit: '' };
  const listed = (name: 'sanctions' | 'known-scam') => ({ ...register(name), lookedUp: [ADDRESS] });
  return {
    id: 'wallet',
    rules: 1,
    at: AT,
    performer: depth === null ? 'EXECUTOR' : 'AGENT',
    depth,
    common: {
      address: ADDRESS,
      addressType: 'evm',
      chainId: 1002,
      chains: ['eip155:1002'],
      sanctions: listed('sanctions'),
      knownScam: listed('known-scam'),
      history: { days: 90, hardFlags: [], stoppedDeals: [] },
      platform: [],
      ...(exposure === undefined ? {} : { exposure }),
    },
    blocks: { 'eip155:1002': { number: '9', hash: '0x09', at: AT } },
    seats: [...seats, { ...all, facts: null, fault: null }],
    latencyMs: 3,
  };
}

const FRESH = [register('sanctions'), register('known-scam')];
const judged = (exposure: Exposure | undefined, depth: DeterminationEvidence['depth'] = '2-of-2') =>
  judge(evidence(depth, exposure));
const checkOf = (exposure: Exposure) => judged(exposure).checks.find((c) => c.id === 'exposure-one-hop');

describe('exposure one hop away', () => {
  it.each(DEPTHS)(
    'is FLAGGED at depth %s by one listed counterparty on either list, but never hard',
    (depth) => {
      for (const registers of [
        [register('sanctions', [address(1)]), register('known-scam')],
        [register('sanctions'), register('known-scam', [address(1_001)])],
      ]) {
        const determination = judged(exposed([party(1), party(2, 6)], registers), depth);
        expect(determination.verdict).toBe('FLAGGED');
        expect(new Set(determination.panel.votes.map((v) => v.vote))).toEqual(new Set(['FLAGGED']));
        expect(determination.checks.filter((c) => c.hard === true)).toEqual([]);
        expect(determination.confidence).toBeLessThan(99);
      }
    },
  );

  it('names the rule, the counterparty, the list, and its share of the dealings', () => {
    const registers = [register('sanctions', [address(1)]), register('known-scam', [address(1_002)])];
    expect(checkOf(exposed([party(1, 2), party(2), party(3, 4)], registers))?.detail).toBe(
      `any sanctioned counterparty: ${address(1)} is on sanctions/test (2 of 7 dealings); ` +
        `any known-scam counterparty: ${address(1_002)} is on known-scam/test (1 of 7 dealings); ` +
        'of 3 counterparties in 7 dealings',
    );
  });

  it.each(DEPTHS)('is CLEAN at depth %s when fresh lists name nobody, and says what it covers', (depth) => {
    const determination = judged(exposed([party(1), party(2)], FRESH), depth);
    expect(determination.verdict).toBe('CLEAN');
    const found = determination.checks.find((c) => c.id === 'exposure-one-hop');
    expect(found?.detail).toBe('no list names any of 2 counterparties in 2 dealings');
    expect(found?.sources[0]?.limit).toContain('dealings on this platform only, no transfers elsewhere');
    expect(found?.sources.map((s) => s.name)).toContain('sanctions/test');
  });

  it('says when there are more counterparties than it looks up', () => {
    const parties = Array.from({ length: 200 }, (_, i) => party(i + 1));
    const found = checkOf(exposed(parties, FRESH, 50));
    expect(found).toMatchObject({ outcome: 'PASS', detail: expect.stringContaining('newest 200 of 250') });
    expect(judged(exposed(parties, FRESH, 50)).verdict).toBe('CLEAN');
    expect(judged(exposed(parties.slice(1), FRESH, 50)).verdict).toBe('INCONCLUSIVE');
  });

  it.each(DEPTHS)(
    'is INCONCLUSIVE at depth %s on a list that is empty, old, not read or never came',
    (depth) => {
      for (const registers of [
        [register('sanctions'), register('known-scam', [], OLD)],
        [register('sanctions', [], AT, 0), register('known-scam')],
        [register('known-scam')],
        [{ ...register('sanctions'), missing: ['sanctions/other'] }, register('known-scam')],
        [],
      ]) {
        const determination = judged(exposed([party(1)], registers), depth);
        expect(determination.verdict).toBe('INCONCLUSIVE');
        expect(determination.panel.votes.map((v) => v.vote)).not.toContain('CLEAN');
      }
    },
  );

  it('passes an address that never dealt, whatever the lists are, and finds a hit on an old list', () => {
    for (const registers of [FRESH, [register('sanctions', [], OLD)], []]) {
      const none = exposed([], registers);
      expect(judged(none).verdict).toBe('CLEAN');
      expect(checkOf(none)?.detail).toContain('it has settled no deal here');
    }
    const old = [register('sanctions', [address(1)], OLD), register('known-scam')];
    expect(checkOf(exposed([party(1)], old))?.outcome).toBe('FLAG');
  });

  it('is not checked when the evidence has none, as in earlier releases', () => {
    const determination = judged(undefined, 'superconsensus');
    expect(determination.verdict).toBe('CLEAN');
    expect(determination.checks.map((c) => c.id)).not.toContain('exposure-one-hop');
  });

  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 900 }), { maxLength: 8 });
  const states = fc.constantFrom(AT, OLD);
  const rank: Readonly<Record<Verdict, number>> = { CLEAN: 0, INCONCLUSIVE: 1, FLAGGED: 2 };

  it('is never loosened by one more listed counterparty, and is FLAGGED by it at every depth', () => {
    const which = fc.tuple(fc.boolean(), fc.boolean(), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(numbers, states, which, fc.constantFrom(...DEPTHS), (ns, asOf, [scam, own, n], depth) => {
        const parties = ns.map((i) => party(i));
        const more = party(950, n);
        const hit = own ? more.account : more.owner;
        const before = judged(
          exposed(parties, [register('sanctions'), register('known-scam', [], asOf)]),
          depth,
        );
        const after = judged(
          exposed(
            [...parties, more],
            [register('sanctions', scam ? [] : [hit]), register('known-scam', scam ? [hit] : [], asOf)],
          ),
          depth,
        );
        expect(after.verdict).toBe('FLAGGED');
        expect(rank[after.verdict]).toBeGreaterThanOrEqual(rank[before.verdict]);
        const again = JSON.parse(JSON.stringify(after.evidence)) as typeof after.evidence;
        expect(recompute({ kind: 'wallet', determinations: [again] }).verdict).toBe('FLAGGED');
      }),
    );
  });

  it('gives the same answer for counterparties, lists and hits in any order, by both methods', () => {
    fc.assert(
      fc.property(numbers, fc.subarray([1, 2, 3, 4, 5, 6, 7, 8]), states, (ns, places, asOf) => {
        const parties = ns.map((n) => party(n, (n % 3) + 1));
        const hits = parties.filter((_, i) => places.includes(i)).map((p) => p.owner);
        const there = exposed(parties, [register('sanctions', hits), register('known-scam', [], asOf)]);
        const back = exposed([...parties].reverse(), [
          register('known-scam', [], asOf),
          register('sanctions', [...hits].reverse()),
        ]);
        const [one, other] = [exposureCheck(there, AT), exposureCheck(back, AT)];
        expect([other.outcome, other.detail]).toEqual([one.outcome, one.detail]);
        const score = exposureScore(there, AT);
        expect(exposureScore(back, AT)).toEqual(score);
        const points = score.features.reduce((sum, f) => sum + f.value, 0);
        expect(points > 0).toBe(one.outcome === 'FLAG');
        expect(score.coverage < 1 && points === 0).toBe(one.outcome === 'INCONCLUSIVE');
      }),
    );
  });
});
