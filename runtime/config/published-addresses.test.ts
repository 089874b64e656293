import { createHash, randomBytes } from 'node:crypto';
import { keccak256, toBytes } from 'viem';
import { mnemonicToAccount, privateKeyToAddress } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { PUBLISHED_ADDRESSES } from '../../agents/determinations/wallet/look-alike/published-addresses.ts';
import { deadEndOf } from '../../agents/determinations/wallet/money/dead-ends.ts';
import { COMMON_PHRASES, PUBLISHED_KEYS, PUBLISHED_MNEMONICS } from './published-sources.ts';

const addressOf = (key: string): string => privateKeyToAddress(`0x${key.padStart(64, '0')}`).toLowerCase();

/** The addresses of every published key, by what publishes it. */
const made: Readonly<Record<keyof typeof PUBLISHED_ADDRESSES, readonly string[]>> = {
  mnemonics: PUBLISHED_MNEMONICS.flatMap(([mnemonic, accounts]) =>
    Array.from({ length: accounts }, (_, addressIndex) =>
      mnemonicToAccount(mnemonic, { addressIndex }).address.toLowerCase(),
    ),
  ),
  keys: PUBLISHED_KEYS.map(addressOf),
  phrases: COMMON_PHRASES.flatMap((phrase) => [
    addressOf(createHash('sha256').update(phrase).digest('hex')),
    addressOf(keccak256(toBytes(phrase)).slice(2)),
  ]),
  numbers: Array.from({ length: 512 }, (_, i) => addressOf((i + 1).toString(16))),
  bytes: Array.from({ length: 254 }, (_, i) => addressOf((i + 1).toString(16).padStart(2, '0').repeat(32))),
};

describe('the addresses whose private keys are published', () => {
  it.each(Object.keys(made) as (keyof typeof made)[])('are those of the sources: %s', (group) => {
    const digits = [...new Set(made[group].map((address) => address.slice(2, 14)))].sort();
    expect(PUBLISHED_ADDRESSES[group].trim().split(/\s+/)).toEqual(digits);
  });

  it('are told by what publishes the key, however the address is spelled', () => {
    const [first] = made.mnemonics;
    expect(deadEndOf(first!)).toMatchObject({ kind: 'published-key' });
    expect(deadEndOf(`0x${first!.slice(2).toUpperCase()}`)).toMatchObject({ kind: 'published-key' });
    for (const addresses of Object.values(made))
      for (const address of addresses) expect(deadEndOf(address)?.kind).toBe('published-key');
  });

  it('are none of a thousand that were drawn at random', () => {
    for (let i = 0; i < 1_000; i++) expect(deadEndOf(`0x${randomBytes(20).toString('hex')}`)).toBeNull();
  });
});
