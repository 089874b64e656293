import { recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { documentHash } from '../canonical.ts';
import { entryFinder, packEntries, snapshotTypedData } from './list-snapshot.ts';

describe('packed entries', () => {
  const keys = Array.from({ length: 5_000 }, (_, i) => `0x${(i * 7919).toString(16).padStart(40, '0')}`);

  it('find each of theirs and none of others', () => {
    const has = entryFinder(packEntries(keys));
    expect(keys.every(has)).toBe(true);
    expect(keys.map((key) => `${key}1`).some(has)).toBe(false);
    expect(entryFinder(packEntries([]))(keys[0]!)).toBe(false);
  });

  it('are the same whatever order they come in, and take eight bytes each', () => {
    expect(packEntries([...keys].reverse())).toBe(packEntries(keys));
    expect(atob(packEntries(keys))).toHaveLength(8 * keys.length);
  });
});

describe('a snapshot', () => {
  it('is signed over its hash and its times', async () => {
    const key = privateKeyToAccount(`0x${'7'.repeat(64)}`);
    const snapshot = {
      version: 1 as const,
      issuedAt: '2026-11-23T10:00:00.000Z',
      expiresAt: '2026-11-24T10:00:00.000Z',
      lists: [],
    };
    const data = snapshotTypedData(snapshot);
    expect(data.message).toEqual({
      hash: documentHash(snapshot),
      issuedAt: 1795428000n,
      expiresAt: 1795514400n,
    });
    const signature = await key.signTypedData(data);
    expect(await recoverTypedDataAddress({ ...data, signature })).toBe(key.address);
    const other = snapshotTypedData({ ...snapshot, expiresAt: '2027-11-24T10:00:00.000Z' });
    expect(await recoverTypedDataAddress({ ...other, signature })).not.toBe(key.address);
  });
});
