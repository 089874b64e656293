import type { Category } from '../../categories.ts';
import { CHOOSABLE, type Choosable, ON_INCONCLUSIVE, type OnInconclusive } from '../../deal/effect.ts';
import { chainWords } from './chains.ts';
import type { Mandate } from './schema.ts';

const GOODS: Readonly<Record<Category, string>> = {
  'tokenized-debt-and-finance': 'tokenized debt and finance',
  'liquidation-and-surplus': 'liquidation and surplus',
  'travel-and-perishables': 'travel and perishables',
  'music-and-video-rights': 'music and video rights',
  'digital-products': 'digital products',
  'real-world-assets': 'real-world assets',
};

const CHECKS: Readonly<Record<string, string>> = {
  wallet: 'the wallet check',
  'shill-collusion': 'the shill bidding check',
  'double-pledge': 'the double pledge check',
  provenance: 'the provenance check',
  'price-intelligence': 'the price check',
};

/**
 * Says a structured mandate in plain sentences: what the owner is shown before paying, and what pages show.
 * Reading the description again gives the same mandate.
 */
export function describeMandate(mandate: Mandate): string {
  return sentences(mandate).join(' ');
}

/** The sentences one by one, for a list. */
export function sentences(mandate: Mandate): string[] {
  const money = (amount: string) => `${grouped(amount)} ${mandate.currency}`;
  const verb = { buy: 'Buy', sell: 'Sell', both: 'Buy and sell' }[mandate.side];
  const goods = mandate.categories_allow ? list(mandate.categories_allow.map((c) => GOODS[c])) : 'anything';
  const said: (string | false | undefined)[] = [
    `${verb} ${goods}.`,
    mandate.categories_deny && `Never deal in ${list(mandate.categories_deny.map((c) => GOODS[c]))}.`,
    mandate.cap_per_deal && `At most ${money(mandate.cap_per_deal)} per deal.`,
    mandate.cap_per_day && `At most ${money(mandate.cap_per_day)} per day.`,
    mandate.cap_per_week && `At most ${money(mandate.cap_per_week)} per week.`,
    mandate.cap_per_month && `At most ${money(mandate.cap_per_month)} per month.`,
    mandate.cap_total && `At most ${money(mandate.cap_total)} in total.`,
    mandate.max_deals_total !== undefined && `At most ${mandate.max_deals_total} deals in total.`,
    mandate.max_deals_per_day !== undefined && `At most ${mandate.max_deals_per_day} deals per day.`,
    mandate.min_price && `Never sell below ${money(mandate.min_price)}.`,
    mandate.max_pct_of_market && `Never above ${mandate.max_pct_of_market}% of the market median.`,
    mandate.max_pct_of_face && `Never above ${mandate.max_pct_of_face}% of face value.`,
    mandate.require_clean &&
      `Require a clean result from ${list(mandate.require_clean.map((name) => CHECKS[name] ?? name))}.`,
    mandate.chains_allow && `Only on ${list(mandate.chains_allow.map(chainWords))}.`,
    mandate.chains_deny && `Never on ${list(mandate.chains_deny.map(chainWords), 'or')}.`,
    mandate.counterparties_allow && `Deal only with ${list(mandate.counterparties_allow)}.`,
    mandate.counterparties_deny && `Never deal with ${list(mandate.counterparties_deny, 'or')}.`,
    mandate.approval_above && `Ask me before anything above ${money(mandate.approval_above)}.`,
    ...unjudgedSentences(mandate),
    mandate.not_before && `Not before ${mandate.not_before}.`,
    `Until ${mandate.expires_at}.`,
  ];
  return said.filter((sentence): sentence is string => typeof sentence === 'string');
}

/** One sentence for each choice, so that it reads back as it was chosen. */
function unjudgedSentences({ on_inconclusive: chosen = {} }: Mandate): string[] {
  return ON_INCONCLUSIVE.flatMap((choice) => {
    const names = CHOOSABLE.filter((name) => chosen[name] === choice);
    return names.length === 0 ? [] : [unjudgedSentence(names, choice)];
  });
}

/** A sentence of a mandate that says what happens when these cannot be judged. */
export function unjudgedSentence(names: readonly Choosable[], choice: OnInconclusive): string {
  const does = { stop: 'stop', ask: 'ask me', proceed: 'go on' }[choice];
  return `If ${list(
    names.map((name) => CHECKS[name] ?? name),
    'or',
  )} is inconclusive, ${does}.`;
}

function list(words: readonly string[], join: 'and' | 'or' = 'and'): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${join} ${words.at(-1)}`;
}

function grouped(amount: string): string {
  const [whole, fraction] = amount.split('.') as [string, string | undefined];
  const first = whole.length % 3;
  const groups = whole.slice(first).match(/\d{3}/g) ?? [];
  const digits = [...(first === 0 ? [] : [whole.slice(0, first)]), ...groups].join(',');
  // Three decimals without a group could be read as thousands: a fourth says that they are not.
  const decimals = fraction !== undefined && fraction.length === 3 ? `${fraction}0` : fraction;
  return decimals === undefined ? digits : `${digits}.${decimals}`;
}
