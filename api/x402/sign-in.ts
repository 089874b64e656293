import { hash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createSIWxMessage, parseSIWxHeader, type SIWxPayload } from '@x402/extensions/sign-in-with-x';
import { isEvmAddress, lowerAddress } from '../../agents/ids.ts';
import type { SeedKeys } from '../../chain/keys/seeds.ts';
import type { VerifySignature } from '../../chain/tx/signature.ts';
import { coverOf, useSignIn } from '../../store/checkout/memberships.ts';
import type { Database } from '../../store/database.ts';
import type { Request } from '../http/app.ts';

/** What the nonce of a sign-in is made over. */
export interface SignInTerms {
  readonly uri: string;
  readonly issuedAt: string;
  readonly expirationTime: string;
}

/**
 * Nonces of sign-ins, which need no row until they are used: random digits and an HMAC over the request and the times,
 * which only a process with the seed can make. 64 hex digits.
 */
export interface SignInNonces {
  make(terms: SignInTerms): string;
  /** True when this service made the nonce for exactly these terms. */
  isOurs(nonce: string, terms: SignInTerms): boolean;
}

/** @param seed must be the same in every process of the service */
export function signInNonces(seed: SeedKeys): SignInNonces {
  const keys = seed('sign-in-with-x');
  const hmac = hmacSha256(keys.key);
  const held = [...keys.held.values()].map(hmacSha256);
  const mark = (by: typeof hmac, random: string, { uri, issuedAt, expirationTime }: SignInTerms): string =>
    by(JSON.stringify([random, uri, issuedAt, expirationTime])).slice(0, 32);
  return {
    make(terms) {
      // Node generates UUIDs in advance, which makes them cheaper than random bytes. A UUID has 122 random bits.
      const random = randomUUID().replaceAll('-', '');
      return random + mark(hmac, random, terms);
    },
    isOurs(nonce, terms) {
      if (!/^[0-9a-f]{64}$/.test(nonce)) return false;
      const [random, given] = [nonce.slice(0, 32), Buffer.from(nonce.slice(32))];
      return held.some((by) => timingSafeEqual(given, Buffer.from(mark(by, random, terms))));
    },
  };
}

/**
 * HMAC-SHA-256 (RFC 2104) by two hashes, each in one call. Every challenge needs one, and Node's `Hmac` would create an
 * object and a stream each time.
 * @param key of at most 64 bytes
 * @returns a function that makes the HMAC of a text, in hex
 */
export function hmacSha256(key: Uint8Array): (text: string) => string {
  const padded = (pad: number): Buffer =>
    Buffer.alloc(64, pad).map((byte, i) => byte ^ (key[i] ?? 0)) as Buffer;
  const [inner, outer] = [padded(0x36), padded(0x5c)];
  return (text) =>
    hash(
      'sha256',
      Buffer.concat([outer, hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'buffer')]),
    );
}

/** Who signed a request; the wallet is in lower case. */
export interface SignedIn {
  readonly wallet: string;
  /** Marks the signature used, since each counts once. @returns false when it was used before */
  useUp(): Promise<boolean>;
}

/**
 * Finds out who signed a request by `SIGN-IN-WITH-X` (CAIP-122 in the form of EIP-4361): an EOA, ERC-1271 or ERC-6492
 * signature over exactly what the challenge of this request said.
 * @returns the signer, or a sentence that says why the signature does not count
 * @throws AppError unavailable when the chain of a contract wallet cannot be read
 */
export type ProveSignIn = (
  request: Request,
  header: string,
  chains: readonly string[],
) => Promise<SignedIn | string>;

/**
 * Decides whether a request may pass unpaid because a member signed in. Each signature admits one request.
 * @returns the member's wallet, lower case, or a sentence that says why the request may not pass
 * @throws AppError unavailable when the chain of a contract wallet cannot be read
 */
export type AdmitMember = (
  request: Request,
  header: string,
  chains: readonly string[],
) => Promise<{ readonly wallet: string } | string>;

export interface SignInDeps {
  readonly db: Database;
  readonly verify: VerifySignature;
  readonly nonces: SignInNonces;
  readonly baseUrl: string;
  readonly now: () => Date;
}

export function memberSignIn(deps: SignInDeps): AdmitMember {
  const prove = signInProof(deps);
  return async (request, header, chains) => {
    const signed = await prove(request, header, chains);
    if (typeof signed === 'string') return signed;
    const { wallet } = signed;
    if ((await coverOf(deps.db, wallet, deps.now())) === null) return `No membership covers ${wallet} now.`;
    // The nonce is used up only after the wallet turned out to be a member's.
    if (!(await signed.useUp())) return 'Each sign-in counts once.';
    return { wallet };
  };
}

export function signInProof(deps: SignInDeps): ProveSignIn {
  const { host } = new URL(deps.baseUrl);
  return async (request, header, chains) => {
    const signed = read(header);
    if (signed === null) return 'The sign-in is not one of sign-in-with-x.';
    const { uri, issuedAt, expirationTime = '', nonce, address } = signed;
    if (signed.domain !== host || uri !== `${deps.baseUrl}${request.url}`) {
      return 'The sign-in is for another service or another request.';
    }
    if (!chains.includes(signed.chainId)) return 'The sign-in is on a chain that is not offered.';
    if (!deps.nonces.isOurs(nonce, { uri, issuedAt, expirationTime })) {
      return 'The sign-in is not over the challenge of this request.';
    }
    const now = deps.now();
    const expiresAt = new Date(expirationTime);
    if (expiresAt <= now) return 'The sign-in has expired.';
    if (!isEvmAddress(address)) return 'The sign-in names no EVM wallet.';
    const message = messageOf(signed);
    const chainId = Number(signed.chainId.split(':')[1]);
    const claim = { wallet: address as `0x${string}`, signature: signed.signature, chainId };
    if (message === null || !(await deps.verify({ ...claim, message }))) {
      return `The sign-in is not signed by ${address}.`;
    }
    const wallet = lowerAddress(address);
    return { wallet, useUp: () => useSignIn(deps.db, { nonce, wallet, expiresAt }) };
  };
}

function read(header: string): SIWxPayload | null {
  try {
    return parseSIWxHeader(header);
  } catch {
    return null;
  }
}

/** The text that the wallet showed; null when the fields make no valid text. */
function messageOf(signed: SIWxPayload): string | null {
  try {
    return createSIWxMessage(signed, signed.address);
  } catch {
    return null;
  }
}
