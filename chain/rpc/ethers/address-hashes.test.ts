import { getAddress, keccak256, toUtf8Bytes } from 'ethers';
import { describe, expect, it, vi } from 'vitest';
import { hashAddressesOnce, rememberingAddresses } from './address-hashes.ts';

const ADDRESS = '0x52908400098527886e0f7030069857d2e4169ee7';
const digits = (address: string) => toUtf8Bytes(address.slice(2));

describe('the hashes of addresses', () => {
  it('are computed once each, and those of nothing else are remembered', () => {
    const hash = vi.fn(keccak256._);
    const once = rememberingAddresses(hash);
    const first = once(digits(ADDRESS));
    expect(first).toEqual(keccak256._(digits(ADDRESS)));
    expect(once(digits(ADDRESS))).toEqual(first);
    expect(hash).toHaveBeenCalledTimes(1);
    once(Uint8Array.of(1));
    once(Uint8Array.of(1));
    expect(hash).toHaveBeenCalledTimes(3);
  });

  it('are forgotten when there are too many', () => {
    const hash = vi.fn(keccak256._);
    const once = rememberingAddresses(hash, 2);
    const of = (n: number) => once(digits(`0x${String(n).repeat(40)}`));
    for (const n of [1, 2, 3, 1, 3]) of(n);
    expect(hash).toHaveBeenCalledTimes(4);
    expect(of(2)).toEqual(keccak256._(digits(`0x${'2'.repeat(40)}`)));
  });

  it('leave spelling as it is', () => {
    hashAddressesOnce();
    hashAddressesOnce();
    for (let n = 0; n < 2; n++)
      expect(getAddress(ADDRESS)).toBe('0x52908400098527886E0F7030069857D2E4169EE7');
  });
});
