import { formatUsd, type Micro, minMicro, parseUsd } from '../../money.ts';
import type { Mandate } from '../terms/schema.ts';
import { limitUsd } from '../terms/terms.ts';
import {
  check,
  type MandateCheck,
  type MandateFacts,
  type MandateProposal,
  type Windows,
} from './proposal.ts';

const WINDOWS = [
  ['day', 'cap_per_day'],
  ['week', 'cap_per_week'],
  ['month', 'cap_per_month'],
  ['total', 'cap_total'],
] as const;

/** Every cap the mandate has, and for a purchase what the chain itself still allows. */
export function caps(mandate: Mandate, proposal: MandateProposal, facts: MandateFacts): MandateCheck[] {
  const price = proposal.priceMicro;
  const checks: MandateCheck[] = [];
  if (mandate.cap_per_deal !== undefined) {
    const cap = parseUsd(mandate.cap_per_deal, 'cap_per_deal');
    checks.push(check('cap-deal', price <= cap, `The price is ${formatUsd(price)}.`, mandate.cap_per_deal));
  }
  for (const [window, field] of WINDOWS) {
    const text = mandate[field];
    if (text === undefined) continue;
    const cap = parseUsd(text, field);
    const left = remaining(window, cap, proposal, facts);
    const passes = price > cap ? false : left === null ? null : price <= left;
    const state =
      left === null ? 'what is left of it could not be read' : `${formatUsd(left < 0n ? 0n : left)} is left`;
    checks.push(check(`cap-${window}`, passes, `The price is ${formatUsd(price)}; ${state}.`, text));
  }
  if (proposal.side === 'buy') {
    const live = facts.remaining?.spendable ?? null;
    const left = onePurchase(facts);
    checks.push(
      check(
        'live-limits',
        left === null ? null : price <= left,
        left === null
          ? 'What the chain still lets the account spend could not be read.'
          : live !== null && limitUsd(live) === null
            ? `The price is ${formatUsd(price)}; the chain sets no limit.`
            : `The price is ${formatUsd(price)}; the chain leaves ${formatUsd(left < 0n ? 0n : left)} after what is in flight.`,
      ),
    );
  }
  return checks;
}

/**
 * What the chain lets one more purchase cost. `spendable` has the cap per deal in it, from which what is in flight takes
 * nothing: that counts against each window alone. A window that is not known is no less than `spendable`.
 */
export function onePurchase({
  remaining,
  reservedMicro,
}: Pick<MandateFacts, 'remaining' | 'reservedMicro'>): Micro | null {
  const spendable = remaining?.spendable ?? null;
  if (remaining === null || spendable === null || reservedMicro === null) return null;
  const windows = WINDOWS.map(([window]) => (remaining[window] ?? spendable) - reservedMicro);
  return [spendable, ...windows].reduce(minMicro);
}

function remaining(
  window: keyof Windows,
  cap: Micro,
  proposal: MandateProposal,
  facts: MandateFacts,
): Micro | null {
  if (facts.reservedMicro === null) return null;
  if (proposal.side === 'buy') {
    const left = facts.remaining?.[window] ?? null;
    // The chain says "uncapped" with the largest word; the mandate's own cap is then still the limit.
    return left === null ? null : (left < cap ? left : cap) - facts.reservedMicro;
  }
  const sold = facts.sold?.[window] ?? null;
  return sold === null ? null : cap - sold - facts.reservedMicro;
}

/** The floor of a sale, and a purchase against the market and the face value. */
export function prices(mandate: Mandate, proposal: MandateProposal, facts: MandateFacts): MandateCheck[] {
  const price = proposal.priceMicro;
  const checks: MandateCheck[] = [];
  if (mandate.min_price !== undefined && proposal.side === 'sell') {
    const floor = parseUsd(mandate.min_price, 'min_price');
    checks.push(check('min-price', price >= floor, `The price is ${formatUsd(price)}.`, mandate.min_price));
  }
  if (mandate.max_pct_of_market !== undefined && proposal.side === 'buy')
    checks.push(percentOf('market', mandate.max_pct_of_market, price, facts.marketMedianMicro));
  if (mandate.max_pct_of_face !== undefined && proposal.side === 'buy')
    checks.push(percentOf('face', mandate.max_pct_of_face, price, facts.faceValueMicro));
  return checks;
}

function percentOf(
  id: 'market' | 'face',
  percent: string,
  price: Micro,
  reference: Micro | null,
): MandateCheck {
  const what = id === 'market' ? 'market median' : 'face value';
  const limit = `${percent}% of the ${what}`;
  if (reference === null) return check(id, null, `The ${what} could not be established.`, limit);
  // percent carries at most six decimals like an amount: compared as price * 100 against reference * percent.
  const passes = price * 100_000_000n <= reference * parseUsd(percent, 'percent');
  return check(id, passes, `The price is ${formatUsd(price)}, the ${what} ${formatUsd(reference)}.`, limit);
}

/** How many deals were made. */
export function counts(mandate: Mandate, facts: MandateFacts): MandateCheck[] {
  const one = (id: string, max: number | undefined, made: number | null): MandateCheck[] =>
    max === undefined
      ? []
      : [
          check(
            id,
            made === null ? null : made < max,
            made === null
              ? 'The deals made could not be counted.'
              : `${made} made or in flight before this one.`,
            String(max),
          ),
        ];
  return [
    ...one('deals-total', mandate.max_deals_total, facts.deals?.total ?? null),
    ...one('deals-day', mandate.max_deals_per_day, facts.deals?.day ?? null),
  ];
}
