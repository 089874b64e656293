import { describe, expect, it } from 'vitest';
import { AppError, onWire, Refusal } from './errors.ts';

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
