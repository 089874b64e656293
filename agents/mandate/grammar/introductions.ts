import { type Known, lookUp } from './lexicon/lexicon.ts';
import { CALLINGS, HABITS, QUALITIES, TRADES, WARES } from './lexicon/people-words.ts';
import type { Steps } from './steps.ts';
import type { Token } from './tokens.ts';

/** Words that say who writes, with the pronoun that a second verb behind them belongs to. */
export interface Introduction {
  readonly length: number;
  readonly pronoun: 'i' | 'we';
}

const STATES = new Set([
  ...['run', 'own', 'manage', 'have', 'lead', 'head', 'represent', 'am', 'are', 'operate', 'keep', 'hold'],
  ...['work', 'started', 'opened', 'founded', 'handle'],
]);
const CONTRACTED: ReadonlyMap<string, 'i' | 'we'> = new Map([
  ["i'm", 'i'],
  ["we're", 'we'],
]);
const THIRD_PERSON: ReadonlyMap<string, string> = new Map([
  ['buys', 'buy'],
  ['sells', 'sell'],
  ['needs', 'need'],
  ['wants', 'want'],
  ['would', 'would'],
  ['has', 'have'],
  ['is', 'are'],
]);
const ARTICLES = new Set(['a', 'an', 'the', 'my', 'our', 'some', 'two', 'three', 'own', 'this']);
/** Behind "I've been a collector": since when. */
const SINCE = new Set(['school', 'childhood', 'university', 'college', 'forever', 'birth', 'youth', 'then']);
const LONG = new Set(['years', 'decades', 'ages', 'long']);
const JOINTS = new Set(['and', '&', 'or']);
const PLACES = new Set(['in', 'from', 'near', 'at', 'by', 'of', 'outside', 'around']);
/** How many words an introduction may have. */
const LONGEST = 16;

/**
 * "I am a retired teacher", "we run a small restaurant in Lisbon", "pawnshop buyer here": who writes, in words of a
 * closed list. That limits, widens, dates and conditions nothing. Null where anything else is said.
 */
export function introductionAt(tokens: readonly Token[], at: number, steps: Steps): Introduction | null {
  if (!opens(tokens[at - 1])) return null;
  const subject = subjectAt(tokens, at);
  const from = subject === null ? at : at + subject.length;
  const people =
    subject?.habit === true ? habitsFrom(tokens, from, steps) : peopleFrom(tokens, chargeFrom(tokens, from));
  const end = people !== null && subject !== null ? sinceFrom(tokens, people) : people;
  if (end === null || end - at > LONGEST) return null;
  const here = tokens[end]?.key === 'here' ? end + 1 : end;
  if (subject === null && here === end) return null;
  // "As a wedding DJ I buy", and not "as a shop of your choice".
  if (subject?.as === true) {
    const [i, comma] = [tokens[here]?.key, tokens[here + 1]?.key];
    if (!['i', 'we', "i'm", "we're", "i'd", "we'd"].includes((i === ',' ? comma : i) ?? '')) return null;
  } else if (subject?.theirs === true) {
    if (!THIRD_PERSON.has(tokens[here]?.key ?? '')) return null;
  } else if (!closes(tokens, here)) return null;
  return { length: here - at, pronoun: subject?.pronoun ?? 'i' };
}

interface Subject {
  readonly length: number;
  readonly pronoun: 'i' | 'we';
  readonly habit: boolean;
  readonly theirs?: true;
  /** "I've been": how long may follow. */
  readonly been?: true;
  /** "As a wedding DJ": what the owner does follows. */
  readonly as?: true;
}

const BEEN: ReadonlyMap<string, 'i' | 'we'> = new Map([
  ["i've", 'i'],
  ["we've", 'we'],
]);

/** The place behind "since school", "for many years", "all my life"; the same place where nothing of it stands. */
function sinceFrom(tokens: readonly Token[], from: number): number {
  const [first, second, third, fourth] = [0, 1, 2, 3].map((i) => tokens[from + i]?.key ?? '');
  if (first === 'since' && SINCE.has(second!)) return from + 2;
  if (first === 'since' && /^(?:19|20)\d\d$/.test(second!)) return from + 2;
  if (first === 'since' && (LONG.has(second!) || LONG.has(third!))) return from + (LONG.has(second!) ? 2 : 3);
  if (first === 'for' && LONG.has(second!)) return from + 2;
  if (first === 'for' && LONG.has(third!)) return from + 3;
  if (first === 'for' && second === 'a' && third === 'long' && fourth === 'time') return from + 4;
  if (first === 'all' && (second === 'my' || second === 'our') && /^(?:life|lives)$/.test(third!))
    return from + 3;
  return from;
}

function subjectAt(tokens: readonly Token[], at: number): Subject | null {
  const [first, second] = [tokens[at]?.key ?? '', tokens[at + 1]?.key ?? ''];
  // "Our fund buys royalties": whoever writes is meant.
  if (first === 'our' || first === 'my' || first === 'the')
    return { length: 1, pronoun: first === 'my' ? 'i' : 'we', habit: false, theirs: true };
  const contracted = CONTRACTED.get(first);
  if (contracted !== undefined) return { length: 1, pronoun: contracted, habit: false };
  if (first === 'this' && second === 'is') return { length: 2, pronoun: 'i', habit: false };
  const been = BEEN.get(first);
  // "I've a small cellar at home."
  if (been !== undefined && (second === 'a' || second === 'an'))
    return { length: 1, pronoun: been, habit: false };
  if (been !== undefined && second === 'been') return { length: 2, pronoun: been, habit: false, been: true };
  if ((first === 'i' || first === 'we') && second === 'have' && tokens[at + 2]?.key === 'been')
    return { length: 3, pronoun: first, habit: false, been: true };
  // "As a wedding DJ I buy …".
  if (first === 'as' && (second === 'a' || second === 'an'))
    return { length: 1, pronoun: 'i', habit: false, as: true };
  if (first !== 'i' && first !== 'we') return null;
  if (HABITS.has(second)) return { length: 2, pronoun: first, habit: true };
  if (!STATES.has(second)) return null;
  const third = tokens[at + 2]?.key;
  const extra = second === 'work' ? (third === 'as' || third === 'for' || third === 'in' ? 1 : -1) : 0;
  return extra < 0 ? null : { length: 2 + extra, pronoun: first, habit: false };
}

const CARES = new Set(['manage', 'run', 'handle', 'keep']);
const CHARGES = new Set(
  'reserves money funds books accounts finances purchasing buying supplies stock catering travel events kitchen'.split(
    ' ',
  ),
);

/** The place behind "the reserves of" in "I manage the reserves of a fund"; the same place where nothing of it stands. */
function chargeFrom(tokens: readonly Token[], from: number): number {
  const [article, charge, joint] = [0, 1, 2].map((i) => tokens[from + i]?.key ?? '');
  const cares = CARES.has(tokens[from - 1]?.key ?? '') && (article === 'the' || article === 'all');
  return cares && CHARGES.has(charge!) && (joint === 'of' || joint === 'for' || joint === 'at')
    ? from + 3
    : from;
}

/** The place behind "a retired teacher", "a small restaurant and bar in Lisbon"; null where it is anything else. */
function peopleFrom(tokens: readonly Token[], from: number): number | null {
  let at = from;
  let named = false;
  for (;;) {
    while (ARTICLES.has(tokens[at]?.key ?? '') || QUALITIES.has(tokens[at]?.key ?? '')) at++;
    const begun = at;
    while (CALLINGS.has(tokens[at]?.key ?? '') || TRADES.has(tokens[at]?.key ?? '')) at++;
    // "A coffee shop" is a calling, and coffee is none.
    if (at === begun || !CALLINGS.has(tokens[at - 1]!.key)) return null;
    named = true;
    const place = placeFrom(tokens, at);
    if (place !== null) at = place;
    if (!JOINTS.has(tokens[at]?.key ?? '') || peopleFrom(tokens, at + 1) === null) break;
    at++;
  }
  return named ? at : null;
}

/** "In Lisbon", "of Porto Velho": a preposition and names, which start with capitals. */
function placeFrom(tokens: readonly Token[], at: number): number | null {
  const led = tokens[at]?.key ?? '';
  if (!PLACES.has(led)) return null;
  if (led === 'at' && (tokens[at + 1]?.key === 'home' || tokens[at + 1]?.key === 'work')) return at + 2;
  let end = at + 1;
  while (end < at + 4 && tokens[end]?.kind === 'word' && /^\p{Lu}\p{Ll}+$/u.test(tokens[end]!.text)) end++;
  if (end > at + 1) return end;
  const people = peopleFrom(tokens, at + 1);
  return led === 'in' || led === 'at' || led === 'of' || led === 'from' ? people : null;
}

const AGAIN = new Set(['them', 'some', 'it', 'these', 'those', 'more', 'one', 'ones', 'any', 'such']);
const GOODS = ['CATEGORY', 'MODIFIER', 'GEN', 'ITEM', 'ART'];

/** The place behind what somebody does by trade: "I repair old phones, so …", where goods or wares are named. */
function habitsFrom(tokens: readonly Token[], from: number, steps: Steps): number | null {
  const keys = tokens.slice(from, from + 2 * LONGEST).map(({ key }) => key);
  let at = 0;
  let named = false;
  for (;;) {
    const known = lookUp(keys, at, steps);
    named ||= known?.meaning.kind === 'CATEGORY';
    if (known !== null && GOODS.includes(known.meaning.kind)) at += known.length;
    else if (WARES.has(keys[at] ?? '') || QUALITIES.has(keys[at] ?? '')) at++;
    else break;
  }
  // "I collect watches, so buy them": then the goods are said here and nowhere else.
  if (named && keys.slice(at).some((key) => AGAIN.has(key))) return null;
  if (at === 0) return ['and', '.', ';', '!'].includes(keys[0] ?? '') ? from : null;
  return keys[at] === ',' && keys[at + 1] === 'so' ? from + at : null;
}

function opens(before: Token | undefined): boolean {
  return before === undefined || ['.', ';', '!', ',', '?', ':', '-'].includes(before.key);
}

function closes(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at]?.key;
  return next === undefined || ['.', ';', '!', ',', '-', 'and', 'so', 'who', '('].includes(next);
}

/**
 * What stands behind the "and" of an introduction, with its subject put in front: "we are an orchestra and need
 * violins" goes on as "we need violins".
 */
export function joinedVerb(
  tokens: readonly Token[],
  at: number,
  pronoun: 'i' | 'we',
  steps: Steps,
): (Known & { readonly at: number }) | null {
  const third = THIRD_PERSON.get(tokens[at]?.key ?? '');
  if (third !== undefined) {
    const said = lookUp(['we', third, ...tokens.slice(at + 1, at + LONGEST).map(({ key }) => key)], 0, steps);
    return said === null || said.length < 2 ? null : { at, length: said.length - 1, meaning: said.meaning };
  }
  const begun = tokens[at]?.key === ',' ? at + 1 : at;
  if (!['and', 'so', 'who'].includes(tokens[begun]?.key ?? '')) return null;
  const verb = begun + 1;
  const known = lookUp([pronoun, ...tokens.slice(verb, verb + LONGEST).map(({ key }) => key)], 0, steps);
  return known === null || known.length < 2
    ? null
    : { at: verb, length: known.length - 1, meaning: known.meaning };
}
