import { describe, expect, it } from 'vitest';
import { judge } from '../../panel/judge.ts';
import { coverageOf } from '../coverage.ts';
import type { TransferHistory } from './flows.ts';
import { evidence, FRIEND, flow, WHO } from './transfer-cases.ts';

const TWIN = `0x${'0'.repeat(20)}${'7'.repeat(13)}${'0'.repeat(6)}a`;
const UNLOOKED = 'whether it sends dust to be taken for somebody else on eip155:1002';

/** A key that is given as undefined is absent. */
function judged(history: Partial<TransferHistory>, depth: '2-of-2' | 'superconsensus' = '2-of-2') {
  const flows = [flow(WHO, 'out', { [FRIEND]: 0 })];
  const given = { ...evidence({ flows, history, depth }), adversary: 2 as const };
  const kept = JSON.parse(JSON.stringify(given)) as typeof given;
  const { verdict, checks, panel } = judge(kept);
  const check = checks.find((x) => x.id === 'address-poisoning');
  return {
    ...{ verdict, outcome: check?.outcome, detail: check?.detail },
    votes: new Set(panel.votes.map((v) => v.vote)),
    unlooked: coverageOf(kept).notLookedAt.includes(UNLOOKED),
  };
}

describe('dust of an address that looks like another', () => {
  it('accuses it where it is known who sent the dust', () => {
    const found = judged({ poisoned: [{ of: FRIEND, addresses: [TWIN] }] });
    expect([found.verdict, found.outcome, found.votes]).toEqual(['FLAGGED', 'FLAG', new Set(['FLAGGED'])]);
  });

  it('accuses nobody where anybody may have sent it in their name, and leaves it open', () => {
    for (const depth of ['2-of-2', 'superconsensus'] as const) {
      const found = judged({ poisoned: [{ of: FRIEND, addresses: [TWIN], unproven: true }] }, depth);
      expect([found.verdict, found.outcome]).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
      expect(found.votes).toEqual(new Set(['INCONCLUSIVE']));
    }
  });

  it('is open where more got dust than were looked at', () => {
    const found = judged({ poisoned: [], moreDusted: 1 });
    expect([found.verdict, found.outcome, found.votes]).toEqual([
      ...['INCONCLUSIVE', 'INCONCLUSIVE'],
      new Set(['INCONCLUSIVE']),
    ]);
    expect(judged({ poisoned: [] })).toMatchObject({ verdict: 'CLEAN', outcome: 'PASS', unlooked: false });
  });

  it('is no check where nobody looked, and stands among what was not looked at', () => {
    const none = judged({ poisoned: undefined } as never);
    expect(none).toMatchObject({ verdict: 'CLEAN', outcome: undefined, unlooked: true });
    const failed = judged({ poisoned: undefined, fault: 'HTTP 503' } as never);
    expect([failed.verdict, failed.outcome]).toEqual(['INCONCLUSIVE', 'INCONCLUSIVE']);
  });
});
