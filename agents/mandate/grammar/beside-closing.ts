import type { Known } from './lexicon/lexicon.ts';
import { ends, known, type Place } from './place.ts';

const CLOSED = [
  ...["and that's it", "and that's all", "and that's that", 'and that is it', 'and that is all'],
  ...["that's it", "that's all", 'that is it', 'that is all', "and that's the lot", "and that's your lot"],
  ...["and then you're done", "and then it's over", 'and then stop', 'and done', 'and finished', 'then stop'],
  ...["and you're done", "and we're done", "then you're done", "then we're done", 'then done'],
  ...[
    'and we stop',
    'and you stop',
    'and it stops',
    'and stop',
    'and then we stop',
    'then we stop',
    'and no more',
  ],
  ...['and no further one', 'and no second one', 'and no second', 'and not another', 'and not one more'],
  ...['and no other', 'and no other one', 'and no further', 'and not a second', 'and never a second'],
].map((words) => words.split(' '));

/** "One deal and that's it": behind a number of deals there are to be no more. */
export function closing({ atoms, tokens, at }: Place): Known | null {
  let last = atoms.length - 1;
  if (atoms[last]?.kind === 'SEP' && [',', '-'].includes(atoms[last]!.value)) last--;
  if (atoms[last]?.kind === 'SCOPE') last--;
  if (atoms[last]?.kind === 'ONLY') last--;
  const deals = atoms[last]?.kind === 'DEAL' && ['NUMBER', 'SINGLE'].includes(atoms[last - 1]?.kind ?? '');
  if (!deals) return null;
  const said = CLOSED.find(
    (words) =>
      words.every((word, i) => tokens[at + i]?.key === wordAs(word)) && ends(tokens[at + words.length]),
  );
  return said === undefined ? null : known('LIMIT', 'no more', said.length);
}

/** A word as tokens have it: the possessive ending is gone. */
function wordAs(word: string): string {
  return word.replace(/'s$/, '');
}
