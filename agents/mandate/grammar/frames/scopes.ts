import type { Category } from '../../../categories.ts';
import type { Scope } from '../facts.ts';
import { isOne } from '../rules/phrases.ts';
import type { Bag } from './bag.ts';
import type { Nouns } from './nouns.ts';

/** What an amount is said to be for. */
export interface Scoped {
  /** Said outright: "a week", "all told", "per deal". */
  readonly said: readonly Scope[];
  /** Only meant: "no purchases over", "priced at". Another scope that is said outright counts instead. */
  readonly thing: boolean;
  readonly goods: readonly Category[];
}

const DETERMINERS = ['PER', 'ART', 'SINGLE', 'NEG'];
const THINGS = ['DEAL', 'ITEM', 'CATEGORY', 'GEN'];
const PERIODS = ['day', 'week', 'month'];

/**
 * The scopes of a clause; null where it names a period that no cap has, several things, or a length of time that may
 * be how long the mandate lasts.
 */
export function scopesOf(bag: Bag, nouns: Nouns = new Map()): Scoped | null {
  const said = new Set<Scope>();
  const goods = new Set<Category>();
  let thing = false;
  for (let at = 0; at < bag.atoms.length; at++) {
    const atom = bag.atoms[at]!;
    const determined = determinedAt(bag, at);
    if (atom.kind === 'SCOPE') {
      if (atom.value === 'year') return null;
      said.add(atom.value as Scope);
    } else if (atom.kind === 'UNIT' && determined && boughtBy(nouns, atom.text)) said.add('deal');
    else if (atom.kind === 'UNIT') {
      if (!PERIODS.includes(atom.value) || !determined) return null;
      if (/^(?:for|in|within|over)$/i.test(ledBy(bag, at))) {
        if (!bag.has('LIMIT', 'CAP', 'NEG', 'UNDER', 'ABOVE')) return null;
      }
      said.add(atom.value as Scope);
    } else if (THINGS.includes(atom.kind)) {
      if (atom.kind === 'CATEGORY') goods.add(atom.value as Category);
      if (
        atom.kind === 'CATEGORY' &&
        bag.kindAt(at + 1) === 'CATEGORY' &&
        bag.atoms[at + 1]!.value !== atom.value
      )
        return null;
      const outright = determined && !['NEG', 'ART'].includes(determinerAt(bag, at));
      if (determined && THINGS.includes(bag.kindAt(at + 1))) continue;
      if (outright && (atom.kind !== 'GEN' || /^(?:thing|product|asset)$/i.test(atom.text))) said.add('deal');
      else if (determined || bag.has('ABOVE')) thing = true;
    } else if (atom.kind === 'ANY' && bag.has('ABOVE')) thing = true;
    else if (
      (atom.kind === 'ABOVE' || atom.kind === 'LIMIT') &&
      /\b(?:dearer|pricier|costlier|steeper|more expensive)/i.test(atom.text)
    )
      thing = true;
    else if (atom.kind === 'NEG' && /^none\b|\bone of\b/i.test(atom.text) && bag.has('ABOVE')) thing = true;
    else if (atom.kind === 'PER' && /^each$/i.test(atom.text) && !followed(bag, at)) said.add('deal');
    else if (isOne(atom) && !followed(bag, at)) thing = true;
    else if (atom.kind === 'SINGLE' && bag.kindAt(at + 1) === 'CAP') said.add('deal');
    else if (['KEEP', 'LIMIT', 'CAP'].includes(atom.kind) && PRICED.test(atom.text)) thing = true;
    else if (atom.kind === 'MODIFIER' && /^all$/i.test(atom.text) && at === bag.atoms.length - 1)
      said.add('total');
    else if (atom.kind === 'MODIFIER' && /^all\b/i.test(atom.text) && !bag.has('SCOPE')) return null;
  }
  if (goods.size > 1) return null;
  return { said: [...said], thing, goods: [...goods] };
}

/** The price of a thing, and not of all of them. */
const PRICED = /\b(?:pric|costing|valued|ticket size)/i;

/** "Hotel nights, 160 USDC a night". */
function boughtBy(nouns: Nouns, unit: string): boolean {
  return [...nouns.values()].some((all) => all.has(unit.toLowerCase()));
}

/** "A", "each", "one", "no" right before a noun, with words such as "single" or "vintage" between. */
function determinedAt(bag: Bag, at: number): boolean {
  return determinerAt(bag, at) !== '';
}

function determinerAt(bag: Bag, at: number): string {
  for (let i = at - 1; i >= 0 && i >= at - 3; i--) {
    const kind = bag.kindAt(i);
    if (DETERMINERS.includes(kind)) {
      // "Any one lot": what stands first counts.
      const first = bag.kindAt(i - 1);
      return kind !== 'PER' && first === 'PER' ? 'PER' : kind;
    }
    if (isOne(bag.atoms[i])) return 'ONE';
    if (kind !== 'MODIFIER' && !THINGS.includes(kind)) return '';
  }
  return '';
}

/** The preposition in front of the article or number of a noun. */
function ledBy(bag: Bag, at: number): string {
  let i = at - 1;
  while (i >= 0 && (['PER', 'ART', 'SINGLE'].includes(bag.kindAt(i)) || isOne(bag.atoms[i]))) i--;
  if (bag.atoms.slice(i + 1, at).some(({ kind }) => kind === 'PER')) return '';
  const kind = bag.kindAt(i);
  return kind === 'PREP' || kind === 'UNDER' || kind === 'ABOVE' ? bag.atoms[i]!.text : '';
}

/** True when a noun comes next, with words such as "single" between. */
function followed(bag: Bag, at: number): boolean {
  let i = at + 1;
  while (['SINGLE', 'MODIFIER', 'ART'].includes(bag.kindAt(i)) || isOne(bag.atoms[i])) i++;
  return [...THINGS, 'UNIT'].includes(bag.kindAt(i));
}
