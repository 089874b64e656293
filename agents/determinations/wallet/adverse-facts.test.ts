import { describe, expect, it } from 'vitest';
import { judge } from '../panel/judge.ts';
import type { Depth, DeterminationEvidence } from '../panel/types.ts';
import { KNOWN_CONTRACTS } from '../transaction/known-contracts.ts';
import type { Flows } from './money/flows.ts';
import { type Case, evidence, FRIEND, flow, LISTED, SHOP, WHO } from './money/transfer-cases.ts';
import type { WalletCommon } from './wallet-evidence.ts';

/** What the four other seats pass, and the adversary denies by a fact; and honest addresses of the same shape. */

const MULES = [0xe1, 0xe2, 0xe3, 0xe4].map((n) => `0x${n.toString(16).padStart(40, '0')}`);
const SUBJECT = '0x5ab1ec7000c8d3e4f5a6b7c8d9e0f1a2b3c4d5e6';
const [PAYEE, TOKEN] = ['a1', 'b2'].map((end) => `0x77aa${'3c9d'.repeat(8)}00${end}`) as [string, string];
const SERVICE = '0x9a3c11d2e07f6b5a48c0d9e1f2a3b4c5d6e70f81';
const ROUTER = [...KNOWN_CONTRACTS.keys()].filter((key) => !key.startsWith('0x0000'));

/** Another address that is shown with the same ends. */
const alike = (address: string, middle = '7e57'): string =>
  `${address.slice(0, 6)}${middle.repeat(8)}${address.slice(-4)}`;
const unlike = (address: string): string => `0x1234${'7e57'.repeat(8)}${address.slice(-4)}`;

const word = (value: string) => value.replace(/^0x/, '').padStart(64, '0');

/** A transaction that was simulated and does nothing that a rule holds against it. */
function sending(to: string, data: string): Pick<Case, 'common' | 'reading'> {
  const asset = { kind: 'erc20', token: to, tokenId: null, symbol: 'USD', decimals: 6 } as const;
  const sender = '0x5e4de2000000000000000000000000000000a001';
  const tx = { chain: 'eip155:1002', from: sender, to, data, value: '0' };
  const code = { size: 0, hash: null, head: '0x' as const, implementation: null };
  const conditions = (['execution', 'later', 'much-later', 'richer', 'other-origin'] as const).map((c) => ({
    ...{ condition: c, outcome: 'same' as const, worse: [] },
  }));
  const simulation = {
    changes: [{ party: sender, asset, delta: '-5', before: '5000' }],
    ...{ approvals: [], owners: [], outcome: 'success' as const, reason: null, conditions },
    parties: [{ address: to, code: { ...code, size: 900 } }],
  };
  const everybody = [SUBJECT, to, ...[...data.matchAll(/0{24}([0-9a-f]{40})/g)].map(([, who]) => `0x${who}`)];
  const register = (name: 'sanctions' | 'known-scam') => ({
    ...{ register: name, maxAgeDays: 7, lookedUp: everybody, hits: [] },
    lists: [{ name: `${name}/test`, asOf: '2026-11-21T08:00:00.000Z', rows: 3 }],
  });
  const lists = { sanctions: register('sanctions'), knownScam: register('known-scam') };
  return {
    common: { transaction: tx, address: SUBJECT, ...lists } as Partial<WalletCommon>,
    reading: { simulation },
  };
}
const paying = (to: string) => sending(TOKEN, `0xa9059cbb${word(to)}${word('5')}`);

/** What accounts pay, each of which got this share of its own money from a listed address; and what somebody else does. */
const mules = (n: number, share: number, usd = 40, rest = 1_000): Flows[] => [
  flow(WHO, 'in', { ...Object.fromEntries(MULES.slice(0, n).map((m) => [m, usd])), [SHOP]: rest }),
  ...MULES.slice(0, n).map((m) => flow(m, 'in', { [LISTED]: usd * share, [FRIEND]: usd * (1 - share) })),
];

const income = (listed: number, other: number) => [flow(WHO, 'in', { [LISTED]: listed, [SHOP]: other })];

const ATTACKS: readonly (readonly [string, Case])[] = [
  ['ten thousand dollars of a listed address, thinned by one’s own', { flows: income(10_000, 400_000) }],
  ['a million of it, thinned by more', { flows: income(1_000_000, 30_000_000) }],
  ...[3, 4].map((n) => [`${n} accounts that live on listed money`, { flows: mules(n, 0.9) }] as const),
  ['three that have half of it from there', { flows: mules(3, 0.5, 60) }],
  ['three of them that paid 5 percent of what came in', { flows: mules(3, 0.9, 40, 2_280) }],
  ['three of them that paid ten thousand dollars among many', { flows: mules(3, 0.9, 3_400, 400_000) }],
  ...[...ROUTER, SERVICE].map(
    (known) =>
      [
        `an address that is shown as ${known} is`,
        { flows: [], common: { address: alike(known), contracts: [SERVICE] } },
      ] as const,
  ),
  [
    'a payment to somebody who is shown as the address that was asked about',
    { flows: [], ...paying(alike(SUBJECT)) },
  ],
  ...ROUTER.map(
    (known) =>
      [
        `a call of what is shown as ${known} is`,
        { flows: [], ...sending(alike(known), `0xa9059cbb${word(PAYEE)}${word('5')}`) },
      ] as const,
  ),
];

/** Each gets ten dollars from somebody who is listed, and pays them on. */
const THIRTY = [
  'a merchant whom three such accounts paid ten dollars',
  { flows: mules(3, 1, 10, 9_000) },
] as const;

const TWINS: readonly (readonly [string, Case])[] = [
  ['a few hundred dollars of a listed address among many', { flows: income(900, 400_000) }],
  ['an exchange that is paid by everybody', { flows: income(10_000, 400_000), labels: [[WHO, 'exchange']] }],
  ['customers who once were paid by a listed address', { flows: mules(4, 0.1) }],
  ['a wallet that never acted', { flows: [], reading: { nonce: 0 } }],
  ['two accounts that live on listed money', { flows: mules(2, 0.9) }],
  ['three that live on it and gave a few dollars', { flows: mules(3, 0.9, 5) }],
  THIRTY,
  ['three that paid less than 5 percent of what came in', { flows: mules(3, 0.9, 39, 2_280) }],
  ...[...ROUTER, SERVICE].map(
    (known) =>
      [
        `an address with one end of ${known}`,
        { flows: [], common: { address: unlike(known), contracts: [SERVICE] } },
      ] as const,
  ),
  ['a payment to the address that was asked about', { flows: [], ...paying(SUBJECT) }],
  ['a payment to somebody else', { flows: [], ...paying(PAYEE) }],
  ...ROUTER.map(
    (known) =>
      [
        `a call of ${known} itself`,
        { flows: [], ...sending(known, `0xa9059cbb${word(PAYEE)}${word('5')}`) },
      ] as const,
  ),
];

/** The lists answer on whatever address the case is about. */
function given(c: Case, depth: Depth, adversary?: 2 | 3): DeterminationEvidence {
  const made = evidence({ ...c, depth });
  const { sanctions, knownScam, address } = made.common;
  const looked = (r: typeof sanctions) => ({ ...r, lookedUp: [...r.lookedUp, address] });
  const common = { ...made.common, sanctions: looked(sanctions), knownScam: looked(knownScam) };
  return { ...made, common, ...(adversary === undefined ? {} : { adversary }) };
}

describe('the adversary of superconsensus', () => {
  it.each(ATTACKS)('denies CLEAN by a fact, where all other seats pass: %s', (_, attack) => {
    const found = judge(given(attack, 'superconsensus', 3));
    const votes = found.panel.votes.map((v) => v.vote);
    expect(votes).toEqual(['CLEAN', 'CLEAN', 'CLEAN', 'CLEAN', 'FLAGGED']);
    expect(found.verdict).toBe('FLAGGED');
    const told = found.checks.find((c) => c.id === 'adverse-facts');
    expect([told?.outcome, found.checks.filter((c) => c.outcome !== 'PASS').length]).toEqual(['FLAG', 1]);
    expect(told?.detail).toMatch(/0x[0-9a-f]{40}/);
    expect(judge(given(attack, '2-of-2', 3)).verdict).toBe('CLEAN');
  });

  it.each(ATTACKS)('only dissents in evidence of earlier releases: %s', (_, attack) => {
    const found = judge(given(attack, 'superconsensus'));
    expect(found.verdict).toBe('CLEAN');
    expect(found.checks.map((c) => c.id)).not.toContain('adverse-facts');
  });

  it('counts three accounts by their number alone in evidence of before their sum was asked', () => {
    expect(judge(given(THIRTY[1], 'superconsensus', 2)).verdict).toBe('FLAGGED');
  });

  it.each(TWINS)('finds nothing against %s', (_, twin) => {
    const found = judge(given(twin, 'superconsensus', 3));
    expect(found.checks.filter((c) => c.outcome !== 'PASS')).toEqual([]);
    expect([found.verdict, found.panel.votes.at(-1)?.vote]).toEqual(['CLEAN', 'CLEAN']);
  });

  it('names a gap, which is no fact and denies nothing', () => {
    const made = given({ flows: [] }, 'superconsensus', 3);
    const common = { ...(made.common as WalletCommon), sessionKeys: [] };
    const found = judge({ ...made, common });
    expect(found.panel.votes.at(-1)?.vote).toBe('INCONCLUSIVE');
    expect(found.checks.map((c) => c.id)).not.toContain('adverse-facts');
  });
});
