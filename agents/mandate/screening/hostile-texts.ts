import { phrases } from '../grammar/lexicon/lexicon.ts';

/** Texts for tests of the reader: what strangers may send to cost it time. No part of the service uses them. */

/** A generator of numbers from 0 to 1 that gives the same ones for the same seed (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));

/** One or two of each Unicode general category that text can hold, and of what looks like something else. */
const CLASSES = [
  'é',
  'ß',
  'İ',
  'ǅ',
  'ʰ',
  'ª',
  '中',
  'ا',
  'א',
  'ж',
  'Ω',
  '𝐀',
  'Ａ',
  '\u0301',
  'e\u0301',
  '\u0903',
  '\u20dd',
  '٣',
  '３',
  '²',
  '½',
  'Ⅷ',
  '_',
  '‿',
  '–',
  '—',
  '‑',
  '−',
  '«',
  '»',
  '‘',
  '’',
  '“',
  '”',
  '¡',
  '·',
  '•',
  '…',
  '€',
  '£',
  '₹',
  '≤',
  '≥',
  '×',
  '^',
  '¨',
  '©',
  '😀',
  '❤\ufe0f',
  '👩\u200d💻',
  '🇪🇺',
  '\u00a0',
  '\u2003',
  '\u2028',
  '\u2029',
  '\t',
  '\r\n',
  '\n',
  '\u200b',
  '\u200d',
  '\u00ad',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\u0007',
  '\ue000',
  '\ud800',
  '\u0378',
];

const SHAPES = [
  "'",
  "''",
  "'s ",
  "s' ",
  'é)',
  'e.g. ',
  'i.e. ',
  'U.S. ',
  'max. 5 ',
  'no. 7 ',
  'a.',
  'a. ',
  'a.b',
  'a-',
  'a-b ',
  '.eth ',
  'a.eth ',
  'a.eth, ',
  'a.b.c.d.eth or ',
  `${'a'.repeat(63)}.eth `,
  '0x',
  '0x1 ',
  `0x${'ab'.repeat(20)} `,
  'x_y ',
  '_',
  '1',
  '1 ',
  '1,',
  '1.',
  '1,000 ',
  '1.000 ',
  '1.5k',
  '5 USDC ',
  '$5',
  '$5 ',
  '5k ',
  '7d ',
  '5% ',
  '10 000 ',
  '-5 ',
  '1st ',
  '12:00 ',
  '6pm UTC ',
  '2027-01-01 ',
  '2027-01-01T00:00Z ',
  '04/05/2027 ',
  '31-Dec-26 ',
  '31.12.2026 ',
  'Dec 31, 2026 ',
  'end of ',
  'end of end of ',
  'last day of the ',
  'end of day on ',
  'monday ',
  'half a ',
  'one hundred and ',
  'two thousand ',
  '1) ',
  '2) ',
  '(1) ',
  '() ',
  '(',
  ')',
  '((',
  '[',
  '{',
  '<',
  '"',
  '"a" ',
  '"x":',
  '/ ',
  ' / ',
  'usdc / ',
  '///',
  '&',
  '&amp;',
  '%41%42',
  'send 1',
  'send 1,1,',
  'send 5 k ',
  'raise the ',
  'raise the the ',
  'approve by ',
  'cap may be ',
  'follow any ',
  'ignore ',
  'if it ',
  'as if ',
  'a.eth may ',
  'mark it ',
  'the above ',
  'accept all deals ',
  'note to the ',
  'you are ',
  'x'.repeat(44).concat(' '),
  'A'.repeat(20).concat('= '),
  'Zażółć ',
  'or maybe 5 ',
  'never never ',
  'not not ',
  'but ',
  'only only ',
  'except ',
  'a a a ',
  'per per ',
  'for a ',
  'lOO USDC ',
];

/** What a hostile text is made of: every sign and class, shapes that rules begin with, and every phrase of the lexicon. */
export function units(): readonly string[] {
  return [...printable, ...CLASSES, ...SHAPES, ...phrases().flatMap((phrase) => [`${phrase} `])];
}

/** Texts that look like mandates at their beginning, so that no early question ends the reading. */
const HEADS = [
  '',
  'Buy digital products, max 150 USDC per deal, until 31 March 2027. ',
  'Sell art, never below 40 USDC, for 30 days. ',
];

/** A text of so many characters at most: a head, then units again and again. Characters are not cut. */
export function repeated(head: string, cycle: readonly string[], length: number): string {
  const parts = [head];
  let size = head.length;
  for (let i = 0; ; i++) {
    const next = cycle[i % cycle.length]!;
    if (size + next.length > length) return parts.join('');
    parts.push(next);
    size += next.length;
  }
}

/**
 * Texts that repeat and mix the units: the first ones repeat one unit each, in the order of `units()` from `from` on;
 * every other one mixes two to eight, with separators between them or not.
 */
export function* hostileTexts(
  count: number,
  { seed, from = 0 }: { readonly seed: number; readonly from?: number },
): Generator<{ readonly head: string; readonly cycle: readonly string[] }> {
  const random = numbersFrom(seed);
  const all = units();
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const common = [...printable, ...CLASSES, ...SHAPES];
  for (let i = 0; i < count; i++) {
    const head = pick(HEADS);
    if (i % 2 === 0) yield { head, cycle: [all[(from + i / 2) % all.length]!] };
    else {
      const size = 2 + Math.floor(random() * 7);
      const gap = pick(['', '', ' ', ', ', '. ', '; ', ' and ', ' or ', '\n']);
      yield { head, cycle: Array.from({ length: size }, () => pick(random() < 0.5 ? common : all) + gap) };
    }
  }
}
