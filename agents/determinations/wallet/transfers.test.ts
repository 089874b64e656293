import { describe, expect, it } from 'vitest';
import { judge } from '../panel/judge.ts';
import { recompute } from '../panel/recompute.ts';
import type { Depth, DeterminationEvidence } from '../panel/types.ts';
import type { Flows, Label, TransferHistory, Transfers } from './flows.ts';
import type { ChainReading, WalletCommon, WalletFacts } from './wallet-evidence.ts';

const AT = '2026-11-21T08:00:00.000Z';
const EARLIER = '2026-11-01T00:00:00.000Z';
const CHAIN = 'eip155:1002';
const DEPTHS: readonly (Depth | null)[] = ['1-of-1', '2-of-2', 'superconsensus', null];
const address = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;
const [WHO, LISTED, SHOP, SHOP_OF_SHOP, FRIEND, TOKEN] = [0xa, 0xbad, 0xb, 0xc, 0xd, 0xdc].map(address) as [
  string,
  string,
  string,
  string,
  string,
  string,
];

/** Dollars by party. */
function flow(of: string, way: Flows['way'], parties: Readonly<Record<string, number>>, native = 0): Flows {
  const micro = (usd: number) => BigInt(Math.round(usd * 1e6));
  const all = Object.entries(parties).sort(([, a], [, b]) => b - a);
  return {
    ...{ of, way, others: 0, native: (BigInt(native) * BigInt(all.length)).toString() },
    usd: all.reduce((sum, [, usd]) => sum + micro(usd), 0n).toString(),
    parties: all.map(([party, usd]) => ({
      ...{
        address: party,
        usd: micro(usd).toString(),
        native: native.toString(),
        transfers: 1,
        last: EARLIER,
      },
    })),
  };
}

const history = (flows: readonly Flows[], more: Partial<TransferHistory> = {}): TransferHistory => ({
  ...{ chain: CHAIN, source: 'test', fromBlock: '0', toBlock: '9', cutOff: null, fault: null, hops: 3 },
  ...{ flows, first: null, nets: null, nativeDust: '1000', poisoned: [] },
  ...more,
});

interface Case {
  readonly flows: readonly Flows[];
  readonly history?: Partial<TransferHistory>;
  readonly labels?: readonly (readonly [string, Label])[];
  readonly since?: string;
  readonly reading?: Partial<ChainReading>;
  readonly depth?: Depth | null;
}

function evidence(c: Case): DeterminationEvidence<WalletCommon, WalletFacts> {
  const code = { size: 0, hash: null, head: '0x' as const, implementation: null };
  const tail = { fromBlock: '10', toBlock: '9', transfers: [], balances: [] };
  const facts = {
    chains: [{ chain: CHAIN, nonce: 4, balance: '1', code, tail, fault: null, ...c.reading }],
  };
  const register = (name: 'sanctions' | 'known-scam') => ({
    ...{ register: name, maxAgeDays: 7, lookedUp: [WHO], hits: [] },
    lists: [{ name: `${name}/test`, asOf: AT, rows: 3 }],
  });
  const transfers: Transfers = {
    histories: [history(c.flows, c.history)],
    listed: [{ key: LISTED, list: 'known-scam/test', ...(c.since === undefined ? {} : { since: c.since }) }],
    labels: (c.labels ?? []).map(([key, label]) => ({ key, label })),
  };
  const seats = (['rules', 'statistics'] as const).flatMap((method) =>
    ['viem', 'ethers'].map((source) => ({
      ...{ seat: `${method}/${source}`, method, source, limit: 'test', facts, fault: null },
    })),
  );
  const all = { seat: 'adversarial/all', method: 'adversarial' as const, source: 'all', limit: '' };
  const depth = c.depth === undefined ? '2-of-2' : c.depth;
  return {
    ...{ id: 'wallet', rules: 1, at: AT, performer: depth === null ? 'EXECUTOR' : 'AGENT', depth },
    common: {
      ...{ address: WHO, addressType: 'evm', chainId: 1002, chains: [CHAIN], platform: [], transfers },
      ...{ sanctions: register('sanctions'), knownScam: register('known-scam') },
      history: { days: 90, hardFlags: [], stoppedDeals: [] },
    },
    blocks: { [CHAIN]: { number: '9', hash: '0x09', at: AT } },
    seats: [...seats, { ...all, facts: null, fault: null }],
    latencyMs: 3,
  };
}

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

describe('money from a listed address', () => {
  it.each(DEPTHS)('accuses at depth %s whoever got most of its own from there', (depth) => {
    const flows = [flow(WHO, 'in', { [LISTED]: 90, [FRIEND]: 10 })];
    expect(judged({ flows, depth }).verdict).toBe('FLAGGED');
  });

  it('is judged by its share of what came in: five percent and more', () => {
    expectFlagged({ flows: [flow(WHO, 'in', { [LISTED]: 6, [FRIEND]: 94 })] });
    expectClean({ flows: [flow(WHO, 'in', { [LISTED]: 4, [FRIEND]: 96 })] });
  });

  it('never accuses for dust, even where there is nothing else', () => {
    expectClean({ flows: [flow(WHO, 'in', { [LISTED]: 0.99 })] });
    expectClean({ flows: [flow(WHO, 'in', { [LISTED]: 0 }, 999)] });
    expectClean({ flows: [flow(WHO, 'in', { [LISTED]: 0.99, [FRIEND]: 1 })] });
  });

  it('counts in the currency that pays for gas, too', () => {
    expectFlagged({ flows: [flow(WHO, 'in', { [LISTED]: 0 }, 2_000)] });
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
