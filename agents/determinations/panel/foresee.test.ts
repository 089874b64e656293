import { describe, expect, it } from 'vitest';
import type { Comparable } from '../../market/pricing/comparables.ts';
import { type Foreseen, foreseeUnjudged } from './foresee.ts';
import type { RegisterState } from './lists.ts';

const AT = '2026-11-22T12:00:00.000Z';
const KEY = 'eip155:1002/erc721:0xaa/7';

function register(
  name: RegisterState['register'],
  asOf: string | null = '2026-11-22T00:00:00.000Z',
): RegisterState {
  const lists = asOf === null ? [] : [{ name: `${name}/test`, asOf, rows: 1, minimum: 1 }];
  return { register: name, maxAgeDays: 7, lists, lookedUp: [KEY], hits: [] };
}

const sales: Comparable[] = Array.from({ length: 9 }, (_, i) => ({
  id: `m${i}`,
  source: 'test',
  soldAt: '2026-11-20T00:00:00.000Z',
  priceUsd: `${100 + i}`,
  similarity: 'same-kind',
  dropped: null,
}));

const KNOWN: Foreseen = {
  category: 'digital-products',
  at: AT,
  sanctions: register('sanctions'),
  knownScam: register('known-scam'),
  goods: { assetKey: KEY, lot: KEY, stolen: register('stolen'), recalled: register('recalled') },
  held: true,
  comparables: sales,
  attributes: null,
  faceTold: false,
  mandate: null,
};
const goods = (change: Partial<Foreseen['goods']>): Partial<Foreseen> => ({
  goods: { ...KNOWN.goods, ...change },
});

describe('what could not be judged about a lot', () => {
  it.each<[string, Partial<Foreseen>, string[]]>([
    ['nothing, where every list and enough sales are known', {}, []],
    ['the price, where too few sales are known', { comparables: sales.slice(5) }, ['price-intelligence']],
    [
      'the provenance, where no stolen goods are listed',
      goods({ stolen: register('stolen', null) }),
      ['provenance'],
    ],
    [
      'the provenance, where the list of recalls is too old',
      goods({ recalled: register('recalled', '2026-11-01T00:00:00.000Z') }),
      ['provenance'],
    ],
    [
      'the wallet, and who held it, where a list of addresses is too old',
      { sanctions: register('sanctions', '2026-11-01T00:00:00.000Z') },
      ['wallet', 'provenance'],
    ],
    [
      'the wallet alone, where no token stands for the lot',
      { knownScam: register('known-scam', null), held: false },
      ['wallet'],
    ],
  ])('is %s', (_, change, missing) => {
    expect(foreseeUnjudged({ ...KNOWN, ...change })).toEqual(missing);
  });

  it('counts a look-up that will be made as if it were answered', () => {
    const lot = 'serial:generic:SN0042';
    const empty = { assetKey: lot, lot, stolen: register('stolen', null) };
    const lookup = {
      register: 'stolen' as const,
      name: 'x',
      key: lot,
      asOf: AT,
      reference: null,
      fault: null,
    };
    const asked = goods({ ...empty, lookups: [{ ...lookup, answer: 'not-listed' }] });
    const listed = { ...register('recalled'), lookedUp: [lot] };
    const of = (change: Partial<Foreseen>) =>
      foreseeUnjudged({ ...KNOWN, ...change, goods: { ...(change.goods ?? KNOWN.goods), recalled: listed } });
    expect(of(goods(empty))).toEqual(['provenance']);
    expect(of(asked)).toEqual([]);
  });

  it('includes the mandate when it asks for something that cannot be judged', () => {
    const none = { ...KNOWN, comparables: [] };
    const of = (mandate: Foreseen['mandate']) => foreseeUnjudged({ ...none, mandate });
    expect(of({})).toEqual(['price-intelligence']);
    expect(of({ max_pct_of_market: '90' })).toEqual(['mandate-compliance', 'price-intelligence']);
    expect(of({ require_clean: ['price-intelligence'] })).toEqual([
      'mandate-compliance',
      'price-intelligence',
    ]);
    expect(of({ require_clean: ['provenance'] })).toEqual(['price-intelligence']);
    expect(of({ max_pct_of_face: '90' })).toEqual(['mandate-compliance', 'price-intelligence']);
    const stated = { ...none, faceTold: true, mandate: { max_pct_of_face: '90' } };
    expect(foreseeUnjudged(stated)).toEqual(['price-intelligence']);
  });
});
