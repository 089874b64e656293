import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseAsset, SERIAL_KINDS } from '../../assets.ts';
import { serialForm } from './serial-form.ts';

describe('the form of a serial', () => {
  it.each<[Parameters<typeof serialForm>[0], string, string]>([
    // North America: the check digit is required.
    ['vin', '1HGCM82633A004352', 'PASS'],
    ['vin', '1M8GDM9AXKP042788', 'PASS'],
    ['vin', '11111111111111111', 'FLAG'],
    ['imei', '000000001234566', 'FLAG'],
    ['vin', '1HGCM82643A004352', 'FLAG'],
    ['vin', '5YJSA1DG9DFP14705', 'PASS'],
    ['vin', '5YJSA1DG8DFP14705', 'FLAG'],
    // Elsewhere that position may hold something else.
    ['vin', 'WVWZZZ1JZ3W386752', 'INCONCLUSIVE'],
    ['vin', 'WP0ZZZ99ZTS392124', 'INCONCLUSIVE'],
    ['vin', 'JHMCM82633A004352', 'INCONCLUSIVE'],
    // ISO 3779: 17 characters, no I, O, Q.
    ['vin', '1HGCM82633A00435', 'FLAG'],
    ['vin', '1HGCM82633A00435I', 'FLAG'],
    ['vin', 'WVWZZZ1OZ3W386752', 'FLAG'],
    ['imei', '490154203237518', 'PASS'],
    ['imei', '490154203237517', 'FLAG'],
    ['imei', '49015420323751', 'INCONCLUSIVE'],
    ['imei', '4901542032375189', 'INCONCLUSIVE'],
    ['imei', '000000000000000', 'FLAG'],
    ['imei', '49015420323751A', 'FLAG'],
    ['isbn', '0306406152', 'PASS'],
    ['isbn', '080442957X', 'PASS'],
    ['isbn', '0306406153', 'FLAG'],
    ['isbn', '9780306406157', 'PASS'],
    ['isbn', '9780306406158', 'FLAG'],
    ['isbn', '9770306406157', 'FLAG'],
    ['isrc', 'USRC17607839', 'PASS'],
    ['isrc', 'U1RC17607839', 'FLAG'],
    ['isrc', 'USRC1760783', 'FLAG'],
    ['generic', 'PLOUGH9', 'PASS'],
    ['generic', '490154203237517', 'INCONCLUSIVE'],
    ['generic', '9780306406158', 'INCONCLUSIVE'],
    ['name', 'alice.x', 'PASS'],
  ])('%s %s is %s', (kind, serial, outcome) => {
    expect(serialForm(kind, serial).outcome).toBe(outcome);
  });

  it.each([
    ['96385074', 'PASS'],
    ['036000291452', 'PASS'],
    ['4006381333931', 'PASS'],
    ['10614141000415', 'PASS'],
    ['4006381333932', 'FLAG'],
    ['036000291453', 'FLAG'],
    ['00000000', 'FLAG'],
  ])('of a GTIN %s is %s in its normalised spelling', (given, outcome) => {
    const asset = normaliseAsset({ serial: given, serialKind: 'gtin' });
    expect(serialForm('gtin', asset.kind === 'serial' ? asset.serial : '').outcome).toBe(outcome);
  });

  it('is wrong with any single wrong digit of an IMEI, a GTIN or an ISBN', () => {
    const one = fc.tuple(fc.nat({ max: 12 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(one, ([place, by]) => {
        const turned = (s: string): string =>
          `${s.slice(0, place)}${(Number(s[place]) + by) % 10}${s.slice(place + 1)}`;
        expect(serialForm('imei', turned('490154203237518')).outcome).toBe('FLAG');
        expect(serialForm('isbn', turned('9780306406157')).outcome).toBe('FLAG');
        expect(serialForm('gtin', `0${turned('4006381333931')}`).outcome).toBe('FLAG');
      }),
    );
  });

  it('is judged in evidence of earlier releases as it was then', () => {
    expect(serialForm('vin', '11111111111111111', 1).outcome).toBe('PASS');
    expect(serialForm('imei', '000000001234566', 1).outcome).toBe('PASS');
    expect(serialForm('vin', '7SAYGDEE0PF000000', 1).outcome).toBe('INCONCLUSIVE');
    expect(serialForm('vin', '7SAYGDEE0PF000000').outcome).toBe('FLAG');
  });

  it('is checked for any text at all without an error', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SERIAL_KINDS), fc.string({ maxLength: 40 }), (kind, text) => {
        expect(['PASS', 'FLAG', 'INCONCLUSIVE']).toContain(serialForm(kind, text).outcome);
      }),
    );
  });
});
