import { timingSafeEqual } from 'node:crypto';
import type { Address } from '../../../agents/ids.ts';
import type { SeedKeys } from '../../../chain/keys/seeds.ts';
import { hmacSha256 } from '../../x402/sign-in.ts';

/**
 * Read sessions: one signature of a wallet lets whoever holds the token read what that wallet may read, and nothing
 * else, for ten minutes. A token carries its end, the wallet, who stood behind it, and an HMAC over them; nothing of it is
 * stored.
 */
export interface ReadSessions {
  make(reader: SessionReader, endsAt: Date): string;
  /** Whose reads the token opens; null when it is forged, malformed, over, or of a later end than any has. */
  readerOf(token: string, now: Date): SessionReader | null;
}

/** The wallet whose reads a session opens, and who stood behind it as it was opened. Lower case. */
export interface SessionReader {
  readonly wallet: Address;
  readonly beneficialOwner: Address;
}

const TOKEN = /^([0-9a-f]{12})([0-9a-f]{40})([0-9a-f]{40})([0-9a-f]{64})$/;
const CREDENTIALS = /^ReadSession\s+([0-9a-f]{156})\s*$/i;

/** How long a session lasts, milliseconds. */
export const READ_SESSION_MS = 10 * 60_000;
/** How far the clocks of two processes may differ. */
const CLOCKS_MS = 60_000;

/** The token of `Authorization: ReadSession <token>`; null for any other header. */
export function readSessionToken(authorization: string): string | null {
  return CREDENTIALS.exec(authorization)?.[1]?.toLowerCase() ?? null;
}

/** @param seed must be the same in every process of the service */
export function readSessions(seed: SeedKeys): ReadSessions {
  const keys = seed('read-session');
  const mark = hmacSha256(keys.key);
  const held = [...keys.held.values()].map(hmacSha256);
  const markOf = (head: string, by = mark): string => by(head).slice(0, 64);
  return {
    make({ wallet, beneficialOwner }, endsAt) {
      const ends = endsAt.getTime().toString(16).padStart(12, '0');
      const head = `${ends}${wallet.slice(2)}${beneficialOwner.slice(2)}`.toLowerCase();
      return head + markOf(head);
    },
    readerOf(token, now) {
      const [, ends, wallet, owner, given] = TOKEN.exec(token) ?? [];
      if (ends === undefined || wallet === undefined || owner === undefined || given === undefined)
        return null;
      const isOurs = held.some((by) =>
        timingSafeEqual(Buffer.from(given), Buffer.from(markOf(ends + wallet + owner, by))),
      );
      if (!isOurs) return null;
      const left = Number.parseInt(ends, 16) - now.getTime();
      if (left <= 0 || left > READ_SESSION_MS + CLOCKS_MS) return null;
      return { wallet: `0x${wallet}`, beneficialOwner: `0x${owner}` };
    },
  };
}
