import type { Known } from '../lexicon/lexicon.ts';
import {
  RECITAL_GUARDS,
  RECITAL_OPENERS,
  RECITAL_PARTICIPLES,
  RECITAL_STATES,
  RECITAL_VERBS,
} from '../lexicon/recital-words.ts';
import { readNumber } from '../numbers.ts';
import type { Token } from '../tokens.ts';
import { endsSentence } from './segments.ts';

type PhraseAt = (at: number) => Known | null;

const LONGEST = 48;
/** Kinds of words that say nothing of what may be done. */
const INERT = new Set(['FILL', 'ART', 'PREP', 'SEP', 'CATEGORY', 'MODIFIER', 'ITEM', 'GEN', 'TERM', 'ME']);
/** Words that the lexicon knows for amounts and times, and that a recital has for itself. */
const TOLD = new Set(
  'hold holds holding holdings held year years generation generations lots made given cover purchasing week month day cash funds money fund late lasting sole market every this i we'.split(
    ' ',
  ),
);
const NAMED = new Set(['CHAIN', 'PARTY', 'CURRENCY', 'CHECK', 'TOPIC', 'DATE']);
const UNITS = new Set('day days week weeks month months year years hour hours'.split(' '));
const MARKS = new Set([',', "'", '"', '&', '-', '’', '“', '”']);
const SUBJECTS = new Set(
  'the our my his her their a an i we mr mrs ms dr lady sir lord captain professor three two several'.split(
    ' ',
  ),
);
const MAIN = new Set('the this these i we you our my it please his her they no each within'.split(' '));
const ADVERBS = new Set(
  'now recently lately already since long also hereby duly unanimously just today'.split(' '),
);
const OFFICE = new Set(['of', 'for', 'to', 'at']);
const PERFECT = new Set(['has', 'have', 'had', 'having', "i've", "we've"]);
const CAPACITY = [',', 'in', 'which', 'capacity'];
const WOUND_UP = new Set([
  'reduced',
  'cleared',
  'wound',
  'closed',
  'renewed',
  'replaced',
  'settled',
  'emptied',
]);
const BEING = new Set(['is', 'are', 'am', 'was', 'were', "i'm", "we're"]);

/**
 * How many tokens a recital takes from a place where a sentence begins, or where another recital has ended: 0 where none
 * is. It tells who writes, and why: "Whereas Halvorsen Logistics replaces its scanners, …", "The Company has closed its
 * plant." Nothing of it may limit, prefer, exclude or date anything, so one word that could leaves it to the rules.
 */
export function recitalAt(tokens: readonly Token[], at: number, phraseAt: PhraseAt): number {
  const end = sentenceEnd(tokens, at);
  if (end === null || end - at < 3) return 0;
  const led = opener(tokens, at);
  if (led > 0) {
    for (let comma = at + led; comma < end; comma++)
      if (tokens[comma]!.key === ',' && begins(tokens, comma + 1, phraseAt))
        return inert(tokens, at, at + led, comma, phraseAt) ? comma + 1 - at : 0;
  }
  const capacity = tokens
    .slice(at, end)
    .findIndex((_, i) => CAPACITY.every((word, j) => tokens[at + i + j]?.key === word));
  if (capacity > 0)
    return told(tokens, at, at + capacity, false) && inert(tokens, at, at, at + capacity, phraseAt)
      ? capacity + CAPACITY.length
      : 0;
  return told(tokens, at + led, end, led > 0) && inert(tokens, at, at + led, end, phraseAt) ? end - at : 0;
}

function sentenceEnd(tokens: readonly Token[], from: number): number | null {
  for (let at = from; at <= tokens.length && at < from + LONGEST; at++)
    if (endsSentence(tokens, at)) return at;
  return null;
}

function opener(tokens: readonly Token[], at: number): number {
  const found = RECITAL_OPENERS.find((words) => words.every((word, i) => tokens[at + i]?.key === word));
  if (found !== undefined) return found.length;
  // "As finance director of Kestrel Broadcasting".
  const office = tokens[at]?.key === 'as' && [2, 3, 4, 5].some((i) => OFFICE.has(tokens[at + i]?.key ?? ''));
  return office ? 1 : 0;
}

/** True where a main clause may begin: "the agent shall", "I direct", "buy". */
function begins(tokens: readonly Token[], at: number, phraseAt: PhraseAt): boolean {
  const key = tokens[at]?.key ?? '';
  return MAIN.has(key) || phraseAt(at)?.meaning.kind === 'VERB';
}

/** True where every word is one that says nothing of what may be done. */
function inert(
  tokens: readonly Token[],
  from: number,
  behindOpener: number,
  to: number,
  phraseAt: PhraseAt,
): boolean {
  for (let at = behindOpener; at < to; at++) {
    const token = tokens[at]!;
    const { key, kind } = token;
    if (RECITAL_GUARDS.has(key)) return false;
    if (TOLD.has(key)) continue;
    if (kind === 'symbol') {
      if (!MARKS.has(key) && !(key === '.' && at + 1 < to)) return false;
      continue;
    }
    if (kind !== 'word') return false;
    // "Clause nine", "three branches": no number of deals, whose words the lexicon knows.
    const counted = readNumber(tokens, at);
    if (counted !== null) {
      const next = at + counted.length;
      // "For one year": how long something lasts is no part of a recital.
      if (UNITS.has(tokens[next]?.key ?? '')) return false;
      const numbered = ['clause', 'section', 'article', 'paragraph'].includes(tokens[at - 1]?.key ?? '');
      if (!numbered && (next >= to || (phraseAt(next) !== null && !TOLD.has(tokens[next]!.key))))
        return false;
      at = next - 1;
      continue;
    }
    const known = phraseAt(at)?.meaning;
    if (known === undefined || INERT.has(known.kind) || told_(tokens, at)) continue;
    // A word of a name: "Langham Street".
    const name = at > from && /^\p{Lu}\p{Ll}/u.test(token.text) && !NAMED.has(known.kind);
    if (!name) return false;
  }
  return to > from;
}

/** A word of a telling verb that the lexicon takes for another. */
function told_(tokens: readonly Token[], at: number): boolean {
  const { key } = tokens[at]!;
  return RECITAL_VERBS.has(key) || (RECITAL_PARTICIPLES.has(key) && PERFECT.has(tokens[at - 1]?.key ?? ''));
}

/** True for a sentence whose verb tells something, in front of which its subject stands. */
function told(tokens: readonly Token[], from: number, to: number, led: boolean): boolean {
  const first = tokens[from];
  if (first === undefined) return false;
  const named = /^\p{Lu}/u.test(first.text) && /^\p{Lu}/u.test(tokens[from + 1]?.text ?? '');
  if (!SUBJECTS.has(first.key) && !named && !led && !BEING.has(first.key) && !PERFECT.has(first.key))
    return false;
  for (let at = from; at < to; at++) {
    const { key } = tokens[at]!;
    let next = at + 1;
    while (ADVERBS.has(tokens[next]?.key ?? '')) next++;
    const after = tokens[next]?.key ?? '';
    if (PERFECT.has(key) && after === 'the' && /^hono/.test(tokens[next + 1]?.key ?? '')) continue;
    if (PERFECT.has(key)) {
      const done = after === 'been' ? (tokens[next + 1]?.key ?? '') : after;
      return RECITAL_PARTICIPLES.has(done);
    }
    if (BEING.has(key)) {
      if (after === 'the') return /^(?:i|we|i'm|we're)$/.test(first.key);
      if (after === 'to' && tokens[next + 1]?.key === 'be') return WOUND_UP.has(tokens[next + 2]?.key ?? '');
      return RECITAL_STATES.has(after);
    }
    if (RECITAL_VERBS.has(key) && at > from) return true;
  }
  return false;
}
