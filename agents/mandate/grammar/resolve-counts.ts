import { formatUsd, MICRO_PER_USD, type Micro } from '../../money.ts';
import type { Mandate } from '../terms/schema.ts';
import { type Ask, type Fact, factsOf, type Scope } from './facts.ts';

type Cap = Extract<Fact, { fact: 'cap' }>;

/**
 * "20 USDC a deal, sixty a day, three deals a day": what deals there may be is said elsewhere, and sixty are no deals
 * then. So are sixty a day where there may be ten deals in all.
 */
export function countsNothing(
  { scope, amount }: Cap,
  limits: ReadonlyMap<Scope, Micro>,
  facts: readonly Fact[],
): boolean {
  if ((scope !== 'day' && scope !== 'total') || amount.micro < (limits.get('deal') ?? 0n)) return false;
  return factsOf(facts, 'count').some((count) => {
    const deals = BigInt(count.count) * MICRO_PER_USD;
    return count.scope === scope ? deals !== amount.micro : count.scope === 'total' && deals < amount.micro;
  });
}

export function resolveCounts(facts: readonly Fact[], ask: Ask): Partial<Mandate> {
  const prices = [...factsOf(facts, 'cap').filter(({ scope }) => scope === 'deal'), ...factsOf(facts, 'min')];
  for (const { bare } of factsOf(facts, 'count'))
    if (bare !== undefined && !prices.some(({ amount }) => amount.micro > bare.micro))
      ask('AMBIGUOUS_CAP', `Is ${bare.text} an amount of money or a number of deals?`, bare.at);
  const read = (scope: 'day' | 'total'): number | undefined => {
    const counts = [
      ...new Set(
        factsOf(facts, 'count')
          .filter((fact) => fact.scope === scope)
          .map((fact) => fact.count),
      ),
    ];
    if (counts.length > 1) ask('CAP_CONTRADICTION', `Which number of deals applies: ${counts.join(' or ')}?`);
    return counts[0];
  };
  const total = read('total');
  const day = read('day');
  if (total !== undefined && day !== undefined && day > total)
    ask(
      'CAP_CONTRADICTION',
      `${day} deals a day are more than the ${total} allowed in total. Which of the two is meant?`,
    );
  for (const count of [total, day])
    if (count !== undefined && count > 1_000_000)
      ask('UNREADABLE_AMOUNT', `The number of deals ${count} is too large. How many deals are allowed?`);
  return {
    ...(total === undefined ? {} : { max_deals_total: total }),
    ...(day === undefined ? {} : { max_deals_per_day: day }),
  };
}

export function resolvePercents(facts: readonly Fact[], ask: Ask): Partial<Mandate> {
  const read = (of: 'market' | 'face'): string | undefined => {
    const found = [
      ...new Set(
        factsOf(facts, 'percent')
          .filter((fact) => fact.of === of)
          .map((fact) => formatUsd(fact.percent)),
      ),
    ];
    if (found.length > 1)
      ask('CAP_CONTRADICTION', `Which share applies: ${found.map((p) => `${p}%`).join(' or ')}?`);
    return found[0];
  };
  const market = read('market');
  const face = read('face');
  return {
    ...(market === undefined ? {} : { max_pct_of_market: market }),
    ...(face === undefined ? {} : { max_pct_of_face: face }),
  };
}
