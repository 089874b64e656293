import { expect, it } from 'vitest';
import { remedyOf } from './open-schema.ts';

it('takes no error of the system for an answer of the database', () => {
  const away = 'start it, or set DATABASE_URL to another';
  for (const code of ['EPIPE', 'EPERM', 'ECONNREFUSED', '08006', '57P03'])
    expect(remedyOf({ code })).toBe(away);
  expect(remedyOf({ code: '42P01' })).toBe('its schema is as it was before this start');
});
