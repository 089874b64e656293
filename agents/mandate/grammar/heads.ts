import type { Meaning } from './lexicon/lexicon.ts';
import { headOf } from './noun-head.ts';
import type { Token } from './tokens.ts';

/** A noun with fewer letters may end many. */
const SHORTEST = 4;

/** The nouns by which a text has named goods so far: behind "antique maps", a "map" is one of them. */
export class Heads {
  readonly #categories = new Map<string, string | null>();

  add(words: string, category: string): void {
    const head = headOf(words);
    const known = this.#categories.get(head);
    // A noun of two categories means neither by itself.
    this.#categories.set(head, known === undefined || known === category ? category : null);
  }

  /** "A board" of surfboards: the category of the one noun that ends so. */
  #ending(head: string): string | null | undefined {
    if (head.length < SHORTEST) return null;
    const found = [...this.#categories].filter(([known]) => known.endsWith(head));
    return found.length === 1 ? found[0]![1] : null;
  }

  /** The goods that a word names again; null where it is new. */
  again(token: Token): Meaning | null {
    if (token.kind !== 'word') return null;
    const head = headOf(token.text);
    const category = this.#categories.get(head) ?? this.#ending(head);
    return category == null ? null : { kind: 'CATEGORY', value: category };
  }
}
