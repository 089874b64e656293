import { type Canonical, recognised, requiresCheckDigit } from './canonical.ts';
import { vinCheckDigit } from './check-digits.ts';

/** A book's ten digits, and a recording's code, as they are printed: words beside them could have their plain form by chance. */
const PRINTED =
  /^(?:[0-9]{1,5}[ -][0-9]{1,7}[ -][0-9]{1,7}[ -][0-9X]|[A-Z]{2}-[A-Z0-9]{3}-[0-9]{2}-[0-9]{5})$/;
/** More words than these are no label. */
const MOST_WORDS = 12;

/**
 * The one number of a standard in a text that has only words beside it: `Fahrgestellnummer …`, `… (IMEI)`, a web address of a
 * book. Nothing else in the text has a digit, and the number's own check digit or form says what it is.
 * @param plain as `plainText` gives it
 * @returns null where there is none, or where it could be one of two
 */
export function amongWords(plain: string): Canonical | null {
  const tokens = [...plain.matchAll(/[A-Z0-9]+/g)];
  const words = (list: readonly RegExpMatchArray[]): number => {
    const first = list.findIndex(([token]) => /[0-9]/.test(token));
    return Math.min(MOST_WORDS, first < 0 ? list.length : first);
  };
  const before = words(tokens);
  const behind = words([...tokens].reverse());
  const found = new Map<string, Canonical>();
  for (let i = 0; i <= before; i++) {
    for (let j = i === 0 ? 1 : 0; j <= behind && i + j < tokens.length; j++) {
      const own = tokens.slice(i, tokens.length - j);
      const last = own.at(-1)!;
      const shown = plain.slice(own[0]!.index, last.index + last[0].length);
      const read = sureKind(own.map(([token]) => token).join(''), PRINTED.test(shown));
      if (read !== null) found.set(read.serial, read);
    }
  }
  return found.size === 1 ? [...found.values()][0]! : null;
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
