import { describe, expect, it } from 'vitest';
import { AppError } from '../../errors.ts';
import { judge } from '../panel/judge.ts';
import { rollUpWallet } from '../panel/rollup.ts';
import type { DeterminationEvidence, Verdict } from '../panel/types.ts';
import { checksumAddress, readAddress, tryAddress } from './address.ts';
import { accountKind } from './code/account-code.ts';
import { relatedAddresses } from './wallet.ts';
import type { ChainReading, WalletCommon, WalletFacts } from './wallet-evidence.ts';

type Evidence = DeterminationEvidence<WalletCommon, WalletFacts>;

const AT = '2026-11-21T08:00:00.000Z';
const ADDRESS = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const DELEGATE = `0x${'d1'.repeat(20)}`;
const LIST = { name: 'sanctions/test', asOf: '2026-11-20T00:00:00.000Z', rows: 3 };

function register(name: 'sanctions' | 'known-scam', over: Partial<WalletCommon['sanctions']> = {}) {
  return {
    register: name,
    maxAgeDays: 7,
    lists: [{ ...LIST, name }],
    lookedUp: [ADDRESS, DELEGATE],
    hits: [],
    ...over,
  };
}

function reading(chain: string, over: Partial<ChainReading> = {}): ChainReading {
  return {
    chain,
    nonce: 4,
    balance: '1000',
    code: { size: 0, hash: null, head: '0x', implementation: null },
    fault: null,
    ...over,
  };
}

function evidence(
  depth: Evidence['depth'],
  common: Partial<WalletCommon> = {},
  over: Partial<Evidence> = {},
): Evidence {
  const facts = { chains: [reading('eip155:1002')] };
  const seat = (method: 'rules' | 'statistics', client: string) => ({
    seat: `${method}/${client}`,
    method,
    source: `${client} over 127.0.0.1:1`,
    limit: 'test',
    facts,
    fault: null,
  });
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
      sanctions: register('sanctions'),
      knownScam: register('known-scam'),
      history: { days: 90, hardFlags: [], stoppedDeals: [] },
      platform: [],
      ...common,
    },
    blocks: { 'eip155:1002': { number: '9', hash: '0x09', at: AT } },
    seats: [
      seat('rules', 'viem'),
      seat('rules', 'ethers'),
      seat('statistics', 'viem'),
      seat('statistics', 'ethers'),
      { seat: 'adversarial/all', method: 'adversarial', source: 'all', limit: '', facts: null, fault: null },
    ],
    latencyMs: 3,
    ...over,
  };
}

const DEPTHS = ['1-of-1', '2-of-2', 'superconsensus', null] as const;
const outcome = (e: Evidence, id: string) => judge(e).checks.find((c) => c.id === id)?.outcome;

describe('an address', () => {
  it('is read as EVM or Solana, and refused as anything else', () => {
    expect(readAddress(ADDRESS)).toMatchObject({ type: 'evm', key: ADDRESS });
    expect(readAddress('11111111111111111111111111111111')).toMatchObject({ type: 'solana' });
    expect(readAddress('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')).toMatchObject({ type: 'solana' });
    for (const bad of [
      '',
      '0x12',
      `${ADDRESS}0`,
      'l'.repeat(32),
      '1'.repeat(31),
      '1'.repeat(33),
      'z'.repeat(44),
    ]) {
      expect(tryAddress(bad), bad).toBeNull();
    }
    expect(() => readAddress('nobody')).toThrow(AppError);
  });

  it('is spelled by EIP-55 as in the examples of the EIP', () => {
    for (const right of [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
      '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    ]) {
      expect(checksumAddress(right.toLowerCase())).toBe(right);
    }
  });
});

describe('a wallet determination', () => {
  it.each(DEPTHS)('is CLEAN at depth %s when every check passes', (depth) => {
    const record = rollUpWallet(judge(evidence(depth)));
    expect(record.verdict).toBe('CLEAN');
    expect(record.checks).toEqual(
      expect.arrayContaining([
        'address-form',
        'address-checksum',
        'list-sanctions',
        'list-known-scam',
        'contract-code',
        'eip7702-delegation',
        'chain-activity:1002',
        'platform-history',
      ]),
    );
  });

  it.each(DEPTHS)('is FLAGGED at depth %s by one list hit, whatever else passes', (depth) => {
    const hit = register('known-scam', { hits: [{ key: ADDRESS, list: 'known-scam/x' }] });
    const determination = judge(evidence(depth, { knownScam: hit }));
    expect(determination.verdict).toBe('FLAGGED');
    expect([determination.confidence, determination.confidenceBasis]).toEqual([99, 'uncalibrated']);
    expect(determination.checks.find((c) => c.id === 'list-known-scam')).toMatchObject({
      outcome: 'FLAG',
      hard: true,
    });
  });

  it('finds a hit even on a list that is too old to clear anybody', () => {
    const old = {
      lists: [{ ...LIST, asOf: '2024-09-01T00:00:00.000Z' }],
      hits: [{ key: ADDRESS, list: 'sanctions/x' }],
    };
    expect(outcome(evidence('2-of-2', { sanctions: register('sanctions', old) }), 'list-sanctions')).toBe(
      'FLAG',
    );
  });

  it.each(DEPTHS)(
    'is INCONCLUSIVE at depth %s when lists are empty or old, and its record is FLAGGED',
    (depth) => {
      for (const lists of [[], [{ ...LIST, rows: 0 }], [{ ...LIST, asOf: '2026-11-01T00:00:00.000Z' }]]) {
        const determination = judge(evidence(depth, { sanctions: register('sanctions', { lists }) }));
        expect(determination.verdict).toBe('INCONCLUSIVE');
        expect(rollUpWallet(determination).verdict).toBe('FLAGGED');
      }
    },
  );

  it('says "not on" and gives the names and dates of the lists', () => {
    const check = judge(evidence('2-of-2')).checks.find((c) => c.id === 'list-sanctions');
    expect(check?.detail).toBe('not on sanctions as of 2026-11-20T00:00:00.000Z');
    expect(check?.sources[0]).toMatchObject({ asOf: LIST.asOf });
  });

  it('flags a mixed-case address with a wrong checksum, and accepts an address in a single case', () => {
    const right = checksumAddress(ADDRESS);
    const wrong = right.replace('A', 'a');
    const named = (address: string) => outcome(evidence('2-of-2', { address }), 'address-checksum');
    expect(named(wrong)).toBe('FLAG');
    expect(judge(evidence('2-of-2', { address: wrong })).panel.votes.map((v) => v.vote)).toEqual([
      'FLAGGED',
      'FLAGGED',
    ]);
    expect([right, ADDRESS, `0x${ADDRESS.slice(2).toUpperCase()}`].map(named)).toEqual([
      'PASS',
      'PASS',
      'PASS',
    ]);
  });

  it('reports a delegation, and flags a delegation to a listed delegate', () => {
    const code = { size: 23, hash: null, head: `0xef0100${'d1'.repeat(20)}` as const, implementation: null };
    const facts = { chains: [reading('eip155:1002', { code })] };
    const with7702 = (common: Partial<WalletCommon>) => {
      const base = evidence('2-of-2', common);
      return judge({ ...base, seats: base.seats.map((s) => (s.facts === null ? s : { ...s, facts })) });
    };
    expect(relatedAddresses([facts])).toEqual([DELEGATE]);
    expect(with7702({}).verdict).toBe('CLEAN');
    expect(with7702({}).checks.find((c) => c.id === 'eip7702-delegation')?.detail).toContain(DELEGATE);
    const hit = register('known-scam', { hits: [{ key: DELEGATE, list: 'known-scam/x' }] });
    expect(with7702({ knownScam: hit }).panel.votes.map((v) => v.vote)).toEqual(['FLAGGED', 'FLAGGED']);
    const blind = register('known-scam', { lookedUp: [ADDRESS] });
    expect(with7702({ knownScam: blind }).verdict).toBe('INCONCLUSIVE');
  });

  it('is INCONCLUSIVE when a seat could not read a chain, and names that seat', () => {
    const base = evidence('2-of-2');
    const dark = {
      chains: [reading('eip155:1002', { nonce: null, balance: null, code: null, fault: 'down' })],
    };
    const determination = judge({
      ...base,
      seats: base.seats.map((s) => (s.seat === 'statistics/ethers' ? { ...s, facts: dark } : s)),
    });
    expect(determination.verdict).toBe('INCONCLUSIVE');
    expect(determination.panel.dissent.join()).toContain('statistics/ethers could not say');
  });

  it('is not CLEAN when two readers report different facts about one block, though every vote is CLEAN', () => {
    const base = evidence('2-of-2');
    const other = { chains: [reading('eip155:1002', { nonce: 5 })] };
    const determination = judge({
      ...base,
      seats: base.seats.map((s) => (s.seat === 'statistics/ethers' ? { ...s, facts: other } : s)),
    });
    expect(determination.panel.votes.map((v) => v.vote)).toEqual(['CLEAN', 'CLEAN']);
    expect(determination.verdict).toBe('INCONCLUSIVE');
    expect(determination.panel.dissent.join()).toMatch(/rules\/viem and statistics\/ethers.*nonce/);
  });

  it('flags an address that a hard flag or a stopped deal of the last months names', () => {
    const history = {
      days: 90,
      hardFlags: [{ recordId: 'rec_1', at: AT, check: 'list-known-scam' }],
      stoppedDeals: [],
    };
    const determination = judge(evidence('2-of-2', { history }));
    expect(determination.panel.votes.map((v) => v.vote)).toEqual(['FLAGGED', 'FLAGGED']);
    expect(determination.reasons.join()).toContain('rec_1');
  });

  it('holds nothing against a wallet that never acted', () => {
    const base = evidence('superconsensus', { policy: [] });
    const idle = { chains: [reading('eip155:1002', { nonce: 0 })] };
    const seats = base.seats.map((s) => (s.facts === null ? s : { ...s, facts: idle }));
    const determination = judge({ ...base, seats });
    expect([determination.verdict, determination.confidence]).toEqual(['CLEAN', 95]);
    expect(determination.panel.dissent).toEqual([]);
  });

  it('is never CLEAN for Solana while no Solana chain is read', () => {
    const solana = '11111111111111111111111111111111';
    const seen = { lookedUp: [solana] };
    const base = evidence('2-of-2', {
      address: solana,
      addressType: 'solana',
      chainId: null,
      chains: ['solana'],
      sanctions: register('sanctions', seen),
      knownScam: register('known-scam', seen),
    });
    const facts = { chains: [reading('solana', { nonce: null, balance: null, code: null, fault: 'none' })] };
    const determination = judge({
      ...base,
      seats: base.seats.map((s) => (s.facts === null ? s : { ...s, facts })),
    });
    expect(determination.checks.map((c) => c.id)).not.toContain('address-checksum');
    expect(determination.checks.find((c) => c.id === 'chain-activity:solana')?.outcome).toBe('INCONCLUSIVE');
    expect(rollUpWallet(determination).verdict).toBe('FLAGGED');
  });

  it('gives an EXECUTOR a verdict without reasoning', () => {
    const determination = judge(evidence(null), { trace: true });
    expect(determination.panel).toMatchObject({ depth: null, seats: 1 });
    expect([determination.reasons, determination.panel.votes[0]?.reasons]).toEqual([[], []]);
    expect(determination.trace).toBeUndefined();
  });

  it('treats a seat that was never filled as not CLEAN', () => {
    const base = evidence('2-of-2');
    const verdict: Verdict = judge({ ...base, seats: base.seats.slice(0, 1) }).verdict;
    expect(verdict).toBe('INCONCLUSIVE');
  });
});

describe('account code', () => {
  it('is told apart: token-bound, minimal proxy, EIP-1967 proxy, contract', () => {
    const impl = 'ab'.repeat(20);
    const minimal = `363d3d373d3d3d363d73${impl}5af43d82803e903d91602b57fd5bf3`;
    const word = (n: bigint) => n.toString(16).padStart(64, '0');
    const bound = `${minimal}${word(0n)}${word(1002n)}${`${'cd'.repeat(20)}`.padStart(64, '0')}${word(17n)}`;
    const of = (hex: string, implementation: string | null = null) =>
      accountKind({ size: hex.length / 2, hash: null, head: `0x${hex}`, implementation });
    expect(of(bound)).toEqual({
      kind: 'token-bound',
      to: `0x${impl}`,
      chainId: '1002',
      contract: `0x${'cd'.repeat(20)}`,
      tokenId: '17',
    });
    expect(of(minimal)).toMatchObject({ kind: 'proxy', standard: 'EIP-1167', to: `0x${impl}` });
    expect(of('6080604052', `0x${impl}`)).toMatchObject({ kind: 'proxy', standard: 'EIP-1967' });
    expect(of('6080604052')).toEqual({ kind: 'contract' });
    const beacon = { size: 5, hash: null, head: '0x6080604052' as const, beacon: DELEGATE, admin: null };
    expect(accountKind({ ...beacon, implementation: null })).toMatchObject({
      standard: 'EIP-1967 beacon',
      to: DELEGATE,
    });
    expect(accountKind({ ...beacon, implementation: `0x${impl}` })).toMatchObject({ to: `0x${impl}` });
  });
});
