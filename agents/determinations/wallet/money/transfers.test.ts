import { describe, expect, it } from 'vitest';
import { judge } from '../../panel/judge.ts';
import { recompute } from '../../panel/recompute.ts';
import type { Depth } from '../../panel/types.ts';
import {
  AT,
  type Case,
  evidence,
  FRIEND,
  flow,
  LISTED,
  SHOP,
  SHOP_OF_SHOP,
  TOKEN,
  WHO,
} from './transfer-cases.ts';

const DEPTHS: readonly (Depth | null)[] = ['1-of-1', '2-of-2', 'superconsensus', null];

function judged(c: Case) {
  const given = evidence(c);
  const determination = judge(given);
  const kept = JSON.parse(JSON.stringify({ kind: 'wallet', determinations: [given] })) as never;
  expect(recompute(kept).verdict).toBe(determination.verdict === 'CLEAN' ? 'CLEAN' : 'FLAGGED');
  const check = determination.checks.find((x) => x.id === 'transfers')!;
  return { ...determination, check, votes: determination.panel.votes.map((v) => v.vote) };
}

/** By both methods, and never hard: the address itself is on no list. */
function expectFlagged(c: Case): void {
  const found = judged(c);
  expect([found.verdict, found.check.outcome, found.votes]).toEqual([
    'FLAGGED',
    'FLAG',
    ['FLAGGED', 'FLAGGED'],
  ]);
  expect(found.checks.filter((x) => x.hard === true)).toEqual([]);
}
function expectClean(c: Case): void {
  const found = judged(c);
  expect([found.verdict, found.votes]).toEqual(['CLEAN', ['CLEAN', 'CLEAN']]);
}

const spent = (usd: number) => flow(WHO, 'out', { [FRIEND]: usd });

describe('money from a listed address', () => {
  it.each(DEPTHS)('accuses at depth %s whoever got most of its own from there', (depth) => {
    const flows = [flow(WHO, 'in', { [LISTED]: 90, [FRIEND]: 10 })];
    expect(judged({ flows, depth }).verdict).toBe('FLAGGED');
  });

  it('is judged by its share of what came in: five percent and more', () => {
    expectFlagged({ flows: [flow(WHO, 'in', { [LISTED]: 60, [FRIEND]: 940 })] });
    expectClean({ flows: [flow(WHO, 'in', { [LISTED]: 40, [FRIEND]: 960 })] });
  });

  it('never accuses for dust, even where there is nothing else', () => {
    expectClean({ flows: [flow(WHO, 'in', { [LISTED]: 0.99 })] });
    expectClean({ flows: [flow(WHO, 'in', { [LISTED]: 0 }, 999)] });
    expectClean({ flows: [flow(WHO, 'in', { [LISTED]: 0.99, [FRIEND]: 1 })] });
  });

  it('accuses nobody for a few dollars that were not asked for, and whoever spends them', () => {
    for (const usd of [1, 9.99]) {
      const given = flow(WHO, 'in', { [LISTED]: usd });
      expectClean({ flows: [given] });
      expectClean({ flows: [flow(WHO, 'in', { [LISTED]: usd, [FRIEND]: 20 }), spent(20)] });
      expectFlagged({ flows: [given, spent(0.5)] });
      expectFlagged({ flows: [flow(WHO, 'in', { [LISTED]: usd, [FRIEND]: 15 }), spent(15.5)] });
    }
    expectFlagged({ flows: [flow(WHO, 'in', { [LISTED]: 10 })] });
    // Small sums of many listed senders are one sum, and so is what comes by way of others.
    const through = (usd: number) => [
      flow(WHO, 'in', { [SHOP]: usd, [SHOP_OF_SHOP]: usd }),
      ...[SHOP, SHOP_OF_SHOP].map((by) => flow(by, 'in', { [LISTED]: 100 })),
    ];
    expectClean({ flows: through(4) });
    expectFlagged({ flows: through(6) });
  });

  it('that is small is not called spent where older transfers are unknown', () => {
    const flows = [flow(WHO, 'in', { [LISTED]: 5 }), spent(3)];
    expectClean({ flows, history: { cutOff: 'blocks before 7 are not kept' } });
  });

  it('counts in the currency that pays for gas, too', () => {
    expectFlagged({ flows: [flow(WHO, 'in', { [LISTED]: 0 }, 20_000)] });
  });

  it('is followed over three hops, and counts less with each', () => {
    const at2 = (share: number) => [
      flow(WHO, 'in', { [SHOP]: 100 }),
      flow(SHOP, 'in', { [LISTED]: share, [FRIEND]: 100 - share }),
    ];
    expectFlagged({ flows: at2(30) });
    expectClean({ flows: at2(20) });
    const at3 = (share: number) => [
      flow(WHO, 'in', { [SHOP]: 100 }),
      flow(SHOP, 'in', { [SHOP_OF_SHOP]: 100 }),
      flow(SHOP_OF_SHOP, 'in', { [LISTED]: share, [FRIEND]: 100 - share }),
    ];
    expectFlagged({ flows: at3(60) });
    expectClean({ flows: at3(40) });
  });

  it('adds up what comes from several listed senders, and over several payers', () => {
    const flows = [
      flow(WHO, 'in', { [SHOP]: 50, [SHOP_OF_SHOP]: 50 }),
      flow(SHOP, 'in', { [LISTED]: 15, [FRIEND]: 85 }),
      flow(SHOP_OF_SHOP, 'in', { [LISTED]: 40, [FRIEND]: 60 }),
    ];
    expectFlagged({ flows });
  });

  it('ends at an exchange, a bridge and a burn address, and a mixer colours it', () => {
    const flows = [flow(WHO, 'in', { [SHOP]: 100 }), flow(SHOP, 'in', { [LISTED]: 100 })];
    expectFlagged({ flows });
    for (const label of ['exchange', 'bridge', 'burn'] as const)
      expectClean({ flows, labels: [[SHOP, label]] });
    expectFlagged({ flows: [flow(WHO, 'in', { [SHOP]: 30, [FRIEND]: 70 })], labels: [[SHOP, 'mixer']] });
    expectClean({ flows: [flow(WHO, 'in', { [SHOP]: 20, [FRIEND]: 80 })], labels: [[SHOP, 'mixer']] });
  });

  it('goes round in circles without end and without harm', () => {
    const flows = [
      flow(WHO, 'in', { [SHOP]: 50, [FRIEND]: 50 }),
      flow(SHOP, 'in', { [FRIEND]: 50, [WHO]: 50 }),
      flow(FRIEND, 'in', { [SHOP]: 100 }),
    ];
    expectClean({ flows });
  });

  it('passes an exchange, whose money is its customers’', () => {
    const flows = [flow(WHO, 'in', { [LISTED]: 50, [FRIEND]: 50 })];
    expectClean({ flows, labels: [[WHO, 'exchange']] });
    expectFlagged({ flows, labels: [[WHO, 'mixer']] });
  });
});

describe('money to a listed address', () => {
  it('accuses whoever paid more than dust, because paying is an act of its own', () => {
    expectFlagged({ flows: [flow(WHO, 'out', { [LISTED]: 1, [FRIEND]: 10_000 })] });
    expectClean({ flows: [flow(WHO, 'out', { [LISTED]: 0.5, [FRIEND]: 10 })] });
  });

  it('accuses nobody for a listing that the list itself dates later', () => {
    expectClean({ flows: [flow(WHO, 'out', { [LISTED]: 50 })], since: AT });
    expectFlagged({ flows: [flow(WHO, 'out', { [LISTED]: 50 })], since: '2026-10-01T00:00:00.000Z' });
    expectFlagged({ flows: [flow(WHO, 'in', { [LISTED]: 50 })], since: AT });
  });

  it('counts through a payee that passes most of it on, and is only told further on', () => {
    const flows = (share: number) => [
      flow(WHO, 'out', { [SHOP]: 100 }),
      flow(SHOP, 'out', { [LISTED]: share, [FRIEND]: 100 - share }),
    ];
    expectFlagged({ flows: flows(60) });
    expectClean({ flows: flows(40) });
    const far = [
      flow(WHO, 'out', { [SHOP]: 100 }),
      flow(SHOP, 'out', { [SHOP_OF_SHOP]: 100 }),
      flow(SHOP_OF_SHOP, 'out', { [LISTED]: 100 }),
    ];
    expect(judged({ flows: far }).check).toMatchObject({
      outcome: 'PASS',
      detail: expect.stringContaining('too little to count'),
    });
  });
});

describe('the latest transfers, which each seat reads itself', () => {
  const transfer = { from: LISTED, to: WHO, token: TOKEN, amount: '50000000', usd: '50000000', block: '9' };
  const tail = (more: object) => ({
    tail: { fromBlock: '5', toBlock: '9', transfers: [transfer], balances: [], ...more },
  });

  it('count as those before them', () => {
    expectFlagged({ flows: [flow(WHO, 'in', { [FRIEND]: 100 })], reading: tail({}) });
    expectClean({ flows: [flow(WHO, 'in', { [FRIEND]: 10_000 })], reading: tail({}) });
  });

  it('must add up with the history to the balance, or a transfer is hidden', () => {
    const nets = [{ token: TOKEN, net: '100000000' }];
    const flows = [flow(WHO, 'in', { [FRIEND]: 10_000 })];
    const held = (amount: string) => tail({ balances: [{ token: TOKEN, held: amount }] });
    expectClean({ flows, history: { nets }, reading: held('150000000') });
    const hidden = judged({ flows, history: { nets }, reading: held('149999999') });
    expect([hidden.verdict, hidden.check.outcome]).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
    expect(hidden.votes).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
  });

  it('count in the currency that pays for gas, too', () => {
    const native = { ...transfer, token: null, amount: '50000', usd: '0' };
    expectFlagged({ flows: [], reading: tail({ transfers: [native] }) });
    expectClean({ flows: [], reading: tail({ transfers: [{ ...native, amount: '999' }] }) });
  });

  it('that were not read leave it open', () => {
    const found = judged({ flows: [], reading: { tail: null, fault: 'silent' } });
    expect([found.verdict, found.votes]).toEqual(['INCONCLUSIVE', ['INCONCLUSIVE', 'INCONCLUSIVE']]);
  });
});

describe('a source of history', () => {
  it('that failed leaves it open, and what was found counts in spite of it', () => {
    const failed = judged({ flows: [], history: { fault: 'HTTP 503' } });
    expect([failed.verdict, failed.check.detail]).toEqual([
      'INCONCLUSIVE',
      expect.stringContaining('HTTP 503'),
    ]);
    const flows = [flow(WHO, 'out', { [LISTED]: 50 })];
    expectFlagged({ flows, history: { fault: 'HTTP 503' } });
  });

  it('that leaves native currency out, or makes it up, is told by the chain', () => {
    const listing = (net: number, sent: number, reading: { balance: string; nonce: number }) =>
      judged({ flows: [], history: { native: { net: String(net), sent } }, reading });
    const fair = [listing(7, 0, { balance: '7', nonce: 0 }), listing(9, 2, { balance: '7', nonce: 2 })];
    expect(fair.map((f) => f.verdict)).toEqual(['CLEAN', 'CLEAN']);
    const lies = [
      listing(6, 1, { balance: '7', nonce: 1 }),
      listing(8, 0, { balance: '7', nonce: 0 }),
      listing(9, 1, { balance: '7', nonce: 2 }),
    ];
    for (const { verdict, votes, check } of lies)
      expect([verdict, votes, check.detail]).toEqual([
        'INCONCLUSIVE',
        ['INCONCLUSIVE', 'INCONCLUSIVE'],
        expect.stringMatching(/test on eip155:1002 lists/),
      ]);
  });

  it('that knows only a part says which', () => {
    const cutOff = 'nothing before block 7 was looked at';
    const found = judged({ flows: [], history: { cutOff } });
    expect([found.verdict, found.check.detail]).toEqual(['CLEAN', expect.stringContaining(cutOff)]);
  });
});

describe('dust of an address that looks like another', () => {
  const twin = `0x${'0'.repeat(20)}${'7'.repeat(13)}${'0'.repeat(6)}a`;
  it('accuses it, and tells no dust from a stranger who looks like nobody', () => {
    const poisoned = [{ of: FRIEND, addresses: [twin] }];
    const found = judged({ flows: [flow(WHO, 'out', { [FRIEND]: 0 })], history: { poisoned } });
    expect(found.checks.find((x) => x.id === 'address-poisoning')).toMatchObject({ outcome: 'FLAG' });
    expect([found.verdict, found.votes]).toEqual(['FLAGGED', ['FLAGGED', 'FLAGGED']]);
    expectClean({ flows: [flow(WHO, 'out', { [FRIEND]: 0 })] });
  });
});
