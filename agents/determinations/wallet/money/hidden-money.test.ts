import { describe, expect, it } from 'vitest';
import { judge } from '../../panel/judge.ts';
import type { Flows } from './flows.ts';
import { type Case, evidence, FRIEND, flow, LISTED, SHOP, SHOP_OF_SHOP, WHO } from './transfer-cases.ts';

/** Somebody whom money was followed to, of whom there is more than was looked at. */
const cut = (of: string, way: Flows['way'], parties: Readonly<Record<string, number>> = {}): Flows => ({
  ...flow(of, way, parties),
  cut: true,
});

function judged(c: Case) {
  const { verdict, checks, panel } = judge(evidence(c));
  const { outcome, detail } = checks.find((x) => x.id === 'transfers')!;
  return { verdict, outcome, detail, votes: panel.votes.map((v) => v.vote) };
}
function expectOpen(c: Case): void {
  const { verdict, outcome, votes, detail } = judged(c);
  expect([verdict, outcome, votes]).toEqual([
    ...['INCONCLUSIVE', 'INCONCLUSIVE'],
    ['INCONCLUSIVE', 'INCONCLUSIVE'],
  ]);
  expect(detail).toContain('more than were looked at');
}
function expectClean(c: Case): void {
  const { verdict, votes } = judged(c);
  expect([verdict, votes]).toEqual(['CLEAN', ['CLEAN', 'CLEAN']]);
}

describe('money that came by way of somebody who was not looked at whole', () => {
  it('leaves it open, whatever was seen there', () => {
    const into = flow(WHO, 'in', { [SHOP]: 100 });
    expectOpen({ flows: [into, cut(SHOP, 'in')] });
    expectOpen({ flows: [into, cut(SHOP, 'in', { [FRIEND]: 1_000 })] });
    expect(judged({ flows: [into, cut(SHOP, 'in')] }).detail).toContain(SHOP);
    expectOpen({
      flows: [into, flow(SHOP, 'in', { [SHOP_OF_SHOP]: 100 }), cut(SHOP_OF_SHOP, 'in', { [FRIEND]: 1 })],
    });
  });

  it('is open only where it would count if a listed address had paid all of it', () => {
    const part = (usd: number) => [
      flow(WHO, 'in', { [SHOP]: usd, [FRIEND]: 100 - usd }),
      cut(SHOP, 'in', { [FRIEND]: 9 }),
    ];
    expectClean({ flows: part(20) });
    expectOpen({ flows: part(30) });
    // A few dollars that were not asked for and not spent count for nothing.
    expectClean({ flows: [flow(WHO, 'in', { [SHOP]: 5 }), cut(SHOP, 'in')] });
    // What is not followed any further hides nothing.
    const far = [flow(WHO, 'in', { [SHOP]: 9 }), flow(SHOP, 'in', { [SHOP_OF_SHOP]: 9 })];
    expectClean({ flows: [...far, flow(SHOP_OF_SHOP, 'in', { [FRIEND]: 9 }), cut(FRIEND, 'in')] });
    expectClean({ flows: [flow(WHO, 'in', { [SHOP]: 100 }), cut(SHOP, 'out')] });
  });

  it('adds up with what is known to be of listed addresses', () => {
    const flows = (more: Flows) => [
      flow(WHO, 'in', { [SHOP]: 15, [SHOP_OF_SHOP]: 15, [FRIEND]: 70 }),
      flow(SHOP, 'in', { [LISTED]: 100 }),
      more,
    ];
    expectClean({ flows: flows(flow(SHOP_OF_SHOP, 'in', { [FRIEND]: 9 })) });
    expectOpen({ flows: flows(cut(SHOP_OF_SHOP, 'in', { [FRIEND]: 9 })) });
  });

  it('ends at an exchange, and what is found against the address stands in spite of it', () => {
    const flows = [flow(WHO, 'in', { [SHOP]: 100 }), cut(SHOP, 'in', { [FRIEND]: 1 })];
    expectClean({ flows, labels: [[SHOP, 'exchange']] });
    expectClean({ flows, common: { contracts: [SHOP] } });
    expectClean({ flows, labels: [[WHO, 'exchange']] });
    const found = judged({ flows: [...flows, flow(WHO, 'out', { [LISTED]: 50 })] });
    expect([found.verdict, found.outcome]).toEqual(['FLAGGED', 'FLAG']);
  });
});

describe('money that went to somebody who was not looked at whole', () => {
  it('is open where most of what was paid went there', () => {
    const part = (usd: number) => [
      flow(WHO, 'out', { [SHOP]: usd, [FRIEND]: 100 - usd }),
      cut(SHOP, 'out', { [FRIEND]: 9 }),
    ];
    expectOpen({ flows: part(60) });
    expectClean({ flows: part(40) });
  });
});
