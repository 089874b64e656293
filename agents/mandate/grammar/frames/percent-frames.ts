import type { Category } from '../../../categories.ts';
import type { Fact } from '../facts.ts';
import { around } from '../rules/limit-ends.ts';
import { type Bag, type Context, joinedBy, kindsOf, wordOf } from './bag.ts';
import { namesAll } from './nouns.ts';

const SHARING = kindsOf(
  'PERCENT MARKET FACE LIMIT NEG ABOVE UNDER MINIMUM PERCENTOF PREP ART KEEP VERB PER SEP CAP CATEGORY REQUIRE TERM ME ALLOWED ANY DEAL ITEM GEN MODIFIER BOUGHT ONLY',
);
const PREPOSITIONS = new Set(['of', 'in', 'on', 'for', 'to', 'at', 'with', 'from', 'as', 'by']);
const SEPARATORS = new Set([':', '-', ',']);
const HUNDRED = 100_000_000n;

/** Reads a highest share of the market or of face value: "10% or more below market", "at market price or below". */
export function percentFrame(bag: Bag, { nouns }: Context): Fact[] | null {
  if (bag.count('MARKET', 'FACE') !== 1 || bag.count('PERCENT') > 1 || !bag.only(SHARING)) return null;
  if (!joinedBy(bag, PREPOSITIONS, SEPARATORS) || !namesAll(nouns, bag.atoms)) return null;
  if (bag.at('ONLY') > 0 || bag.count('ONLY') > 1) return null;
  if (bag.all('VERB').some(({ value }) => value === 'sell' || value === 'both')) return null;
  const percent = shareOf(bag);
  if (percent === null || percent <= 0n) return null;
  const goods = [...new Set(bag.all('CATEGORY').map(({ value }) => value as Category))];
  if (goods.length > 1) return null;
  return [
    { fact: 'percent', of: bag.has('MARKET') ? 'market' : 'face', percent },
    ...(goods.length === 0
      ? []
      : [
          { fact: 'goods', deny: false, list: goods, side: null, only: false } as const,
          { fact: 'holds-for', goods, words: bag.all('CATEGORY')[0]!.text } as const,
        ]),
  ];
}

/** The share in millionths of a percent; null when the words do not make it a highest one. */
function shareOf(bag: Bag): bigint | null {
  const [neg, above, under] = [bag.count('NEG'), bag.count('ABOVE'), bag.count('UNDER')];
  if (neg > 1 || above > 1 || under > 1 || bag.count('MINIMUM') > 1) return null;
  const forbids = neg === 1 && above === 1 && bag.before('NEG', 'ABOVE');
  if (neg === 1 && !forbids) return null;
  const capped = forbids || bag.has('LIMIT', 'CAP');
  const share = bag.all('PERCENT')[0]?.micro;
  if (share === undefined) {
    if (bag.has('MINIMUM', 'PERCENTOF') || (above === 1 && !forbids)) return null;
    return capped || under === 1 ? HUNDRED : null;
  }
  const follows = (kind: string): boolean => bag.at(kind) > bag.at('PERCENT');
  const off = bag.words('PERCENTOF');
  if (compared(bag) || around(bag.words('LIMIT', 'UNDER'), share)) return null;
  // "A discount of at least 10%", "10% or more below": the least that is taken off is the most that is left.
  if (/discount|off/.test(off) || (under === 1 && follows('UNDER'))) {
    // "5% below the market or cheaper".
    const more =
      bag.has('MINIMUM') !== (bag.count('LIMIT') === 1 && /cheaper|lower/i.test(bag.words('LIMIT')));
    if (!more || above > 0 || neg > 0 || (bag.has('LIMIT') && bag.has('MINIMUM'))) return null;
    return HUNDRED - share;
  }
  if (bag.has('MINIMUM')) return null;
  // "No more than 5% above the market", and not "5% above".
  if ((above === 1 && follows('ABOVE')) || /premium/.test(off))
    return capped && under === 0 ? HUNDRED + share : null;
  if (off !== '') return null;
  return capped || under === 1 ? share : null;
}

/** "Below market by 10%", "never above the market by more than 10%": a difference, and no share. */
function compared(bag: Bag): boolean {
  const [market, percent] = [bag.at('MARKET', 'FACE'), bag.at('PERCENT')];
  if (market > percent) return false;
  const by = bag.atoms.slice(market, percent).some((atom) => atom.kind === 'PREP' && wordOf(atom) === 'by');
  return by || bag.atoms.slice(0, market).some(({ kind }) => COMPARING.has(kind));
}

const COMPARING = kindsOf('LIMIT UNDER ABOVE MINIMUM NEG');
