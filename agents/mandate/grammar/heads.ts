import { UNLISTED } from './facts.ts';
import type { Meaning } from './lexicon/lexicon.ts';
import { headOf } from './noun-head.ts';
import type { Token } from './tokens.ts';

/** The nouns by which a text has named goods so far: behind "antique maps", a "map" is one of them. */
export class Heads {
  readonly #categories = new Map<string, string | null>();

  add(words: string, category: string): void {
    // Of goods that are no category any word may be the noun: "Rational combi ovens taken back".
    const heads = category === UNLISTED ? words.split(' ').filter((word) => /^\p{Ll}/u.test(word)) : [words];
    for (const named of heads) this.#add(headOf(named), category);
  }

  #add(head: string, category: string): void {
    const known = this.#categories.get(head);
    // A noun of two categories means neither by itself.
    this.#categories.set(head, known === undefined || known === category ? category : null);
  }

  /** The goods that a word names again; null where it is new. */
  again(token: Token): Meaning | null {
    if (token.kind !== 'word') return null;
    const category = this.#categories.get(headOf(token.text));
    return category == null ? null : { kind: 'CATEGORY', value: category };
  }
}
