import { describe, expect, it } from 'vitest';
import { seedKeys } from '../../../chain/keys/seeds.ts';
import { readSessions, readSessionToken } from './read-sessions.ts';

const WALLET = `0x${'ab'.repeat(20)}` as const;
const READER = { wallet: WALLET, beneficialOwner: `0x${'cd'.repeat(20)}` } as const;
const ENDS = new Date('2026-11-21T07:10:00Z');
const BEFORE = new Date('2026-11-21T07:09:59Z');
const sessions = readSessions(seedKeys(`0x${'5e'.repeat(32)}`));

describe('a read session', () => {
  it('opens the reads of its wallet until its end', () => {
    const token = sessions.make(READER, ENDS);
    expect(sessions.readerOf(token, BEFORE)).toEqual(READER);
    expect(sessions.readerOf(token, ENDS)).toBeNull();
  });

  it('cannot be made longer, given to another wallet, or made without the secret', () => {
    const token = sessions.make(READER, ENDS);
    const longer = `f${token.slice(1)}`;
    const other = token.replace('abab', 'abac');
    const sold = token.replace('cdcd', 'cdce');
    for (const forged of [
      longer,
      other,
      sold,
      readSessions(seedKeys(`0x${'5f'.repeat(32)}`)).make(READER, ENDS),
      '',
      `${token}0`,
    ])
      expect(sessions.readerOf(forged, BEFORE)).toBeNull();
  });

  it('of a later end than any is given opens nothing, though whoever made it has the seed', () => {
    const hours = (n: number): Date => new Date(BEFORE.getTime() + n * 3_600_000);
    expect(sessions.readerOf(sessions.make(READER, hours(0.16)), BEFORE)).toEqual(READER);
    expect(sessions.readerOf(sessions.make(READER, hours(1)), BEFORE)).toBeNull();
  });

  it('is read from its own header alone', () => {
    const token = sessions.make(READER, ENDS);
    expect(readSessionToken(`ReadSession ${token}`)).toBe(token);
    for (const header of [`Bearer ${token}`, token, 'ReadSession x'])
      expect(readSessionToken(header)).toBeNull();
  });
});
