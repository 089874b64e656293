import type { Meaning } from './lexicon/lexicon.ts';
import { headOf } from './noun-head.ts';
import type { Token } from './tokens.ts';

/** The nouns by which a text has named goods so far: behind "antique maps", a "map" is one of them. */
export class Heads {
  readonly #categories = new Map<string, string | null>();

  add(words: string, category: string): void {
    const head = headOf(words);
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
