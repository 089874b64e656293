import { badField } from '../errors.ts';
import { readAtoms } from './atoms.ts';
import { parse } from './grammar.ts';
import { suspectInjection } from './injection.ts';
import { askAboutLeftovers } from './leftovers.ts';
import { oneQuestion } from './one-question.ts';
import { resolve } from './resolve.ts';
import type { MandateReading, Question } from './schema.ts';
import { MAX_MANDATE_CHARACTERS, screenCharacters } from './screening.ts';
import { tokenize } from './tokens.ts';

/**
 * Reads a mandate in plain English into its structure, or answers with the question it leaves open. Pure and
 * deterministic; relative dates count from `ref`. Every token is consumed by a rule or by the closed list of
 * fillers: what is left over refuses the mandate, so nothing that was written is ever ignored.
 *
 * @param ref the moment the mandate is read, ISO 8601
 * @throws AppError bad-request when `ref` is not a date
 */
export function readMandate(text: string, ref: string): MandateReading {
  const refMs = Date.parse(ref);
  if (Number.isNaN(refMs)) throw badField('ref', 'must be a date and time such as 2026-12-01T00:00:00Z');
  if (text.length > MAX_MANDATE_CHARACTERS)
    return refuse({
      reason: 'NOT_UNDERSTOOD',
      question: `The mandate is longer than ${MAX_MANDATE_CHARACTERS} characters. Can you state it more briefly?`,
    });
  if (text.trim() === '')
    return refuse({ reason: 'NOT_UNDERSTOOD', question: 'The mandate is empty. What may the agent do?' });
  const suspect = suspectInjection(text) ?? screenCharacters(text);
  if (suspect !== null) return refuse(suspect);
  const atoms = readAtoms(tokenize(text), text, refMs);
  const { facts, left } = parse(atoms);
  const leftovers = askAboutLeftovers(atoms, left, text, facts);
  const { mandate, questions } = resolve(
    [...facts, ...leftovers.map((q) => ({ fact: 'ask', ...q }) as const)],
    refMs,
  );
  if (mandate !== null && questions.length === 0) return { decision: 'ACCEPT', mandate };
  return refuse(oneQuestion(questions, atoms, text));
}

function refuse(question: Question): MandateReading {
  return { decision: 'REFUSE', questions: [question] };
}
