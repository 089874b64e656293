import { Steps } from '../grammar/steps.ts';
import type { Question } from '../terms/schema.ts';

export const MAX_MANDATE_CHARACTERS = 4000;

/** Control, format and other characters that show nothing. White space and the selector of an emoji are harmless. */
const INVISIBLE = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Looks at the characters alone, before anything is read: text that shows something else than it says (invisible
 * or direction-turning characters, letters of several alphabets, digits that are not 0 to 9) is not read at all.
 */
export function screenCharacters(text: string, steps: Steps = Steps.for(text)): Question | null {
  // Each look is at one character and what stands next to it.
  steps.take(2 * text.length);
  if (INVISIBLE.test(text.replace(/(\p{Extended_Pictographic})\ufe0f/gu, '$1')))
    return {
      reason: 'INJECTION_SUSPECTED',
      question:
        'The text holds invisible or direction-changing characters. Please type the mandate again as plain text.',
    };
  const odd = oddWord(text);
  if (odd === null) return null;
  const amount = /\d/.test(odd.amount ?? '')
    ? `The amount '${odd.amount}' has a letter in it and the`
    : 'The';
  return {
    reason: 'UNREADABLE_AMOUNT',
    question: `${amount} text mixes alphabets in '${odd.word}'. ${odd.amount === null ? 'Please type it again in plain letters and digits.' : 'What is the cap?'}`,
  };
}

function oddWord(text: string): { word: string; amount: string | null } | null {
  const latin = /[A-Za-z]/.test(text);
  const odd = text
    .split(/\s+/)
    .find(
      (word) =>
        (latin && /(?!\p{Script=Latin})\p{L}/u.test(word)) ||
        /(?![0-9])\p{N}/u.test(word) ||
        styled(word) ||
        /\p{M}/u.test(word),
    );
  if (odd === undefined) return null;
  return {
    word: odd,
    amount:
      text
        .replace(/0x[0-9a-fA-F]+/g, '')
        .match(/\w+/g)
        ?.find((word) => /\d/.test(word) && /[oOlISB]/.test(word)) ?? null,
  };
}

/** Full-width and mathematical letters look like plain ones and are not. */
function styled(word: string): boolean {
  return (
    /\p{Script=Latin}|\p{L}/u.test(word) &&
    /[\uff01-\uff5e\u{1d400}-\u{1d7ff}\u2100-\u214f\u{1f100}-\u{1f1ff}]/u.test(word)
  );
}
