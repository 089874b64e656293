import { badField } from '../../../errors.ts';
import { quoted } from '../../../signed-text.ts';
import { type Attributes, attributeName, numberOf } from './attributes.ts';

/** The most that the words for all attributes may take, so that the sentence that is signed holds them whole. */
const MOST_WORDS = 240;

interface Range {
  readonly least: number;
  readonly most: number;
  readonly whole?: true;
  /** What is to be said of a number outside of it. */
  readonly says: string;
}

/** Attributes that are numbers, and what they can be. */
const RANGES: Readonly<Record<string, Range>> = {
  year: { least: 1000, most: 2200, whole: true, says: 'a year, such as 2018' },
  mileage: { least: 0, most: 10_000_000, says: 'a distance, such as 75000' },
  royaltyshare: { least: 0, most: 100, says: 'a percentage from 0 to 100' },
  rate: { least: -100, most: 1000, says: 'a percentage a year, such as 6.5' },
  term: { least: 0, most: 1200, says: 'a number of months' },
  facevalue: { least: 0.000001, most: 1e12, says: 'an amount in dollars' },
  editionsize: { least: 1, most: 1e9, whole: true, says: 'a whole number' },
};

/**
 * Checks what a seller, or whoever asks for a price, tells of a thing. Names may be spelled freely (`brand` is `make`), but
 * each is told once. A face value names its source.
 * @throws AppError bad-request naming the attribute
 */
export function readAttributes(given: Attributes): Attributes {
  const known = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    const canonical = attributeName(name);
    const twin = known.get(canonical);
    if (twin !== undefined) throw badField(`attributes.${name}`, `says the same as ${twin}: leave one out`);
    known.set(canonical, name);
    requireValue(name, canonical, value);
  }
  const [face, source] = [known.get('facevalue'), known.get('facevaluesource')];
  if (face !== undefined && source === undefined)
    throw badField('attributes.faceValueSource', 'must say where the face value is stated');
  if (source !== undefined && face === undefined)
    throw badField('attributes.faceValue', 'is missing: its source is told');
  return given;
}

/**
 * The attributes of a listing, which its seller signs word for word.
 * @throws AppError bad-request where they are wrong, or too long for the sentence that is signed
 */
export function readListedAttributes(given: Attributes): Attributes {
  const attributes = readAttributes(given);
  if (attributeWords(attributes).length > MOST_WORDS)
    throw badField('attributes', `are longer than ${MOST_WORDS - 2} characters, and must be signed whole`);
  return attributes;
}

function requireValue(name: string, canonical: string, value: Attributes[string]): void {
  const field = `attributes.${name}`;
  const text = String(value ?? '').trim();
  if (text === '') throw badField(field, 'must not be empty: leave it out');
  if (/\p{Cc}/u.test(text)) throw badField(field, 'must be one line of text');
  if (typeof value === 'number' && !Number.isFinite(value)) throw badField(field, 'must be a number');
  if (canonical === 'vin' && !/^[A-HJ-NPR-Z0-9]{11,17}$/i.test(text.replaceAll(/[\s-]/g, '')))
    throw badField(field, 'must be a VIN of 17 characters');
  const range = RANGES[canonical];
  if (range === undefined) return;
  const number = numberOf(text);
  const fits = number !== null && number >= range.least && number <= range.most;
  if (!fits || (range.whole === true && !Number.isInteger(number)))
    throw badField(field, `must be ${range.says}`);
}

/** All attributes in the order in which they were told, in quotes, for a sentence that is signed. */
export function attributeWords(attributes: Attributes): string {
  const all = Object.entries(attributes).map(([name, value]) => `${name} ${value}`);
  return quoted(all.join(', '), 2 * MOST_WORDS);
}
