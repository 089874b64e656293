import { describe, expect, it } from 'vitest';
import { parseUsd } from '../money.ts';
import {
  type Grounds,
  isLifted,
  isStopped,
  type PairToScreen,
  pricelessBuyers,
  type StandingStop,
  type StopFinding,
  stopEnds,
} from './stops.ts';

const AT = new Date('2026-09-06T12:00:00Z');
const HOUR = 3_600_000;
const since = (ms: number): Date => new Date(AT.getTime() + ms);
const usd = (amount: number) => parseUsd(amount.toFixed(2), 'amount');
const SAME: Grounds = { setting: 'stop', mandates: 'desk:1', lists: 'sanctions/a@1:2', claims: '' };

const FINDINGS: readonly StopFinding[] = [
  'wallet',
  'shill-collusion',
  'double-pledge',
  'provenance',
  'mandate-compliance',
  'price-intelligence',
  'approval',
  'owner-decision',
  'not-determined',
  'settlement',
];

describe('the grounds whose change lifts a finding that stopped a deal, besides time', () => {
  const lifting = (finding: StopFinding): string[] =>
    (['setting', 'mandates', 'lists', 'claims'] as const).filter((ground) =>
      isLifted(
        { finding, grounds: SAME, ends: since(HOUR) },
        { grounds: { ...SAME, [ground]: 'another' }, at: AT },
      ),
    );

  it.each([
    ['wallet', ['setting', 'lists']],
    ['shill-collusion', ['setting', 'mandates']],
    ['double-pledge', ['setting', 'claims']],
    ['provenance', ['setting', 'mandates', 'lists']],
    ['mandate-compliance', ['setting', 'mandates']],
    ['price-intelligence', ['setting', 'mandates', 'lists']],
    ['approval', ['mandates']],
    ['owner-decision', []],
    ['not-determined', []],
    ['settlement', ['mandates']],
  ] as const)('are, for %s: %j', (finding, grounds) => {
    expect(lifting(finding)).toEqual(grounds);
  });

  it('are none while nothing has changed', () => {
    for (const finding of FINDINGS)
      expect(isLifted({ finding, grounds: SAME, ends: since(1) }, { grounds: SAME, at: AT })).toBe(false);
  });
});

describe('the time after which a finding is asked about again', () => {
  const hours = (finding: StopFinding, verdict: 'FLAGGED' | 'INCONCLUSIVE' | null, earlier = 0): number =>
    (stopEnds(finding, { verdict, earlier, at: AT }).getTime() - AT.getTime()) / HOUR;

  it.each([
    ['wallet', 720, 1],
    ['shill-collusion', 720, 1],
    ['double-pledge', 720, 1],
    ['provenance', 720, 1],
    ['mandate-compliance', 24, 1],
    ['price-intelligence', 168, 1],
  ] as const)(
    'is, for %s, %d hours after FLAGGED and %d hours after INCONCLUSIVE',
    (finding, flagged, unjudged) => {
      expect([hours(finding, 'FLAGGED'), hours(finding, 'INCONCLUSIVE')]).toEqual([flagged, unjudged]);
    },
  );

  it.each([
    ['approval', 168],
    ['owner-decision', 168],
    ['not-determined', 1],
    ['settlement', 1],
  ] as const)('is, for %s, %d hours', (finding, expected) => {
    expect(hours(finding, null)).toBe(expected);
  });

  it('doubles each time that the same finding stops the same pair, up to thirty days', () => {
    expect([1, 2, 3, 9, 10, 1_000].map((n) => hours('settlement', null, n))).toEqual([
      2, 4, 8, 512, 720, 720,
    ]);
  });

  it('lifts the finding when it has passed', () => {
    const stop = { finding: 'wallet', grounds: SAME, ends: AT } as const;
    expect(isLifted(stop, { grounds: SAME, at: since(-1) })).toBe(false);
    expect(isLifted(stop, { grounds: SAME, at: AT })).toBe(true);
  });
});

describe('a pair that was stopped before', () => {
  const stop = (finding: StopFinding, more: Partial<StandingStop> = {}): StandingStop => ({
    finding,
    seller: '0xs',
    buyer: '0xb',
    price: usd(100),
    stoppedAt: AT,
    ...more,
  });
  const pair = (more: Partial<PairToScreen> = {}): PairToScreen => ({
    seller: '0xS',
    buyer: '0xB',
    agents: ['sells', 'buys'],
    price: usd(100),
    placedAt: since(1),
    ...more,
  });
  const ABOUT_PRICE = FINDINGS.filter((f) => !isStopped([stop(f)], pair({ price: usd(105) })));

  it('does not match again at the same price, whatever finding stopped it', () => {
    for (const finding of FINDINGS) expect(isStopped([stop(finding)], pair()), finding).toBe(true);
  });

  it('matches by another agent where the stop binds one alone', () => {
    const unanswered = [stop('not-determined', { alone: 'buys' })];
    expect(isStopped(unanswered, pair())).toBe(true);
    expect(isStopped(unanswered, pair({ agents: ['sells', 'own'] }))).toBe(false);
  });

  it('may match at another price only when every finding is about the price', () => {
    expect(ABOUT_PRICE).toEqual([
      'mandate-compliance',
      'price-intelligence',
      'approval',
      'owner-decision',
      'settlement',
    ]);
    expect(isStopped([stop('price-intelligence'), stop('wallet')], pair({ price: usd(50) }))).toBe(true);
  });

  it.each([
    [104.99, true],
    [105, false],
    [95.01, true],
    [95, false],
  ])('at %d instead of 100, is stopped for its price: %s', (price, stopped) => {
    expect(isStopped([stop('price-intelligence')], pair({ price: usd(price) }))).toBe(stopped);
  });

  it('stays stopped at another price when its orders were placed before the stop', () => {
    const old = pair({ price: usd(50), placedAt: AT });
    expect(isStopped([stop('price-intelligence')], old)).toBe(true);
  });

  it('is only the pair of these two owners in these two roles', () => {
    expect(isStopped([stop('wallet')], pair({ buyer: '0xother' }))).toBe(false);
    expect(isStopped([stop('wallet')], pair({ seller: '0xother' }))).toBe(false);
    expect(isStopped([stop('wallet')], pair({ seller: '0xb', buyer: '0xs' }))).toBe(false);
    expect(isStopped([], pair())).toBe(false);
  });
});

describe('the buyers who do not count for the price', () => {
  it('are those who were stopped with the seller of the lot, each once', () => {
    const [a, b, c] = (
      [
        ['0xs', '0xa'],
        ['0xother', '0xb'],
        ['0xs', '0xa'],
      ] as const
    ).map(([seller, buyer]) => ({ finding: 'wallet', seller, buyer, price: 1n, stoppedAt: AT }) as const);
    expect(pricelessBuyers([a!, b!, c!], '0xS')).toEqual({ owners: ['0xa'], agents: [] });
    expect(pricelessBuyers([a!, b!, c!], null)).toEqual({ owners: [], agents: [] });
  });

  it('are one agent of an owner where the stop binds that agent alone, and the owner where it is the seller’s agent', () => {
    const between = {
      finding: 'not-determined',
      seller: '0xs',
      buyer: '0xa',
      price: 1n,
      stoppedAt: AT,
    } as const;
    const buyers = { ...between, alone: 'given', side: 'buyer' };
    expect(pricelessBuyers([buyers], '0xs')).toEqual({ owners: [], agents: ['given'] });
    const sellers = { ...between, alone: 'sells', side: 'seller' };
    expect(pricelessBuyers([sellers], '0xs')).toEqual({ owners: ['0xa'], agents: [] });
    expect(pricelessBuyers([{ ...between, alone: null, side: 'buyer' }], '0xs').owners).toEqual(['0xa']);
  });
});
