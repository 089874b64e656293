import { describe, expect, it } from 'vitest';
import { normaliseAsset, parseAssetKey } from '../assets.ts';
import { AppError } from '../errors.ts';
import { isNameLot, nameKey, nameOf, readName } from './name.ts';
import { NAME_SOURCES, namePrice } from './name-price.ts';

const RESERVED = ['windsor', 'grimaldi'];
const usd = (dollars: number) => BigInt(dollars) * 1_000_000n;
const price = (name: string, source: (typeof NAME_SOURCES)[number]) =>
  namePrice('test', readName(name), source, RESERVED);

describe('a name', () => {
  it.each([
    ['Alice.X', 'alice.x', 'x'],
    ['ALICE.CRYPTO', 'alice.crypto', 'crypto'],
    ["O'Brien.nft", 'o’brien.nft', 'nft'],
    ['Ａlice.x', 'alice.x', 'x'],
    ['windsor', 'windsor', 'windsor'],
    ['☕.x', '☕.x', 'x'],
    ['a.b.c', 'a.b.c', 'c'],
  ])('%s is %s', (text, name, tld) => {
    expect(readName(text)).toEqual({ name, tld, labels: name.split('.') });
    expect(readName(name).name).toBe(name);
  });

  it.each([
    '',
    '.x',
    'alice.',
    'a..x',
    'a b.x',
    'аpple.x',
    'xn--a.x',
    'a_b.x',
    '\u200d.x',
    'a&b.x',
    `${'a'.repeat(99)}.x`,
    'a'.repeat(4000),
  ])('is refused by its field: %j', (text) => {
    const told = (() => {
      try {
        readName(text, 'source');
        return null;
      } catch (error) {
        return error;
      }
    })();
    expect(told).toBeInstanceOf(AppError);
    expect(told).toMatchObject({ code: 'bad-request', errors: [{ path: 'source' }] });
    expect((told as AppError).message).not.toMatch(/[\u200e\u200f]/);
  });

  it('has an asset key of its own, whichever way it is spelled, and no other serial has one like it', () => {
    const asset = normaliseAsset({ serial: 'ALICE.x', serialKind: 'name' });
    expect(asset).toEqual({ kind: 'serial', serialKind: 'name', serial: 'alice.x' });
    const key = nameKey(readName('alice.X'));
    expect(parseAssetKey(key)).toEqual(asset);
    expect([isNameLot(key), nameOf(key)]).toEqual([true, 'alice.x']);
    expect(normaliseAsset({ serial: 'ALICE.x' })).toMatchObject({ serialKind: 'generic', serial: 'ALICEX' });
    expect([isNameLot('serial:generic:ALICEX'), nameOf('serial:generic:ALICEX')]).toEqual([false, null]);
  });
});

describe('the price of a name', () => {
  it.each([
    ['alice.x', 'name-a-x', 300],
    ['Alice.CRYPTO', 'name-a-crypto', 200],
    ['alice.nft', 'name-a-nft', 150],
    ['alice.dao', 'name-a-other', 100],
    ['alice.constructor', 'name-a-other', 100],
    ['x.windsor', 'name-a-other', 100],
  ] as const)('at provider A: %s', (name, rule, dollars) => {
    expect(price(name, 'provider-a')).toEqual({ rule, price: usd(dollars) });
  });

  it.each([
    ['alice.x', 'name-b-second-level', 100],
    ['alice.windsor', 'name-b-second-level', 100],
    ['alice', 'name-b-top-level', 1_500],
    ['windsors', 'name-b-top-level', 1_500],
    ['windsor', 'name-b-reserved', 50_000],
    ['GRIMALDI', 'name-b-reserved', 50_000],
  ] as const)('at provider B: %s', (name, rule, dollars) => {
    expect(price(name, 'provider-b')).toEqual({ rule, price: usd(dollars) });
  });

  it('is refused for what a provider does not sell', () => {
    expect(() => price('alice', 'provider-a')).toThrow('sells no top-level names');
    for (const source of NAME_SOURCES) expect(() => price('a.b.x', source)).toThrow('deeper names');
  });
});
