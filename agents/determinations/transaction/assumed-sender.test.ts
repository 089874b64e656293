import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { atDepth, readEvidence } from '../../evaluation/read-evidence.ts';
import { judge } from '../panel/judge.ts';
import type { DeterminationEvidence, RecordEvidence } from '../panel/types.ts';
import type { WalletCommon } from '../wallet/wallet-evidence.ts';
import { ASSUMED_SENDER, askedTransaction } from './transaction-request.ts';

const FILE = new URL('../../../test/fixtures/evidence/wallet-1-assumed-sender.json', import.meta.url);
const { evidence } = JSON.parse(readFileSync(FILE, 'utf8')) as { readonly evidence: RecordEvidence };
/** A call that an address which holds nothing makes without harm, as an earlier release kept it. */
const [kept] = evidence.determinations as readonly DeterminationEvidence<WalletCommon>[];

const sentBy = (sender: object): DeterminationEvidence => {
  const { assumedSender: _, ...transaction } = kept!.common.transaction!;
  return { ...kept!, common: { ...kept!.common, transaction: { ...transaction, ...sender } } };
};
const DEPTHS = ['1-of-1', '2-of-2', 'superconsensus'] as const;

describe('a transaction of which nobody says who sends it', () => {
  it.each(DEPTHS)('is never CLEAN, and accused of nothing, at %s', (depth) => {
    const determined = judge(atDepth(sentBy({ assumedSender: 2 }), depth));
    expect(determined.verdict).toBe('INCONCLUSIVE');
    const open = determined.checks.filter((c) => c.outcome !== 'PASS');
    expect(open.map((c) => [c.id, c.outcome])).toEqual(
      ['simulated', 'drain', 'approvals', 'owners', 'conditions'].map((name) => [
        `transaction-${name}`,
        'INCONCLUSIVE',
      ]),
    );
    expect(determined.reasons.join()).toContain('nobody said who sends it');
    expect(determined.panel.votes.map((v) => v.vote)).not.toContain('CLEAN');
  });

  it.each(DEPTHS)(
    'is CLEAN at %s once its sender is named, and as it was judged by an earlier release',
    (depth) => {
      expect(judge(atDepth(sentBy({}), depth)).verdict).toBe('CLEAN');
      expect(judge(atDepth(kept!, depth)).verdict).toBe('CLEAN');
    },
  );

  it('is asked about and kept as such, also when evidence of an earlier release is gathered again', () => {
    const to = kept!.common.transaction!.to;
    const assumed = { from: ASSUMED_SENDER, assumedSender: 2 };
    expect(askedTransaction({ to }, 1002)).toMatchObject(assumed);
    expect(askedTransaction({ to, from: ASSUMED_SENDER, assumedSender: true }, 1002)).toMatchObject(assumed);
    expect(askedTransaction({ to, from: to }, 1002)).not.toHaveProperty('assumedSender');
    for (const one of [kept!, sentBy({ assumedSender: 2 })])
      expect(readEvidence('wallet', JSON.parse(JSON.stringify(one)))).toMatchObject({ id: 'wallet' });
  });
});
