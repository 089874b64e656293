import type { Atom } from './atom.ts';
import { careful, permitted } from './beside-names.ts';
import type { Known } from './lexicon/lexicon.ts';
import { amountAt, begins, ends, known, type Place } from './place.ts';
import type { Token } from './tokens.ts';

/** "Run it past me", where "past 75 USDC" is an amount. */
function pastOwner(place: Place): Known | null {
  const { tokens, at, phraseAt } = place;
  const owner = ['me', 'us'].includes(tokens[at + 1]?.key ?? '');
  const next = phraseAt(at + 2);
  // "Run everything past me over 100 USDC", "… if it's over 100 USDC".
  const above = next?.meaning.kind === 'ABOVE' && amountAt(place, at + 2 + next.length);
  const asked = ['ME', 'COND'].includes(next?.meaning.kind ?? '');
  return owner && (ends(tokens[at + 2]) || asked || above) ? known('PREP', 'by') : null;
}

/** "500 USDC cap each deal": a limit behind its amount, where "cap each deal at 500 USDC" sets one. */
function capBehind({ tokens, at, atoms, phraseAt }: Place): Known | null {
  const thing = ['DEAL', 'UNIT', 'ITEM'].includes(phraseAt(at + 2)?.meaning.kind ?? '');
  const said = atoms.at(-1)?.kind === 'MONEY' && tokens[at + 1]?.key === 'each';
  return said && thing && ends(tokens[at + 2 + phraseAt(at + 2)!.length]) ? known('CAP') : null;
}

/** "Bid at most five times": bids are no deals. */
const BIDS = /^(?:bids?|bidding|offers?|offering|pay|spend|ask)\b/i;

/** "Five times in total", "at most five times a day": so many deals, where "five times the price" is a multiple. */
function timesCounted({ tokens, at, atoms, phraseAt }: Place): Known | null {
  const [number, led] = [atoms.at(-1), atoms.at(-2)];
  if (atoms.slice(-5).some(({ text }) => BIDS.test(text))) return null;
  const deed = led?.kind === 'LIMIT' ? atoms.at(-3) : led;
  if (number?.kind !== 'NUMBER' || ['MONEY', 'VERB', 'PREP'].includes(deed?.kind ?? '')) return null;
  const next = phraseAt(at + 1);
  const scoped = next?.meaning.kind === 'SCOPE' && ends(tokens[at + 1 + next.length]);
  const period =
    ['ART', 'PER'].includes(next?.meaning.kind ?? '') &&
    phraseAt(at + 2)?.meaning.kind === 'UNIT' &&
    ends(tokens[at + 3]);
  const limited = led?.kind === 'LIMIT' && ends(tokens[at + 1]);
  return scoped || period || limited ? known('DEAL', 'deal') : null;
}

/** "Just don't go over 20 USDC": in front of what is forbidden the word says no more. */
function justForbids({ at, atoms, phraseAt }: Place): Known | null {
  const next = phraseAt(at + 1)?.meaning.kind ?? '';
  return opens(atoms) && ['NEG', 'DENY'].includes(next) ? known('FILL') : null;
}

/** "It may not act before 15 March": the deed of which the date is said. */
function actsWhen({ tokens, at, atoms }: Place): Known | null {
  const when = ['before', 'after', 'prior', 'until'].includes(tokens[at + 1]?.key ?? '');
  return atoms.at(-1)?.kind === 'NEG' && when ? known('FILL') : null;
}

/** "I must sign off on anything dearer than 100 USDC", where "sign off on 31 March" is an end. */
function signsOff({ tokens, at, atoms, phraseAt }: Place): Known | null {
  const owner = OWNERS.test(atoms.at(-1)?.text ?? '') || wantsTo(tokens, at);
  const off = tokens[at + 1]?.key === 'off' && tokens[at + 2]?.key === 'on';
  const kind = phraseAt(at + 3)?.meaning.kind ?? '';
  // "Sign off on the 15th of March 2027".
  const thing =
    kind === 'ART' ? phraseAt(at + 4)?.meaning.kind === 'DEAL' : ['ANY', 'DEAL', 'PER'].includes(kind);
  return owner && off && thing ? known('APPROVAL', '', 3) : null;
}

const OWNERS = /^(?:i|we) (?:must|have to|need to|want to)$/i;

/** "I want to", at the start of a clause: elsewhere it may be a condition, or denied. */
function wantsTo(tokens: readonly Token[], at: number): boolean {
  const [who, wants, to] = [3, 2, 1].map((back) => tokens[at - back]?.key ?? '');
  const owner =
    (/^(?:i|we)$/.test(who!) && wants === 'want') || (/^(?:i|we)'d$/.test(who!) && wants === 'like');
  return owner && to === 'to' && ends(tokens[at - 4]);
}

/** "Hit me up before dropping more than 60 USDC on one thing": spending, where a price is dropped by an amount. */
function spendsBefore(place: Place): Known | null {
  const { tokens, at, atoms, phraseAt } = place;
  const above = phraseAt(at + 1);
  if (atoms.at(-1)?.kind !== 'BEFORE' || above?.meaning.kind !== 'ABOVE') return null;
  const amount = at + 1 + above.length;
  if (!amountAt(place, amount)) return null;
  const on = tokens.slice(amount, amount + AMOUNT_TOKENS).some(({ key }) => key === 'on');
  return on ? known('FILL') : null;
}

/** "Is the only one we deal with on Base": elsewhere there may be others, and nothing holds that. */
function onlyOne({ tokens, at, phraseAt }: Place): Known | null {
  const said = phraseAt(at);
  if (said?.meaning.kind !== 'ONLY' || tokens[at + said.length - 1]!.key !== 'with') return null;
  return ends(tokens[at + said.length]) ? null : known('UNKNOWN', 'only', said.length);
}

/** An amount such as "five thousand dollars" has at most so many tokens, with the word behind it. */
const AMOUNT_TOKENS = 6;

/** "Active 2027-02-01 through 2027-11-30": the dates say from when and until when. */
function activeFrom({ tokens, at, atoms }: Place): Known | null {
  return begins(atoms) && tokens[at + 1]?.kind === 'date' ? known('FILL') : null;
}

function opens(atoms: readonly Atom[]): boolean {
  return atoms.length === 0 || atoms.at(-1)!.kind === 'SEP';
}

/** "Don't close more than forty", "don't close the deal", where "closes on 31 March" is an end. */
export function closesDeal({ at, atoms, phraseAt }: Place): Known | null {
  const next = phraseAt(at + 1)?.meaning.kind ?? '';
  return atoms.at(-1)?.kind === 'NEG' && ['ABOVE', 'DEAL', 'ART'].includes(next) ? known('KEEP') : null;
}

/** "It can't ever be above 400 USDC": of what was spoken of just before. */
export function itsLimit(place: Place): Known | null {
  const { tokens, at, phraseAt } = place;
  if (!MAY_NOT.has(tokens[at + 1]?.key ?? '')) return null;
  let next = at + 2;
  if (MAY.test(tokens[at + 1]!.key) && ['not', 'never'].includes(tokens[next]?.key ?? '')) next++;
  else if (MAY.test(tokens[at + 1]!.key)) return null;
  if (tokens[next]?.key === 'ever') next++;
  if (tokens[next]?.key === 'be') next++;
  const above = phraseAt(next);
  return above?.meaning.kind === 'ABOVE' && amountAt(place, next + above.length)
    ? known('NEG', 'it', next - at)
    : null;
}

const MAY = /^(?:can|may|must|should)$/;
const MAY_NOT = new Set(["can't", 'cannot', "mustn't", "shouldn't", 'can', 'may', 'must', 'should']);

/** The words whose meaning depends so on what stands beside them. */
export const SPOKEN: readonly (readonly [string, (place: Place) => Known | null])[] = [
  ['past', pastOwner],
  ['cap', capBehind],
  ['times', timesCounted],
  ['just', justForbids],
  ['act', actsWhen],
  ['operate', actsWhen],
  ['is', (place) => onlyOne(place) ?? permitted(place)],
  ['are', (place) => onlyOne(place) ?? permitted(place)],
  ['sign', signsOff],
  ['dropping', spendsBefore],
  ['active', activeFrom],
  ...['be', 'take', 'please'].map((word) => [word, careful] as const),
];
