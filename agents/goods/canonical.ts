import { completed, gtinCheck, isbn10Check, luhn, vinCheckDigit } from './check-digits.ts';
import type { SerialKind } from './kinds.ts';
import { asDigits } from './spelling.ts';

/** A serial of a kind in the one spelling of that kind. */
export interface Canonical {
  readonly kind: SerialKind;
  readonly serial: string;
}

/**
 * The one spelling of a serial whose kind is known: an IMEI has fifteen digits, an ISBN thirteen, a GTIN fourteen. A book's
 * GTIN is its ISBN. What does not have the form of its kind stays as it is.
 * @param bare capital letters and digits
 */
export function canonical(kind: SerialKind, bare: string): Canonical {
  if (kind === 'vin') return { kind, serial: bare.replace(/[OQ]/g, '0').replace(/I/g, '1') };
  if (kind === 'isrc') return { kind, serial: isrc(bare) };
  if (kind === 'imei') return { kind, serial: imei(asDigits(bare)) };
  if (kind === 'isbn') return { kind, serial: isbn(asDigits(bare)) };
  if (kind === 'gtin') return gtin(asDigits(bare));
  return { kind, serial: bare };
}

/** 3GPP TS 23.003: fourteen digits and a check digit, or two of a software version instead. */
function imei(digits: string): string {
  // Both as they are printed on a label: the number, its check digit, and the version behind a slash.
  if (/^[0-9]{17}$/.test(digits) && luhn(digits.slice(0, 15))) return digits.slice(0, 15);
  return /^(?:[0-9]{14}|[0-9]{16})$/.test(digits) ? completed(digits.slice(0, 14), luhn) : digits;
}

/** ISO 2108: ten digits are thirteen that begin with 978, and an SBN of nine is an ISBN with a nought in front. */
function isbn(text: string): string {
  const ten = /^[0-9]{8}[0-9X]$/.test(text) ? `0${text}` : text;
  return /^[0-9]{9}[0-9X]$/.test(ten) && isbn10Check(ten)
    ? completed(`978${ten.slice(0, 9)}`, gtinCheck)
    : text;
}

/** ISO 3901: two letters, three letters or digits, seven digits. */
function isrc(text: string): string {
  if (text.length !== 12) return text;
  const country = text.slice(0, 2).replace(/0/g, 'O').replace(/1/g, 'I');
  return `${country}${text.slice(2, 5)}${asDigits(text.slice(5))}`;
}

function gtin(digits: string): Canonical {
  if (!/^[0-9]+$/.test(digits)) return { kind: 'gtin', serial: digits };
  const padded = digits.padStart(14, '0');
  // 979-0 are printed notes (ISMN), not books.
  const book = /^0(97(?:8|9[1-9])[0-9]{9,10})$/.exec(padded);
  return book ? { kind: 'isbn', serial: book[1]! } : { kind: 'gtin', serial: padded };
}

/** What a serial of no stated kind is, by its form and check digit: sure, one of several, or no known kind. */
export type Recognised = Canonical | { readonly either: readonly SerialKind[]; readonly why: string } | null;

const VIN = /^[A-Z0-9]{17}$/;
const VIN_LETTERS = /^[A-HJ-NPR-Z0-9]{17}$/;
const REQUIRED_CHECK = /^(?:[1-5]|7[F-Z0])/;

/** Whether the maker's region requires the check digit: North America (49 CFR 565; regions by ISO 3780). */
export function requiresCheckDigit(vin: string): boolean {
  return REQUIRED_CHECK.test(vin);
}

/** Whether all letters may be slips for digits: a third of a long number at most, as a word of them is a word. */
function slips(bare: string): boolean {
  const letters = /^[0-9OQIL]*$/.test(bare) ? bare.replace(/[0-9]/g, '').length : bare.length;
  return letters <= Math.max(3, bare.length / 3);
}

/** @param bare capital letters and digits */
export function recognised(bare: string): Recognised {
  const digits = slips(bare) ? asDigits(bare) : bare;
  // As a label has both, the software version behind a slash: no VIN is of digits alone.
  if (/^[0-9]{17}$/.test(digits) && luhn(digits.slice(0, 15)))
    return {
      either: ['vin', 'imei', 'generic'],
      why: '17 digits as a VIN has, or an IMEI with a software version',
    };
  if (VIN.test(bare)) return vehicle(bare);
  if (/^[0-9]{15}$/.test(digits)) {
    if (luhn(digits)) return canonical('imei', digits);
    return /^[0-9]+$/.test(bare)
      ? { either: ['imei', 'generic'], why: '15 digits as an IMEI has, but no check digit that fits' }
      : null;
  }
  if (/^[0-9]{14}$/.test(digits)) return fourteen(digits);
  if (/^[0-9]{16}$/.test(digits)) {
    const why = '16 digits as an IMEI with a software version has';
    return { either: ['imei', 'generic'], why };
  }
  if (/^97(?:8|9[1-9])[0-9]{10}$/.test(digits)) {
    if (gtinCheck(digits)) return canonical('isbn', digits);
    const why = '13 digits as an ISBN has, but no check digit that fits';
    return { either: ['isbn', 'generic'], why };
  }
  if (/^[0-9]{9}[0-9X]$/.test(digits) && isbn10Check(digits)) return canonical('isbn', digits);
  if (/^(?:[0-9]{8}|[0-9]{12,13})$/.test(digits) && gtinCheck(digits)) return canonical('gtin', digits);
  return /^[A-Z]{2}[A-Z0-9]{3}[0-9OQIL]{7}$/.test(bare) && bare.slice(5).replaceAll(/[^0-9]/g, '').length >= 6
    ? canonical('isrc', bare)
    : null;
}

function vehicle(bare: string): Recognised {
  const vin = canonical('vin', bare);
  if (vinCheckDigit(vin.serial) === vin.serial[8]) return vin;
  const spelled = VIN_LETTERS.test(bare) && /[A-Z]/.test(bare) && /[0-9]{3}$/.test(bare);
  return spelled
    ? vin
    : { either: ['vin', 'generic'], why: '17 characters as a VIN has, but not the form of one' };
}

function fourteen(digits: string): Recognised {
  const article = gtinCheck(digits);
  // No phone outside of a test house has an IMEI that begins with 00, and none one that begins as a book's number does.
  if (article && /^0(?:0|97[89])/.test(digits)) return canonical('gtin', digits);
  if (!article)
    return { either: ['imei', 'generic'], why: '14 digits as an IMEI has without its check digit' };
  return { either: ['imei', 'gtin'], why: '14 digits may be an IMEI without its check digit, or a GTIN' };
}
