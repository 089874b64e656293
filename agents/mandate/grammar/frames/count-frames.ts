import type { Category } from '../../../categories.ts';
import { amountOf, type Fact } from '../facts.ts';
import { isLone, loneAt } from '../one-only.ts';
import { type Bag, type Context, joinedBy, kindsOf, wordOf } from './bag.ts';
import { namesAll } from './nouns.ts';

const COUNTING = kindsOf(
  'NUMBER DEAL ITEM CATEGORY GEN LIMIT ONLY EXACTLY NEG ABOVE SCOPE PER ART UNIT PREP KEEP VERB CAP SINGLE MODIFIER SEP ME ALLOWED ENOUGH COUNT UNDER',
);
const PREPOSITIONS = new Set(['of', 'in', 'on', 'for', 'to', 'at', 'with']);
const SEPARATORS = new Set([':', '-', ',']);
/** A smaller number without a currency may be a number of deals. */
const BARE = 100_000_000;
const THINGS = ['DEAL', 'ITEM', 'CATEGORY', 'GEN'];

/** Reads how many deals there may be: "three sculptures at most", "two purchases a day", "exactly one car". */
export function countFrame(bag: Bag, { nouns, counted, before, after }: Context): Fact[] | null {
  if (!namesAll(nouns, bag.atoms)) return null;
  if (bag.count('NUMBER') > 1 || !bag.only(COUNTING)) return null;
  if (!joinedBy(bag, PREPOSITIONS, SEPARATORS)) return null;
  const lone = bag.atoms.findIndex((_, at) => loneAt(bag.atoms, at) !== -1);
  const place = bag.has('NUMBER') ? bag.at('NUMBER') : lone === -1 ? -1 : loneAt(bag.atoms, lone);
  const number = bag.atoms[place];
  if (number === undefined) return null;
  const count = isLone(number) ? 1 : Number(number.micro) / 1e6;
  if (!Number.isInteger(count) || count < 1) return null;
  const sure = counts(bag, place, counted);
  const bare = !sure && standsAlone(bag, place, before);
  if (!sure && !bare) return null;
  // "Never spend over 700 USDC, or make more than six purchases".
  const on = before?.kind === 'OR' && !bag.has('NEG') ? 1 : 0;
  const neg = bag.count('NEG') + on;
  if (neg !== bag.count('ABOVE') || neg > 1) return null;
  if (neg === 1 && on === 0 && !bag.before('NEG', 'ABOVE')) return null;
  if (Number(count) > 1000 || bag.all('VERB').some(({ value }) => value !== 'buy' && value !== 'sell'))
    return null;
  // "Keep the number of deals within forty", and not "under forty".
  if (
    !bag.all('UNDER').every(({ text }) => /^within$/i.test(text)) ||
    (bag.has('UNDER') && !bag.has('COUNT'))
  )
    return null;
  const scope = period(bag);
  if (scope === null) return null;
  const one = lone !== -1 && (isLone(number) || after?.kind === 'PREP');
  const limited = one || neg === 1 || bag.has('LIMIT', 'UNDER', 'ONLY', 'EXACTLY', 'CAP', 'ENOUGH', 'COUNT');
  if (!limited && scope !== 'day') return null;
  const goods = [...new Set(bag.all('CATEGORY').map(({ value }) => value as Category))];
  if (goods.length > 1) return null;
  const verb = bag.all('VERB')[0];
  return [
    {
      fact: 'count',
      scope: scope === 'day' ? 'day' : 'total',
      count,
      ...(bare ? { bare: amountOf(number) } : {}),
    },
    ...(goods.length === 0
      ? []
      : [{ fact: 'goods', deny: false, list: goods, side: null, only: false } as const]),
    ...(goods.length === 0 || neg === 1 || verb === undefined
      ? []
      : [{ fact: 'side', side: verb.value as 'buy' | 'sell', spends: false, bare: false, goods } as const]),
    ...(goods.length === 0 ? [] : [{ fact: 'holds-for', goods, words: String(count) } as const]),
  ];
}

/** True when the number counts things: a noun stands behind it, with words such as "vintage" between, or "buy" before. */
function counts(bag: Bag, place: number, counted: boolean): boolean {
  let i = place + 1;
  while (['MODIFIER', 'SINGLE'].includes(bag.kindAt(i))) i++;
  if (THINGS.includes(bag.kindAt(i))) return true;
  if (bag.kindAt(i) === 'VERB' && /^(?:purchases|sales|acquisitions) of$/i.test(bag.atoms[i]!.text))
    return true;
  if (bag.has('COUNT')) return true;
  // "Ten deals in all and two a day", "at most two a day": nobody writes an amount of money as a word and nothing else.
  const plain = !/\d/.test(bag.atoms[place]!.text);
  if ((counted || plain) && bag.has('LIMIT', 'ABOVE', 'ONLY', 'ENOUGH') && bag.has('SCOPE', 'UNIT'))
    return true;
  if (bag.kindAt(place + 1) === 'PREP' && /^of$/i.test(bag.atoms[place + 1]!.text)) return true;
  // "Buy up to five hundred", without a noun: of so many, money may be meant.
  if (Number(bag.atoms[place]!.micro) >= BARE) return false;
  return objectOf(bag, bag.kindAt(place - 1) === 'LIMIT' ? place - 2 : place - 1);
}

/** "Don't sell more than 2 a day", "…, four at the very most": a number of deals if it is below the price of one. */
function standsAlone(bag: Bag, place: number, before: Context['before']): boolean {
  if (Number(bag.atoms[place]!.micro) >= BARE) return false;
  if (bag.kindAt(place - 1) === 'ABOVE') return objectOf(bag, place - 2);
  const behindComma = before?.kind === 'SEP' && wordOf(before) === ',';
  const limit = place === 0 ? bag.kindAt(1) : bag.kindAt(0);
  return behindComma && bag.atoms.length === 2 && limit === 'LIMIT' && !/\d/.test(bag.atoms[place]!.text);
}

/** True where the verb at a place buys or sells what is counted. */
function objectOf(bag: Bag, last: number): boolean {
  return (
    bag.kindAt(last) === 'VERB' && !/^(?:pay|bid|get|spend)/i.test(bag.atoms[last]!.text) && !bag.has('CAP')
  );
}

/** The period of a count; null when there are two, or one that no count has. */
function period(bag: Bag): 'day' | 'all' | null {
  const said = new Set<string>();
  for (const atom of bag.all('SCOPE')) said.add(atom.value);
  bag.atoms.forEach((atom, at) => {
    if (atom.kind !== 'UNIT') return;
    const before = bag.kindAt(at - 1);
    said.add(['PER', 'ART', 'SINGLE'].includes(before) ? atom.value : 'other');
  });
  bag.atoms.forEach((atom, at) => {
    // "Two of each", "one per lot": a number for each thing is no number of deals.
    if (
      ['PER', 'ART'].includes(atom.kind) &&
      bag.kindAt(at + 1) !== 'UNIT' &&
      bag.kindAt(at + 1) !== 'SINGLE'
    )
      said.add('other');
  });
  said.delete('total');
  if (said.size === 0) return 'all';
  return said.size === 1 && said.has('day') ? 'day' : null;
}
