import { PREMISES, PURPOSES, QUALITIES, TRADES } from './lexicon/people-words.ts';
import type { Token } from './tokens.ts';

/** How many words a purpose may have. */
const LONGEST = 16;

const OWNED = new Set([
  'a',
  'an',
  'the',
  'my',
  'our',
  'his',
  'her',
  'their',
  'this',
  'some',
  'of',
  'and',
  'friend',
  'friends',
  'me',
  'us',
  'myself',
]);

const MORE = new Set(['that', 'who', 'which', 'whose', 'whom', 'to', 'when', 'if', 'once', 'unless']);

/** How many words "for my daughter's birthday party" takes; 0 where nothing of the kind stands. */
export function purposeAt(tokens: readonly Token[], at: number): number {
  if (tokens[at]?.key !== 'for') return 0;
  let end = at + 1;
  let named = 0;
  while (end < at + LONGEST) {
    const key = tokens[end]?.key ?? '';
    if (PURPOSES.has(key) || PREMISES.has(key)) named = end + 1 - at;
    else if (!OWNED.has(key) && !QUALITIES.has(key) && !TRADES.has(key)) break;
    end++;
  }
  // "For a friend that pays first", "for my wife to see": more than whom it is for.
  return MORE.has(tokens[at + named]?.key ?? '') ? 0 : named;
}
