import { type Canonical, recognised, requiresCheckDigit } from './canonical.ts';
import { vinCheckDigit } from './check-digits.ts';

/** A book's ten digits, and a recording's code, as they are printed: words beside them could have their plain form by chance. */
const PRINTED =
  /^(?:[0-9]{1,5}[ -][0-9]{1,7}[ -][0-9]{1,7}[ -][0-9X]|[A-Z]{2}-[A-Z0-9]{3}-[0-9]{2}-[0-9]{5})$/;
/** No number of a standard is longer. */
const LONGEST = 17;

/** What a text holds beside other things: the number alone is meant, or nobody can say what is. */
export type Held = { readonly number: Canonical; readonly aloneWithWords: boolean } | null;

/**
 * The number of a standard that a text holds among others: `Fahrgestellnummer …`, `… (IMEI)`, a web address of a book. Where
 * nothing else in the text has a digit, it is the number that is meant.
 * @param plain as `plainText` gives it
 */
export function heldNumber(plain: string): Held {
  const tokens = [...plain.matchAll(/[A-Z0-9]+/g)];
  const found: { readonly number: Canonical; readonly from: number; readonly to: number }[] = [];
  for (let from = 0; from < tokens.length; from++) {
    let bare = '';
    for (let to = from; to < tokens.length && bare.length <= LONGEST; to++) {
      const last = tokens[to]!;
      bare += last[0];
      if (from === 0 && to === tokens.length - 1) continue;
      const shown = plain.slice(tokens[from]!.index, last.index + last[0].length);
      const number = sureKind(bare, PRINTED.test(shown));
      if (number !== null) found.push({ number, from, to });
    }
  }
  const [first] = found;
  if (first === undefined) return null;
  const words = ({ from, to }: typeof first): boolean =>
    tokens.every(([token], i) => (i >= from && i <= to) || !/[0-9]/.test(token));
  const one = new Set(found.map(({ number }) => number.serial)).size === 1;
  return { number: first.number, aloneWithWords: one && words(first) };
}

/**
 * The numbers of a standard that stand somewhere inside of a longer one, as whoever hides a thing may write it.
 * @param bare capital letters and digits
 */
export function insideOf(bare: string): Canonical[] {
  const found = new Map<string, Canonical>();
  for (const length of [13, 15, LONGEST]) {
    for (let from = 0; from + length <= bare.length && length < bare.length; from++) {
      const number = sureKind(bare.slice(from, from + length));
      if (number !== null) found.set(number.serial, number);
    }
  }
  return [...found.values()];
}

/**
 * What a number is whoever made the thing: a VIN, an IMEI or an ISBN, which say so by themselves. The plain forms of the others
 * are usual among the serials of makers, too.
 * @param bare capital letters and digits
 */
export function sureKind(bare: string, printed = false): Canonical | null {
  const read = recognised(bare);
  if (read === null || !('kind' in read)) return null;
  const { kind, serial } = read;
  if (kind === 'vin') return vinCheckDigit(serial) === serial[8] || !requiresCheckDigit(serial) ? read : null;
  if (kind === 'imei') return /^0{8}/.test(serial) ? null : read;
  if (kind === 'isbn') return bare.length >= 13 || printed ? read : null;
  return printed ? read : null;
}
