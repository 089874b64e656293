import { badField } from '../errors.ts';
import { chargeFor, type PriceSetting, type SetPriceId } from '../market/pricing/prices.ts';
import type { Micro } from '../money.ts';
import type { Name } from './name.ts';

/** The providers whose prices can be asked for. */
export const NAME_SOURCES = ['provider-a', 'provider-b'] as const;
export type NameSource = (typeof NAME_SOURCES)[number];

/** Provider A's top-level domains that have their own price, and their rows in the price table. */
export const PROVIDER_A_ROWS: Readonly<Record<string, SetPriceId>> = {
  x: 'name-a-x',
  crypto: 'name-a-crypto',
  nft: 'name-a-nft',
};

export interface NamePrice {
  readonly price: Micro;
  /** The row of the price table that the price came from. */
  readonly rule: SetPriceId;
}

/**
 * The price of a name at a provider. Provider A sells `label.tld`. Provider B sells those at one price, and also
 * top-level names, some of which it reserves.
 * @throws AppError bad-request when the provider does not sell such names
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

function ruleOf({ labels, tld }: Name, source: NameSource, reserved: readonly string[]): SetPriceId {
  if (labels.length > 2) throw badField('name', 'must be label.tld: deeper names are not sold');
  if (source === 'provider-a') {
    if (labels.length === 1) throw badField('name', 'must be label.tld: provider-a sells no top-level names');
    return Object.hasOwn(PROVIDER_A_ROWS, tld) ? (PROVIDER_A_ROWS[tld] as SetPriceId) : 'name-a-other';
  }
  if (labels.length === 2) return 'name-b-second-level';
  return reserved.includes(tld) ? 'name-b-reserved' : 'name-b-top-level';
}
