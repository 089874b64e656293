import type { Known } from './lexicon/lexicon.ts';
import { known, type Place } from './place.ts';
import { isFullStop } from './sentences.ts';

const REFUSING = ['NEG', 'DENY', 'OFF', 'EXCEPT'];
const NOUNS = ['GEN', 'DEAL', 'ITEM', 'CHAINWORD', 'PARTYWORD'];
const PERMITS =
  /^(?:(?:is|are) )?(?:fine|ok|okay|alright|all right|welcome|good to go|will do|you may|you can)(?: (?:by|with) (?:me|us))?$/;
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
  const named = name !== undefined && ['CATEGORY', 'CHAIN', 'PARTY'].includes(name.kind);
  if (!named || !PERMITS.test(words.join(' '))) return null;
  return refusedBefore(place, name.kind) || refusedAfter(place, at + said.length, name.kind)
    ? known('ALLOWED', '', said.length)
    : null;
}

function refusedBefore({ atoms }: Place, kind: string): boolean {
  const near = atoms.slice(-NEAR);
  const sentence = near.slice(near.findLastIndex(isFullStop) + 1);
  // "Anything but x.eth, y.eth is fine".
  const but = sentence.some(
    (atom, at) => atom.text.toLowerCase() === 'but' && sentence[at - 1]?.kind === 'ANY',
  );
  const refused = but || sentence.some((atom) => REFUSING.includes(atom.kind));
  return refused && sentence.filter((atom) => atom.kind === kind).length > 1;
}

function refusedAfter({ tokens, phraseAt }: Place, from: number, kind: string): boolean {
  let [refused, named] = [false, false];
  for (let at = from; at < Math.min(from + NEAR, tokens.length) && !endsAt(tokens[at]!.key); ) {
    const said = phraseAt(at);
    const party = ['name', 'address'].includes(tokens[at]!.kind);
    if (party ? kind === 'PARTY' : said?.meaning.kind === kind) named = true;
    if (REFUSING.includes(said?.meaning.kind ?? '')) refused = true;
    at += said?.length ?? 1;
  }
  return refused && named;
}

function endsAt(key: string): boolean {
  return isFullStop({ kind: 'SEP', value: key });
}
