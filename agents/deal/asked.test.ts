import { expect, it } from 'vitest';
import type { Check } from '../determinations/panel/types.ts';
import { askedAbout, isAgreed } from './asked.ts';
import type { Cause } from './effect.ts';

const flagged: Cause = { determination: 'wallet', verdict: 'FLAGGED', effect: 'ask', chosen: true };
const check = (id: string, outcome: Check['outcome'], detail = '', hard = false): Check => ({
  ...{ id, outcome, detail, sources: [] },
  ...(hard ? { hard } : {}),
});
const wallet = (...checks: Check[]) => [{ id: 'wallet' as const, checks }];

it('an owner who agreed is asked about a check, a list or a verdict that was not there, and about nothing else', () => {
  const before = askedAbout(
    [flagged],
    wallet(check('known-scam', 'FLAG', 'on one list', true), check('age', 'FLAG', '3 days old')),
    { approval: true, disputes: [] },
  );
  const agreed = (...checks: Check[]) =>
    isAgreed(before, askedAbout([flagged], wallet(...checks), { approval: true, disputes: [] }));
  const scam = check('known-scam', 'FLAG', 'on one list', true);
  expect(agreed(scam, check('age', 'FLAG', '4 days old'))).toBe(true);
  expect(agreed(scam)).toBe(true);
  expect(agreed(scam, check('sanctions', 'FLAG', 'on a list', true))).toBe(false);
  expect(agreed(check('known-scam', 'FLAG', 'on one list, on another list', true))).toBe(false);
  const unjudged: Cause = { ...flagged, verdict: 'INCONCLUSIVE' };
  expect(
    isAgreed(
      before,
      askedAbout([unjudged], wallet(check('age', 'INCONCLUSIVE')), { approval: true, disputes: [] }),
    ),
  ).toBe(false);
});

it('what an owner let pass by its choice is not asked, and what is not told was not agreed to', () => {
  expect(
    askedAbout([{ ...flagged, effect: 'proceed' }], wallet(check('age', 'FLAG')), {
      approval: false,
      disputes: [{ disputeId: 'dsp_1', asksAnew: true }],
    }),
  ).toEqual([]);
  expect([
    isAgreed(['approval'], undefined),
    isAgreed(['approval'], []),
    isAgreed(undefined, ['approval']),
  ]).toEqual([false, false, false]);
});

it('an owner who is asked anyway is asked once more when somebody disputes the thing meanwhile, and once in all', () => {
  const asked = (...disputes: { disputeId: string; asksAnew: boolean }[]) =>
    askedAbout([flagged], [], { approval: true, disputes });
  const one = (n: number) => ({ disputeId: `dsp_${n}`, asksAnew: false });
  const first = { disputeId: 'dsp_30', asksAnew: true };
  const held = { disputeId: 'dsp_40', asksAnew: true };
  expect([isAgreed(asked(), asked(one(1))), isAgreed(asked(one(1)), asked(one(1)))]).toEqual([false, true]);
  // Strangers and later holders do not have an owner asked again and again; who held the thing first does.
  const others = Array.from({ length: 19 }, (_, n) => one(n));
  expect(isAgreed(asked(...others), asked(...others, one(19)))).toBe(true);
  expect(isAgreed(asked(one(1)), asked(first, one(1)))).toBe(false);
  expect(isAgreed(asked(first), asked(held, first))).toBe(false);
  expect(isAgreed(asked(first, held), asked(held, one(1)))).toBe(true);
});
