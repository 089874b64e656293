import type { Category } from '../../../categories.ts';
import { NAMING } from '../atom-kinds.ts';
import type { Fact } from '../facts.ts';
import { describes } from '../rules/exceptions.ts';
import { asMany } from '../rules/limit-ends.ts';
import { refusesNames } from '../rules/refused-names.ts';
import { endsSentence } from '../sentences.ts';
import { type Bag, type Context, joinedBy, kindsOf, sidesOf, wordOf } from './bag.ts';

const AROUND =
  'PREP ART KEEP VERB DEAL GEN ANY PARTYWORD CHAINWORD ME SEP OR ALLOWED MODIFIER ITEM PER TERM MONEYWORD BOUGHT SOLD';
const ALLOWING = kindsOf(`${AROUND} ONLY ENOUGH CATEGORY CHAIN PARTY`);
const DENYING = kindsOf(`${AROUND} NEG DENY OFF EXCEPT CATEGORY CHAIN PARTY`);

const PREPOSITIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  CATEGORY: new Set(['of', 'in', 'on', 'for', 'to', 'with', 'from', 'as', 'into', 'towards', 'use', 'using']),
  CHAIN: new Set([
    'on',
    'in',
    'via',
    'using',
    'use',
    'through',
    'to',
    'with',
    'of',
    'for',
    'from',
    'as',
    'at',
  ]),
  PARTY: new Set(['from', 'with', 'of', 'to', 'by', 'at', 'as', 'for']),
};
const SEPARATORS = new Set([':', '-', ',', 'and', '&']);

/** Reads a clause about goods, chains or counterparties: what it names is all that is allowed, allowed, or denied. */
export function listFrame(bag: Bag, { limited, before, after, beyond }: Context): Fact[] | null {
  // "…, or any debt" goes on with what the sentence forbids.
  if (before?.kind === 'OR') return null;
  // "At most 3 deals per day or only on Polygon": one of two rules, and not both.
  if (bag.atoms.find((atom) => atom.kind !== 'SEP')?.kind === 'OR' && bag.has('ONLY')) return null;
  const kinds = NAMING.filter((kind) => bag.has(kind));
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1 || !joinedBy(bag, PREPOSITIONS[kind]!, SEPARATORS)) return null;
  if (!listed(bag, kind)) return null;
  const refused = bag.count('NEG', 'DENY', 'OFF', 'EXCEPT');
  // After a limit "except" would loosen it, and after a denial it would allow again.
  const inside = before?.kind === 'SEP' && /\b(?:any|every)/i.test(bag.words('EXCEPT'));
  if (limited && bag.has('EXCEPT') && !inside) return null;
  if (refused === 1) return bag.only(DENYING) ? deny(bag, kind, [after, beyond]) : null;
  return refused === 0 && bag.only(ALLOWING) && (!limited || bag.has('VERB', 'ONLY', 'BOUGHT', 'SOLD'))
    ? allow(bag, kind, before)
    : null;
}

/** The names stand together, with nothing but commas, "and" or "or" between: two places may mean two conditions. */
function listed(bag: Bag, kind: string): boolean {
  const places = bag.atoms.flatMap((atom, at) => (atom.kind === kind ? [at] : []));
  const between = bag.atoms.slice(places[0]!, places.at(-1)! + 1);
  const joint = new Set([kind, 'SEP', 'OR', 'MODIFIER', 'CHAINWORD', 'PARTYWORD', 'PREP']);
  if (!between.every((atom) => joint.has(atom.kind))) return false;
  // "Spare parts from liquidations" are of one kind by another; "from a.eth or from b.eth" are two.
  if (between.some((atom, at) => atom.kind === 'PREP' && !['SEP', 'OR'].includes(between[at - 1]!.kind)))
    return false;
  // "Surplus concert tickets" may belong to two categories, or to neither.
  return places.every(
    (at, i) => i === 0 || at > places[i - 1]! + 1 || bag.atoms[at]!.value === bag.atoms[at - 1]!.value,
  );
}

function namesOf(bag: Bag, kind: string): string[] {
  return [...new Set(bag.all(kind).map(({ value }) => value))].sort();
}

function deny(bag: Bag, kind: string, following: readonly Context['after'][]): Fact[] | null {
  // "Nothing from anyone" names nobody; "not allowed" is read with the names it stands by.
  if (bag.has('ONLY') || (bag.has('NEG') && bag.has('ALLOWED') && !bag.before('NEG', 'ALLOWED'))) return null;
  // "Skip everything else on Base" does not deny Base.
  if (/\b(?:else|rest)\b/.test(bag.words('ANY'))) return null;
  const verbs = [...new Set(sidesOf(bag))];
  if (verbs.length > 1) return null;
  const list = namesOf(bag, kind);
  const [at, name] = [bag.at('NEG', 'DENY', 'OFF', 'EXCEPT'), bag.at(kind)];
  const told = bag.atoms.slice(0, at).some((atom) => describes(bag.atoms[at]!, atom));
  if ((at < name && told) || !refusesNames(bag.atoms, following)) return null;
  if (kind === 'CATEGORY')
    return [{ fact: 'goods', deny: true, list: list as Category[], side: verbs[0] ?? null, only: false }];
  return [
    kind === 'CHAIN'
      ? { fact: 'chains', deny: true, list, only: false }
      : { fact: 'parties', deny: true, list, only: false },
  ];
}

function allow(bag: Bag, kind: string, before: Context['before']): Fact[] | null {
  const list = namesOf(bag, kind);
  const only = bag.has('ONLY', 'ENOUGH');
  const sides = sidesOf(bag);
  if (sides.length > 1 || !asMany(bag.words('ONLY'), list.length)) return null;
  if (kind === 'CATEGORY') {
    if (bag.has('PARTYWORD', 'CHAINWORD', 'MONEYWORD', 'REQUIRE')) return null;
    const goods = list as Category[];
    const side = sides[0] ?? null;
    return [
      { fact: 'goods', deny: false, list: goods, side, only },
      ...(article(bag) ? [{ fact: 'one', words: bag.all('CATEGORY')[0]!.text } as const] : []),
      ...(side === null
        ? []
        : [
            {
              fact: 'side',
              side,
              spends: bag.all('VERB').some(({ value }) => value === 'spend'),
              bare: false,
              goods,
            } as const,
          ]),
    ];
  }
  // A name by itself may be whose mandate it is; a place where all is done, or whom all comes from, is a limit.
  // "All purchases must come from a.eth", and not "everything from a.eth is fine".
  const all =
    /^(?:all|every|everything|each)\b/i.test(bag.words('ANY', 'PER', 'MODIFIER')) &&
    (bag.has('VERB', 'MONEYWORD') ||
      /\b(?:come|comes|happens?|takes? place|made)\b/i.test(bag.words('KEEP')));
  // "The seller has to be keyshop.eth".
  const named = kind === 'PARTY' && bag.atoms.length === 2 && bag.kindAt(0) === 'PARTYWORD' && begins(before);
  if (!only && !named && !(all && bag.has('PREP')) && !bag.has('ALLOWED')) return null;
  const side = kind === 'CHAIN' ? null : (sides[0] ?? null);
  return [
    kind === 'CHAIN'
      ? { fact: 'chains', deny: false, list, only }
      : { fact: 'parties', deny: false, list, only },
    ...(side === null ? [] : [{ fact: 'side', side, spends: false, bare: true, goods: null } as const]),
  ];
}

/** "A boat" may be one boat and no more. */
function article(bag: Bag): boolean {
  return bag.atoms.some(
    (atom, at) =>
      atom.kind === 'ART' &&
      ['CATEGORY', 'MODIFIER', 'ITEM'].includes(bag.kindAt(at + 1)) &&
      wordOf(atom) !== '',
  );
}

function begins(before: Context['before']): boolean {
  return before === undefined || endsSentence(before);
}
