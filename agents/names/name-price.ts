import { badField } from '../errors.ts';
import { chargeFor, type PriceId, type PriceSetting } from '../market/prices.ts';
import type { Micro } from '../money.ts';
import type { Name } from './name.ts';

/** Whose prices are asked for. */
export const NAME_SOURCES = ['provider-a', 'provider-b'] as const;
export type NameSource = (typeof NAME_SOURCES)[number];

/** Top-level domains of provider A with a price of their own, and its rows in the one price table. */
export const PROVIDER_A_ROWS: Readonly<Record<string, PriceId>> = {
  x: 'name-a-x',
  crypto: 'name-a-crypto',
  nft: 'name-a-nft',
};

export interface NamePrice {
  readonly price: Micro;
  /** The row of the price table that it was read from. */
  readonly rule: PriceId;
}

/**
 * What a name costs at a provider. Provider A sells `label.tld`; provider B that at one price, and top-level names,
 * of which it reserves some.
 * @throws AppError bad-request when the provider sells no name of this form
 */
export function namePrice(
  setting: PriceSetting,
  name: Name,
  source: NameSource,
  reserved: readonly string[],
): NamePrice {
  const rule = ruleOf(name, source, reserved);
  return { price: chargeFor(setting, rule), rule };
}

function ruleOf({ labels, tld }: Name, source: NameSource, reserved: readonly string[]): PriceId {
  if (labels.length > 2) throw badField('name', 'must be label.tld: deeper names are not sold');
  if (source === 'provider-a') {
    if (labels.length === 1) throw badField('name', 'must be label.tld: provider-a sells no top-level names');
    return Object.hasOwn(PROVIDER_A_ROWS, tld) ? (PROVIDER_A_ROWS[tld] as PriceId) : 'name-a-other';
  }
  if (labels.length === 2) return 'name-b-second-level';
  return reserved.includes(tld) ? 'name-b-reserved' : 'name-b-top-level';
}
