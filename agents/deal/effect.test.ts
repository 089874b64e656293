import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIER_DETERMINATIONS, type Verdict } from '../determinations/panel/types.ts';
import {
  CHOOSABLE,
  type Choices,
  isChoosable,
  ON_FLAGGED,
  ON_INCONCLUSIVE,
  type OnInconclusive,
  strictest,
  weighVerdicts,
} from './effect.ts';
import { beforehandWords, reasonWords } from './effect-words.ts';

const IDS = ['wallet', ...TIER_DETERMINATIONS] as const;
const VERDICTS = ['CLEAN', 'FLAGGED', 'INCONCLUSIVE'] as const satisfies readonly Verdict[];
const UNSET: Choices = { wallet: '0xowner', onFlagged: null, onInconclusive: null, mandate: null };
const price = (verdict: Verdict) => [{ id: 'price-intelligence' as const, verdict }];

const choice = fc.option(fc.constantFrom(...ON_INCONCLUSIVE), { nil: null });
const clause = fc.option(fc.constantFrom(...ON_INCONCLUSIVE), { nil: undefined });
const anyChoices: fc.Arbitrary<Choices> = fc.record({
  wallet: fc.constant('0xowner'),
  onFlagged: fc.option(fc.constantFrom(...ON_FLAGGED), { nil: null }),
  onInconclusive: choice,
  mandate: fc.option(
    fc.record({
      version: fc.integer({ min: 1, max: 9 }),
      onInconclusive: fc.record({
        'shill-collusion': clause,
        provenance: clause,
        'price-intelligence': clause,
      }),
    }),
    { nil: null },
  ),
});
const anyVerdicts = fc
  .tuple(...IDS.map(() => fc.constantFrom(...VERDICTS)))
  .map((verdicts) => IDS.map((id, at) => ({ id, verdict: verdicts[at] as Verdict })));

describe('the effect of a verdict', () => {
  it.each<[Verdict, Partial<Choices>, OnInconclusive]>([
    ['CLEAN', {}, 'proceed'],
    ['FLAGGED', {}, 'stop'],
    ['FLAGGED', { onFlagged: 'ask' }, 'ask'],
    ['FLAGGED', { onInconclusive: 'proceed' }, 'stop'],
    ['FLAGGED', { onFlagged: 'ask', onInconclusive: 'proceed' }, 'ask'],
    ['INCONCLUSIVE', {}, 'stop'],
    ['INCONCLUSIVE', { onFlagged: 'stop' }, 'stop'],
    ['INCONCLUSIVE', { onFlagged: 'ask' }, 'ask'],
    ['INCONCLUSIVE', { onInconclusive: 'proceed' }, 'proceed'],
    ['INCONCLUSIVE', { onFlagged: 'stop', onInconclusive: 'ask' }, 'ask'],
    ['INCONCLUSIVE', { onFlagged: 'ask', onInconclusive: 'stop' }, 'stop'],
    ['INCONCLUSIVE', { mandate: { version: 2, onInconclusive: { 'price-intelligence': 'ask' } } }, 'ask'],
    ['INCONCLUSIVE', { mandate: { version: 2, onInconclusive: { provenance: 'proceed' } } }, 'stop'],
  ])('is, for a price that is %s under %j, to %s', (verdict, chosen, effect) => {
    expect(weighVerdicts(price(verdict), { ...UNSET, ...chosen }).effect).toBe(effect);
  });

  it.each(ON_INCONCLUSIVE.flatMap((setting) => ON_INCONCLUSIVE.map((said) => [setting, said] as const)))(
    'is the stricter of a setting to %s and a mandate that says %s',
    (setting, said) => {
      const mandate = { version: 3, onInconclusive: { 'price-intelligence': said } };
      const weighed = weighVerdicts(price('INCONCLUSIVE'), { ...UNSET, onInconclusive: setting, mandate });
      expect(weighed.effect).toBe(strictest([setting, said]));
    },
  );

  it('names the setting and the clause of the mandate by which a deal goes on', () => {
    const mandate = { version: 3, onInconclusive: { provenance: 'proceed' as const } };
    const both = weighVerdicts([...price('INCONCLUSIVE'), { id: 'provenance', verdict: 'INCONCLUSIVE' }], {
      ...UNSET,
      onInconclusive: 'proceed',
      mandate,
    });
    expect(both.waivedBy).toEqual([
      { determination: 'price-intelligence', by: 'setting', wallet: '0xowner' },
      { determination: 'provenance', by: 'setting', wallet: '0xowner' },
      { determination: 'provenance', by: 'mandate', version: 3 },
    ]);
    expect(weighVerdicts(price('INCONCLUSIVE'), { ...UNSET, onInconclusive: 'ask' }).waivedBy).toEqual([]);
  });

  it('is never to go on without a wallet, a double pledge or a mandate, whatever is chosen', () => {
    const never = IDS.filter((id) => !isChoosable(id));
    expect(never).toEqual(['wallet', 'double-pledge', 'mandate-compliance']);
    fc.assert(
      fc.property(anyVerdicts, anyChoices, (verdicts, choices) => {
        const { effect, waivedBy } = weighVerdicts(verdicts, choices);
        const open = verdicts.some(({ id, verdict }) => verdict !== 'CLEAN' && !isChoosable(id));
        const flagged = verdicts.some(({ verdict }) => verdict === 'FLAGGED');
        if (open || flagged) expect(effect).not.toBe('proceed');
        if ((open || flagged) && choices.onFlagged !== 'ask') expect(effect).toBe('stop');
        for (const { determination } of waivedBy)
          expect(verdicts).toContainEqual({ id: determination, verdict: 'INCONCLUSIVE' });
      }),
    );
  });

  it('is to go on only when each verdict is CLEAN or waived explicitly', () => {
    fc.assert(
      fc.property(anyVerdicts, anyChoices, (verdicts, choices) => {
        const { effect, waivedBy } = weighVerdicts(verdicts, choices);
        const waived = (id: string) => waivedBy.some((w) => w.determination === id);
        const clear = verdicts.every(({ id, verdict }) => verdict === 'CLEAN' || waived(id));
        expect(effect === 'proceed').toBe(clear);
      }),
    );
  });

  it('is no milder with one more determination that is not CLEAN', () => {
    fc.assert(
      fc.property(anyVerdicts, anyChoices, fc.nat(IDS.length - 1), (verdicts, choices, at) => {
        const cleaner = verdicts.map((v, i) => (i === at ? { ...v, verdict: 'CLEAN' as const } : v));
        const [more, less] = [verdicts, cleaner].map((v) => weighVerdicts(v, choices).effect);
        expect(strictest([more!, less!])).toBe(more);
      }),
    );
  });
});

describe('the reason of a deal that does not go on', () => {
  const judged = [
    {
      id: 'price-intelligence' as const,
      reasons: [],
      checks: [
        {
          id: 'comparables',
          outcome: 'INCONCLUSIVE' as const,
          detail: 'no comparable sale was found; not weighed: 1 flagged trades',
          sources: [],
        },
      ],
    },
  ];
  const reasonUnder = (chosen: Partial<Choices>) =>
    reasonWords('buyer', weighVerdicts([...price('INCONCLUSIVE')], { ...UNSET, ...chosen }).causes, judged);

  it('says in one sentence what could not be judged, why, and whose choice stops the deal', () => {
    const begins = 'the price could not be judged for the buyer (no comparable sale was found), and';
    expect(reasonUnder({})).toBe(`${begins} its owner chose nothing for that, so it stops`);
    expect(reasonUnder({ onInconclusive: 'stop' })).toBe(`${begins} its owner chose to stop then`);
    expect(reasonUnder({ onFlagged: 'ask' })).toBe(`${begins} its owner wants to be asked then`);
    expect(reasonUnder({ onInconclusive: 'proceed' })).toBe('');
  });

  it('keeps what was found apart from what could not be judged', () => {
    const { causes } = weighVerdicts(
      [
        { id: 'wallet', verdict: 'FLAGGED' },
        { id: 'double-pledge', verdict: 'INCONCLUSIVE' },
      ],
      { ...UNSET, onInconclusive: 'proceed' },
    );
    expect(reasonWords('seller', causes, [])).toBe(
      'the seller found: wallet; a double pledge could not be judged for the seller, and no choice lets a deal go on without that',
    );
  });

  it('is told beforehand, with what the choices then cause', () => {
    expect(beforehandWords(['provenance', 'price-intelligence'], 'stop')).toBe(
      'As things stand, the provenance and the price could not be judged for this lot. By your choices the deal then stops.',
    );
  });

  it.each([null, 'stop'] as const)('does not lay a stop that no choice lifts to the choices (%s)', (then) => {
    expect(beforehandWords(['wallet', 'price-intelligence'], then)).toBe(
      "As things stand, the other side's wallet and the price could not be judged for this lot. A deal then stops: no choice lets it go on without the other side's wallet, and it waits only where both owners chose to be asked.",
    );
    expect(beforehandWords(['wallet'], 'ask')).toContain('By your choices the deal then waits');
  });
});

it('keeps one list of what may be chosen for', () => {
  expect([...CHOOSABLE].every((id) => IDS.includes(id))).toBe(true);
});
