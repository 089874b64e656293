import type { Category } from '../../../categories.ts';
import type { Atom } from '../atom.ts';
import type { Cursor } from '../cursor.ts';
import type { Scope } from '../facts.ts';

/** Phrases that several rules share. Each consumes what it matches, or nothing. */

const NOUN_VERBS = new Set(['purchase', 'trade', 'bid', 'buy', 'sell', 'spend']);

/** Reads a word for one transaction: deal, purchase, lot, item … */
export function dealNoun(cursor: Cursor): boolean {
  if (cursor.eat('DEAL') !== null) {
    cursor.eat('DEAL');
    return true;
  }
  if (cursor.sees('VERB') && NOUN_VERBS.has(cursor.peek()!.text.toLowerCase())) {
    cursor.skip();
    return true;
  }
  return false;
}

export interface ScopeReading {
  /** Null for a period that no cap has, such as a year. */
  readonly scope: Scope | null;
  readonly goods: Category | null;
}

/** Reads a scope: per deal, a day, in any 24 hours, daily, in total, each … */
export function scope(cursor: Cursor): ScopeReading | null {
  return cursor.attempt((c) => {
    const behindLimit = ['CAP', 'LIMIT', 'BUDGET'].includes(c.peek(-1)?.kind ?? '');
    const behindAmount = c.peek(-1)?.kind === 'MONEY' || c.peek(-1)?.kind === 'NUMBER';
    const from = c.at;
    // "Per one week", "per one deal".
    if (c.sees('SCOPE', ['deal']) && /^per one$/i.test(c.peek()!.text) && c.sees('UNIT', [], 1)) {
      c.skip();
      return { scope: unitScope(c) ?? null, goods: null };
    }
    const plain = c.eat('SCOPE');
    if (plain !== null && /^per one$/i.test(plain.text)) c.eat('DEAL');
    if (plain) return { scope: plain.value === 'year' ? null : (plain.value as Scope), goods: null };
    const preposition =
      c.eat('PREP', 'for', 'on', 'in', 'at') ?? c.eat('UNDER', 'within') ?? c.eat('BETWEEN', 'during');
    const words: string[] = [];
    while (words.length < 6) {
      const atom: Atom | null =
        c.eat('PER') ?? c.eat('ART') ?? c.eat('SINGLE') ?? (isOne(c.peek()) ? c.eat('NUMBER') : null);
      if (atom === null) break;
      words.push(atom.kind === 'PER' ? 'PER' : atom.kind === 'ART' ? 'ART' : 'ONE');
    }
    const each = words.includes('PER');
    if (words.length === 0 || (!each && preposition === null && !words.includes('ART'))) return null;
    const period = unitScope(c);
    if (period !== undefined) {
      // "for a day" is a duration; "the limit for a day" is a period.
      const alone = !each && !behindLimit && preposition?.text.toLowerCase() === 'for';
      if (alone && !behindForADeal(c, from)) return null;
      return { scope: period, goods: null };
    }
    if (!each && words.includes('ONE') && preposition === null) return null;
    // "My maximum for one flight is 320 USDC".
    if (
      (words.includes('ONE') || words.includes('ART')) &&
      preposition !== null &&
      c.sees('CATEGORY') &&
      (c.sees('MONEY', [], 1) || c.sees('SEP', [':'], 1))
    )
      return { scope: 'deal', goods: c.eat('CATEGORY')!.value as Category };
    // "The most you may pay for one is 1,800 USDC".
    if (words.join() === 'ONE' && (c.sees('MONEY') || c.sees('LIMIT') || c.atBreak))
      return { scope: 'deal', goods: null };
    if (dealNoun(c)) return { scope: 'deal', goods: null };
    if ((each || behindAmount) && (c.eat('ITEM') ?? c.eat('GEN', 'product', 'thing', 'asset')) !== null)
      return { scope: 'deal', goods: null };
    if ((each || behindAmount) && c.sees('CATEGORY'))
      return { scope: 'deal', goods: c.eat('CATEGORY')!.value as Category };
    const last = c.peek(-1)?.text.toLowerCase();
    const on = preposition?.text.toLowerCase();
    return words.length === 1 && (on === undefined || on === 'on' || on === 'for') && last === 'each'
      ? { scope: 'deal', goods: null }
      : null;
  });
}

/** "1,850 USD for a deal and 5,550 USD for a week": what stands beside it is no length of time, either. */
function behindForADeal(c: Cursor, from: number): boolean {
  const [amount, joint, noun, article, led] = [1, 2, 3, 4, 5].map((back) => c.atoms[from - back]);
  return (
    amount?.kind === 'MONEY' &&
    joint?.kind === 'SEP' &&
    noun?.kind === 'DEAL' &&
    (['ART', 'PER', 'SINGLE'].includes(article?.kind ?? '') || isOne(article)) &&
    led?.text.toLowerCase() === 'for'
  );
}

/** Reads a unit of time as a cap's window: undefined when there is none, null when no cap has that window. */
function unitScope(c: Cursor): Scope | null | undefined {
  const counted = c.sees('NUMBER') && c.sees('UNIT', [], 1);
  const count = counted ? Number(c.eat('NUMBER')!.micro) / 1e6 : 1;
  const unit = c.eat('UNIT');
  if (unit === null) return undefined;
  if ((unit.value === 'hour' && count === 24) || (unit.value === 'day' && count === 1)) return 'day';
  if ((unit.value === 'day' && count === 7) || (unit.value === 'week' && count === 1)) return 'week';
  return unit.value === 'month' && count === 1 ? 'month' : null;
}

/** Reads a noun right before the word for the limit: "deal cap", "24-hour limit", "single-deal limit". */
export function nounScope(cursor: Cursor): ScopeReading | null {
  return cursor.attempt((c) => {
    const from = c.at;
    const single = c.eat('SINGLE') !== null;
    const period = unitScope(c);
    if (period === undefined && !dealNoun(c)) return null;
    const named =
      c.sees('CAP') ||
      c.sees('BUDGET') ||
      c.sees('LIMIT', ['max', 'maximum']) ||
      ((single || labelsAmount(c, from)) && c.sees('SEP', [':']));
    return named ? { scope: period === undefined ? 'deal' : period, goods: null } : null;
  });
}

/** "Deal: 2,000 USDC", "month: max 8,000 USDC": one word as a label, in front of an amount. */
function labelsAmount(c: Cursor, from: number): boolean {
  const [before, label] = [c.atoms[from - 1], c.atoms[from]];
  const opens = before === undefined || before.kind === 'SEP';
  const one =
    c.at === from + 1 && (label?.kind === 'UNIT' || /^(?:deal|trade|transaction)$/i.test(label?.text ?? ''));
  return opens && one && (c.sees('MONEY', [], 1) || (c.sees('LIMIT', [], 1) && c.sees('MONEY', [], 2)));
}

export function isOne(atom: Atom | undefined): boolean {
  return atom?.kind === 'NUMBER' && atom.micro === 1_000_000n;
}

/**
 * Reads words for a limit: "up to", "under", "never pay more than". `deal` is true when they speak of deals: "no deal
 * above".
 */
export function limiter(cursor: Cursor): { deal: boolean; negative: boolean } | null {
  return cursor.attempt((c) => {
    const plain = c.eat('LIMIT') ?? c.eat('UNDER');
    if (plain) return { deal: false, negative: /^(?:and |but )?(?:no|never)/i.test(plain.text) };
    const no = c.eat('NEG') ?? c.eat('DENY') ?? c.eat('EXCEPT', 'with no');
    if (no === null) return null;
    // "Buy nothing over 500 USDC" is said of each thing; "spend nothing over" may be said of all of them.
    const bought =
      c.peek(-2)?.kind === 'VERB' && c.peek(-2)!.value === 'buy' && !/^pay/i.test(c.peek(-2)!.text);
    let deal =
      /^n\w+ (?:one )?of\b/i.test(no.text) ||
      /^none$/i.test(no.text) ||
      (bought && /^nothing$/i.test(no.text));
    for (;;) {
      if (c.sees('VERB', ['sell'])) return null;
      // "Nothing that costs more than 25 USDC": each thing has its price.
      if (/^nothing$/i.test(no.text) && !c.clauses.onlySells && COSTS.test(c.peek()?.text ?? '')) deal = true;
      if (c.eat('DEAL') !== null) deal = true;
      // "No single purchase may cost over 1,150 USDC": a noun, behind "no".
      else if (/^(?:with )?no$/i.test(no.text) && c.peek(-1)?.kind !== 'PREP' && dealNoun(c)) deal = true;
      else if (['VERB', 'KEEP', 'ANY', 'SINGLE', 'ART', 'PER'].some((kind) => c.eat(kind) !== null)) continue;
      else if (c.eat('PREP', 'for', 'at', 'to', 'on', 'with') === null) break;
    }
    return c.eat('ABOVE') === null ? null : { deal, negative: true };
  });
}

const COSTS = /^(?:(?:that|which) )?cost(?:s|ing)?\b/i;

/** Reads a duration, which is a count and a unit: "7 days", "two weeks", "a month". */
export function duration(cursor: Cursor): { count: number; unit: string; text: string } | null {
  return cursor.attempt((c) => {
    const first = c.peek();
    const count = c.eat('ART') ? 1 : Number(c.eat('NUMBER')?.micro ?? 0n) / 1e6;
    const unit = c.eat('UNIT');
    if (unit === null || count <= 0) return null;
    return { count, unit: unit.value, text: `${first!.text} ${unit.text}` };
  });
}
