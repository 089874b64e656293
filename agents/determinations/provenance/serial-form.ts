import { requiresCheckDigit } from '../../goods/canonical.ts';
import { gtinCheck, isbn10Check, luhn, vinCheckDigit } from '../../goods/check-digits.ts';
import type { SerialKind } from '../../goods/kinds.ts';
import type { Outcome } from '../panel/types.ts';

/** What a serial's spelling tells by the standard of its kind. */
export interface SerialForm {
  readonly outcome: Outcome;
  readonly says: string;
  readonly standard: string;
  readonly limit: string;
}

type Reading = Pick<SerialForm, 'outcome' | 'says'>;

const good = (says: string): Reading => ({ outcome: 'PASS', says });
const bad = (says: string): Reading => ({ outcome: 'FLAG', says });
const unsure = (says: string): Reading => ({ outcome: 'INCONCLUSIVE', says });

const KINDS: Readonly<
  Record<
    SerialKind,
    { readonly standard: string; readonly read: (s: string) => Reading; readonly strict?: typeof madeUp }
  >
> = {
  vin: { standard: 'ISO 3779 and, for North America, 49 CFR 565', read: vin, strict: vehicle },
  imei: { standard: '3GPP TS 23.003', read: imei, strict: madeUp },
  isbn: { standard: 'ISO 2108', read: isbn, strict: notes },
  isrc: { standard: 'ISO 3901', read: isrc },
  gtin: { standard: 'GS1 General Specifications', read: gtin },
  name: { standard: 'ENSIP-15', read: () => good('a name as it is normalised') },
  generic: { standard: 'no standard', read: generic },
};

/**
 * Checks a normalised serial by the standard of its kind. A form that the standard excludes is a FLAG. A wrong check
 * digit is INCONCLUSIVE when the standard does not require the digit everywhere.
 * @param serial as `normaliseAsset` returns it
 * @param version of these rules, as evidence keeps it: 1 knew of no serial that is made up
 */
export function serialForm(kind: SerialKind, serial: string, version: 1 | 2 = 2): SerialForm {
  const { standard, read, strict } = KINDS[kind];
  const excluded = version === 1 ? undefined : strict?.(serial);
  return {
    ...(excluded === undefined ? read(serial) : bad(excluded)),
    standard,
    limit: 'says whether the number can exist, not that it was issued nor what carries it',
  };
}

function vin(serial: string): Reading {
  if (!/^[A-HJ-NPR-Z0-9]{17}$/.test(serial)) {
    return bad('a VIN has 17 letters and digits, none of them I, O or Q');
  }
  const due = vinCheckDigit(serial);
  if (serial[8] === due) return good(`17 characters, and the check digit ${due} fits`);
  const wrong = `the check digit should be ${due} and is ${serial[8]}`;
  // The first character is the maker's region: 1 to 5 are North America, where the check digit is required.
  if (/^[1-5]/.test(serial)) return bad(`${wrong}, which no VIN of North America may be`);
  return unsure(`${wrong}; outside North America a maker may use that place for something else`);
}

function vehicle(serial: string): string | undefined {
  if (serial.startsWith('0')) return 'no region has VINs that begin with a nought';
  const due = vinCheckDigit(serial);
  if (/^[A-HJ-NPR-Z0-9]{17}$/.test(serial) && requiresCheckDigit(serial) && serial[8] !== due)
    return `the check digit should be ${due} and is ${serial[8]}, which no VIN of North America may be`;
  return madeUp(serial);
}

/** A number of one sign throughout passes most check digits, and is what people type where a form asks for one. */
function madeUp(serial: string): string | undefined {
  if (/^(.)\1+$/.test(serial) && !/^0+$/.test(serial))
    return `it is ${serial[0]} throughout, as none is that was issued`;
  return /^0{8}[0-9]{7}$/.test(serial) && !/^0+$/.test(serial)
    ? 'its type allocation code is noughts, which no maker of phones has'
    : undefined;
}

function notes(serial: string): string | undefined {
  return /^9790[0-9]{9}$/.test(serial) ? '979-0 is an ISMN, of printed notes: its kind is gtin' : undefined;
}

function imei(serial: string): Reading {
  if (!/^[0-9]{14,16}$/.test(serial))
    return bad(
      serial.length === 8
        ? 'eight digits are a type allocation code, which is of a model and not of one phone: an IMEI has 15 digits'
        : 'an IMEI has 15 digits',
    );
  if (serial.length !== 15) {
    const what = serial.length === 14 ? 'without its check digit' : 'with a software version in its place';
    return unsure(`${serial.length} digits: an IMEI ${what}, so that nothing can be checked`);
  }
  if (/^0+$/.test(serial)) return bad('no phone is made with an IMEI of noughts');
  return luhn(serial) ? good('15 digits, and the check digit fits') : bad('the Luhn check digit is wrong');
}

function isbn(serial: string): Reading {
  if (/^[0-9]{9}[0-9X]$/.test(serial)) {
    return isbn10Check(serial)
      ? good('ten digits, and the last one fits')
      : bad('the check digit of the ISBN-10 is wrong');
  }
  if (!/^97[89][0-9]{10}$/.test(serial)) {
    return bad('an ISBN has ten digits, or thirteen that begin with 978 or 979');
  }
  return gtinCheck(serial)
    ? good('thirteen digits, and the last one fits')
    : bad('the check digit of the ISBN-13 is wrong');
}

function isrc(serial: string): Reading {
  return /^[A-Z]{2}[A-Z0-9]{3}[0-9]{7}$/.test(serial)
    ? good('country, registrant, year and number, which have no check digit')
    : bad('an ISRC has two letters, three letters or digits and seven digits');
}

/**
 * Checks a GTIN in its normalised form of fourteen digits: zeros in front of GTIN-8, 12 and 13 do not change the check
 * digit.
 */
function gtin(serial: string): Reading {
  if (!/^[0-9]{14}$/.test(serial)) return bad('a GTIN has 8, 12, 13 or 14 digits');
  if (/^0+$/.test(serial)) return bad('no article has a GTIN of noughts');
  return gtinCheck(serial) ? good('the GS1 check digit fits') : bad('the GS1 check digit is wrong');
}

function generic(serial: string): Reading {
  if (/^[0-9]{15}$/.test(serial) && !luhn(serial))
    return unsure('15 digits as an IMEI has, but no check digit that fits: say which kind it is');
  if (/^97[89][0-9]{10}$/.test(serial) && !gtinCheck(serial))
    return unsure('13 digits as an ISBN has, but no check digit that fits: say which kind it is');
  return good('letters and digits, which no standard says more of');
}
