import { expect, it } from 'vitest';
import { type GivenChallenge, givenOut } from './given-out.ts';

const asked = (nonce: string, message = 'Sign this.'): GivenChallenge => ({
  ...{ nonce, message, wallet: '0x1', method: 'POST', path: '/order', bodyHash: '' },
  expiresAt: new Date('2026-11-21T12:10:00Z'),
});

it('knows what it gave out, once', () => {
  const given = givenOut();
  given.remember(asked('a'));
  expect(given.take('b')).toBeNull();
  expect(given.take('a')).toEqual(asked('a'));
  expect(given.take('a')).toBeNull();
});

it('forgets the oldest first, and never holds more than it may', () => {
  const given = givenOut(3);
  for (let i = 0; i < 100; i++) given.remember(asked(`n${i}`));
  const kept = Array.from({ length: 100 }, (_, i) => `n${i}`).filter((nonce) => given.take(nonce) !== null);
  expect(kept).toEqual(['n97', 'n98', 'n99']);
});

it('makes room for another by what was taken', () => {
  const given = givenOut(2);
  given.remember(asked('a'));
  given.remember(asked('b'));
  given.take('b');
  given.remember(asked('c'));
  expect(given.take('a')).not.toBeNull();
});

it('leaves long texts to the database: anybody may have them made', () => {
  const given = givenOut();
  given.remember(asked('short', 'x'.repeat(2_000)));
  given.remember(asked('long', 'x'.repeat(2_001)));
  expect(given.take('short')).not.toBeNull();
  expect(given.take('long')).toBeNull();
});
