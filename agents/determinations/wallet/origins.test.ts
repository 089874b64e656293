import { describe, expect, it } from 'vitest';
import { judge } from '../panel/judge.ts';
import type { TransferHistory } from './money/flows.ts';
import { type Case, evidence, FRIEND, flow, LISTED, SHOP, WHO } from './money/transfer-cases.ts';

const TX = `0x${'7'.repeat(64)}`;
const principals = { owners: [], unknown: null };

/** What becomes of a wallet of this origin, that else is well. */
function on(history: Partial<TransferHistory>, more: Partial<Case> = {}) {
  const found = judge(
    evidence({ flows: [], common: { sessionKeys: [] }, ...more, history, reading: { principals } }),
  );
  const check = found.checks.find((c) => c.id === 'principals')!;
  const votes = found.panel.votes.map((v) => v.vote);
  return { ...found, check, votes, hard: found.checks.some((c) => c.hard === true) };
}
const deployer = (address: string, shown = true) => ({ deployer: { address, tx: TX, block: '7', shown } });
const first = (address: string) => ({ first: { address, tx: TX, block: '3' } });

describe('the origin of an address', () => {
  it('is told with what told it and the block, where no list names it', () => {
    const { verdict, check } = on({ ...deployer(SHOP, false), ...first(FRIEND) });
    expect([verdict, check.outcome]).toEqual(['CLEAN', 'PASS']);
    expect(check.detail).toContain(`${SHOP} is the deployer (test, block 7 alone)`);
    expect(check.detail).toContain(`${FRIEND} is the first funder (test, block 3)`);
  });

  it.each(['1-of-1', '2-of-2', 'superconsensus'] as const)(
    'is a flag at %s, and no hard one, where a list names the deployer',
    (depth) => {
      const { verdict, check, hard } = on(deployer(LISTED), { depth });
      expect([verdict, check.outcome, hard]).toEqual(['FLAGGED', 'FLAG', false]);
      expect(check.detail).toContain('at distance 2');
    },
  );

  it('is a flag where a listed address paid first, and paid in earnest', () => {
    const flows = [flow(WHO, 'in', { [LISTED]: 10, [FRIEND]: 10_000 })];
    const { verdict, check, votes, hard } = on(first(LISTED), { flows });
    expect([verdict, check.outcome, hard]).toEqual(['FLAGGED', 'FLAG', false]);
    expect(votes).toEqual(['FLAGGED', 'FLAGGED']);
    expect(check.detail).toContain('at distance 3');
  });

  it('lowers the confidence, and accuses nobody, where a listed address paid a few dollars first', () => {
    const flows = [flow(WHO, 'in', { [LISTED]: 3, [FRIEND]: 10_000 })];
    const { verdict, confidence, check } = on(first(LISTED), { flows });
    expect([verdict, confidence, check.outcome]).toEqual(['CLEAN', 70, 'PASS']);
    expect(check.detail).toContain('gave it too little to count');
  });

  it('ends at a funder that is labelled as an exchange, and not at a mixer', () => {
    const flows = [flow(WHO, 'in', { [SHOP]: 50 })];
    const at = (label: 'exchange' | 'mixer') => on(first(SHOP), { flows, labels: [[SHOP, label]] });
    expect(at('exchange').check.detail).toContain('nobody stands behind it');
    const own = on(first(SHOP), { flows, labels: [[WHO, 'exchange']] });
    expect(own.check.detail).toContain('nobody stands behind it');
    expect(at('mixer').check.detail).toContain(`${SHOP} is the first funder`);
  });

  it('that nobody told stands among what was not looked at', () => {
    const code = { size: 9, hash: null, head: '0x6080' as const, implementation: null };
    const untold = judge(evidence({ flows: [], reading: { code }, history: { cutOff: 'a part' } }));
    const at = ['who deployed it on eip155:1002', 'who paid it first on eip155:1002'];
    expect(untold.coverage?.notLookedAt).toEqual(expect.arrayContaining(at));
    const told = judge(evidence({ flows: [], reading: { code }, history: deployer(SHOP) }));
    expect(told.coverage?.notLookedAt.filter((t) => at.includes(t))).toEqual([]);
  });
});
