import type { Atom } from '../atom.ts';
import type { Known, Meaning } from '../lexicon/lexicon.ts';
import type { Span } from '../one-question.ts';
import type { Steps } from '../steps.ts';
import type { Token } from '../tokens.ts';
import { beneficiaryAt, ownApproval, principalAt } from './principals.ts';
import { recitalAt } from './recitals.ts';
import { endsSentence } from './segments.ts';
import { type Unheld, unheldIn } from './unheld.ts';

export interface Text {
  readonly tokens: readonly Token[];
  readonly text: string;
  readonly phraseAt: (at: number) => Known | null;
}

/** What formal prose has at a place: its length, and what it means; null where it limits nothing and is dropped. */
export interface Told {
  readonly length: number;
  readonly meaning: Meaning | null;
}

/**
 * What letters and deeds tell beside the mandate: who writes and for whom, why, and what no field holds. A recital and a
 * principal are dropped; what no field holds is kept as one atom, which is always asked about.
 */
export class Prose {
  readonly #text: Text;
  readonly #recitals: Span[];
  readonly #unheld: ReadonlyMap<number, { readonly length: number; readonly kind: Unheld }>;
  readonly #roles = new Set<string>();
  #recited = -1;

  /** @param recitals takes the places of the recitals */
  constructor(text: Text, steps: Steps, recitals: Span[]) {
    this.#text = text;
    this.#recitals = recitals;
    this.#unheld = unheldIn(text.tokens, text.text, text.phraseAt, steps);
  }

  /** @param atoms what was read before */
  at(i: number, atoms: readonly Atom[]): Told | null {
    const { tokens, phraseAt } = this.#text;
    const asked = this.#unheld.get(i);
    if (asked !== undefined) return { length: asked.length, meaning: { kind: 'UNHELD', value: asked.kind } };
    if (i === this.#recited || i === 0 || endsSentence(tokens, i - 1)) {
      const length = recitalAt(tokens, i, phraseAt);
      if (length > 0) {
        this.#recitals.push({ start: tokens[i]!.start, end: tokens[i + length - 1]!.end });
        this.#recited = i + length;
        return { length, meaning: null };
      }
    }
    const principal = principalAt(tokens, i, phraseAt);
    if (principal !== null) {
      if (principal.role !== null) this.#roles.add(principal.role);
      return { length: principal.length, meaning: principal.needs ? { kind: 'VERB', value: 'buy' } : null };
    }
    const approved = atoms.at(-1)?.kind === 'APPROVAL' ? ownApproval(tokens, i, this.#roles) : 0;
    if (approved > 0) return { length: approved, meaning: { kind: 'ME', value: '' } };
    const beneficiary = beneficiaryAt(tokens, i);
    return beneficiary > 0 ? { length: beneficiary, meaning: null } : null;
  }
}
