import type { Known } from './lexicon/lexicon.ts';
import { readNumber } from './numbers.ts';
import type { Token } from './tokens.ts';

/**
 * "Buy up to five watches": where a number follows, "up" belongs to the limit and not to the verb. The verb alone, or
 * null anywhere else.
 */
export function verbBeforeLimit(
  tokens: readonly Token[],
  at: number,
  phraseAt: (at: number) => Known | null,
  alone: (keys: readonly string[]) => Known | null,
): Known | null {
  const known = phraseAt(at);
  if (known?.meaning.kind !== 'VERB' || known.length < 2) return null;
  const to = at + known.length;
  if (tokens[to - 1]!.key !== 'up' || tokens[to]?.key !== 'to' || readNumber(tokens, to + 1) === null)
    return null;
  const verb = alone(tokens.slice(at, to - 1).map(({ key }) => key));
  return verb?.meaning.kind === 'VERB' && verb.length === known.length - 1 ? verb : null;
}
