import { monthNumber } from '../terms/instants.ts';
import type { Token } from './tokens.ts';

/** The day that a token says: 4, 4th, 04. */
export function dayNumber(token: Token | undefined): number | null {
  if (token === undefined) return null;
  if (token.kind === 'ordinal') return inMonth(Number.parseInt(token.text, 10));
  if (token.kind === 'number' && /^\d{1,2}$/.test(token.text)) return inMonth(Number(token.text));
  return token.kind === 'bad-number' && /^0[1-9]$/.test(token.text) ? Number(token.text) : null;
}

const DAY_WORDS: ReadonlyMap<string, number> = new Map(
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
  fifteenth sixteenth seventeenth eighteenth nineteenth twentieth`
    .split(/\s+/)
    .map((word, at) => [word, at + 1]),
);

/** The "first" of "the first of May 2027". */
export function dayWord(token: Token | undefined): number | null {
  if (token?.kind !== 'word') return null;
  if (token.key === 'thirtieth') return 30;
  return DAY_WORDS.get(token.key) ?? null;
}

/** The "thirty-first" of "the thirty-first of May 2027", whose hyphen is gone. */
export function dayWords(tens: Token | undefined, ones: Token | undefined): number | null {
  const ten = tens?.key === 'twenty' ? 20 : tens?.key === 'thirty' ? 30 : null;
  const one = DAY_WORDS.get(ones?.key ?? '') ?? 10;
  return ten === null || one > 9 ? null : inMonth(ten + one);
}

function inMonth(day: number): number | null {
  return day >= 1 && day <= 31 ? day : null;
}

export function monthOf(token: Token | undefined): number | null {
  return token?.kind === 'word' ? monthNumber(token.key) : null;
}
