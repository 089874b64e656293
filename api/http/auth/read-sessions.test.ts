import { describe, expect, it } from 'vitest';
import { seedKeys } from '../../../chain/keys/seeds.ts';
import { readSessions, readSessionToken } from './read-sessions.ts';

const WALLET = `0x${'ab'.repeat(20)}` as const;
const ENDS = new Date('2026-11-21T07:10:00Z');
const BEFORE = new Date('2026-11-21T07:09:59Z');
const sessions = readSessions(seedKeys(`0x${'5e'.repeat(32)}`));

describe('a read session', () => {
  it('opens the reads of its wallet until its end', () => {
    const token = sessions.make(WALLET, ENDS);
    expect(sessions.walletOf(token, BEFORE)).toBe(WALLET);
    expect(sessions.walletOf(token, ENDS)).toBeNull();
  });

  it('cannot be made longer, given to another wallet, or made without the secret', () => {
    const token = sessions.make(WALLET, ENDS);
    const longer = `f${token.slice(1)}`;
    const other = token.replace('abab', 'abac');
    for (const forged of [
      longer,
      other,
      readSessions(seedKeys(`0x${'5f'.repeat(32)}`)).make(WALLET, ENDS),
      '',
      `${token}0`,
    ])
      expect(sessions.walletOf(forged, BEFORE)).toBeNull();
  });

  it('of a later end than any is given opens nothing, though whoever made it has the seed', () => {
    const hours = (n: number): Date => new Date(BEFORE.getTime() + n * 3_600_000);
    expect(sessions.walletOf(sessions.make(WALLET, hours(0.16)), BEFORE)).toBe(WALLET);
    expect(sessions.walletOf(sessions.make(WALLET, hours(1)), BEFORE)).toBeNull();
  });

  it('is read from its own header alone', () => {
    const token = sessions.make(WALLET, ENDS);
    expect(readSessionToken(`ReadSession ${token}`)).toBe(token);
    for (const header of [`Bearer ${token}`, token, 'ReadSession x'])
      expect(readSessionToken(header)).toBeNull();
  });
});
