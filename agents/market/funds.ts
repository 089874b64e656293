import { type Micro, maxMicro, minMicro } from '../money.ts';
import { moneyOf } from './pricing/fees.ts';

/**
 * How many orders of one agent may wait for money. One costs its owner nothing: no money is held, nobody can take it, and
 * its account is read until it ends. Twenty is twice what an agent rests by itself; more wait once the first are covered.
 */
export const MOST_UNFUNDED = 20;

/** The money of an agent's account. Amounts in micro-dollars. */
export interface Funds {
  /** What the account holds, as the chain says. */
  readonly balance: Micro;
  /** What is promised of it: the limits of its other resting buys, and the prices of its deals under way. */
  readonly inFlight: Micro;
}

/** What an order needs, and what its account has for it. */
export interface Short {
  readonly need: Micro;
  readonly have: Micro;
}

/** What an account has for one more purchase. */
export function freeFunds({ balance, inFlight }: Funds): Micro {
  return maxMicro(0n, balance - inFlight);
}

/** What a buyer's order needs at its limit, with the buyer's fee of a name, and what there is for it. */
export function needAndHave(order: { readonly lot: string; readonly limit: Micro }, funds: Funds): Short {
  return { need: moneyOf(order.lot, order.limit).buyerPays, have: freeFunds(funds) };
}

/**
 * What the account lacks to cover a buyer's order at its limit, with the buyer's fee of a name; null: nothing. The limit
 * decides, and not what a match would clear at: whether an order is unfunded tells nothing of the other side.
 */
export function shortOf(order: { readonly lot: string; readonly limit: Micro }, funds: Funds): Short | null {
  const short = needAndHave(order, funds);
  return short.have >= short.need ? null : short;
}

/** What one more purchase may cost: no more than the caps leave, and no more than the account has for it. */
export function spendableOf(caps: Micro, funds: Funds): Micro {
  return minMicro(maxMicro(0n, caps), freeFunds(funds));
}
