import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Address } from '../../../agents/ids.ts';
import type { PurposeKeys, SeedKeys } from '../../../chain/keys/seeds.ts';
import { hmacSha256 } from '../../x402/sign-in.ts';

/** What a nonce says, before its HMAC is checked. */
export interface ReadNonce {
  /** Who is asked to sign, lower case. */
  readonly wallet: Address;
  readonly issuedAt: Date;
}

/**
 * Nonces of the messages that owners sign, which need no row until they are used: the time, the wallet, random bytes,
 * and an HMAC over these and everything that the message binds, which only a process with the secret can make. Letters
 * and digits only, as EIP-4361 demands.
 */
export interface ChallengeNonces {
  /** @param bound everything that the message binds, as text */
  make(of: ReadNonce, bound: string): string;
  /**
   * @returns null when the text has not the form of a nonce. The HMAC is not checked: a forged nonce is read as well.
   */
  read(nonce: string): ReadNonce | null;
  /** True when this service made the nonce for exactly this text. */
  isOurs(nonce: string, bound: string): boolean;
  /**
   * The salt in the hash of a private body, as hex. It keeps those who see the message, but not the answer that brought
   * it, from guessing the body.
   */
  saltOf(nonce: string): string;
}

const CREDENTIALS = /^EIP191\s+nonce="([A-Za-z0-9]{8,128})"\s*,\s*signature="(0x[0-9a-fA-F]+)"\s*$/i;

/** Reads the `Authorization` header of a signed request. @returns null when it is malformed */
export function readCredentials(
  authorization: string,
): { readonly nonce: string; readonly signature: `0x${string}` } | null {
  const [, nonce, signature] = CREDENTIALS.exec(authorization) ?? [];
  if (nonce === undefined || signature === undefined) return null;
  return { nonce, signature: signature as `0x${string}` };
}

/** True when the header claims a wallet's signature, whether or not the signature is good. */
export function isOwnerSigned(authorization: string): boolean {
  return /^EIP191(?:\s|$)/i.test(authorization);
}

/** The wallet that the header names, lower case. Nothing is verified yet. */
export function walletNamed(authorization: string): Address | null {
  const credentials = readCredentials(authorization);
  return credentials && (readNonce(credentials.nonce)?.wallet ?? null);
}

/** Time (6 bytes), wallet (20), the seed's version (1), random (9): 72 hex digits. The HMAC follows, 16 bytes. */
const HEAD = 72;
const VERSION = [52, 54] as const;
const NONCE = /^[0-9a-f]{104}$/;
const MARK = 32;

function readNonce(nonce: string): ReadNonce | null {
  if (!NONCE.test(nonce)) return null;
  const issuedAt = new Date(Number.parseInt(nonce.slice(0, 12), 16));
  return { issuedAt, wallet: `0x${nonce.slice(12, 52)}` };
}

/** @param seed must be the same in every process of the service */
export function challengeNonces(seed: SeedKeys): ChallengeNonces {
  const marks = seed('owner-signature');
  const [mark, salt] = [hmacsOf(marks), hmacsOf(seed('owner-signature-salt'))];
  const version = marks.version.toString(16).padStart(2, '0');
  /** Null when the nonce is of a seed that is not held. */
  const markOf = (head: string, bound: string): string | null =>
    mark(head)?.(JSON.stringify([head, bound])).slice(0, MARK) ?? null;
  return {
    make({ wallet, issuedAt }, bound) {
      const time = issuedAt.getTime().toString(16).padStart(12, '0');
      const head = `${time}${wallet.slice(2).toLowerCase()}${version}${randomBytes(9).toString('hex')}`;
      return head + markOf(head, bound)!;
    },
    read: readNonce,
    isOurs(nonce, bound) {
      if (!NONCE.test(nonce)) return false;
      const expected = markOf(nonce.slice(0, HEAD), bound);
      if (expected === null) return false;
      return timingSafeEqual(Buffer.from(nonce.slice(HEAD)), Buffer.from(expected));
    },
    // Of a nonce under a seed that is held no more nothing will be accepted, whatever the salt.
    saltOf: (nonce) => (salt(nonce) ?? hmacSha256(Buffer.alloc(32)))(nonce).slice(0, MARK),
  };
}

/** The HMAC of the seed's version that a nonce names; undefined when that version is not held. */
function hmacsOf({ held }: PurposeKeys): (nonce: string) => ((text: string) => string) | undefined {
  const byVersion = new Map([...held].map(([version, key]) => [version, hmacSha256(key)]));
  return (nonce) => byVersion.get(Number.parseInt(nonce.slice(...VERSION), 16));
}
