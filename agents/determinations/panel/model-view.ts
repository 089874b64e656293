import type { Comparable } from '../../market/pricing/comparables.ts';
import type { Attributes } from '../../market/pricing/model/attributes.ts';
import type { PriceCommon } from '../price/price-evidence.ts';

/**
 * The shared evidence of a determination as a language model is given it. Sales that a price is compared with are as they
 * are in number, price and date; in place of what strangers wrote of them stands whether it is the same as of the thing
 * itself. Otherwise the title of one sold thing would speak to every model about its whole category.
 */
export function modelView(determination: string, common: unknown): unknown {
  const price = common as PriceCommon;
  if (determination !== 'price-intelligence' || price.comparables === undefined) return common;
  const own = price.attributes ?? {};
  return { ...price, comparables: price.comparables.map((sale, n) => withoutTexts(sale, own, n)) };
}

function withoutTexts({ attributes, ...sale }: Comparable, own: Attributes, n: number): object {
  const numbered = { ...sale, id: `sale-${n + 1}` };
  if (attributes === undefined) return numbered;
  // A name that is not one of the thing's own attributes is a stranger's text, too.
  const told = Object.entries(attributes).filter(([name]) => Object.hasOwn(own, name));
  return {
    ...numbered,
    attributes: Object.fromEntries(told.map(([name, value]) => [name, labelOf(value, own[name])])),
  };
}

function labelOf(value: Attributes[string], own: Attributes[string] | undefined): Attributes[string] {
  if (typeof value !== 'string') return value;
  if (typeof own !== 'string') return 'a text';
  return value.trim().toLowerCase() === own.trim().toLowerCase() ? 'the same' : 'another';
}
