import type { Atom } from './atom.ts';
import { isName, isRefusing, NAMING } from './atom-kinds.ts';
import type { Known } from './lexicon/lexicon.ts';
import { known, type Place } from './place.ts';
import { endsSentence, isFullStop, lastSentence } from './sentences.ts';

const NOUNS = ['GEN', 'DEAL', 'ITEM', 'CHAINWORD', 'PARTYWORD'];
const PERMITS =
  /^(?:(?:is|are) )?(?:fine|ok|okay|alright|all right|welcome|good to go|will do|you may|you can)(?: (?:by|with) (?:me|us))?$/;
/** What may go on with what is done. */
const GOING_ON = /(?:do|may|can)$/;
/** How many words, or atoms, away a refusal still stands beside. */
const NEAR = 12;

/**
 * "Never on Base, Solana is fine": behind a name, and beside the refusal of another one, the words permit. Elsewhere they
 * say nothing.
 */
export function permitted(place: Place): Known | null {
  const { tokens, at, atoms, phraseAt } = place;
  const said = phraseAt(at);
  if (said === null || !['FILL', 'KEEP', 'MODIFIER', 'APPROVAL'].includes(said.meaning.kind)) return null;
  const words = tokens.slice(at, at + said.length).map(({ key }) => key);
  const name = NOUNS.includes(atoms.at(-1)?.kind ?? '') ? atoms.at(-2) : atoms.at(-1);
  const named = name !== undefined && isName(name);
  if (!named || !PERMITS.test(words.join(' '))) return null;
  // "y.eth will do the buying" permits nothing.
  const next = tokens[at + said.length];
  if (
    GOING_ON.test(words.join(' ')) &&
    next !== undefined &&
    !/^(?:\W|and|or|but|nor|by|with|for)/.test(next.key)
  )
    return null;
  return refusedBefore(place, name.kind) || refusedAfter(place, at + said.length, name.kind)
    ? known('ALLOWED', '', said.length)
    : null;
}

function refusedBefore({ atoms }: Place, kind: string): boolean {
  const near = atoms.slice(-NEAR);
  const from = near.findLastIndex(isFullStop) + 1;
  const sentence = near.slice(from);
  if (refuses(sentence)) return sentence.filter(isName).length > 1;
  // "No deals on Base. Polygon is okay".
  const before = near.slice(near.slice(0, Math.max(0, from - 1)).findLastIndex(isFullStop) + 1, from);
  return refuses(before) && before.some((atom) => atom.kind === kind);
}

function refuses(sentence: readonly Atom[]): boolean {
  // "Anything but x.eth, y.eth is fine".
  const but = sentence.some(
    (atom, at) => atom.text.toLowerCase() === 'but' && sentence[at - 1]?.kind === 'ANY',
  );
  return but || sentence.some(isRefusing);
}

/** "Never on Base. Nor on Polygon": at the start of a sentence behind one that refuses. */
export function nor({ atoms }: Place): Known | null {
  const signs = atoms.length - 1 - atoms.findLastIndex((atom) => !endsSentence(atom));
  if (signs === 0) return null;
  return refuses(lastSentence(atoms.slice(-NEAR - signs, -signs))) ? known('NEG') : null;
}

/** "Never on Base, always from bob.eth": behind a refusal, and in front of a name, the word permits. */
export function always({ tokens, at, atoms, phraseAt }: Place): Known | null {
  const next = phraseAt(at + 1);
  const token = tokens[at + 2];
  const named = ['name', 'address'].includes(token?.kind ?? '') || phraseAt(at + 2)?.meaning.kind === 'CHAIN';
  if (atoms.at(-1)?.value !== ',' || next?.meaning.kind !== 'PREP' || next.length > 1 || !named) return null;
  return refuses(lastSentence(atoms.slice(-NEAR))) ? known('ONLY') : null;
}

/** "Be careful with x.eth": said of a name, and no rule that an agent can keep; the name is not all that is allowed. */
export function careful({ tokens, at, phraseAt }: Place): Known | null {
  const length = phraseAt(at)?.length ?? 0;
  const words = tokens.slice(at, at + length).map(({ key }) => key);
  if (!/^(?:please )?(?:be careful|take care)$/.test(words.join(' '))) return null;
  let next = at + length;
  while (LED.includes(phraseAt(next)?.meaning.kind ?? '')) next += phraseAt(next)!.length;
  const party = ['name', 'address'].includes(tokens[next]?.kind ?? '');
  const named = party || NAMING.includes(phraseAt(next)?.meaning.kind ?? '');
  return named && next > at + length ? known('UNKNOWN', words.join(' '), length) : null;
}

const LED = ['PREP', 'ART', 'FILL', 'CHAINWORD', 'PARTYWORD', 'DEAL', 'VERB'];

function refusedAfter({ tokens, phraseAt }: Place, from: number, kind: string): boolean {
  let [refused, named] = [false, false];
  for (let at = from; at < Math.min(from + NEAR, tokens.length) && !endsAt(tokens[at]!.key); ) {
    const said = phraseAt(at);
    const party = ['name', 'address'].includes(tokens[at]!.kind);
    if (party ? kind === 'PARTY' : said?.meaning.kind === kind) named = true;
    if (said !== null && isRefusing(said.meaning)) refused = true;
    at += said?.length ?? 1;
  }
  return refused && named;
}

function endsAt(key: string): boolean {
  return isFullStop({ kind: 'SEP', value: key });
}
