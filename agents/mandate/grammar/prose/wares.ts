import type { Atom } from '../atom.ts';
import { namesChain } from '../chain-numbers.ts';
import { UNLISTED } from '../facts.ts';
import type { Known } from '../lexicon/lexicon.ts';
import { readNumber } from '../numbers.ts';
import type { Token } from '../tokens.ts';
import { beneficiaryAt } from './principals.ts';
import { endsSentence } from './segments.ts';

type PhraseAt = (at: number) => Known | null;

/** The longest name of goods, in tokens. */
const LONGEST = 24;
const NOUNS = ['CATEGORY', 'MODIFIER', 'ITEM', 'GEN', 'TERM'];
const OWNED = new Set([
  'the',
  'my',
  'our',
  'his',
  'her',
  'its',
  'their',
  'such',
  'those',
  'these',
  'some',
  'late',
]);
const TIES = new Set(['of', 'in', 'by', 'from', 'on']);
/** Words behind which more is said of the same goods. */
const PARTICIPLES = new Set(
  'made taken released forming containing being remaining found registered owned held bearing retired drawn collected'.split(
    ' ',
  ),
);
const SAID_OF = new Set([...PARTICIPLES, 'before', 'which', 'that', 'whose', 'left']);
/** Words that end the name of goods, known to the lexicon or not. */
const AFTER_NAME = new Set(
  'someone somebody monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december christmas easter today tomorrow when whenever if unless except only at each apiece per until till for over under above below up no not never costing paying priced please via through during within where while then and/or'.split(
    ' ',
  ),
);
const PAID = /^(?:pay|pays|paying|pay for|bid|bidding|get|obtain)$/i;

/**
 * Goods that a text names more narrowly than a category: "buy Seiko SKX007 watches". No field holds that, so what is
 * read here is always asked about, as one thing; the rest of the clause can then be read. Null where every word is known.
 */
export function wareAt(
  tokens: readonly Token[],
  at: number,
  atoms: readonly Atom[],
  phraseAt: PhraseAt,
): Known | null {
  const object = isObject(atoms);
  if (!object && !beginsSentence(tokens, at, atoms)) return null;
  const end = endOf(tokens, at, phraseAt);
  if (end === null) return null;
  if (!object && !sold(phraseAt, end) && !headline(tokens, at, end, phraseAt)) return null;
  return { meaning: { kind: 'CATEGORY', value: UNLISTED }, length: end - at };
}

/** True behind "buy", "sell", "the sale of". */
function isObject(atoms: readonly Atom[]): boolean {
  let last = atoms.length - 1;
  while (['ART', 'MODIFIER', 'ONLY', 'HEDGE'].includes(atoms[last]?.kind ?? '')) last--;
  // "Want: Technics turntables."
  if (atoms[last]?.value === ':' && atoms[last - 1]?.kind === 'GEN') return true;
  // "Spend forty dollars on sealed booster packs."
  if (/^(?:on|in)$/i.test(atoms[last]?.text ?? '') && atoms[last - 1]?.kind === 'MONEY') return true;
  const verb = atoms[last];
  return verb?.kind === 'VERB' && ['buy', 'sell', 'both'].includes(verb.value) && !PAID.test(verb.text);
}

function beginsSentence(tokens: readonly Token[], at: number, atoms: readonly Atom[]): boolean {
  const before = atoms.at(-1);
  return before === undefined || before.value === '.' || endsSentence(tokens, at - 1);
}

/** "Canon AE-1 cameras please!": goods as the first words of a text. */
function headline(tokens: readonly Token[], at: number, end: number, phraseAt: PhraseAt): boolean {
  if (at !== 0 || !['please', '!', ',', '.', ':'].includes(tokens[end]?.key ?? '')) return false;
  return phraseAt(end - 1)?.meaning.kind === 'CATEGORY';
}

/** "… are to be sold": the verb behind its object. */
function sold(phraseAt: PhraseAt, at: number): boolean {
  let next = at;
  for (let words = 0; words < 4; words++) {
    const known = phraseAt(next);
    const kind = known?.meaning.kind;
    if (kind === 'SOLD' || kind === 'BOUGHT') return true;
    if (known === null || (kind !== 'FILL' && kind !== 'PREP')) return false;
    next += known.length;
  }
  return false;
}

/** The place behind a name of goods in which a word is unknown; null where none begins. */
function endOf(tokens: readonly Token[], from: number, phraseAt: PhraseAt): number | null {
  let at = from;
  let end = from;
  let unknown = false;
  let told = false;
  while (at < tokens.length && at < from + LONGEST && !endsSentence(tokens, at)) {
    const token = tokens[at]!;
    const known = phraseAt(at);
    const { key } = token;
    if (key === ',' || key === ':' || key === 'and' || key === '-') break;
    if (AFTER_NAME.has(key) || namesChain(tokens, at) || beneficiaryAt(tokens, at) > 0) break;
    if (end > from && (unknown ? SAID_OF : PARTICIPLES).has(key)) {
      told = true;
      unknown = true;
    }
    if (told && known?.meaning.kind !== 'LIMIT' && known?.meaning.kind !== 'MINIMUM') {
      end = ++at;
      continue;
    }
    if (named(tokens, at, at > from, phraseAt)) {
      unknown = true;
      end = ++at;
    } else if (known !== null && NOUNS.includes(known.meaning.kind)) {
      at += known.length;
      end = at;
    } else if (known !== null && known.length > 1) break;
    else if (OWNED.has(key)) at++;
    else if (end > from && (TIES.has(key) || (key === 'for' && thingAt(tokens, at + 1, phraseAt)))) at++;
    else break;
  }
  return unknown && end > from ? end : null;
}

/** An unknown word, a model's number, or a word with a capital in the middle of a name. */
function named(tokens: readonly Token[], at: number, goesOn: boolean, phraseAt: PhraseAt): boolean {
  const token = tokens[at]!;
  const known = phraseAt(at);
  const inName = goesOn && CAPITAL.test(tokens[at - 1]!.text);
  if (token.kind === 'number') {
    if (inName && /^(?:19|20)\d\d$/.test(token.text)) return true;
    const next = phraseAt(at + 1)?.meaning.kind ?? 'CATEGORY';
    return inName && tokens[at + 1]?.kind === 'word' && NOUNS.includes(next);
  }
  if (token.key === '.' && tokens[at + 1]?.tight === true) return true;
  if (known === null) {
    if (!inName && readNumber(tokens, at) !== null) return false;
    return token.kind === 'word' || token.kind === 'unknown' || token.kind === 'bad-number';
  }
  const { kind } = known.meaning;
  return (
    known.length === 1 && inName && TITLE.test(token.text) && !NOUNS.includes(kind) && !FIXED.includes(kind)
  );
}

/** True where what follows "for" is somebody or something, and no amount and no "each". */
function thingAt(tokens: readonly Token[], at: number, phraseAt: PhraseAt): boolean {
  const kind = phraseAt(at)?.meaning.kind;
  if (tokens[at]?.kind !== 'word' || readNumber(tokens, at) !== null) return false;
  return (
    kind === undefined ||
    NOUNS.includes(kind) ||
    ['its', 'our', 'his', 'her', 'their'].includes(tokens[at]!.key)
  );
}

const CAPITAL = /^\p{Lu}/u;
const TITLE = /^\p{Lu}(?:\p{Ll}|$)/u;
const FIXED = ['CURRENCY', 'CHAIN'];
