import { gtinCheck, isbn10Check, luhn, type SerialKind } from '../../assets.ts';
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
  Record<SerialKind, { readonly standard: string; readonly read: (s: string) => Reading }>
> = {
  vin: { standard: 'ISO 3779 and, for North America, 49 CFR 565', read: vin },
  imei: { standard: '3GPP TS 23.003', read: imei },
  isbn: { standard: 'ISO 2108', read: isbn },
  isrc: { standard: 'ISO 3901', read: isrc },
  gtin: { standard: 'GS1 General Specifications', read: gtin },
  name: { standard: 'ENSIP-15', read: () => good('a name as it is normalised') },
  generic: { standard: 'no standard', read: generic },
};

/**
 * Checks a normalised serial by the standard of its kind. A form that the standard excludes is a FLAG. A wrong check
 * digit is INCONCLUSIVE when the standard does not require the digit everywhere.
 * @param serial as `normaliseAsset` returns it
 */
export function serialForm(kind: SerialKind, serial: string): SerialForm {
  const { standard, read } = KINDS[kind];
  return {
    ...read(serial),
    standard,
    limit: 'says whether the number can exist, not that it was issued nor what carries it',
  };
}

const VIN_VALUES: Readonly<Record<string, number>> = Object.fromEntries([
  ...[...'0123456789'].map((c) => [c, Number(c)] as const),
  ...[...'ABCDEFGH'].map((c, i) => [c, i + 1] as const),
  ...[...'JKLMN'].map((c, i) => [c, i + 1] as const),
  ['P', 7] as const,
  ['R', 9] as const,
  ...[...'STUVWXYZ'].map((c, i) => [c, i + 2] as const),
]);
const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

function vin(serial: string): Reading {
  if (!/^[A-HJ-NPR-Z0-9]{17}$/.test(serial)) {
    return bad('a VIN has 17 letters and digits, none of them I, O or Q');
  }
  const sum = VIN_WEIGHTS.reduce(
    (total, weight, i) => total + weight * (VIN_VALUES[serial[i] ?? ''] ?? 0),
    0,
  );
  const due = sum % 11 === 10 ? 'X' : String(sum % 11);
  if (serial[8] === due) return good(`17 characters, and the check digit ${due} fits`);
  const wrong = `the check digit should be ${due} and is ${serial[8]}`;
  // The first character is the maker's region: 1 to 5 are North America, where the check digit is required.
  if (/^[1-5]/.test(serial)) return bad(`${wrong}, which no VIN of North America may be`);
  return unsure(`${wrong}; outside North America a maker may use that place for something else`);
}

function imei(serial: string): Reading {
  if (!/^[0-9]{14,16}$/.test(serial)) return bad('an IMEI has 15 digits');
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
