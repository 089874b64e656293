import { getAddress } from 'viem';
import { createSiweMessage } from 'viem/siwe';
import type { Address } from '../../../agents/ids.ts';
import { STATEMENT_LENGTH } from '../../../agents/signed-text.ts';

export interface SignInMessage {
  readonly baseUrl: string;
  readonly wallet: Address;
  readonly chainId: number;
  /** The act in plain words. */
  readonly statement: string;
  /** URIs that the text names in addition to the request itself. */
  readonly resources?: readonly string[];
  readonly method: string;
  /** With the query string, as it was requested. */
  readonly path: string;
  /** sha-256 of the raw body, hex; where the text will be public, of a salt followed by the raw body. */
  readonly bodyHash: string;
  readonly nonce: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/**
 * The text that a wallet signs (EIP-4361). Its resources bind one request: the method, the address with the query
 * string, and the hash of the raw body.
 */
export function signInMessage(m: SignInMessage): string {
  const base = new URL(m.baseUrl);
  return createSiweMessage({
    scheme: base.protocol.slice(0, -1),
    domain: base.host,
    address: getAddress(m.wallet),
    statement: plain(m.statement),
    uri: `${m.baseUrl}${m.path}`,
    version: '1',
    chainId: m.chainId,
    nonce: m.nonce,
    issuedAt: m.issuedAt,
    expirationTime: m.expiresAt,
    resources: [
      `urn:http:method:${m.method}`,
      `${m.baseUrl}${m.path}`,
      `urn:sha256:${m.bodyHash}`,
      ...(m.resources ?? []),
    ],
  });
}

/**
 * EIP-4361 allows RFC 3986 characters and spaces. Other characters, above all a new line, must not reach a wallet's
 * screen, where they could fake a field.
 */
function plain(statement: string): string {
  const text = statement.replace(/[^A-Za-z0-9 \-._~:/?#[\]@!$&'()*+,;=]+/g, ' ').trim();
  return text.slice(0, STATEMENT_LENGTH);
}
