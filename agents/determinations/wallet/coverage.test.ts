import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { keccak } from '../../canonical.ts';
import { judge } from '../panel/judge.ts';
import { rollUpWallet } from '../panel/rollup.ts';
import type { DeterminationEvidence } from '../panel/types.ts';
import { Coverage } from './coverage-shape.ts';
import type { ChainPolicy, ChainReading, WalletCommon, WalletFacts } from './wallet-evidence.ts';

type Evidence = DeterminationEvidence<WalletCommon, WalletFacts>;

const AT = '2026-11-21T08:00:00.000Z';
const CHAIN = 'eip155:1002';
const POLICY: ChainPolicy = { chain: CHAIN, required: ['principals', 'lists', 'code'], notConfigured: [] };
const address = (n: number): string => `0x${keccak(`wallet ${n}`).slice(-40)}`;

function evidence(of: {
  address?: string;
  reading?: Partial<ChainReading>;
  common?: Partial<WalletCommon>;
  depth?: Evidence['depth'];
}): Evidence {
  const who = of.address ?? address(0);
  const register = (name: 'sanctions' | 'known-scam') => ({
    register: name,
    maxAgeDays: 7,
    lists: [{ name: `${name}/one`, asOf: '2026-11-19T00:00:00.000Z', rows: 900 }],
    lookedUp: [who],
    hits: [],
  });
  const facts: WalletFacts = {
    chains: [
      {
        chain: CHAIN,
        nonce: 3,
        balance: '5',
        code: { size: 0, hash: null, head: '0x', implementation: null, beacon: null, admin: null },
        principals: { owners: [], unknown: null },
        fault: null,
        ...of.reading,
      },
    ],
  };
  const seat = (method: 'rules' | 'statistics', client: string) => ({
    ...{ seat: `${method}/${client}`, method, source: `${client} over x`, limit: '', facts, fault: null },
  });
  return {
    ...{ id: 'wallet', rules: 1, at: AT, performer: 'AGENT', depth: of.depth ?? '2-of-2', latencyMs: 1 },
    common: {
      address: who,
      addressType: 'evm',
      chainId: 1002,
      chains: [CHAIN],
      sanctions: register('sanctions'),
      knownScam: register('known-scam'),
      history: { days: 90, hardFlags: [], stoppedDeals: [] },
      sessionKeys: [],
      policy: [POLICY],
      platform: [],
      ...of.common,
    },
    blocks: { [CHAIN]: { number: '9', hash: '0x09', at: AT } },
    seats: [
      seat('rules', 'viem'),
      seat('rules', 'ethers'),
      seat('statistics', 'viem'),
      seat('statistics', 'ethers'),
      { seat: 'adversarial/all', method: 'adversarial', source: 'all', limit: '', facts: null, fault: null },
    ],
  };
}

const verdictOf = (of: Parameters<typeof evidence>[0]) => judge(evidence(of)).verdict;
const required = (...names: ChainPolicy['required']): Partial<WalletCommon> => ({
  policy: [{ ...POLICY, required: names }],
});

describe('the coverage of a wallet determination', () => {
  it('stands in every answer in the form that is promised, whatever could be read', () => {
    for (const of of [
      {},
      { reading: { code: null, nonce: null, fault: 'down' } },
      { common: { policy: [] } },
    ]) {
      const { coverage } = rollUpWallet(judge(evidence(of)));
      expect([...Value.Errors(Coverage, coverage)]).toEqual([]);
      expect(coverage.notLookedAt.length).toBeGreaterThan(0);
    }
  });

  it('names each list with its age and size, each chain with its block, and what was not looked at', () => {
    const policy = [{ ...POLICY, notConfigured: ['transfers outside of deals'] }];
    const { coverage } = judge(evidence({ common: { policy } }));
    expect(coverage?.lists[0]).toMatchObject({ name: 'sanctions/one', ageDays: 2, rows: 900 });
    expect(coverage?.chains).toEqual([
      { chain: CHAIN, block: '9', read: true, code: 'none', required: POLICY.required },
    ]);
    expect(coverage?.notLookedAt).toContain('transfers outside of deals on eip155:1002');
    expect(coverage?.asFarAs).toMatch(
      /sanctions\/one \(900 rows, 2 days old\).*eip155:1002 at 9.*Not looked at/,
    );
  });

  it('says which chain was not read, and no date where nobody vouches for one', () => {
    const base = evidence({ reading: { code: null, fault: 'down' } });
    const undated = {
      ...base.common.sanctions,
      lists: [{ ...base.common.sanctions.lists[0]!, undated: true as const }],
    };
    const { coverage } = judge({ ...base, common: { ...base.common, sanctions: undated } });
    expect(coverage?.chains[0]).toMatchObject({ read: false, code: 'unread' });
    expect(coverage?.lists[0]).toMatchObject({ asOf: null, ageDays: null });
    expect(coverage?.notLookedAt.slice(0, 2)).toEqual([
      'what could not be read of eip155:1002',
      'whether sanctions lists name it',
    ]);
  });
});

describe('the policy of a chain', () => {
  it('lets an address be CLEAN only where each required check could run', () => {
    expect(verdictOf({})).toBe('CLEAN');
    expect(verdictOf({ common: required('lists', 'direct-transfers') })).toBe('INCONCLUSIVE');
    expect(verdictOf({ common: required() })).toBe('CLEAN');
  });

  it('names what was required and could not run', () => {
    const { sessionKeys: _, ...common } = evidence({}).common;
    const { checks } = judge({ ...evidence({}), common });
    expect(checks.find((c) => c.id === 'chain-policy')).toMatchObject({
      outcome: 'INCONCLUSIVE',
      detail: 'required and could not run: eip155:1002: principals',
    });
  });

  it('is held to by every seat', () => {
    const { panel } = judge(evidence({ common: required('direct-transfers'), depth: 'superconsensus' }));
    expect(new Set(panel.votes.map((v) => v.vote))).toEqual(new Set(['INCONCLUSIVE']));
  });
});

describe('newness', () => {
  it('flags none of 1,000 fresh wallets and contracts, nor lowers the confidence in one', () => {
    const found = Array.from({ length: 1_000 }, (_, n) => {
      const code = { implementation: null, beacon: null, admin: null, hash: keccak(`code ${n}`) };
      const fresh =
        n % 2 === 0
          ? { nonce: 0, balance: '0' }
          : { nonce: 1, balance: '0', code: { ...code, size: 64, head: code.hash } };
      const depth = (['1-of-1', '2-of-2', 'superconsensus'] as const)[n % 3]!;
      const { verdict, confidence } = judge(evidence({ address: address(n), reading: fresh, depth }));
      return `${verdict} ${depth} ${confidence}`;
    });
    expect(new Set(found)).toEqual(
      new Set(['CLEAN 1-of-1 70', 'CLEAN 2-of-2 85', 'CLEAN superconsensus 95']),
    );
  });
});
