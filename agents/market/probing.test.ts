import { expect, it } from 'vitest';
import { heldDown, PROBES } from './probing.ts';

const now = new Date('2026-11-21T12:00:00Z');
const ago = (ms: number): Date => new Date(now.getTime() - ms);
const many = (count: number, ms: number): Date[] => Array.from({ length: count }, () => ago(ms));

it('lets an owner place orders up to the last one that is allowed', () => {
  expect(heldDown(many(PROBES.most - 1, 0), now)).toBeNull();
});

it('makes an owner wait until the oldest of the allowed orders is an hour old', () => {
  expect(heldDown([...many(PROBES.most - 1, 0), ago(3_590_000)], now)).toBe(10_000);
  expect(heldDown([...many(PROBES.most - 1, 0), ago(3_600_000)], now)).toBeNull();
});

it('counts up to the number that the operator set', () => {
  expect(heldDown(many(1, 60_000), now, 2)).toBeNull();
  expect(heldDown(many(2, 60_000), now, 2)).toBe(3_540_000);
  expect(heldDown(many(1, 60_000), now, 1)).toBe(3_540_000);
});
