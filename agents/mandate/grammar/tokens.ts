import { isSolanaAddress } from '../terms/solana-address.ts';
import { withApostrophe } from './apostrophes.ts';
import { type NameEnds, nameEnds } from './names.ts';
import { Steps } from './steps.ts';

/** One piece of the text. `key` is what the grammar compares: in lower case, with one spelling for each word. */
export interface Token {
  readonly kind:
    | 'word'
    | 'number'
    | 'symbol'
    | 'address'
    | 'name'
    | 'date'
    | 'time'
    | 'ordinal'
    | 'bad-number'
    | 'unknown';
  readonly text: string;
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** True when the token touches the one before it. */
  readonly tight: boolean;
}

type Rule = readonly [Token['kind'], RegExp];

const HEX: readonly Rule[] = [
  ['address', /0x[0-9a-f]{40}(?![0-9a-z])/iy],
  ['unknown', /0x[0-9a-z]*/iy],
];
const DATES: readonly Rule[] = [
  [
    'date',
    /\d{4}-\d{2}-\d{2}(?:(?:T| (?=\d{1,2}:))\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?(?:Z|UTC|GMT)(?![a-z])|[+-]\d{2}:?\d{2})?)?(?![0-9a-z])/iy,
  ],
  ['date', /\d{1,4}([/.-])\d{1,2}\1\d{1,4}(?![0-9a-z])/iy],
  ['date', /\d{1,2}-[a-z]{3,9}-\d{2,4}(?![0-9a-z])/iy],
  ['time', /\d{1,2}(?::\d{2}(?::\d{2})?(?: ?[ap]m)?| ?[ap]m)(?![0-9a-z])/iy],
];
const ORDINAL: Rule = ['ordinal', /\d{1,2}(?:st|nd|rd|th)(?![0-9a-z])/iy];
const NUMBER: Rule = ['number', /\d[0-9a-z_]*(?:[.,'’][0-9a-z_]+)*/iy];
const WORDS: readonly Rule[] = [
  ['word', /[a-z]{1,3}\$/iy],
  ['word', /u\.s\.(?![a-z])/iy],
  ['word', /\p{L}[\p{L}\p{M}0-9]*(?:['’]\p{L}{1,3})?/uy],
];

const DIGIT = /[0-9]/;
const LETTER = /\p{L}/u;
const SPACE = /[^\S\n\r]/;
/** The steps charged for trying every rule that may begin with a digit or a letter; each looks at a few characters. */
const DIGIT_STEPS = 8;
const LETTER_STEPS = 3;

/** Thousands by commas, or lakhs and crores: 1,00,000. */
const PLAIN_NUMBER = /^(?:\d{1,3}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3}|[1-9]\d*|0)(?:\.\d+)?$/;
/** A number with something written right after it: 1.5k, 2m, 500USDC, 7d, 24h. */
const NUMBER_WITH_SUFFIX = /^([\d.,]*\d)(k|m|mn|mm|bn|b)?(usdc|usd)?$/i;
const NUMBER_WITH_UNIT = /^(\d+)(d|day|days|h|hr|hrs|hour|hours|w|wk|wks|week|weeks|mo|month|months)$/i;
const CURRENCY_WITH_NUMBER = /^(usdc|usd)(\d[\d.,]*(?:k|m|bn)?)$/i;
const ABBREVIATIONS = new Set(['max', 'min', 'approx', 'exp', 'incl', 'excl', 'no', 'ca', 'appx']);

/**
 * Cuts the text into tokens in one pass. Every character except white space ends up in exactly one token. A hyphen
 * inside a word separates two words ("per-deal" reads as "per deal"). The end of a line is a separator, like a
 * semicolon.
 */
export function tokenize(text: string, steps: Steps = Steps.for(text)): readonly Token[] {
  const tokens: Token[] = [];
  const push = (kind: Token['kind'], start: number, end: number, key?: string) => {
    const last = tokens.at(-1);
    const raw = text.slice(start, end);
    tokens.push({ kind, text: raw, key: key ?? wordKey(raw), start, end, tight: last?.end === start });
  };
  const names = nameEnds(text, steps);
  let at = 0;
  while (at < text.length) {
    steps.take();
    if (SPACE.test(text[at]!)) {
      at++;
      continue;
    }
    const hit = match(text, at, names, steps);
    if (hit === null) at = symbol(text, at, tokens, push);
    else {
      steps.take(2 * (hit.end - at));
      pieces(hit.kind, text, at, hit.end, push);
      at = hit.end;
    }
  }
  return tokens;
}

type Push = (kind: Token['kind'], start: number, end: number, key?: string) => void;

/** The token at `at`: the first rule that matches. A sign begins no token longer than itself. */
function match(
  text: string,
  at: number,
  names: NameEnds,
  steps: Steps,
): { kind: Token['kind']; end: number } | null {
  const first = text[at]!;
  const digit = DIGIT.test(first);
  if (!digit && !LETTER.test(String.fromCodePoint(text.codePointAt(at)!))) return null;
  steps.take(digit ? DIGIT_STEPS : LETTER_STEPS);
  const hex = first === '0' && (text[at + 1] === 'x' || text[at + 1] === 'X');
  const early = hex ? firstOf(HEX, text, at) : digit ? firstOf(DATES, text, at) : null;
  if (early !== null) return early;
  const name = names(at);
  if (name !== null) return { kind: 'name', end: name };
  return firstOf(digit ? [ORDINAL, NUMBER] : WORDS, text, at);
}

function firstOf(
  rules: readonly Rule[],
  text: string,
  at: number,
): { kind: Token['kind']; end: number } | null {
  for (const [kind, pattern] of rules) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return { kind, end: pattern.lastIndex };
  }
  return null;
}

function pieces(kind: Token['kind'], text: string, start: number, end: number, push: Push): void {
  const raw = text.slice(start, end);
  if (kind === 'number') numberPieces(raw, start, end, push);
  else if (kind === 'word' && /\d/.test(raw)) mixedPieces(raw, start, end, push);
  else push(kind, start, end);
}

function numberPieces(raw: string, start: number, end: number, push: Push): void {
  const suffixed = NUMBER_WITH_SUFFIX.exec(raw);
  if (suffixed && PLAIN_NUMBER.test(suffixed[1]!)) {
    const digits = start + suffixed[1]!.length;
    const scale = digits + (suffixed[2]?.length ?? 0);
    push('number', start, digits);
    if (suffixed[2]) push('word', digits, scale, `~${suffixed[2].toLowerCase()}`);
    if (suffixed[3]) push('word', scale, end);
    return;
  }
  const timed = NUMBER_WITH_UNIT.exec(raw);
  if (timed) {
    push('number', start, start + timed[1]!.length);
    push('word', start + timed[1]!.length, end, `~${timed[2]!.toLowerCase()}`);
    return;
  }
  push(isSolanaAddress(raw) ? 'address' : 'bad-number', start, end, raw);
}

function mixedPieces(raw: string, start: number, end: number, push: Push): void {
  const money = CURRENCY_WITH_NUMBER.exec(raw);
  if (money && PLAIN_NUMBER.test(money[2]!)) {
    push('word', start, start + money[1]!.length);
    push('number', start + money[1]!.length, end);
  } else if (isSolanaAddress(raw)) push('address', start, end, raw);
  else if (/^q[1-4]$/i.test(raw)) push('word', start, end);
  // A word of nothing but characters that look like digits: somebody meant a number.
  else push(/^[oOlIsSbBzZ\d]+[kKmM]?$/.test(raw) ? 'bad-number' : 'unknown', start, end, raw);
}

function symbol(text: string, at: number, tokens: readonly Token[], push: Push): number {
  const char = String.fromCodePoint(text.codePointAt(at)!);
  const end = at + char.length;
  const last = tokens.at(-1);
  const next = text[end] ?? '';
  const tight = last?.end === at;
  const sign = SIGNS.find(([written]) => text.startsWith(written, at));
  if (sign !== undefined && (sign[1] !== '-' || dated(last))) {
    push('symbol', at, at + sign[0].length, sign[1]);
    return at + sign[0].length;
  }
  if (/[-‐‑−–—]/.test(char)) return dash(text, at, end, tight, last, push);
  if (
    char === '.' &&
    tight &&
    last?.kind === 'word' &&
    ABBREVIATIONS.has(last.key) &&
    // "Travel: no. goods: art": in front of words it is no number.
    (last.key === 'no' ? /^\s*[\d$]/ : /^\s*[\d$]|^ [a-z]/).test(text.slice(end, end + 8))
  )
    return end;
  if (char === '\n' || char === '\r') push('symbol', at, end, ';');
  else if (/[•·*]/.test(char)) push('symbol', at, end, ';');
  else if (char === '.' && /\d/.test(next)) push('bad-number', at, end);
  else push(char.length > 1 || char > '\u00ff' ? symbolKind(char) : 'symbol', at, end, char);
  return end;
}

/** Signs that people type in two strokes. */
const SIGNS: readonly (readonly [written: string, key: string])[] = [
  ['<=', '≤'],
  ['=<', '≤'],
  ['>=', '≥'],
  ['->', '-'],
];

/** "1 Feb 2027 -> 31 May 2027": an arrow joins two dates, and nothing else. */
function dated(last: Token | undefined): boolean {
  return last?.kind === 'date' || (last?.kind === 'number' && /^20\d\d$/.test(last.text));
}

function symbolKind(char: string): Token['kind'] {
  return '≤≥€₹'.includes(char) ? 'symbol' : 'unknown';
}

function dash(
  text: string,
  at: number,
  end: number,
  tight: boolean,
  last: Token | undefined,
  push: Push,
): number {
  const next = text[end] ?? '';
  const touches = /[\p{L}\d]/u.test(next);
  const letter = /\p{L}/u.test(next) || last?.kind === 'word';
  if (tight && touches && letter && last?.kind !== 'symbol') return end;
  if (!tight && /[\d$]/.test(next) && text[at] !== '—' && text[at] !== '–') push('bad-number', at, end, '-');
  else push('symbol', at, end, '-');
  return end;
}

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/'s$/, ''],
  [/s'$/, 's'],
  [/is(e|es|ed|ing|ation|er|ers)$/, 'iz$1'],
];
const SPELLINGS: readonly (readonly [string, string])[] = [
  ['licence', 'license'],
  ['catalogue', 'catalog'],
  ['jewellery', 'jewelry'],
  ['theatre', 'theater'],
  ['colour', 'color'],
  ['programme', 'program'],
];

/** One spelling for a word: lower case, American, without a possessive ending. */
export function wordKey(word: string): string {
  const lower = word.toLowerCase();
  const plain = ENDINGS.reduce(
    (key, [from, to]) => key.replace(from, to),
    withApostrophe(lower.replaceAll('’', "'")),
  );
  return SPELLINGS.reduce((key, [from, to]) => (key.includes(from) ? key.replace(from, to) : key), plain);
}
