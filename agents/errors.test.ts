import { describe, expect, it } from 'vitest';
import { AppError, ERRORS, onWire, Refusal, statusesOf } from './errors.ts';

describe('a refusal', () => {
  it('has a status only on the wire, with all that it says', () => {
    const cause = new Error('why');
    const refusal = new Refusal('double-pledge', 'It is pledged.', { extra: { listingRef: 'lst_1' }, cause });
    expect('status' in refusal).toBe(false);
    expect(onWire(refusal)).toMatchObject({
      ...{ name: 'AppError', code: 'double-pledge', status: 409, message: 'It is pledged.' },
      ...{ extra: { listingRef: 'lst_1' }, cause },
    });
  });

  it('that is one of the wire already keeps the status that it was given', () => {
    const error = new AppError('conflict', 'Another body.', { status: 422 });
    expect(onWire(error)).toBe(error);
  });
});

it('answers a code with no status that the list does not have for it', () => {
  expect(() => new AppError('conflict', 'it is new', { status: 418 })).toThrow(TypeError);
  for (const code of Object.keys(ERRORS) as (keyof typeof ERRORS)[])
    for (const status of statusesOf(code))
      expect(new AppError(code, 'it is known', { status }).status).toBe(status);
  expect([
    statusesOf('conflict'),
    statusesOf('too-large'),
    statusesOf('timeout'),
    statusesOf('internal'),
  ]).toEqual([[409, 422], [413, 431], [503, 408], [500]]);
});
