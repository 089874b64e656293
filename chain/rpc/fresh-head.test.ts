import fc from 'fast-check';
import { expect, it } from 'vitest';
import { headAgeOf, StaleHead, withFreshHead } from './fresh-head.ts';
import type { ChainReader } from './reader.ts';

const at = (seconds: number): ChainReader =>
  ({
    client: 'viem',
    chainId: 1,
    head: async () => ({ number: 7n, hash: '0x', timestamp: BigInt(seconds) }),
  }) as unknown as ChainReader;
const NOW = 1_700_000_000;
const now = () => new Date(NOW * 1000);

it('gives a head exactly as long as it is no older than the limit and not of the future', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -10_000, max: 10_000_000 }),
      fc.integer({ min: 1, max: 100_000 }),
      async (age, maxAgeSeconds) => {
        const head = withFreshHead(at(NOW - age), { maxAgeSeconds, now }).head();
        if (age <= maxAgeSeconds && age >= -60) expect((await head).number).toBe(7n);
        else await expect(head).rejects.toBeInstanceOf(StaleHead);
      },
    ),
  );
});

it('says how old the head is, and how old it may be', async () => {
  await expect(withFreshHead(at(NOW - 5_184_000), { maxAgeSeconds: 120, now }).head()).rejects.toThrow(
    'the head over viem, block 7, is 5184000 seconds old, and 120 is the most it may be',
  );
});

it('does not limit the head of a chain that mines on demand', async () => {
  const reader = withFreshHead(at(0), { maxAgeSeconds: null, now });
  expect((await reader.head()).timestamp).toBe(0n);
  expect(reader.maxHeadAgeSeconds).toBeNull();
});

it('lets a head be ten blocks old, and a minute at least, where the block time is unknown, too', () => {
  expect([12, 2, 0.25, 30, null].map(headAgeOf)).toEqual([120, 60, 60, 300, 120]);
});
