import { expect, it } from 'vitest';
import { mandateHash } from '../../agents/mandate/terms/hash.ts';
import { acceptMandate } from './open-checkout.ts';
import { countsFrom, readBackAt } from './read-back-at.ts';

const NOON = new Date('2026-11-27T12:00:00Z');
const AT = NOON.toISOString();
const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
const hashAt = (at: Date) =>
  mandateHash(acceptMandate('Buy digital products, max 150 USDC per deal, for 30 days.', at));

it('a mandate that was read back within the hour counts from then, however long its payment takes', () => {
  for (const minutes of [0, 20, 60]) expect(hashAt(countsFrom(AT, later(minutes)))).toBe(hashAt(NOON));
  expect(hashAt(later(20))).not.toBe(hashAt(NOON));
  expect(countsFrom(undefined, later(20))).toEqual(later(20));
});

it('a mandate that was read back long ago, or lies ahead, is refused, and read back once more by a page', () => {
  for (const [text, now] of [
    [AT, later(61)],
    [AT, later(-1)],
    ['soon', NOON],
  ] as const) {
    expect(readBackAt(text, now)).toBeNull();
    expect(() => countsFrom(text, now)).toThrow(/readAt: must be .* within the last hour/);
  }
  expect(readBackAt(undefined, NOON)).toBeNull();
  expect(countsFrom(AT, later(600), Number.POSITIVE_INFINITY)).toEqual(NOON);
  expect(() => countsFrom(AT, later(-1), Number.POSITIVE_INFINITY)).toThrow('readAt');
});
