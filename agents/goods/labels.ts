import type { SerialKind } from './kinds.ts';
import { asDigits, bareSerial } from './spelling.ts';

/** A text without the word in front that says what number it is. */
export interface Unlabelled {
  readonly kind: SerialKind | null;
  /** Plain text (`plainText`). */
  readonly rest: string;
}

/** The last ones are words of other things, too: a bicycle has a frame number. They need the form of the kind behind them. */
const LABELS: readonly (readonly [words: string, kind: SerialKind, vague?: true])[] = [
  ['VEHICLE IDENTIFICATION|VEHICLE ID|V\\.I\\.N\\.?|VIN', 'vin'],
  // The first or the second slot of a phone, and not a digit of it.
  ['IMEI ?(?:(?:SLOT|SIM) ?)?[(#-]?[12]\\)?(?=[ .:#=_-])', 'imei', true],
  ['IMEI ?[/-]? ?(?:SV|MEID)|IMEI', 'imei'],
  ['[EP]-?ISBN|ISBN', 'isbn'],
  ['ISRC', 'isrc'],
  ['GTIN|EAN|UPC-?A|UPC', 'gtin'],
  ['SERIENNUMMER|SERIEN-?NR|N[O°]? ?DE SERIE|NUMERO DE SERIE|SERIAL|S[/.-]?N\\.?|SER\\.?', 'generic'],
  ['CHASSIS|FRAME|FIN', 'vin', true],
  ['JAN', 'gtin', true],
];
/** Also `NUMBER`, `NO.`, `#`, and in `ISBN-13:` the length. */
const TAIL = '(?:[ -]?(?:8|10|12|13|14|A)(?![0-9A-Z]))?(?: ?(?:NUMBER|NUM|NO|NR|CODE)(?![A-Z]))?';
/** Without the words of the tail first: `NO` and `NR` are countries in an ISRC, too. */
const READERS = LABELS.flatMap(([words, kind, vague = false]) =>
  ['', TAIL].map((tail) => ({
    kind,
    sure: tail !== '' && !vague,
    form: new RegExp(`^(?:URN:)?(?:${words})${tail}([ .:#=_-]*)(.+)$`),
  })),
);

const LONG = /^(?:URN:)?(GTIN|EAN|UPC|ISBN)[ -]?\(?(8|10|12|13|14)\)?[ .:#=_-]+([^ .:#=_-].*)$/;

/** The ten digits between number system and check digit for which the six of a UPC-E stand (GS1 General Specifications). */
function expandedUpcE(six: string): string {
  const last = Number(six[5]);
  if (last <= 2) return `${six.slice(0, 2)}${last}0000${six.slice(2, 5)}`;
  if (last === 3) return `${six.slice(0, 3)}00000${six.slice(3, 5)}`;
  return last === 4 ? `${six.slice(0, 4)}00000${six[4]}` : `${six.slice(0, 5)}0000${last}`;
}

/** The form of each kind in capital letters and digits. */
const FITS: Readonly<Partial<Record<SerialKind, RegExp>>> = {
  vin: /^[A-Z0-9]{17}$/,
  imei: /^[0-9]{14,16}$/,
  isbn: /^(?:[0-9]{9}[0-9X]|97[89][0-9]{10})$/,
  isrc: /^[A-Z]{2}[A-Z0-9]{3}[0-9]{7}$/,
  gtin: /^(?:[0-9]{8}|[0-9]{12,14})$/,
};

/**
 * Takes a label off a serial: `VIN: …`, `ISBN-13 …`, `urn:isbn:…`, `(01)…`. Without anything between the two it is a label
 * only where what follows has the form of its kind: an ISRC of Iceland begins with `IS`, too.
 * @param stated the kind that is said besides: a text that has its form carries no label of a generic serial
 */
export function unlabelled(plain: string, stated?: SerialKind): Unlabelled {
  // RFC 7254: the last digit is a spare one, and no check digit.
  const urn = /^URN:GSM:IMEI:([0-9]{8})-?([0-9]{6})-?[0-9](?:;.*)?$/.exec(plain);
  if (urn) return { kind: 'imei', rest: `${urn[1]}${urn[2]}` };
  const element =
    /^\(01\) ?((?:[0-9] ?){14})$/.exec(plain) ?? /^HTTPS?:\/\/[^ ?#]+\/01\/([0-9]{14})(?:\?.*)?$/.exec(plain);
  if (element) return { kind: 'gtin', rest: element[1]! };
  // Of a model, and refused as such.
  const model = /^(?:TAC|TYPE ALLOCATION CODE)[ .:#=_-]*([0-9]{2}-?[0-9]{6})$/.exec(plain);
  if (model) return { kind: 'imei', rest: model[1]! };
  const old = /^SBN[ .:#=_-]+([0-9][0-9 -]{7,10}[0-9X])$/.exec(plain);
  if (old && /^[0-9]{8}[0-9X]$/.test(bareSerial(old[1]!))) return { kind: 'isbn', rest: old[1]! };
  const short = /^UPC[ -]?E[ .:#=_-]+([01])[ -]?([0-9]{6})[ -]?([0-9])$/.exec(plain);
  if (short) return { kind: 'gtin', rest: `${short[1]}${expandedUpcE(short[2]!)}${short[3]}` };
  // The length belongs to the label where what follows has it: `GTIN-12: …` is no GTIN of fourteen.
  const [, name, length, after = ''] = LONG.exec(plain) ?? [];
  if (name !== undefined && bareSerial(after).length === Number(length))
    return { kind: name === 'ISBN' ? 'isbn' : 'gtin', rest: after };
  for (const { kind, sure, form } of READERS) {
    const [, parted = '', rest = ''] = form.exec(plain) ?? [];
    if (rest === '') continue;
    if (kind === 'generic' && stated !== undefined && fits(stated, plain)) continue;
    if ((sure && parted !== '') || fits(kind, rest)) return { kind, rest };
  }
  return { kind: null, rest: plain };
}

function fits(kind: SerialKind, text: string): boolean {
  const bare = bareSerial(text);
  return FITS[kind]?.test(kind === 'vin' || kind === 'isrc' ? bare : asDigits(bare)) === true;
}
