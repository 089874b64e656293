import { CENT, formatUsd, type Micro, parseUsd } from '../../money.ts';
import type { Comparable } from './comparables.ts';
import type { Attributes } from './model/attributes.ts';
import { type Valuation, valued } from './model/price-model.ts';
import { carries, described, type Market, marketOf, whyNone } from './valuation.ts';

/** The valuation by one list of sales, worked out once for whoever asks, and for every price that is asked. */
const KNOWN = new WeakMap<
  readonly Comparable[],
  {
    readonly attributes: Attributes;
    readonly category: string;
    readonly at: string;
    readonly found: Valuation | null;
  }
>();

/** What the sales say of a thing with these attributes; the same sales are not fitted twice. */
export function valuedOnce(
  attributes: Attributes,
  comparables: readonly Comparable[],
  { category, at }: { readonly category: string; readonly at: string },
): Valuation | null {
  const known = KNOWN.get(comparables);
  if (known?.at === at && known.category === category && known.attributes === attributes) return known.found;
  const found = valued(attributes, comparables, { category, at });
  KNOWN.set(comparables, { attributes, category, at, found });
  return found;
}

/** True where the attributes decide: they give an interval, or such things' prices differ too much for one. */
export function decides<Found extends Valuation>(found: Found | null): found is Found {
  return found !== null && found.unfit?.kind !== 'few';
}

/** What a lot is worth, or why its price cannot be judged. */
export type Worth = Valued | { readonly unjudged: string };

/** What a lot is worth by the sales that are known. Micro-dollars. */
export interface Valued {
  readonly value: Micro;
  /** By attributes: 19 of 20 honest prices lie between them. By sales: the lowest and the highest. */
  readonly low: Micro;
  readonly high: Micro;
  readonly by: 'attributes' | 'sales';
  /** How many sales were weighed. */
  readonly sales: number;
  /** Whether these would call twice or half the value wrong; otherwise they report alone. */
  readonly firm: boolean;
  /** The figures in one sentence. */
  readonly says: string;
}

/**
 * What a lot is worth by the sales that are known: by its attributes where these decide, or else the median of sales of the
 * thing itself and of its kind. Never by its category alone. It finds no worth where the determination of the price would
 * be INCONCLUSIVE whatever the price is.
 * @param lot.at ISO 8601
 */
export function worthOf(lot: {
  readonly attributes: Attributes | null;
  readonly comparables: readonly Comparable[];
  readonly category: string;
  readonly at: string;
}): Worth {
  const { attributes, comparables, category, at } = lot;
  const told = attributes === null ? null : valuedOnce(attributes, comparables, { category, at });
  if (decides(told)) return told.unfit === null ? byModel(told) : { unjudged: told.unfit.says };
  const near = comparables.filter(({ similarity }) => similarity !== 'same-category');
  const market = marketOf(comparables, category, at);
  if (market?.similarity === 'same-category' && near.length < comparables.length)
    return { unjudged: whyNone(marketOf(near, category, at)) ?? 'sales of its category alone tell no price' };
  const unjudged = whyNone(market);
  return unjudged === null ? bySales(market!) : { unjudged };
}

function byModel({ expected, low, high, sales, alike }: Valuation): Valued {
  const [value, least, most] = [micro(expected), micro(low), micro(high)];
  return {
    ...{ value, low: least, high: most, by: 'attributes', sales },
    firm: most <= 2n * value && 2n * least >= value,
    says: `${sales} sales with attributes, ${alike} of such things, lead to expect ${cents(value)}, in 19 of 20 cases between ${cents(least)} and ${cents(most)}`,
  };
}

function bySales(market: Market): Valued {
  const { median: value, low, high, sales } = market;
  const firm = carries(market) === 'flag';
  return { value, low, high, by: 'sales', sales: sales.length, firm, says: described(market) };
}

function micro(dollars: number): Micro {
  return parseUsd(Math.min(dollars, 1e12).toFixed(6), 'value');
}

function cents(amount: Micro): string {
  return formatUsd((amount / CENT) * CENT);
}
