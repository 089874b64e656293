import { CATEGORIES } from '../../agents/categories.ts';
import { categoryName, chainInSentence, shortened } from '../html/components.ts';
import { SAYINGS } from '../words/record-sentences.ts';
import { checkName, reasonWords } from './check-names.ts';

/** An id that stands alone: not a part of a longer one, such as a handle. */
const CATEGORY = new RegExp(`(?<![\\w-])(?:${CATEGORIES.join('|')})(?![\\w-])`, 'g');

/**
 * A sentence out of a record as a page shows it: chains, lists, categories and reviewers by what people call them, amounts
 * as amounts, long codes cut. What it does not know stays as it is.
 */
export function inPlainWords(sentence: string): string {
  const said = SAYINGS.reduce(
    (words, [found, as]) => (typeof as === 'string' ? words.replace(found, as) : words.replace(found, as)),
    shortened(sentence),
  );
  return chainInSentence(said).replace(CATEGORY, (id) => categoryName(id).toLowerCase());
}

/** A reason in plain words: the check that it is of by its name, and what was found. */
export function plainReason(reason: string): string {
  return inPlainWords(reasonWords(reason));
}

/** Names of checks where a sentence lists them by their ids. */
export function namedChecks(ids: readonly string[]): string {
  return ids.map((id) => checkName(id).name).join(', ');
}
