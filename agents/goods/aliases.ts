import { type Asset, assetKey } from '../assets.ts';
import { insideOf, sureKind } from './among-words.ts';
import { type Canonical, canonical, recognised } from './canonical.ts';
import { isbn10Check } from './check-digits.ts';
import type { SerialKind } from './kinds.ts';

/**
 * Keys under which others may have written down the same thing with less said about it: digits without a kind, or a number
 * without its maker. What stands there may be this thing, and may be another.
 */
export function vagueKeys(asset: Asset): string[] {
  if (asset.kind === 'token') return [];
  const { serialKind: kind, serial } = asset;
  const { maker, number } = partsOf(asset);
  const own = assetKey(asset);
  const others = [
    ...lessSaid(kind, serial).map((bare) => `serial:generic:${bare}`),
    ...(maker === '' ? [] : [`serial:generic:${number}`]),
    ...[...standardReadings(number.toUpperCase()), ...parted(maker, number)].map(
      (read) => `serial:${read.kind}:${read.serial}`,
    ),
  ];
  return [...new Set(others)].filter((key) => key !== own);
}

/** Letters that are read as digits, and the one that is taken for each digit. */
const LOOKALIKES = [
  { digit: '0', letter: 'O', all: /[0OQ]/g },
  { digit: '1', letter: 'I', all: /[1IL]/g },
] as const;

/**
 * Keys of a maker's number with its noughts and ones written as letters, and such letters as digits: no check digit tells
 * which it is. A number in which one of them is written both ways has more spellings than these.
 */
export function misreadKeys(asset: Asset): string[] {
  if (asset.kind === 'token' || asset.serialKind !== 'generic') return [];
  const { maker, number } = partsOf(asset);
  const spelt = LOOKALIKES.reduce<string[]>(
    (all, { digit, letter, all: alike }) =>
      all.flatMap((one) => [one, one.replace(alike, digit), one.replace(alike, letter)]),
    [number],
  );
  const others = [...new Set(spelt)].filter((one) => one !== number);
  const made = maker === '' ? [] : others.map((one) => `serial:generic:${maker}:${one}`);
  return [...made, ...others.map((one) => `serial:generic:${one}`)];
}

/** So many spellings are looked up at once. */
const MOST_SPELT = 256;

/**
 * As {@link misreadKeys}, with some of them written as letters and others as digits, and without the maker: for whoever looks
 * up all keys of a number at once. Of a number with too many such places one is changed at a time.
 */
export function mixedKeys(asset: Asset): string[] {
  if (asset.kind === 'token' || asset.serialKind !== 'generic') return [];
  const { number } = partsOf(asset);
  const signs = [...number];
  const every = signs.map((sign) => [...alikeTo(sign)]);
  const few = signs.map((sign) => [...new Set([sign, ...alikeTo(sign).slice(0, 2)])]);
  const places = [every, few].find((some) => some.reduce((n, { length }) => n * length, 1) <= MOST_SPELT);
  const spelt =
    places?.reduce((all, some) => all.flatMap((one) => some.map((sign) => one + sign)), ['']) ??
    few.flatMap((some, at) => some.map((sign) => signs.with(at, sign).join('')));
  const others = [...new Set(spelt)].filter((one) => one !== number).slice(0, MOST_SPELT);
  return others.map((one) => `serial:generic:${one}`);
}

/** Every sign that is read as this one, the digit first; itself where there is none. */
const alikeTo = (sign: string): string => ['0OQ', '1IL'].find((all) => all.includes(sign)) ?? sign;

/** Whether each of two assets names its maker, and not the same one. */
export function makersDiffer(one: Asset, other: Asset): boolean {
  const [a, b] = [one, other].map((asset) => (asset.kind === 'token' ? '' : partsOf(asset).maker));
  return a !== '' && b !== '' && a !== b;
}

/**
 * Whether two assets of one number are two makers' by what they say, and the number is none of a standard: such a number is
 * one thing's, whoever is called its maker.
 */
export function areTwoMakers(one: Asset, other: Asset): boolean {
  return makersDiffer(one, other) && [one, other].every((asset) => isMakersOwn(asset as SerialAsset));
}

function isMakersOwn(asset: SerialAsset): boolean {
  const { maker, number } = partsOf(asset);
  return standardReadings(number.toUpperCase()).length === 0 && parted(maker, number).length === 0;
}

type SerialAsset = Asset & { readonly kind: 'serial' };

function partsOf({ serialKind, serial }: SerialAsset): {
  readonly maker: string;
  readonly number: string;
} {
  const [, maker = '', number = serial] =
    (serialKind === 'generic' && /^([A-Z0-9]+):(.+)$/.exec(serial)) || [];
  return { maker, number };
}

/** A number of a standard as it stands where its kind is not told. */
function lessSaid(kind: SerialKind, serial: string): string[] {
  if (kind === 'imei') return [serial.slice(0, 14)];
  if (kind === 'vin') return [serial];
  if (kind === 'gtin') return shorter(serial);
  return kind === 'isbn' ? tenOf(serial) : [];
}

/** One number of which a part is called the maker. */
function parted(maker: string, number: string): Canonical[] {
  if (maker === '') return [];
  return [`${maker}${number}`, `${number}${maker}`].flatMap((bare) => sureKind(bare) ?? []);
}

/** A GTIN in the lengths that it has without the noughts in front. */
function shorter(gtin: string): string[] {
  return [14, 13, 12, 8].map((n) => gtin.slice(-n)).filter((digits) => Number(digits) === Number(gtin));
}

/** The ten digits of a book whose thirteen begin with 978. */
function tenOf(isbn: string): string[] {
  const nine = /^978([0-9]{9})/.exec(isbn)?.[1];
  if (nine === undefined) return [];
  return [...'0123456789X'].map((check) => `${nine}${check}`).filter(isbn10Check);
}

/** What a number would be as one of a standard, or holds of one: whoever hides a phone says that it is something else. */
function standardReadings(bare: string): Canonical[] {
  const read = recognised(bare);
  const whole =
    read === null
      ? []
      : 'kind' in read
        ? [read]
        : read.either.filter((kind) => kind !== 'generic').map((kind) => canonical(kind, bare));
  return [...whole, ...insideOf(bare)];
}
