import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { WalletFacts } from '../wallet/wallet-evidence.ts';
import { judge } from './judge.ts';
import type { DeterminationEvidence, RecordEvidence, SeatReading } from './types.ts';

const FOLDER = new URL('../../../test/fixtures/evidence/', import.meta.url);
const HOME = 'eip155:1002';
const BASE = 'eip155:84532';

function kept(name: string): DeterminationEvidence {
  const text = readFileSync(new URL(`${name}.json`, FOLDER), 'utf8');
  const [evidence] = (JSON.parse(text) as { evidence: RecordEvidence }).evidence.determinations;
  return { ...evidence!, agreement: 2 };
}

/** The evidence as it is where the seats of one client tell something else. */
function told(
  evidence: DeterminationEvidence,
  client: string,
  tell: (seat: SeatReading) => Partial<SeatReading>,
): DeterminationEvidence {
  const seats = evidence.seats.map((s) => (s.seat.endsWith(`/${client}`) ? { ...s, ...tell(s) } : s));
  return { ...evidence, seats };
}

/** The same facts on two chains. */
function onTwoChains(evidence: DeterminationEvidence): DeterminationEvidence {
  const seats = evidence.seats.map((s) => {
    const facts = s.facts as WalletFacts | null;
    return facts === null
      ? s
      : { ...s, facts: { chains: [...facts.chains, { ...facts.chains[0]!, chain: BASE }] } };
  });
  const blocks = { ...evidence.blocks, [BASE]: evidence.blocks[HOME]! };
  const common = { ...(evidence.common as object), chains: [HOME, BASE] };
  return { ...evidence, common, blocks, seats };
}

const unread = (chains: readonly string[]) => (seat: SeatReading) => {
  const { chains: all } = seat.facts as WalletFacts;
  const none = { nonce: null, balance: null, code: null, fault: 'did not answer within 6000 ms' };
  return { facts: { chains: all.map((c) => (chains.includes(c.chain) ? { ...c, ...none } : c)) } };
};

const agreement = (evidence: DeterminationEvidence) =>
  judge(evidence).checks.find((c) => c.id === 'readings-agree');

describe.each(['2-of-2', 'superconsensus'])('the agreement of two clients, at %s', (depth) => {
  const evidence = onTwoChains(kept(`wallet-1-plain-${depth}`));

  it('is told of chains that both have read', () => {
    expect(agreement(evidence)).toMatchObject({ outcome: 'PASS' });
    expect(judge(evidence).verdict).toBe('CLEAN');
  });

  it.each([
    ['any chain', [HOME, BASE], ['viem']],
    ['one of two chains', [BASE], ['viem', 'ethers']],
  ])('is INCONCLUSIVE where one has not read %s, and names whoever read', (_, chains, sources) => {
    const alone = told(evidence, 'ethers', unread(chains));
    const found = agreement(alone)!;
    expect(found).toMatchObject({ outcome: 'INCONCLUSIVE', detail: expect.stringContaining(BASE) });
    expect(found.detail.includes(HOME)).toBe(chains.includes(HOME));
    expect(found.sources.map((s) => s.name.split(' ')[0])).toEqual(sources);
    expect(judge(alone).verdict).toBe('INCONCLUSIVE');
  });

  it('is INCONCLUSIVE where a client brought nothing at all, or neither read a chain', () => {
    const late = told(evidence, 'ethers', () => ({ facts: null, fault: 'was late' }));
    expect(agreement(late)).toMatchObject({ outcome: 'INCONCLUSIVE' });
    const neither = told(told(evidence, 'ethers', unread([HOME])), 'viem', unread([HOME]));
    expect(agreement(neither)).toMatchObject({ outcome: 'INCONCLUSIVE' });
  });

  it('stays as it was told in evidence of earlier releases', () => {
    const { agreement: _, ...before } = told(evidence, 'ethers', unread([HOME, BASE]));
    expect(agreement(before)).toMatchObject({ outcome: 'PASS' });
  });
});

it('is no check where one client alone was asked', () => {
  expect(agreement(kept('wallet-1-plain-executor'))).toBeUndefined();
});
