import { describe, expect, it } from 'vitest';
import { AppError } from './errors.ts';
import { readTime } from './times.ts';

describe('a time from the wire', () => {
  it.each([
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00.123456789+05:30', '2027-01-31T06:30:00.123Z'],
    ['2028-02-29T23:59:59-01:00', '2028-03-01T00:59:59.000Z'],
  ])('%s is an instant', (text, instant) => {
    expect(readTime(text, 'until').toISOString()).toBe(instant);
  });

  it.each([
    '',
    'tomorrow',
    '2027-01-31',
    '2027-01-31T12:00:00',
    '2027-02-29T12:00:00Z',
    '2027-02-31T12:00:00Z',
    '2027-11-31T12:00:00Z',
    '2027-13-01T12:00:00Z',
    '2027-00-10T12:00:00Z',
    '2027-01-00T12:00:00Z',
    '2027-01-31T24:00:00Z',
    '2027-01-31T12:00:00+99:00',
    '+275760-09-13T00:00:00Z',
    '2027-01-31T12:00:00 GMTZ',
    '2027-01-31Tnoon12:00:00Z',
  ])('%j is none, and the field is named', (text) => {
    const refused = () => readTime(text, 'until');
    expect(refused).toThrow(AppError);
    expect(refused).toThrow(/^until: must be an ISO 8601 time/);
  });
});
