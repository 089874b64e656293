import { formatUsd, type Micro, maxMicro } from '../../money.ts';
import type { Mandate } from '../terms/schema.ts';
import { type Amount, type Ask, type Fact, factsOf, type Scope, type Side, union } from './facts.ts';
import { countsNothing, resolveCounts, resolvePercents } from './resolve-counts.ts';
import { scopeWords } from './rules/cap-rules.ts';

const SCOPES = ['deal', 'day', 'week', 'month', 'total'] as const;
const FIELDS = {
  deal: 'cap_per_deal',
  day: 'cap_per_day',
  week: 'cap_per_week',
  month: 'cap_per_month',
  total: 'cap_total',
} as const satisfies Record<Scope, keyof Mandate>;

/** A smaller number without a currency may be a number of deals, when other amounts have a currency. */
const BARE = 100_000_000n;

type Cap = Extract<Fact, { fact: 'cap' }>;
export type Amounts = Pick<Mandate, 'currency'> & Partial<Mandate>;

/** Works out caps, floors, thresholds, counts and their currency; null when a question is open. */
export function resolveAmounts(facts: readonly Fact[], side: Side, ask: Ask): Amounts | null {
  const all = factsOf(facts, 'cap');
  const caps = scopeTheRest(all, facts, ask);
  const floors = factsOf(facts, 'min');
  const approvals = factsOf(facts, 'approval');
  const amounts = [...all, ...floors, ...approvals].map((fact) => fact.amount);
  for (const amount of amounts)
    if (amount.micro === 0n)
      ask('UNREADABLE_AMOUNT', `The amount '${amount.text}' is zero. Which amount is meant?`);
  const limits = new Map<Scope, Micro>();
  for (const cap of caps) {
    const known = limits.get(cap.scope!);
    if (known !== undefined && known !== cap.amount.micro)
      ask(
        'CAP_CONTRADICTION',
        `Which cap ${scopeWords(cap.scope!)} applies: ${formatUsd(known)} or ${formatUsd(cap.amount.micro)}?`,
      );
    limits.set(cap.scope!, cap.amount.micro);
  }
  const priced = amounts.some((other) => other.currency !== '');
  const bare = caps.filter(
    (cap) =>
      priced && cap.amount.currency === '' && cap.amount.micro < BARE && !countsNothing(cap, limits, facts),
  );
  for (const { amount } of bare)
    ask('AMBIGUOUS_CAP', `Is ${amount.text} an amount of money or a number of deals?`, amount.at);
  // "Sell wine, 300 USDC each": what a seller writes as a price is seldom the most to take.
  const price = caps.find((cap) => side === 'sell' && cap.scope === 'deal' && cap.apiece && !cap.limited);
  if (price !== undefined && floors.length === 0)
    ask(
      'AMBIGUOUS_CAP',
      `Is ${price.amount.text} the lowest price to sell for, or the most that a deal may be worth?`,
      price.amount.at,
    );
  const floor = one(
    floors.map((fact) => fact.amount),
    'CAP_CONTRADICTION',
    'lowest price',
    ask,
  );
  const approval = one(
    approvals.map((fact) => fact.amount),
    'AMBIGUOUS_CAP',
    'amount to ask you about',
    ask,
  );
  // A number that may count deals cannot contradict a cap until it is known what it is.
  const sure = new Map([...limits].filter(([scope]) => !bare.some((cap) => cap.scope === scope)));
  order(sure, ask);
  const perDeal = sure.get('deal');
  if (perDeal !== undefined && floor !== null && floor > perDeal)
    ask(
      'CAP_CONTRADICTION',
      `The lowest price ${formatUsd(floor)} is above the cap per deal ${formatUsd(perDeal)}. Which of the two is meant?`,
    );
  if (perDeal !== undefined && approval !== null && approval >= perDeal)
    ask(
      'CAP_CONTRADICTION',
      `No deal may exceed ${formatUsd(perDeal)}, so asking above ${formatUsd(approval)} never happens. Which of the two is meant?`,
    );
  uncapped(facts, limits, ask);
  tied(all, facts, ask);
  const bounded =
    all.length > 0 ||
    (side === 'sell' && floor !== null) ||
    facts.some((f) => f.fact === 'ask' && f.reason === 'AMBIGUOUS_CAP');
  if (!bounded) ask('NO_NUMERIC_CAP', 'How much may the agent spend at most, per deal, per day or in total?');
  const currency = resolveCurrency(amounts, facts, ask);
  const counts = resolveCounts(facts, ask);
  const percents = resolvePercents(facts, ask);
  if (currency === null) return null;
  return {
    currency,
    ...Object.fromEntries(
      SCOPES.flatMap((scope) => (limits.has(scope) ? [[FIELDS[scope], formatUsd(limits.get(scope)!)]] : [])),
    ),
    ...counts,
    ...(floor === null ? {} : { min_price: formatUsd(floor) }),
    ...percents,
    ...(approval === null ? {} : { approval_above: formatUsd(approval) }),
  };
}

/**
 * Gives an amount without a scope the scope `total`, when only that fits: "Invest up to 50,000 USDC … 10,000 USDC per
 * deal".
 */
function scopeTheRest(caps: readonly Cap[], facts: readonly Fact[], ask: Ask): Cap[] {
  const scoped = caps.filter((cap) => cap.scope !== null);
  const rest = caps.filter((cap) => cap.scope === null);
  if (rest.length === 0) return scoped;
  const spends = factsOf(facts, 'side').some((fact) => fact.spends);
  const largest = scoped.map((cap) => cap.amount.micro).reduce(maxMicro, 0n);
  const [only] = rest;
  if (
    rest.length === 1 &&
    only !== undefined &&
    spends &&
    scoped.length > 0 &&
    !scoped.some((cap) => cap.scope === 'total') &&
    only.amount.micro > largest
  )
    return [...scoped, { ...only, scope: 'total' }];
  // Of one deal the cap is the same per deal and in total: "exactly one car, at most 18,000 USDC".
  const single = factsOf(facts, 'count').some((fact) => fact.scope === 'total' && fact.count === 1);
  if (rest.length === 1 && only !== undefined && single && scoped.length === 0)
    return [{ ...only, scope: 'deal' }];
  for (const cap of rest)
    ask('AMBIGUOUS_CAP', `Is ${cap.amount.text} the cap per deal, per day or in total?`, cap.amount.at, true);
  return scoped;
}

function order(limits: ReadonlyMap<Scope, Micro>, ask: Ask): void {
  const present = SCOPES.filter((scope) => limits.has(scope));
  for (let i = 1; i < present.length; i++) {
    const [inner, outer] = [present[i - 1]!, present[i]!];
    if (limits.get(inner)! > limits.get(outer)!)
      ask(
        'CAP_CONTRADICTION',
        `The cap ${scopeWords(inner)}, ${formatUsd(limits.get(inner)!)}, is above the cap ${scopeWords(outer)}, ${formatUsd(limits.get(outer)!)}. Which of the two is meant?`,
      );
  }
}

function one(
  amounts: readonly Amount[],
  reason: 'CAP_CONTRADICTION' | 'AMBIGUOUS_CAP',
  what: string,
  ask: Ask,
): Micro | null {
  const first = amounts[0]?.micro;
  if (first === undefined) return null;
  const other = amounts.find((amount) => amount.micro !== first);
  if (other) ask(reason, `Which ${what} applies: ${formatUsd(first)} or ${formatUsd(other.micro)}?`);
  return first;
}

function uncapped(facts: readonly Fact[], limits: ReadonlyMap<Scope, Micro>, ask: Ask): void {
  for (const fact of factsOf(facts, 'uncapped'))
    if (limits.size > 0 && (fact.scope === null || limits.has(fact.scope)))
      ask(
        'CAP_CONTRADICTION',
        'The text states a cap and also says that there is none. Which of the two is meant?',
      );
}

/**
 * There is one set of caps for everything. So a cap that is said to apply to some goods or chains must name all that
 * the mandate allows.
 */
function tied(caps: readonly Cap[], facts: readonly Fact[], ask: Ask): void {
  const goods = union(factsOf(facts, 'goods').filter((fact) => !fact.deny));
  const chains = union(factsOf(facts, 'chains').filter((fact) => !fact.deny));
  for (const limit of factsOf(facts, 'holds-for'))
    if (limit.goods.join() !== goods.join())
      ask(
        'NOT_UNDERSTOOD',
        goods.length === 0
          ? `Limits hold for all goods of a mandate. May the agent trade nothing but ${limit.words}?`
          : `Limits hold for all goods of a mandate. Does the limit on ${limit.words} hold for ${goods.join(', ')}?`,
      );
  for (const cap of caps) {
    if (cap.goods !== null && cap.goods.join() !== goods.join())
      ask(
        'AMBIGUOUS_CAP',
        `Caps hold for all goods of a mandate. Is ${cap.amount.text} the cap for ${goods.join(', ')}?`,
      );
    else if (cap.chains !== null && cap.chains.join() !== chains.join())
      ask(
        'AMBIGUOUS_CAP',
        `Caps hold for all chains of a mandate. Is ${cap.amount.text} the cap for ${chains.join(', ')}?`,
      );
  }
}

function resolveCurrency(
  amounts: readonly Amount[],
  facts: readonly Fact[],
  ask: Ask,
): 'USDC' | 'USD' | null {
  const stated = new Set(factsOf(facts, 'currency').map((fact) => fact.currency));
  const written = new Set(amounts.map((amount) => amount.currency).filter((currency) => currency !== ''));
  const other = amounts.find((amount) => amount.currency === 'other');
  if (other || stated.has('other')) {
    ask(
      'NO_CURRENCY',
      `A mandate is in USDC or US dollars. How much is ${other?.text ?? 'each amount'} in USDC?`,
    );
    return null;
  }
  // "$500 per deal, paid in USDC": the explicit statement settles which currency the sign means.
  if (stated.size === 1 && (written.size === 0 || stated.has('USDC') || written.has('USD')))
    return [...stated][0] as 'USDC' | 'USD';
  const all = new Set([...stated, ...written]);
  if (all.size === 1) return [...all][0] as 'USDC' | 'USD';
  if (all.size > 1)
    ask(
      'NO_CURRENCY',
      'Some amounts are in USD and some in USDC. Which of the two is the currency of the mandate?',
    );
  else if (amounts.length > 0) ask('NO_CURRENCY', `In which currency is ${amounts[0]!.text}: USDC or USD?`);
  return null;
}
