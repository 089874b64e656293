import { UNLISTED } from './facts.ts';
import type { Known } from './lexicon/lexicon.ts';
import { known, type Place } from './place.ts';

const DETERMINERS = new Set('the my our your its their his her this that these those'.split(' '));
const MODALS = new Set('may can could should shall will would must might let'.split(' '));
/** Behind these an agent is no addressee, and does nothing. */
const TAKING_NOUNS = new Set('VERB ONLY NEG DENY EXCEPT MODIFIER ANY PER SINGLE NUMBER ART'.split(' '));
const OTHERS = /^(?:from|with)$/i;

/**
 * "Buy agents", "anything but agents", "only from agents": agents are goods and counterparties as well, and what is asked
 * about is no filler. "The agent may buy …" is said of the agent itself.
 */
export function agentNamed({ tokens, at, atoms, phraseAt }: Place): Known | null {
  let from = at;
  while (DETERMINERS.has(tokens[from - 1]?.key ?? '')) from--;
  const acts = MODALS.has(tokens[at + 1]?.key ?? '') || phraseAt(at + 1)?.meaning.kind === 'VERB';
  if (acts || MODALS.has(tokens[from - 1]?.key ?? '')) return null;
  const [before, ahead] = [atoms.at(-1), atoms.at(-2)];
  const called = before?.kind === 'VERB' && from === at && /ing$/i.test(before.text);
  const noun =
    tokens[at]!.key === 'agents' ||
    (TAKING_NOUNS.has(before?.kind ?? '') && !called) ||
    (before?.kind === 'PREP' && OTHERS.test(before.text)) ||
    (before?.text.toLowerCase() === 'but' && ['ANY', 'NEG', 'GEN'].includes(ahead?.kind ?? ''));
  return noun ? known('CATEGORY', UNLISTED) : null;
}
