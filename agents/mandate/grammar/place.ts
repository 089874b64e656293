import type { Atom } from './atom.ts';
import type { Known, Meaning } from './lexicon/lexicon.ts';
import { readNumber } from './numbers.ts';
import { SENTENCE_ENDS } from './sentences.ts';
import type { Token } from './tokens.ts';

/** Where a word stands: its token, what was read before it, and what the lexicon has at a place. */
export interface Place {
  readonly tokens: readonly Token[];
  readonly at: number;
  readonly atoms: readonly Atom[];
  readonly phraseAt: (at: number) => Known | null;
}

export function known(kind: string, value = '', length = 1): Known {
  const meaning: Meaning = { kind, value };
  return { meaning, length };
}

/** True where an amount of money begins. */
export function amountAt({ tokens, phraseAt }: Place, at: number): boolean {
  if (phraseAt(at)?.meaning.kind === 'CURRENCY') return true;
  const number = readNumber(tokens, at);
  return number !== null && phraseAt(at + number.length)?.meaning.kind === 'CURRENCY';
}

/** True where a clause ends. */
export function ends(token: Token | undefined): boolean {
  return token === undefined || [...SENTENCE_ENDS, ',', ')', '-', 'and', 'but'].includes(token.key);
}

/** True where a sentence begins. */
export function begins(atoms: readonly Atom[]): boolean {
  const before = atoms.at(-1);
  return (
    before === undefined || (before.kind === 'SEP' && [...SENTENCE_ENDS, ':', '-'].includes(before.value))
  );
}
