import { createECDH, createHash, createPrivateKey, hkdfSync, type KeyObject, sign } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { canonicalJson } from '../../../agents/canonical.ts';
import type { SeedKeys } from '../../../chain/keys/seeds.ts';

/** A public key as a JWK set lists it (RFC 7517). */
export interface PublicJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
}

/** Signs what leaves the service as JWS: verdicts, status lists, offers and receipts. */
export interface VerdictKey {
  /** The JWK thumbprint (RFC 7638). */
  readonly kid: string;
  readonly publicJwk: PublicJwk;
  /** Its public key, and those of former seeds that are still held. */
  readonly published: readonly PublicJwk[];
  /** ES256 over bytes or text. @returns r and s, 64 bytes, base64url */
  sign(data: string | Uint8Array): string;
  /** A JWT in compact form. @param typ its media type without `application/` */
  signJwt(typ: string, claims: JWTPayload): Promise<string>;
}

/** The order of P-256 (SEC 2, 2.4.2). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * The key of portable verdicts, derived from the seed that every process of the service has, so that it is one key in
 * all of them. ES256, because every JOSE library, WebCrypto and the wallets of SD-JWT VC verify it, while few verify
 * ES256K, on whose curve the service's other keys are. The keys of seeds that are still held verify what they signed.
 */
export function verdictKey(seed: SeedKeys): VerdictKey {
  const { key: bytes, held } = seed('portable verdicts');
  const { key, publicJwk } = keyPair(bytes);
  const { kid } = publicJwk;
  const former = [...held.values()].map((b) => keyPair(b).publicJwk).filter((jwk) => jwk.kid !== kid);
  return {
    kid,
    publicJwk,
    published: [publicJwk, ...former],
    sign: (data) =>
      sign('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
    signJwt: (typ, claims) => new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ, kid }).sign(key),
  };
}

function keyPair(bytes: Buffer): { readonly key: KeyObject; readonly publicJwk: PublicJwk } {
  // 48 bytes make the remainder even (FIPS 186-5, A.2.1).
  const wide = Buffer.from(hkdfSync('sha256', bytes, '', 'P-256', 48)).toString('hex');
  const scalar = (BigInt(`0x${wide}`) % (ORDER - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(d);
  const point = curve.getPublicKey();
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const bare = { kty: 'EC', crv: 'P-256', x, y } as const;
  const kid = createHash('sha256').update(canonicalJson(bare)).digest('base64url');
  const key = createPrivateKey({ format: 'jwk', key: { ...bare, d: d.toString('base64url') } });
  return { key, publicJwk: { ...bare, kid, alg: 'ES256', use: 'sig' } };
}
