import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { sessionKeys } from './session-keys.ts';

/** The seed of the mnemonic "test test … junk" (BIP-39, no passphrase), whose keys every wallet library knows. */
const PUBLIC_SEED =
  '0x9dfc3c64c2f8bede1533b6a79f8570e5943e0b8fd1cf77107adf7b72cef42185d564a3aee24cab43f80e3c4538087d70fc824eabbad596a23c97b6ee8322ccc0';

describe('session keys', () => {
  it('are the keys that every BIP-32 wallet derives from the same seed', () => {
    const keys = sessionKeys(PUBLIC_SEED);
    for (const index of [0, 1, 7, 2_147_483_647]) {
      const expected = mnemonicToAccount('test test test test test test test test test test test junk', {
        addressIndex: index,
      });
      expect(keys.at(index).address).toBe(expected.address);
    }
  });

  it('are the same each time and different for each agent', () => {
    const seed = `0x${'07'.repeat(32)}` as const;
    expect(sessionKeys(seed).at(3).address).toBe(sessionKeys(seed).at(3).address);
    expect(new Set(Array.from({ length: 50 }, (_, i) => sessionKeys(seed).at(i).address)).size).toBe(50);
  });

  it.each([-1, 1.5, 2 ** 31, Number.NaN])('refuses the index %s', (index) => {
    expect(() => sessionKeys(PUBLIC_SEED).at(index)).toThrow(RangeError);
  });

  it.each([0, 16, 31, 65])('refuses a seed of %s bytes', (bytes) => {
    expect(() => sessionKeys(`0x${'07'.repeat(bytes)}`)).toThrow(RangeError);
  });
});
