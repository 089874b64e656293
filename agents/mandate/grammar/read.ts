import { badField } from '../../errors.ts';
import { suspectInjection } from '../screening/injection.ts';
import { otherLanguage } from '../screening/other-language.ts';
import { MAX_MANDATE_CHARACTERS, screenCharacters } from '../screening/screening.ts';
import type { Mandate, MandateReading, Question } from '../terms/schema.ts';
import type { Atom } from './atom.ts';
import { readAtoms } from './atoms.ts';
import type { Fact } from './facts.ts';
import { parse } from './grammar.ts';
import { askAboutLeftovers } from './leftovers.ts';
import { onesNamed } from './one-only.ts';
import { oneQuestion, type Span } from './one-question.ts';
import { resolve } from './resolve.ts';
import { REWORDING_STEPS, withRewording } from './rewording.ts';
import { Steps, TooHard } from './steps.ts';
import { tokenize } from './tokens.ts';

/**
 * Reads a mandate in plain English into its structure, or returns the question that it leaves open. It is pure and
 * deterministic; relative dates count from `ref`. Every token is consumed by a rule or is on the closed list of
 * fillers, and any leftover refuses the mandate, so nothing in the text is ever ignored. A text that takes more steps
 * than its length allows is refused as TOO_HARD, without a reading of any part.
 *
 * @param ref when the mandate is read, ISO 8601
 * @param steps counts the work; when left out, the text's own budget applies
 * @throws AppError bad-request when `ref` is not a date
 */
export function readMandate(text: string, ref: string, steps: Steps = Steps.for(text)): MandateReading {
  const refMs = Date.parse(ref);
  if (Number.isNaN(refMs)) throw badField('ref', 'must be a date and time such as 2026-12-01T00:00:00Z');
  if (text.length > MAX_MANDATE_CHARACTERS)
    return refuse({
      reason: 'NOT_UNDERSTOOD',
      question: `The mandate is longer than ${MAX_MANDATE_CHARACTERS} characters. Can you state it more briefly?`,
    });
  if (text.trim() === '')
    return refuse({ reason: 'NOT_UNDERSTOOD', question: 'The mandate is empty. What may the agent do?' });
  try {
    return readWithin(text, refMs, steps);
  } catch (error) {
    if (!(error instanceof TooHard)) throw error;
    return refuse({
      reason: 'TOO_HARD',
      question: 'The text takes too long to read. Can you state the mandate in a few plain sentences?',
    });
  }
}

/** @throws TooHard when the budget of `steps` is exceeded */
function readWithin(text: string, refMs: number, steps: Steps): MandateReading {
  const suspect =
    suspectInjection(text, steps) ?? otherLanguage(text, steps) ?? screenCharacters(text, steps);
  if (suspect !== null) return refuse(suspect);
  const recitals: Span[] = [];
  const atoms = readAtoms(tokenize(text, steps), text, refMs, steps, recitals);
  const { facts, left } = parse(atoms, steps);
  const leftovers = askAboutLeftovers(atoms, left, text, facts, steps);
  const { mandate, questions } = resolve(
    [...facts, ...onesNamed(atoms), ...leftovers.map((q) => ({ fact: 'ask', ...q }) as const)],
    refMs,
    steps,
  );
  // Goods that only a recital names are not what may be traded, and without any the mandate would allow all.
  const [recital] = recitals;
  if (mandate !== null && recital !== undefined && unnamed(mandate, facts))
    return refuse({
      reason: 'NOT_UNDERSTOOD',
      question: `Which goods may the agent trade? "${text.slice(recital.start, recital.end)}" is taken for the reason, and names none.`,
    });
  const item = mandate !== null && unnamed(mandate, facts) ? itemBought(atoms, text) : null;
  if (item !== null)
    return refuse({
      reason: 'NOT_UNDERSTOOD',
      question: `Which category of goods is meant by "${item}"? Without one the agent might trade anything.`,
    });
  if (mandate !== null && questions.length === 0) return { decision: 'ACCEPT', mandate };
  const asked = oneQuestion(questions, atoms, text, steps);
  steps.take(REWORDING_STEPS * (atoms.length + leftovers.length));
  const said = facts.filter(({ fact }) => fact !== 'ask');
  const rest = said.length === facts.length ? resolve(said, refMs, steps).mandate : null;
  return refuse(withRewording(asked, leftovers, atoms, text, rest));
}

/** True where nothing says what is traded, and not that it may be anything. */
function unnamed(mandate: Mandate, facts: readonly Fact[]): boolean {
  return mandate.categories_allow === undefined && !facts.some(({ fact }) => fact === 'anything');
}

/**
 * "Buy licences", "buy a card", "buy copies", "goods: a bot", "a pack below market": a noun of no category behind its
 * verb, its label or an article, which may be among the words that say nothing elsewhere; null where none stands.
 */
function itemBought(atoms: readonly Atom[], text: string): string | null {
  for (const [at, { kind, value }] of atoms.entries()) {
    const opens = at === 0 || atoms[at - 1]!.kind === 'SEP';
    if (kind === 'ART' && opens) {
      const [named] = WORDS.exec(text.slice(atoms[at]!.end, atoms[at + 1]?.start)) ?? [];
      if (named !== undefined) return named;
      if (atoms[at + 1]?.kind === 'ITEM') return atoms[at + 1]!.text;
    }
    const label = kind === 'SEP' && value === ':' && atoms[at - 1]?.kind === 'GEN';
    if ((kind !== 'VERB' || value === 'spend') && !label) continue;
    let next = at + 1;
    while (['ART', 'MODIFIER', 'PER', 'SINGLE'].includes(atoms[next]?.kind ?? '')) next++;
    const thing = atoms[next];
    if (thing?.kind === 'ITEM' || (thing?.kind === 'DEAL' && NARROW.test(thing.text))) return thing.text;
    const [dropped] = WORDS.exec(text.slice(atoms[next - 1]!.end, thing?.start)) ?? [];
    if (dropped !== undefined && !['ANY', 'GEN', 'DEAL'].includes(thing?.kind ?? '')) return dropped;
  }
  return null;
}

/** From the first word to the last. */
const WORDS = /\w(?:.*\w)?/s;

/** "Buy copies", where "buy lots" are any. */
const NARROW = /^(?:pairs?|cop(?:y|ies)|pieces?|bookings?)$/i;

function refuse(question: Question): MandateReading {
  return { decision: 'REFUSE', questions: [question] };
}
