import type { Atom } from '../atom.ts';
import { type Side, sideOf } from '../facts.ts';
import type { Nouns } from './nouns.ts';

/**
 * The atoms of one clause, looked at as a whole: which kinds there are, how many, and what stands before what. A frame
 * reads a clause whose parts may come in any order, so it must account for the kind of every atom in it.
 */
export class Bag {
  readonly atoms: readonly Atom[];
  readonly #kinds = new Map<string, number>();

  constructor(atoms: readonly Atom[]) {
    this.atoms = atoms;
    for (const { kind } of atoms) this.#kinds.set(kind, this.count(kind) + 1);
  }

  count(...kinds: readonly string[]): number {
    return kinds.reduce((sum, kind) => sum + (this.#kinds.get(kind) ?? 0), 0);
  }

  has(...kinds: readonly string[]): boolean {
    return this.count(...kinds) > 0;
  }

  /** True when no atom is of another kind. */
  only(kinds: ReadonlySet<string>): boolean {
    return [...this.#kinds.keys()].every((kind) => kinds.has(kind));
  }

  all(kind: string): readonly Atom[] {
    return this.atoms.filter((atom) => atom.kind === kind);
  }

  /** The place of the first atom of one of the kinds; -1 when there is none. */
  at(...kinds: readonly string[]): number {
    return this.atoms.findIndex(({ kind }) => kinds.includes(kind));
  }

  /** True when the first of one kind stands before the first of the other, and both are there. */
  before(one: string, other: string): boolean {
    const [a, b] = [this.at(one), this.at(other)];
    return a !== -1 && b !== -1 && a < b;
  }

  kindAt(place: number): string {
    return this.atoms[place]?.kind ?? '';
  }

  /** The words of the atoms of these kinds, in lower case. */
  words(...kinds: readonly string[]): string {
    return this.atoms
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ text }) => text.toLowerCase())
      .join(' ');
  }

  get text(): string {
    return this.atoms.map(({ text }) => text).join(' ');
  }
}

/** What the text around a clause says that bears on it. */
export interface Context {
  /** The text speaks of selling and of nothing else. */
  readonly sells: boolean;
  /** The same sentence limits or denies something before the clause. */
  readonly limited: boolean;
  /** The same sentence denies something before the clause. */
  readonly denied: boolean;
  /** The same sentence counts deals before the clause. */
  readonly counted: boolean;
  /** By what nouns the text names goods. */
  readonly nouns: Nouns;
  /** What stands right before the clause, and right behind it. */
  readonly before: Atom | undefined;
  /** The two atoms behind it. */
  readonly after: Atom | undefined;
  readonly beyond: Atom | undefined;
}

export function kindsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}

/** The word of an atom as the tables have it. */
export function wordOf(atom: Atom | undefined): string {
  return (atom?.value || atom?.text.toLowerCase()) ?? '';
}

/** True when every preposition is one of these, and every separator one of those. */
export function joinedBy(
  bag: Bag,
  prepositions: ReadonlySet<string>,
  separators: ReadonlySet<string>,
): boolean {
  return bag.atoms.every(
    (atom) =>
      (atom.kind !== 'PREP' || prepositions.has(wordOf(atom))) &&
      (atom.kind !== 'SEP' || separators.has(wordOf(atom))),
  );
}

const NOUNS = ['CATEGORY', 'DEAL', 'ITEM', 'GEN', 'PARTYWORD', 'CHAINWORD', 'ANY', 'SCOPE'];
const PREDICATES = [
  'KEEP',
  'VERB',
  'LIMIT',
  'CAP',
  'NEG',
  'BUDGET',
  'ALLOWED',
  'ASK',
  'APPROVAL',
  'REQUIRE',
  'MINIMUM',
  'ENDS',
  'STARTS',
  'DENY',
  'TELL',
  'ONLY',
];

const ASKING = ['ASK', 'APPROVAL', 'WITHOUT', 'TELL', 'REQUIRE'];

/**
 * True when adjectives stand before nouns, and "I" before what I do. Otherwise a word is not what the tables take it
 * for: "I used to buy art", "in bulk".
 */
export function proper(bag: Bag): boolean {
  return bag.atoms.every(({ kind, text }, at) => {
    const next = bag.kindAt(at + 1);
    if (kind === 'MODIFIER')
      return (
        (/^all$/i.test(text) && next === '' && bag.has('MONEY')) ||
        // "A small deal" is not every deal.
        (NOUNS.includes(next) && (next === 'CATEGORY' || next === 'ITEM' || /^all\b/i.test(text))) ||
        next === 'MODIFIER' ||
        (/ of$/i.test(text) && next !== '')
      );
    // "Wine is allowed", and not "buy trusted wine".
    if (kind === 'ALLOWED' && next === 'CATEGORY') return !['VERB', 'ART'].includes(bag.kindAt(at - 1));
    // "Lowest 25 USDC first": what is to come first is for who is asked; "the ceiling first:" is a label.
    if (kind === 'ME' && /^(?:first|prior|in advance|beforehand|manual(?:ly)?)$/i.test(text))
      return next === 'SEP' && wordOf(bag.atoms[at + 1]) === ':' ? true : bag.has(...ASKING);
    if (kind === 'ME' && /^(?:i|i'.*|we'.*)$/i.test(text.replace('’', "'"))) return PREDICATES.includes(next);
    // "Wine bought for", and not "they bought wine for".
    if (kind === 'BOUGHT' || kind === 'SOLD')
      return bag.atoms
        .slice(0, at)
        .some((atom) => NOUNS.includes(atom.kind) || /^(?:nothing(?:['’]s)?|none)$/i.test(atom.text));
    return true;
  });
}

/** The sides that verbs and passives speak of: "buy wine", "wine may be sold". */
export function sidesOf(bag: Bag): readonly Side[] {
  return bag.atoms.flatMap(({ kind, value }) =>
    kind === 'VERB'
      ? [sideOf(value)]
      : kind === 'BOUGHT'
        ? ['buy' as const]
        : kind === 'SOLD'
          ? ['sell' as const]
          : [],
  );
}

/** Words that may stand around an amount without changing what it limits. */
export const AROUND =
  'MONEY PREP ART KEEP PER SINGLE NUMBER UNIT DEAL ITEM CATEGORY GEN ANY MODIFIER SCOPE SEP TERM VERB ALLOWED REQUIRE BOUGHT SOLD';

/** True where a verb or a passive speaks of selling. */
export function sellsIn(bag: Bag): boolean {
  return sidesOf(bag).some((side) => side !== 'buy');
}
