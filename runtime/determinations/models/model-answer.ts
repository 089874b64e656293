import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ModelAnswers } from './reasoner.ts';

/** The answer that a model must give, as the JSON Schema that is sent with the question and checked afterwards. */
export const ModelAnswer = Type.Object(
  {
    nonce: Type.String({ description: 'the nonce of the question, unchanged' }),
    vote: Type.Enum(['CLEAN', 'FLAGGED', 'INCONCLUSIVE']),
    grounds: Type.Array(
      Type.Object(
        {
          pointer: Type.String({
            description: 'JSON Pointer (RFC 6901) into the evidence, such as /facts/chains/0',
          }),
          says: Type.String({ description: 'one sentence' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
type ModelAnswer = Static<typeof ModelAnswer>;

const MOST_GROUNDS = 12;
const MOST_CHARACTERS = 300;

/**
 * Checks a model's text: its form, its nonce, and that its grounds point into the evidence.
 * @returns the vote and its reasons, or why the answer does not count
 */
export function readAnswer(
  text: string,
  nonce: string,
  modelAnswers: ModelAnswers,
):
  | { readonly vote: ModelAnswer['vote']; readonly reasons: readonly string[] }
  | { readonly silence: string } {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return { silence: 'its answer is no JSON' };
  }
  if (!Value.Check(ModelAnswer, answer)) return { silence: 'its answer has not the form that was asked for' };
  if (answer.nonce !== nonce) return { silence: 'it answered another question' };
  const grounds = answer.grounds.filter((g) => standsIn(modelAnswers, g.pointer));
  if (answer.vote !== 'CLEAN' && grounds.length === 0)
    return { silence: `it said ${answer.vote} on grounds that do not stand in the evidence` };
  return {
    vote: answer.vote,
    reasons: grounds.slice(0, MOST_GROUNDS).map((g) => `${g.pointer}: ${oneLine(g.says)}`),
  };
}

/** Prepares the model's words for a public record: one line, bounded, without invisible characters. */
function oneLine(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS);
}

/** Whether a JSON Pointer (RFC 6901) points into the evidence. */
function standsIn(modelAnswers: ModelAnswers, pointer: string): boolean {
  if (!pointer.startsWith('/')) return false;
  let held: unknown = modelAnswers;
  for (const step of pointer.slice(1).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof held !== 'object' || held === null || !Object.hasOwn(held, key)) return false;
    held = (held as Record<string, unknown>)[key];
  }
  return true;
}
