import type { Atom } from './atom.ts';
import { UNLISTED } from './facts.ts';
import type { Known } from './lexicon/lexicon.ts';
import { known, type Place } from './place.ts';

const DETERMINERS = new Set('the my our your its their his her this that these those'.split(' '));
const MODALS = new Set('may can could should shall will would must might let'.split(' '));
/** Behind these an agent is no addressee, and does nothing. */
const TAKING_NOUNS = new Set('VERB ONLY NEG DENY EXCEPT MODIFIER ANY PER'.split(' '));
const COUNTING = new Set('ART NUMBER SINGLE'.split(' '));
/** What stands between a verb and the last of its goods. */
const LISTED = new Set('CATEGORY MODIFIER ITEM ART NUMBER SINGLE PER OR SEP'.split(' '));
/** How many atoms back the verb of a list may stand. */
const FARTHEST = 32;
/** "An agent that is allowed to buy", "an agent, buy". */
const LINKS = new Set('to that which who is are allowed permitted for , :'.split(' '));
const OTHERS = /^(?:from|with)$/i;
/** "No deals with my agent", where "buy wine with my agent" tells through whom. */
const DEALT = new Set('ONLY DEAL NEG DENY EXCEPT KEEP SEP'.split(' '));

/**
 * "Buy agents", "anything but agents", "only from agents": agents are goods and counterparties as well, and what is asked
 * about is no filler. "The agent may buy …" is said of the agent itself.
 */
export function agentNamed(place: Place): Known | null {
  const { tokens, at, atoms, phraseAt } = place;
  let from = at;
  while (DETERMINERS.has(tokens[from - 1]?.key ?? '')) from--;
  const acts = MODALS.has(tokens[at + 1]?.key ?? '') || phraseAt(at + 1)?.meaning.kind === 'VERB';
  if (acts || MODALS.has(tokens[from - 1]?.key ?? '')) return null;
  const [before, ahead] = [atoms.at(-1), atoms.at(-2)];
  if (tokens[at]!.key === 'agent') {
    if (COUNTING.has(before?.kind ?? '')) return addressed(place) ? null : known('CATEGORY', UNLISTED);
    if (before?.kind === 'PREP' && /^with$/i.test(before.text) && from < at && through(atoms)) return null;
  }
  const called = before?.kind === 'VERB' && from === at && /ing$/i.test(before.text);
  const noun =
    tokens[at]!.key === 'agents' ||
    (TAKING_NOUNS.has(before?.kind ?? '') && !called) ||
    (before?.kind === 'PREP' && OTHERS.test(before.text)) ||
    (before?.text.toLowerCase() === 'but' && ['ANY', 'NEG', 'GEN'].includes(ahead?.kind ?? ''));
  return noun ? known('CATEGORY', UNLISTED) : null;
}

/** "You are an agent", "as an agent", "make an agent that buys": where no verb, refusal or label takes it for goods. */
function addressed({ tokens, at, atoms, phraseAt }: Place): boolean {
  let to = atoms.length - 1;
  while (COUNTING.has(atoms[to]?.kind ?? '')) to--;
  const opener = atoms[to];
  let next = at + 1;
  while (LINKS.has(tokens[next]?.key ?? '')) next++;
  if (opener?.kind === 'KEEP') return phraseAt(next)?.meaning.kind === 'VERB';
  if (opener?.kind === 'PREP') return /^as$/i.test(opener.text);
  return opener === undefined || (opener.kind === 'SEP' && !listed(atoms, to));
}

/** "Buy cars and an agent", "goods: an agent". */
function listed(atoms: readonly Atom[], to: number): boolean {
  for (let at = to; at >= 0 && at > to - FARTHEST; at--) {
    const { kind, value } = atoms[at]!;
    if (kind === 'SEP' && ['.', ';', '!'].includes(value)) return false;
    if (!LISTED.has(kind)) return true;
  }
  return false;
}

function through(atoms: readonly Atom[]): boolean {
  const verb = atoms.slice(-FARTHEST).findLast(({ kind }) => kind === 'VERB');
  return !DEALT.has(atoms.at(-2)?.kind ?? 'SEP') && verb?.value !== 'both';
}
