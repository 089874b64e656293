import { getAddress } from 'viem';
import { expect, it } from 'vitest';
import { knownChains } from './known-chains.ts';

it('knows chains by their published names, block times and dollar tokens', async () => {
  const known = await knownChains([1, 8453, 11155111, 999_999_998]);
  expect([...known.values()].map((c) => [c.name, c.blockSeconds, c.native])).toEqual([
    ['Ethereum', 12, 'ETH'],
    ['Base', 2, 'ETH'],
    ['Sepolia', 12, 'ETH'],
    ['chain 999999998', null, 'native currency'],
  ]);
  expect(known.get(1)?.dollars.map((d) => [d.name, d.decimals])).toEqual([
    ['USDC', 6],
    ['USDT', 6],
    ['DAI', 18],
  ]);
  expect(known.get(8453)?.explorer).toBe('https://basescan.org');
  expect(known.get(999_999_998)).not.toHaveProperty('explorer');
  expect(known.get(999_999_998)?.dollars).toEqual([]);
  expect(await knownChains([])).toEqual(new Map());
});

it('writes every dollar token by its checksum, so that no digit is mistyped', async () => {
  const ids = [1, 10, 56, 100, 130, 137, 8453, 42161, 42220, 43114, 59144, 84532, 421614, 11155111, 11155420];
  const tokens = [...(await knownChains(ids)).values()].flatMap((c) => c.dollars);
  expect(tokens.length).toBeGreaterThan(20);
  for (const { token } of tokens) expect(getAddress(token.toLowerCase())).toBe(token);
});
