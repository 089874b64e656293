import type { Category } from '../../../categories.ts';
import { formatUsd } from '../../../money.ts';
import type { Cursor } from '../cursor.ts';
import { amountOf, type Fact } from '../facts.ts';
import { around, fits, onlyFor } from './limit-ends.ts';
import { categoryList } from './list-phrases.ts';
import { limiter, scope } from './phrases.ts';

const NO_LESS = ['and take no less', 'take no less', 'and no less', 'but no less', 'and not less', 'no less'];
const HUNDRED = 100_000_000n;

/** "never above 105% of the market median", "at most 5% over market", "at or below 95% of face value". */
export function percentClause(c: Cursor): Fact[] | null {
  const capped = intro(c);
  const discounted = c.eat('PERCENTOF', 'discount') !== null;
  if (discounted) c.eat('PREP', 'of');
  const limit = limiter(c) !== null || capped;
  const limited = c.peek(-1)?.text ?? '';
  const least = !limit && c.eat('MINIMUM') !== null;
  c.eatAll('KEEP', 'ART');
  c.eat('PREP', 'of', 'at');
  const percent = c.eat('PERCENT');
  if (percent === null) {
    const of = limit ? reference(c) : null;
    c.eat('SCOPE_NONE');
    return of === null || !fits(c) ? null : [{ fact: 'percent', of, percent: HUNDRED }];
  }
  const micro = percent.micro!;
  if (around(limited, micro)) return null;
  let value: bigint | null = null;
  const below = !limit && (discounted || c.sees('UNDER', ['under', 'below', 'beneath']));
  // "At 30 percent or more under the market".
  const orMore =
    !limit && !least && c.sees('UNDER', [], 1) && c.eat('MINIMUM', 'or more', 'or better') !== null;
  if (discounted) value = least && micro < HUNDRED ? HUNDRED - micro : null;
  else if (c.eat('ABOVE') !== null || c.eat('PERCENTOF', 'premium', 'premium to', 'premium over') !== null)
    value = limit ? HUNDRED + micro : null;
  else if (c.eat('UNDER') !== null || c.eat('PERCENTOF') !== null)
    value = (least || orMore) && micro < HUNDRED ? HUNDRED - micro : null;
  else value = limit ? micro : 0n;
  c.eat('PREP', 'of', 'to', 'from', 'on');
  const of = reference(c);
  // "10% under market or more".
  if (value === null && micro < HUNDRED && below && c.eat('MINIMUM', 'or more', 'or better') !== null)
    value = HUNDRED - micro;
  if (of === null || value === null) return null;
  if (value === 0n) {
    if (c.eat('LIMIT') === null) return null;
    value = micro;
  }
  const goods = c.attempt((at) => (at.eat('PREP', 'for', 'on') === null ? null : categoryList(at)));
  c.eat('SCOPE_NONE');
  if (!fits(c) || value <= 0n) return null;
  return [
    { fact: 'percent', of, percent: value },
    ...(goods === null ? [] : onlyFor(goods, `${formatUsd(value)}%`)),
  ];
}

/** Reads words before the limit; true when they are a limit themselves: "price cap 110% of market". */
function intro(c: Cursor): boolean {
  c.eatAll('KEEP', 'ART');
  const capped = c.eat('CAP') !== null;
  c.eat('PREP', 'at', 'for', 'of');
  c.eat('ART');
  c.eat('SEP', ':');
  return capped;
}

function reference(c: Cursor): 'market' | 'face' | null {
  c.eat('ART');
  c.eatAll('PER');
  const found = c.eat('MARKET') ?? c.eat('FACE');
  if (found === null) return null;
  c.eat('KEEP');
  return found.kind === 'MARKET' ? 'market' : 'face';
}

/**
 * Reads a floor and a cap, "between 40 and 900 USDC per deal", in a mandate that only sells. In a buyer's mandate it
 * becomes a question.
 */
export function rangeClause(c: Cursor): Fact[] | null {
  if (!c.clauses.onlySells) return null;
  c.eatAll('KEEP', 'ART');
  c.eat('PREP', 'for', 'at');
  const joint = c.eat('BETWEEN', 'between') ?? c.eat('PREP', 'from');
  const low = joint === null ? null : (c.eat('MONEY') ?? c.eat('NUMBER'));
  if (low === null || joint === null) return null;
  if ((joint.kind === 'BETWEEN' ? c.eat('SEP', 'and') : c.eat('PREP', 'to')) === null) return null;
  const high = c.eat('MONEY');
  if (high === null || scope(c)?.scope !== 'deal' || !fits(c)) return null;
  if (low.micro! >= high.micro! || (low.kind === 'MONEY' && low.value !== high.value)) return null;
  return [
    { fact: 'min', amount: { ...amountOf(low), currency: high.value }, sells: true },
    {
      fact: 'cap',
      scope: 'deal',
      amount: amountOf(high),
      goods: null,
      chains: null,
      limited: true,
      apiece: false,
    },
  ];
}

/** "never sell below 40 USDC", "for at least 40 USDC each", "minimum price: 40 USDC", "40 USDC or more". */
export function minimumClause(c: Cursor): Fact[] | null {
  let sells = false;
  let positive = false;
  let goods: Category[] | null = null;
  const eatWords = (negative: boolean) => {
    for (;;) {
      // Only a seller accepts a price.
      if (c.sees('KEEP', ['accept', 'accepting', 'take', 'taking'])) sells = true;
      if (c.sees('VERB', ['sell'])) {
        sells = true;
        positive ||= !negative;
        c.skip();
      } else if (
        c.eatAll('KEEP', 'ART', 'ANY', 'DEAL', 'GEN', 'PER', 'SINGLE') === 0 &&
        c.eat('PREP', 'for', 'at', 'with', 'of') === null
      )
        return;
    }
  };
  eatWords(false);
  let limited = false;
  if (c.eat('NEG') !== null || c.eat('DENY') !== null) {
    if (positive) return null;
    eatWords(true);
    goods = categoryList(c);
    eatWords(true);
    if (c.eat('UNDER') === null) return null;
    limited = true;
  } else {
    const least = c.eat('MINIMUM');
    limited = least !== null;
    // A floor or a minimum price is said by sellers only; "at least 40 USDC" is not.
    sells ||= /price|floor|ask/i.test(least?.text ?? '');
  }
  c.eatAll('KEEP', 'MINIMUM');
  c.eat('PREP', 'of', 'at', 'to');
  if (limited) {
    c.eat('SEP', ':');
    scope(c);
  }
  const amount = c.eat('MONEY') ?? c.eat('NUMBER');
  if (amount === null) return null;
  const within = scope(c);
  if (within !== null && within.scope !== 'deal') return null;
  if (!limited && c.eat('MINIMUM') === null) return null;
  c.eat('MINIMUM');
  // "5 USDC or more each".
  const after = within === null ? scope(c) : null;
  if (after !== null && after.scope !== 'deal') return null;
  c.attempt((at) => {
    at.eat('SEP', ',', '-');
    return at.eat('MINIMUM', ...NO_LESS);
  });
  const sold = c.attempt(whenSold);
  if (c.sees('DEAL') || c.sees('UNIT') || c.sees('PERCENT') || !fits(c)) return null;
  return [
    { fact: 'min', amount: amountOf(amount), sells: sells || sold !== null },
    ...(sold ?? []),
    ...(goods === null ? [] : onlyFor(goods, amount.text)),
    ...(positive ? [{ fact: 'side', side: 'sell', spends: false, bare: true, goods: null } as const] : []),
  ];
}

/** "… when you sell my film rights": the goods that are sold, which the lowest price holds for. */
function whenSold(c: Cursor): Fact[] | null {
  if (c.eat('COND', 'when', 'whenever', 'if') === null || c.eat('VERB', 'sell') === null) return null;
  const list = categoryList(c);
  if (list === null || !c.atBreak) return null;
  return [
    { fact: 'side', side: 'sell', spends: false, bare: false, goods: list },
    { fact: 'goods', deny: false, list, side: 'sell', only: false },
  ];
}
