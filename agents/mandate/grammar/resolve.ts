import { CATEGORIES, type Category } from '../../categories.ts';
import type { Choosable, OnInconclusive } from '../../deal/effect.ts';
import { thingOf } from '../../deal/effect-words.ts';
import type { Mandate, Refusal } from '../terms/schema.ts';
import { type Ask, type Fact, factsOf, type Side, union } from './facts.ts';
import type { Asked } from './one-question.ts';
import { resolveAmounts } from './resolve-amounts.ts';
import { closed, listed, widened } from './resolve-everything.ts';
import { resolveTimes } from './resolve-times.ts';
import { soldOrBoughtApart } from './sides-apart.ts';
import type { Steps } from './steps.ts';

/** How many questions of one kind are compared. Only one is asked; the others follow when the answer is read. */
const MOST_QUESTIONS = 24;
/** The steps charged for each fact, because each kind of fact is collected a few times. */
const LOOKS_A_FACT = 6;

/** Combines the facts. Every contradiction, ambiguity and missing part becomes a question. */
export function resolve(
  all: readonly Fact[],
  refMs: number,
  steps: Steps,
): { mandate: Mandate | null; questions: Asked[] } {
  const questions: Asked[] = [];
  const facts = listed(all);
  steps.take(LOOKS_A_FACT * facts.length);
  const said = new Set<string>();
  const open = new Map<Refusal, number>();
  const ask: Ask = (reason, question, about, vague) => {
    const known = open.get(reason) ?? 0;
    if (said.has(question) || known >= MOST_QUESTIONS) return;
    said.add(question);
    open.set(reason, known + 1);
    questions.push({ reason, question, about: about ?? null, vague: vague === true });
  };
  for (const fact of factsOf(facts, 'ask')) {
    ask(fact.reason, fact.question, fact.about, fact.vague);
    if (fact.worded === true && questions.at(-1)?.question === fact.question)
      questions.push({ ...questions.pop()!, worded: true });
  }
  // Without its goods the rest would be a mandate for everything.
  if (facts !== all && questions.length === 0) ask('NOT_UNDERSTOOD', 'Which category of goods is meant?');
  const side = resolveSide(facts, ask);
  widened(facts, ask);
  closed(facts, ask);
  const single = factsOf(facts, 'count').some((fact) => fact.scope === 'total' && fact.count === 1);
  for (const { words } of single ? [] : factsOf(facts, 'one'))
    ask('NOT_UNDERSTOOD', `May the agent ${DEEDS[side]} one ${words} and no more, or several?`);
  const goods = resolveGoods(facts, side, ask);
  const chains = resolveChains(facts, ask);
  const parties = resolveParties(facts, ask);
  const amounts = resolveAmounts(facts, side, ask);
  const times = resolveTimes(facts, refMs, ask);
  const clean = [...new Set(factsOf(facts, 'clean').flatMap((fact) => fact.names))].sort();
  const unjudged = resolveUnjudged(facts, clean, ask);
  if (questions.length > 0 || times === null || amounts === null) return { mandate: null, questions };
  const mandate: Mandate = {
    side,
    ...amounts,
    ...(clean.length > 0 ? { require_clean: clean } : {}),
    ...goods,
    ...chains,
    ...parties,
    ...unjudged,
    ...times,
  };
  return { mandate, questions };
}

const DEEDS: Readonly<Record<Side, string>> = { buy: 'buy', sell: 'sell', both: 'trade' };

function resolveSide(facts: readonly Fact[], ask: Ask): Side {
  const all = factsOf(facts, 'side');
  // "trade" without goods ("trade only on Base") does not contradict "buy"; alone it means both sides.
  const strong = all.filter((fact) => fact.side !== 'both' || !fact.bare);
  const found = strong.length > 0 ? strong : all;
  const sides = new Set(found.map((fact) => fact.side));
  const never = factsOf(facts, 'never-side').map((fact) => fact.side);
  const floors = factsOf(facts, 'min').filter((fact) => fact.sells);
  let side: Side = sides.size > 1 ? 'both' : ([...sides][0] ?? (floors.length > 0 ? 'sell' : 'buy'));
  if (sides.size > 1) {
    // "Sell art, buy 500 USDC per deal", "buy art for me to sell": a side that is only mentioned in passing is not
    // permitted by that.
    const named = found.some((fact) => !fact.bare);
    const spoken = (side: Side) =>
      found.some((fact) => !fact.bare && (fact.side === side || fact.side === 'both'));
    const passing = found.filter(
      (fact) => fact.bare && !fact.spends && fact.side !== 'both' && !spoken(fact.side),
    );
    const asked = passing.find((fact) => fact.side === 'buy' || floors.length === 0);
    if (named && asked !== undefined)
      ask(
        'NOT_UNDERSTOOD',
        `The text also speaks of ${asked.side}ing. May the agent ${asked.side} as well, and if so, what?`,
      );
    // "We deal in used cars. Buy them": the first may say what somebody does, and the second what the agent may.
    const single = found.filter((fact) => fact.side !== 'both');
    const one = new Set(single.map((fact) => fact.side));
    const other = one.has('buy') ? 'sell' : 'buy';
    if (
      one.size === 1 &&
      single.every((fact) => fact.bare && !fact.spends) &&
      (other === 'buy' || floors.length === 0)
    )
      ask('NOT_UNDERSTOOD', `May the agent ${other} as well as ${[...one][0]}?`);
    const goods = new Set(found.filter((fact) => fact.goods !== null).map((fact) => fact.goods!.join()));
    const anything = found.some((fact) => fact.goods === null && !fact.bare);
    if (goods.size > 1 || (goods.size === 1 && anything) || soldOrBoughtApart(single))
      ask(
        'NOT_UNDERSTOOD',
        'One mandate holds one list of goods for buying and selling. Which goods may the agent both buy and sell?',
      );
  }
  for (const ruled of never)
    if (side === ruled || side === 'both' || ruled === 'both') {
      ask(
        'NOT_UNDERSTOOD',
        `The text both allows and forbids to ${ruled === 'both' ? 'trade' : ruled}. May the agent ${ruled === 'both' ? 'trade' : ruled}?`,
      );
      side = ruled;
    }
  // Of a mandate for both sides a cap binds what is paid, and a lowest price what is taken.
  const paired = side === 'both' && floors.length > 0;
  for (const fact of factsOf(facts, 'about'))
    if (fact.side !== side && !(paired && fact.limit))
      ask('NOT_UNDERSTOOD', `Does "${fact.words}" hold for buying, for selling, or for both?`);
  if (side === 'buy' && factsOf(facts, 'min').length > 0)
    ask(
      'NOT_UNDERSTOOD',
      'A lowest price is a limit on selling, and the mandate is to buy. May the agent sell as well?',
    );
  if (side === 'both' && factsOf(facts, 'min').length > 0 && floors.length === 0)
    ask('NOT_UNDERSTOOD', 'Is the lowest amount the price below which the agent must not sell?');
  if (side === 'sell' && factsOf(facts, 'percent').length > 0)
    ask(
      'NOT_UNDERSTOOD',
      'A highest share of market or face value is a limit on buying, and the mandate is to sell. What is meant?',
    );
  return side;
}

function resolveGoods(facts: readonly Fact[], side: Side, ask: Ask): Partial<Mandate> {
  const goods = factsOf(facts, 'goods');
  const allow = union(goods.filter((fact) => !fact.deny)) as Category[];
  const deny = union(goods.filter((fact) => fact.deny)) as Category[];
  for (const fact of goods)
    if (fact.deny && fact.side !== null && fact.side !== 'both' && fact.side !== side)
      ask(
        'NOT_UNDERSTOOD',
        `Goods are denied for buying and selling alike. Is the agent to stay away from ${fact.list.join(', ')} altogether?`,
      );
  const only = goods.find((fact) => !fact.deny && fact.only);
  if (only !== undefined && allow.some((category) => !only.list.includes(category)))
    ask(
      'CATEGORY_CONTRADICTION',
      `The text says only ${only.list.join(', ')}, and also allows ${allow.filter((c) => !only.list.includes(c)).join(', ')}. Which goods are allowed?`,
    );
  const both = allow.filter((category) => deny.includes(category));
  if (both.length > 0)
    ask(
      'CATEGORY_CONTRADICTION',
      `${both.join(', ')} is both allowed and denied. Which of the two is meant?`,
    );
  if (deny.length === CATEGORIES.length)
    ask(
      'CATEGORY_CONTRADICTION',
      'Every category is denied, so nothing could be traded. Which goods are allowed?',
    );
  return {
    ...(allow.length > 0 ? { categories_allow: allow } : {}),
    ...(deny.length > 0 ? { categories_deny: deny } : {}),
  };
}

function resolveChains(facts: readonly Fact[], ask: Ask): Partial<Mandate> {
  const chains = factsOf(facts, 'chains');
  const allows = chains.filter((fact) => !fact.deny);
  const allow = union(allows);
  const deny = union(chains.filter((fact) => fact.deny));
  const both = allow.filter((chain) => deny.includes(chain));
  if (both.length > 0)
    ask('CHAIN_CONTRADICTION', `${both.join(', ')} is both allowed and denied. Which of the two is meant?`);
  const only = allows.find((fact) => fact.only);
  if (only !== undefined && allow.length > only.list.length)
    ask(
      'CHAIN_CONTRADICTION',
      `The text says only ${only.list.join(', ')}, and also allows ${allow.filter((c) => !only.list.includes(c)).join(', ')}. Which chains are allowed?`,
    );
  else if (apart(allows) && factsOf(facts, 'no-more-places').length === 0)
    ask('NOT_UNDERSTOOD', `Are ${allow.join(', ')} all allowed for all goods?`);
  return {
    ...(allow.length > 0 ? { chains_allow: allow } : {}),
    ...(deny.length > 0 ? { chains_deny: deny } : {}),
  };
}

function resolveParties(facts: readonly Fact[], ask: Ask): Partial<Mandate> {
  const parties = factsOf(facts, 'parties');
  const allow = union(parties.filter((fact) => !fact.deny));
  const deny = union(parties.filter((fact) => fact.deny));
  const denied = new Set(deny);
  const both = allow.filter((party) => denied.has(party));
  if (both.length > 0)
    ask(
      'NOT_UNDERSTOOD',
      `${both.join(', ')} is both allowed and denied. May the agent deal with this counterparty?`,
    );
  if (apart(parties.filter((fact) => !fact.deny)))
    ask('NOT_UNDERSTOOD', `Are ${allow.join(', ')} all allowed, for all goods?`);
  return {
    ...(allow.length > 0 ? { counterparties_allow: allow } : {}),
    ...(deny.length > 0 ? { counterparties_deny: deny } : {}),
  };
}

/** One choice for each determination; what must be clean is never gone on without, and asked about by no one. */
function resolveUnjudged(facts: readonly Fact[], clean: readonly string[], ask: Ask): Partial<Mandate> {
  const chosen = new Map<Choosable, OnInconclusive>();
  for (const { names, choice } of factsOf(facts, 'unjudged'))
    for (const name of names) {
      const known = chosen.get(name);
      if (known !== undefined && known !== choice)
        ask(
          'NOT_UNDERSTOOD',
          `When ${thingOf(name)} cannot be judged the text says both to ${DOES[known]} and to ${DOES[choice]}. Which is meant?`,
        );
      else if (choice !== 'stop' && clean.includes(name))
        ask(
          'NOT_UNDERSTOOD',
          `The text requires a clean result on ${thingOf(name)}, and says to ${DOES[choice]} when it cannot be judged. Which is meant?`,
        );
      chosen.set(name, choice);
    }
  return chosen.size === 0
    ? {}
    : { on_inconclusive: Object.fromEntries([...chosen].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

const DOES: Readonly<Record<OnInconclusive, string>> = { stop: 'stop', ask: 'ask', proceed: 'go on' };

/** True when lists in several places differ, so that each may have been meant for something else. */
function apart(facts: readonly { readonly list: readonly string[] }[]): boolean {
  return new Set(facts.map((fact) => fact.list.join())).size > 1;
}
