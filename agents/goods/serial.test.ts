import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assetKey, normaliseAsset, parseAssetKey, spelledAsset } from '../assets.ts';
import { rowReader } from '../determinations/provenance/register-row.ts';
import { goodsKey } from '../evaluation/goods-key.ts';
import { makersDiffer, misreadKeys, mixedKeys, vagueKeys } from './aliases.ts';
import { completed, gtinCheck, luhn, vinCheckDigit } from './check-digits.ts';
import type { SerialKind } from './kinds.ts';
import { readSerial } from './serial.ts';

const keyOf = (serial: string, serialKind?: SerialKind) => {
  const said = goodsKey({ serial, ...(serialKind === undefined ? {} : { serialKind }) });
  return 'key' in said ? said.key : said.refused;
};

/** A serial of each kind that its standard allows, with every spelling of it that its kind has. */
const digits = (n: number) => fc.stringMatching(new RegExp(`^[0-9]{${n}}$`));
const SERIALS: readonly (readonly [SerialKind, fc.Arbitrary<readonly string[]>])[] = [
  [
    'vin',
    fc.stringMatching(/^[1-5][A-HJ-NPR-Z0-9]{6}[A-HJ-NPR-Z][A-HJ-NPR-Z0-9]{5}[0-9]{4}$/).map((s) => {
      const head = `${s.slice(0, 8)}0${s.slice(8, 16)}`;
      const vin = `${head.slice(0, 8)}${vinCheckDigit(head)}${head.slice(9)}`;
      return [
        vin,
        vin.replaceAll('0', 'O').replaceAll('1', 'I'),
        vin.replaceAll('0', 'Q'),
        `VIN${vin}`,
        `Chassis no. ${vin}`,
      ];
    }),
  ],
  [
    'imei',
    fc.tuple(fc.stringMatching(/^[1-9][0-9]{13}$/), digits(2)).map(([body, version]) => {
      const imei = completed(body, luhn);
      return [imei, body, `${body}${version}`, `IMEI${imei}`, `IMEI: ${imei}`, `IMEISV ${body}${version}`];
    }),
  ],
  [
    'isbn',
    digits(9).map((nine) => {
      const isbn = completed(`978${nine}`, gtinCheck);
      const sum = [...nine].reduce((total, d, i) => total + Number(d) * (10 - i), 0);
      const last = (11 - (sum % 11)) % 11;
      const ten = `${nine}${last === 10 ? 'X' : last}`;
      return [isbn, ten, `ISBN-13 ${isbn}`, `ISBN-10: ${ten}`, `urn:isbn:${ten}`, `ISBN${isbn}`];
    }),
  ],
  [
    'isrc',
    fc.stringMatching(/^[A-HJ-NP-Z]{2}[A-Z0-9]{3}[0-9]{7}$/).map((isrc) => {
      const parted = `${isrc.slice(0, 2)}-${isrc.slice(2, 5)}-${isrc.slice(5, 7)}-${isrc.slice(7)}`;
      return [isrc, parted, `ISRC ${parted}`, `ISRC${isrc}`];
    }),
  ],
  [
    'gtin',
    fc.stringMatching(/^[1-8][0-9]{10}$/).map((body) => {
      const upc = completed(body, gtinCheck);
      return [
        upc,
        `0${upc}`,
        `00${upc}`,
        `(01)00${upc}`,
        `UPC ${upc}`,
        `GTIN-14: 00${upc}`,
        `EAN-13 0${upc}`,
      ];
    }),
  ],
];

/** The same text as a person who hides it, or a form that was copied, would give it. */
const CYRILLIC: Readonly<Record<string, string>> = {
  ...{ A: 'А', B: 'В', C: 'С', E: 'Е', H: 'Н', K: 'К', M: 'М', P: 'Р', T: 'Т', X: 'Х' },
};
const DISGUISES: readonly ((s: string) => string)[] = [
  (s) => s,
  (s) => s.toLowerCase(),
  (s) => [...s].join('\u200b'),
  (s) => s.replace(/(.{4})/g, '$1 '),
  (s) => s.replace(/(.{5})/g, '$1\u2011'),
  (s) => s.replace(/[A-Z]/g, (c) => CYRILLIC[c] ?? c),
  (s) => s.replace(/[0-9]/g, (c) => String.fromCodePoint(0x0660 + Number(c))),
  (s) => s.replace(/[A-Z0-9]/g, (c) => String.fromCodePoint(c.codePointAt(0)! + 0xfee0)),
];

describe('a serial has one key', () => {
  it.each(SERIALS)('whatever spelling of a %s is given', (kind, serials) => {
    fc.assert(
      fc.property(serials, fc.constantFrom(...DISGUISES), (spellings, disguise) => {
        const keys = spellings.map((s, i) => keyOf(i < 2 ? disguise(s) : s, kind));
        expect(new Set(keys)).toEqual(new Set([`serial:${kind}:${keys[0]!.split(':')[2]}`]));
      }),
    );
  });

  it.each(SERIALS)('and another %s has another', (kind, serials) => {
    fc.assert(
      fc.property(serials, serials, ([one = ''], [other = '']) => {
        expect(keyOf(one, kind) === keyOf(other, kind)).toBe(one === other);
      }),
    );
  });

  it.each(SERIALS)('and a list, a look-up and what is read back of a %s have the same', (kind, serials) => {
    fc.assert(
      fc.property(serials, ([plain = '', other = plain]) => {
        const key = assetKey(normaliseAsset({ serial: plain, serialKind: kind }));
        const row = rowReader('stolen', 'jsonl')(JSON.stringify({ serial: other, serialKind: kind }), 1);
        expect(row?.key).toBe(key);
        expect(assetKey(parseAssetKey(key))).toBe(key);
      }),
    );
  });

  it('which is read back as it was, for any text that can be a serial', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 3, maxLength: 40, unit: 'binary' }), (serial) => {
        let key: string;
        try {
          key = assetKey(spelledAsset({ serial }).asset);
        } catch {
          return;
        }
        expect(assetKey(parseAssetKey(key))).toBe(key);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['1НGСМ82633А004352', 'serial:vin:1HGCM82633A004352'],
    ['VIN 1HGCM82633AOO4352', 'serial:vin:1HGCM82633A004352'],
    ['ISRC17607839', 'serial:isrc:ISRC17607839'],
    ['97803O64O6157', 'serial:isbn:9780306406157'],
    ['urn:gsm:imei:49015420-323751-0', 'serial:imei:490154203237518'],
    ['Trek: WTU-123', 'serial:generic:TREK:WTU123'],
    ['LOLLIPOP', 'serial:generic:LOLLIPOP'],
    ['S/N WTU123', 'serial:generic:WTU123'],
    ['FRAME 77-1', 'serial:generic:FRAME771'],
    ['Frame no. 1HGCM82633A004352', 'serial:vin:1HGCM82633A004352'],
    ...['V.I.N. 1HGCM82633A004352', 'Vehicle ID: 1HGCM82633A004352', 'FIN 1HGCM82633A004352'].map(
      (serial) => [serial, 'serial:vin:1HGCM82633A004352'],
    ),
    ...['“1HGCM82633A004352”', '[1HGCM82633A004352]', 'lHGCM82633A004352', '1🅷GCM82633A004352'].map(
      (serial) => [serial, 'serial:vin:1HGCM82633A004352'],
    ),
    ...[
      ...['IMEI1: 490154203237518', 'IMEI 1: 490154203237518', 'IMEI/MEID: 490154203237518'],
      ...['IMEI-SV 49015420-323751-01', 'IMEI 490154203237518/01'],
    ].map((serial) => [serial, 'serial:imei:490154203237518']),
    ...['ISBN (13): 9780306406157', 'eISBN: 9780306406157', '09780306406157', 'SBN 306-40615-2'].map(
      (serial) => [serial, 'serial:isbn:9780306406157'],
    ),
    ...['GTIN-12: 036000291452', 'UPC 12: 036000291452', 'https://id.gs1.org/01/00036000291452'].map(
      (serial) => [serial, 'serial:gtin:00036000291452'],
    ),
    ['UPC-E 04252614', 'serial:gtin:00042100005264'],
    ['USRC176O7839', 'serial:isrc:USRC17607839'],
    ['SBN306406152', 'serial:isrc:SBN306406152'],
    ['Trek S/N WTU-123', 'serial:generic:TREK:WTU123'],
    ['№ WTU123', 'serial:generic:WTU123'],
    ...[
      ...['IMEI (1): 490154203237518', 'IMEI#1 490154203237518', 'IMEI-1: 490154203237518'],
      ...['IMEI slot 2: 490154203237518', 'IMEI/SV 49 015420 323751 01', '490154203237518 (IMEI)'],
      ...[
        '49OI542O32375I8',
        'gsm:imei:490154203237518',
        'Apple: 490154203237518',
        'my phone 490154203237518',
      ],
    ].map((serial) => [serial, 'serial:imei:490154203237518']),
    ...[
      ...['1HGCM82633A004352 (VIN)', 'Honda: 1HGCM82633A004352', 'VIN/Chassis: 1HGCM82633A004352'],
      ...['Fahrgestellnummer 1HGCM82633A004352', 'Honda S/N 1HGCM82633A004352', 'Honda 1HG CM826 33A 004352'],
    ].map((serial) => [serial, 'serial:vin:1HGCM82633A004352']),
    ...[
      ...['0-306-40615-2 (pbk.)', 'https://isbnsearch.org/isbn/9780306406157', 'Bookland EAN 9780306406157'],
      '(01) 0978 0306 4061 57',
    ].map((serial) => [serial, 'serial:isbn:9780306406157']),
    ['US-RC1-76-07839 (single)', 'serial:isrc:USRC17607839'],
    ...['UPC-E 0-425261-4', 'UPC E 04252614'].map((serial) => [serial, 'serial:gtin:00042100005264']),
    ...['Ser. No. WTU123', 'S-N: WTU123', 'Seriennummer WTU123', 'N° de série WTU123'].map((serial) => [
      serial,
      'serial:generic:WTU123',
    ]),
    ['Trek S/N: WTU123', 'serial:generic:TREK:WTU123'],
    // What others number in the same way stays theirs, and so does a slip of more than a letter or two in a word.
    ['Locks 96385074', 'serial:generic:LOCKS96385074'],
    ['Casio 0306406152', 'serial:generic:CASIO0306406152'],
  ])('%s is %s', (serial, key) => {
    expect(keyOf(serial)).toBe(key);
  });

  it("and a book's article number is its ISBN", () => {
    expect(keyOf('9780306406157', 'gtin')).toBe('serial:isbn:9780306406157');
    expect(keyOf('09780306406157', 'gtin')).toBe('serial:isbn:9780306406157');
    expect(keyOf('9790260000438', 'gtin')).toBe('serial:gtin:09790260000438');
  });

  it('and a maker tells serials apart that no standard knows', () => {
    const of = (maker: string) => goodsKey({ serial: 'WTU123', maker });
    expect(of('Trek')).toEqual({ key: 'serial:generic:TREK:WTU123', kind: 'generic' });
    expect(of('Giant')).not.toEqual(of('Trek'));
    expect(goodsKey({ serial: '49015420323751', maker: 'Acme' })).toMatchObject({ kind: 'generic' });
  });

  it('but not a number that says by itself what it is', () => {
    const of = (serial: string) => goodsKey({ serial, maker: 'Acme' });
    expect(of('1HGCM82633A004352')).toEqual({ key: 'serial:vin:1HGCM82633A004352', kind: 'vin' });
    expect(of('490154203237518')).toEqual({ key: 'serial:imei:490154203237518', kind: 'imei' });
    // No VIN of North America has another check digit.
    expect(of('1HGCM82643A004352')).toMatchObject({ kind: 'generic' });
    expect(keyOf('Giant: WTU123')).toBe('serial:generic:GIANT:WTU123');
    expect(goodsKey({ serial: 'Giant: WTU123', maker: 'Trek' })).toMatchObject({
      refused: expect.stringMatching(/two makers, TREK and GIANT/),
    });
  });

  it('is looked for under what it may have been called with less said, or with a maker', () => {
    const others = (serial: string, maker?: string) =>
      vagueKeys(normaliseAsset({ serial, ...(maker && { maker }) }));
    expect(others('49015420323751', 'Acme')).toEqual([
      'serial:generic:49015420323751',
      'serial:imei:490154203237518',
      'serial:gtin:49015420323751',
    ]);
    expect(others('0306406152', 'Acme')).toEqual(['serial:generic:0306406152', 'serial:isbn:9780306406157']);
    expect(others('WVWZZZIJZ3W386752', 'Seat')).toContain('serial:vin:WVWZZZ1JZ3W386752');
    expect(others('9780306406157')).toEqual(['serial:generic:0306406152']);
    expect(others('490154203237518A')).toEqual(['serial:imei:490154203237518']);
    expect(others('X1HGCM82633A004352')).toContain('serial:vin:1HGCM82633A004352');
    expect(others('352', '1HGCM82633A004')).toContain('serial:vin:1HGCM82633A004352');
    expect(vagueKeys(normaliseAsset({ serial: '49015420323751', serialKind: 'gtin' }))).toContain(
      'serial:imei:490154203237518',
    );
    expect(vagueKeys(normaliseAsset({ serial: '490154203237518', serialKind: 'name' }))).toContain(
      'serial:imei:490154203237518',
    );
    expect(others('WTU123', 'Trek')).toEqual(['serial:generic:WTU123']);
    expect(others('036000291452')).toContain('serial:generic:036000291452');
  });

  it('is the thing of one maker, and not of another, where both are named', () => {
    const differ = (...makers: (string | undefined)[]) => {
      const [one, other] = makers.map((maker) =>
        normaliseAsset({ serial: 'WTU123', ...(maker && { maker }) }),
      );
      return makersDiffer(one!, other!);
    };
    expect([differ('Trek', 'Giant'), differ('Trek', 'TREK')]).toEqual([true, false]);
    expect([differ('Trek', undefined), differ(undefined, undefined)]).toEqual([false, false]);
  });

  it('is looked for with letters in place of the digits that look like them, and the other way', () => {
    const others = (serial: string, maker?: string) =>
      misreadKeys(normaliseAsset({ serial, ...(maker && { maker }) }));
    expect(others('WTUO23')).toEqual(['serial:generic:WTU023']);
    expect(others('WTU0123')).toContain('serial:generic:WTUO123');
    expect(others('WTUQL23', 'Trek')).toEqual(
      expect.arrayContaining(['serial:generic:TREK:WTU0123', 'serial:generic:WTU0123']),
    );
    expect(others('490154203237518')).toEqual([]);
  });

  it('is looked for with some of them letters and some digits, too, in no more spellings than can be looked up', () => {
    const others = (serial: string) => mixedKeys(normaliseAsset({ serial, maker: 'Trek' }));
    expect(others('WTU105K4')).toHaveLength(3 * 3 - 1);
    expect(others('WTU105K4')).toEqual(
      expect.arrayContaining([
        'serial:generic:WTU1O5K4',
        'serial:generic:WTUI05K4',
        'serial:generic:WTULQ5K4',
      ]),
    );
    expect(others('WTU10101010')).toContain('serial:generic:WTU1O1O10I0');
    const long = others('WTU10101010101010101010');
    expect(long.length).toBeLessThanOrEqual(256);
    expect(long).toContain('serial:generic:WTU1010101O101010101010');
    expect(mixedKeys(normaliseAsset({ serial: '490154203237518' }))).toEqual([]);
  });
});

describe('a serial is refused', () => {
  it.each([
    ['11111111111111111', undefined, /throughout/],
    ['00000000000000000', 'vin', /begin with a nought/],
    ['1HGCM82643A004352', undefined, /check digit should be 3/],
    ['7SAYGDEE0PF000000', 'vin', /check digit/],
    ['000000001234566', 'imei', /type allocation code is noughts/],
    ['49015420', 'imei', /of a model and not of one phone/],
    ['TAC: 49015420', undefined, /of a model and not of one phone/],
    ['490154203237517', 'imei', /check digit is wrong/],
    ['9790260000438', 'isbn', /ISMN/],
    ['VIN 1HGCM82633A004352', 'imei', /labelled as vin/],
    ['https://example.com/01/09780306406157/21/ABC', undefined, /a web address is no serial/],
    ['!HGCM82633A004352', undefined, /letters and digits/],
  ] as const)('%s as %s', (serial, kind, why) => {
    expect(keyOf(serial, kind)).toMatch(why);
  });

  it.each([
    ['49015420323751', /imei or generic|imei or gtin/],
    ['10614141000415', /imei or gtin/],
    ['4901542032375189', /imei or generic/],
    ['490154203237517', /no check digit that fits/],
    ['9780306406158', /isbn or generic/],
    ['12345678901234567', /vin or generic/],
    ['490154203237518/01', /holds 490154203237518/],
    ['49015420323751801', /vin or imei or generic/],
    ['iPhone 12 490154203237518', /holds 490154203237518.*kind imei.*the one number/],
    ['490154203237518 64GB', /the one number/],
    ['1HGCM82633A004352 2', /the one number/],
    ['1HGCM82633A004352 / 490154203237518', /the one number/],
    ['1HGCM82633A004352:001', /is a number, and no maker/],
  ])('%s with a question where its kind is open', (serial, question) => {
    expect(keyOf(serial)).toMatch(question);
  });

  it('never by a list, which keeps it under the kind that says least', () => {
    const key = (line: string) => rowReader('stolen', 'csv')(line, 2)?.key;
    expect(key('49015420323751')).toBe('serial:generic:49015420323751');
    expect(key('1HGCM82643A004352')).toBe('serial:vin:1HGCM82643A004352');
  });
});

it('says which part of a text it took for the number where that is too short for one', () => {
  expect(() => readSerial('SN-A1', 'generic')).toThrow(
    /^"SN-" in front was read as a label, and "A1" behind it must be 3 to/,
  );
  expect(() => readSerial('S/N 12')).toThrow(/^"S\/N" in front was read as a label, and "12"/);
  expect(() => readSerial('A1')).toThrow(/^must be 3 to 64/);
  expect(readSerial('SNA1', 'generic').serial).toBe('SNA1');
});
