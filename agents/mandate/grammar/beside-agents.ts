import type { Atom } from './atom.ts';
import { UNLISTED } from './facts.ts';
import type { Known } from './lexicon/lexicon.ts';
import { known, type Place } from './place.ts';
import { endsSentence, isFullStop, SENTENCE_ENDS } from './sentences.ts';

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
/** "An agent for wine". */
const GOODS = new Set('CATEGORY MODIFIER ITEM'.split(' '));
/** "Agent on Base": what is said of goods. */
const PLACED = new Set('from on in at with below'.split(' '));
const TOO = new Set('too also fine ok okay welcome'.split(' '));
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
    if (offered(place)) return known('CATEGORY', UNLISTED);
  }
  const called = before?.kind === 'VERB' && from === at && /ing$/i.test(before.text);
  const noun =
    tokens[at]!.key === 'agents' ||
    (TAKING_NOUNS.has(before?.kind ?? '') && !called) ||
    (before?.kind === 'PREP' && OTHERS.test(before.text)) ||
    (before?.text.toLowerCase() === 'but' && ['ANY', 'NEG', 'GEN'].includes(ahead?.kind ?? ''));
  return noun ? known('CATEGORY', UNLISTED) : null;
}

/**
 * "You are an agent", "as an agent", "make an agent that buys": where no verb, refusal or label takes it for goods. By
 * itself an agent is goods, "an agent below market", unless what it is to do is said of it.
 */
function addressed({ tokens, at, atoms, phraseAt }: Place): boolean {
  let to = atoms.length - 1;
  while (COUNTING.has(atoms[to]?.kind ?? '')) to--;
  const opener = atoms[to];
  let next = at + 1;
  while (LINKS.has(tokens[next]?.key ?? '')) next++;
  const then = phraseAt(next)?.meaning.kind ?? '';
  if (opener?.kind === 'KEEP') return then === 'VERB';
  if (opener?.kind === 'PREP') return /^as$/i.test(opener.text);
  if (opener !== undefined && (opener.kind !== 'SEP' || listed(atoms, to))) return false;
  const [first, mark] = [tokens[at + 1]?.key, tokens[next - 1]!.key];
  if (first === 'mandate' || /^(?:are|you're|i'm|am)$/.test(tokens[at - 2]?.key ?? '')) return true;
  // "Wine; an agent, buy art" may list it.
  if (mark === ',' && opener !== undefined) return false;
  return next > at + 1 && (then === 'VERB' || (first === 'for' && mark === 'for' && GOODS.has(then)));
}

/** "Agent from alice.eth", "wine and the agent": it takes the place of goods, and nothing is said to it. */
function offered({ tokens, at, atoms, phraseAt }: Place): boolean {
  const before = atoms.at(-1);
  if (before !== undefined && before.kind !== 'SEP') return false;
  const next = tokens[at + 1]?.key ?? '.';
  const then = phraseAt(at + 1)?.meaning.kind ?? '';
  if (PLACED.has(next) || ['UNDER', 'MARKET', 'MONEY'].includes(then)) return !actsThen(tokens, at, phraseAt);
  if (before === undefined || [',', ':', '-', '(', ')', '!'].includes(before.value)) return false;
  const listed = !isFullStop(before) && [',', 'and', 'or', ')'].includes(next);
  const too = next === 'is' ? (tokens[at + 2]?.key ?? '') : next;
  return listed || SENTENCE_ENDS.includes(next) || TOO.has(too);
}

/** "The agent on Base may buy", "the agent in no case deals with": what it does is said in the same clause. */
function actsThen(tokens: Place['tokens'], at: number, phraseAt: Place['phraseAt']): boolean {
  for (let next = at + 1; next < Math.min(at + FARTHEST, tokens.length); ) {
    const { key } = tokens[next]!;
    if (CLAUSE_ENDS.has(key)) return false;
    const said = phraseAt(next);
    if (said?.meaning.kind === 'VERB') return true;
    const before = tokens[next - 1]!;
    if (DEALS.has(key) && before.kind === 'word' && !COUNTERS.has(before.key)) return true;
    next += said?.length ?? 1;
  }
  return false;
}

const CLAUSE_ENDS = new Set([...SENTENCE_ENDS, ',', ':', ')']);
const DEALS = new Set('deals trades transacts interacts'.split(' '));
/** In front of these deals are counted. */
const COUNTERS = new Set(
  'a an the per no any all each every some one two three four five more of'.split(' '),
);

/** "Buy cars and an agent", "goods: an agent". */
function listed(atoms: readonly Atom[], to: number): boolean {
  for (let at = to; at >= 0 && at > to - FARTHEST; at--) {
    if (endsSentence(atoms[at]!)) return false;
    if (!LISTED.has(atoms[at]!.kind)) return true;
  }
  return false;
}

function through(atoms: readonly Atom[]): boolean {
  const verb = atoms.slice(-FARTHEST).findLast(({ kind }) => kind === 'VERB');
  return !DEALT.has(atoms.at(-2)?.kind ?? 'SEP') && verb?.value !== 'both';
}
