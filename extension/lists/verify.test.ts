import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { documentHash } from '../../agents/canonical.ts';
import {
  type ListSnapshot,
  packEntries,
  type SignedSnapshot,
  snapshotTypedData,
} from '../../agents/registers/list-snapshot.ts';
import { openLists } from './own-lists.ts';
import { olderThan, verifySnapshot } from './verify.ts';

const KEY = privateKeyToAccount(`0x${'7'.repeat(64)}`);
const OTHER = privateKeyToAccount(`0x${'8'.repeat(64)}`);
const AT = Date.parse('2026-11-23T10:00:00.000Z');
const DAY_MS = 86_400_000;
const BAD = `0x${'ab'.repeat(20)}`;
const SNAPSHOT: ListSnapshot = {
  version: 1,
  issuedAt: new Date(AT).toISOString(),
  expiresAt: new Date(AT + DAY_MS).toISOString(),
  lists: [
    {
      ...{ list: 'phishing-domains/a', holds: 'hosts', asOf: new Date(AT).toISOString(), maxAgeDays: 30 },
      ...{ rows: 1, synthetic: true, entries: packEntries(['evil.example']) },
    },
    {
      ...{ list: 'known-scam/b', holds: 'addresses', asOf: null, maxAgeDays: 30 },
      ...{ rows: 1, synthetic: true, entries: packEntries([BAD]) },
    },
  ],
};

async function signed(snapshot: ListSnapshot = SNAPSHOT): Promise<SignedSnapshot> {
  const value = await KEY.signTypedData(snapshotTypedData(snapshot));
  return { snapshot, hash: documentHash(snapshot), signature: { signer: KEY.address, value } };
}

describe('signed lists', () => {
  it('are taken from the trusted key, and from the first one where none is trusted yet', async () => {
    await expect(verifySnapshot(await signed(), KEY.address)).resolves.toBeUndefined();
    await expect(verifySnapshot(await signed(), null)).resolves.toBeUndefined();
  });

  it('are refused from another key, by whatever it calls itself', async () => {
    await expect(verifySnapshot(await signed(), OTHER.address)).rejects.toThrow('the key that is trusted is');
    const good = await signed();
    const lying = { ...good, signature: { ...good.signature, signer: OTHER.address } };
    await expect(verifySnapshot(lying, OTHER.address)).rejects.toThrow('not signed by whom they name');
  });

  it('are refused once anything in them was changed', async () => {
    const good = await signed();
    const changed: ListSnapshot[] = [
      { ...SNAPSHOT, lists: [] },
      { ...SNAPSHOT, lists: [{ ...SNAPSHOT.lists[0]!, entries: '' }, SNAPSHOT.lists[1]!] },
      { ...SNAPSHOT, expiresAt: new Date(AT + 9 * DAY_MS).toISOString() },
      { ...SNAPSHOT, issuedAt: new Date(AT + DAY_MS).toISOString() },
    ];
    for (const snapshot of changed) {
      await expect(verifySnapshot({ ...good, snapshot }, KEY.address)).rejects.toThrow('were changed');
      const hash = documentHash(snapshot);
      await expect(verifySnapshot({ ...good, snapshot, hash }, KEY.address)).rejects.toThrow();
    }
  });
});

describe('lists that are held', () => {
  it('are not given up for older ones of the same key, in whatever letter case it is named', async () => {
    const [older, newer] = [
      await signed({ ...SNAPSHOT, issuedAt: new Date(AT - DAY_MS).toISOString() }),
      await signed(),
    ];
    const named = (lists: SignedSnapshot, signer: string) => ({
      ...lists,
      signature: { ...lists.signature, signer: signer as `0x${string}` },
    });
    const upper = `0x${KEY.address.slice(2).toUpperCase()}`;
    for (const signer of [KEY.address, KEY.address.toLowerCase(), upper]) {
      const given = named(older, signer);
      await expect(verifySnapshot(given, KEY.address)).resolves.toBeUndefined();
      expect(olderThan(given, newer)).toContain('the service gave older ones');
      expect(olderThan(named(newer, signer), older)).toBeNull();
    }
    expect(olderThan(newer, newer)).toBeNull();
    expect(olderThan(named(older, OTHER.address), newer)).toBeNull();
    expect(olderThan(older, undefined)).toBeNull();
  });
});

describe('the own copy', () => {
  it('names a host, those below it, and an address', () => {
    const lists = openLists(SNAPSHOT, AT);
    expect(lists.host('evil.example')).toEqual(['phishing-domains/a']);
    expect(lists.host('login.evil.example')).toEqual(['phishing-domains/a']);
    expect(lists.host('notevil.example')).toEqual([]);
    expect(lists.address(BAD)).toEqual(['known-scam/b']);
    expect(lists.address('evil.example')).toEqual([]);
  });

  it('says "not on" of fresh lists alone, and still names what it names when it is old', () => {
    expect(openLists(SNAPSHOT, AT).described).toContain(
      'Not on the own copy of phishing-domains/a (as of 2026-11-23).',
    );
    const old = openLists(SNAPSHOT, AT + 2 * DAY_MS);
    expect(old.described).toContain('what it does not name is unknown');
    expect(old.host('evil.example')).toEqual(['phishing-domains/a']);
    expect(openLists(null, AT).described).toBe('There is no own copy of the lists yet.');
  });
});
