import type { Known } from './lexicon/lexicon.ts';
import { amountAt, begins, ends, known, type Place } from './place.ts';
import { lastSentence } from './sentences.ts';

/** Words of formal letters whose meaning depends on what stands beside them. */

/** "Until 64,000 USD has been spent": an amount ends nothing but itself. */
export function untilSpent(place: Place): Known | null {
  return amountAt(place, place.at + 1) ? known('LIMIT', 'up to') : null;
}

/** "Bought by this agent": who else. */
export function byAgent({ atoms, tokens, at }: Place): Known | null {
  const passive = ['BOUGHT', 'SOLD'].includes(atoms.at(-1)?.kind ?? '');
  const agent =
    ['the', 'this', 'my', 'our'].includes(tokens[at + 1]?.key ?? '') && tokens[at + 2]?.key === 'agent';
  return passive && agent ? known('FILL', '', 3) : null;
}

/** "… on 29 October, after which the agent shall buy nothing": what the end of the mandate says. */
export function afterWhich({ atoms, tokens, at }: Place): Known | null {
  const [comma, date] = [atoms.at(-1), atoms.at(-2)];
  if (comma?.kind !== 'SEP' || date?.kind !== 'DATE') return null;
  const words = tokens.slice(at, at + 7).map(({ key }) => key);
  const said = AFTER_WHICH.find((way) => way.every((word, i) => words[i] === word));
  return said !== undefined && ends(tokens[at + said.length]) ? known('FILL', '', said.length) : null;
}

const AFTER_WHICH = [
  ...[
    'the agent shall buy nothing',
    'the agent shall sell nothing',
    'it shall buy nothing',
    'it shall sell nothing',
  ],
  ...[
    'nothing shall be bought',
    'nothing shall be sold',
    'nothing more shall be bought',
    'no purchase shall be made',
  ],
].map((words) => ['after', 'which', ...words.split(' ')]);

/** "They shall be sold at 390 USD or more": what was named before. */
export function soldAgain({ atoms, tokens, at }: Place): Known | null {
  if (!begins(atoms)) return null;
  const words = tokens.slice(at + 1, at + 5).map(({ key }) => key);
  const to = words[1] === 'to' ? 1 : 0;
  const led = to === 1 ? ['is', 'are'] : ['shall', 'may', 'must'];
  if (!led.includes(words[0] ?? '') || words[1 + to] !== 'be') return null;
  const done = words[2 + to];
  return done === 'sold'
    ? known('VERB', 'sell', 4 + to)
    : done === 'bought'
      ? known('VERB', 'buy', 4 + to)
      : null;
}

/** "On a good day": no greeting. */
export function goodDay({ atoms, tokens, at }: Place): Known | null {
  return atoms.at(-1)?.kind === 'ART' && tokens[at + 1]?.key === 'day' ? known('UNKNOWN', '', 2) : null;
}

/** "When they're 180 USD or less": at that price, where "when they're cheap" is a condition. */
export function whenPriced(place: Place): Known | null {
  const { tokens, at } = place;
  const length = /^(?:they're|it)$/.test(tokens[at + 1]?.key ?? '')
    ? 2
    : tokens[at + 1]?.key === 'they' && tokens[at + 2]?.key === 'are'
      ? 3
      : 0;
  return length > 0 && amountAt(place, at + length) ? known('FILL', '', length) : null;
}

/** "Such licences": those named before. */
export function such({ at, phraseAt }: Place): Known | null {
  return phraseAt(at)?.length !== 2 && phraseAt(at + 1)?.meaning.kind === 'CATEGORY' ? known('FILL') : null;
}

/** "If that check is inconclusive": the one named before, where there is one. */
export function sameCheck({ atoms, tokens, at, phraseAt }: Place): Known | null {
  const led = ['that', 'the', 'this'].includes(tokens[at - 1]?.key ?? '');
  const named = new Set(atoms.flatMap(({ kind, value }) => (kind === 'CHECK' ? [value] : [])));
  const [name] = named;
  return led && named.size === 1 && phraseAt(at) === null ? known('CHECK', name!) : null;
}

/** "…, below which no sale shall take place": what a lowest price in the same sentence has said. */
export function belowWhich({ atoms, tokens, at }: Place): Known | null {
  const floor = lastSentence(atoms).some(({ kind }) => kind === 'MINIMUM');
  const words = tokens.slice(at + 1, at + 7).map(({ key }) => key);
  const said = BELOW_WHICH.find((way) => way.every((word, i) => words[i] === word));
  return floor && said !== undefined && ends(tokens[at + 1 + said.length])
    ? known('FILL', '', said.length + 1)
    : null;
}

const BELOW_WHICH = [
  ...['no sale shall take place', 'no sale may take place', 'no sale shall be made', 'no sale may be made'],
  ...['no sale is to be made', 'nothing shall be sold', 'nothing may be sold', 'nothing is to be sold'],
].map((words) => ['which', ...words.split(' ')]);

/** "3,400 USD the case": of each one. */
export function theOne({ atoms, at, phraseAt }: Place): Known | null {
  const item = phraseAt(at + 1);
  return atoms.at(-1)?.kind === 'MONEY' &&
    item?.meaning.kind === 'ITEM' &&
    item.length === 1 &&
    phraseAt(at)?.length === 1
    ? known('PER')
    : null;
}
