import { randomBytes } from 'node:crypto';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import type { Hex } from '../../../agents/canonical.ts';
import { AppError } from '../../../agents/errors.ts';
import type { PublicRecord } from '../../../agents/records/record.ts';
import { verdictClaims } from '../../../agents/records/verdict-claims.ts';
import { recordSignerOf } from '../record-signer.ts';
import { digest } from './digest.ts';
import type { VerdictKey } from './verdict-key.ts';

/** What a portable verdict says besides its record. */
export interface Issuing {
  readonly key: VerdictKey;
  /** The public address of the service, without a trailing slash. */
  readonly issuer: string;
  /** Who is to read it; verifiers refuse what is addressed to somebody else. */
  readonly audience: string;
  readonly now: Date;
}

export interface Attested {
  readonly record: PublicRecord;
  readonly hash: Hex;
  /** EIP-712, by the key that signed records when this one was made. */
  readonly signature: Hex;
  /** The place of the record among all, which is its place in the status lists. */
  readonly seq: bigint;
}

/** How long a verdict can be shown after it was judged, whenever its token is made. Another record: after that. */
const VERDICT_SECONDS = 86_400;
/** So many records share a status list: enough to hide which of them a verifier asks about. */
export const LIST_SIZE = 131_072;

/** Where the types and status lists of portable verdicts stand. */
export const verdictType = (issuer: string): string => `${issuer}/credentials/verification-record`;
export const statusListUri = (issuer: string, list: bigint): string => `${issuer}/status-lists/${list}`;

/**
 * The members of a record that whoever holds the SD-JWT may leave out. What the verdict is, about whom, on which chain,
 * by what and when, stands beside the record and cannot be left out.
 */
const MAY_BE_HIDDEN = ['parties', 'summary', 'content', 'evidenceHash'] as const;

/**
 * The record as a JWT (JWS in compact form): the same record, its hash and the service's EIP-712 signature.
 * @throws AppError conflict for a determination of more than a day ago
 */
export async function verdictJwt(attested: Attested, issuing: Issuing): Promise<string> {
  return await issuing.key.signJwt('verification-record+jwt', await claimsOf(attested, issuing));
}

/**
 * The record as an SD-JWT VC. Whoever holds it may show the verdict, the subject and the hash alone; with everything
 * disclosed, the hash can be computed again.
 * @throws AppError conflict for a determination of more than a day ago
 */
export async function verdictSdJwt(attested: Attested, issuing: Issuing): Promise<string> {
  const { key, issuer } = issuing;
  const vc = new SDJwtVcInstance({
    signer: (data: string) => key.sign(data),
    signAlg: 'ES256',
    hasher: digest,
    hashAlg: 'sha-256',
    saltGenerator: () => randomBytes(16).toString('base64url'),
  });
  const claims = { vct: verdictType(issuer), ...(await claimsOf(attested, issuing)) };
  return await vc.issue(
    claims,
    { record: { _sd: [...MAY_BE_HIDDEN] } },
    {
      header: { kid: key.kid },
    },
  );
}

async function claimsOf(attested: Attested, { issuer, audience, now }: Issuing) {
  const { record, hash, signature, seq } = attested;
  const iat = Math.floor(now.getTime() / 1000);
  const said = verdictClaims(record);
  return {
    iss: issuer,
    sub: record.subject,
    aud: audience,
    iat,
    exp: said === null ? iat + VERDICT_SECONDS : endOf(record, iat),
    jti: record.recordId,
    ...said,
    record: { ...record },
    hash,
    eip712: { signer: await recordSignerOf(attested), signature },
    status: {
      status_list: {
        idx: Number(seq % BigInt(LIST_SIZE)),
        uri: statusListUri(issuer, seq / BigInt(LIST_SIZE)),
      },
    },
  };
}

/** A verdict ages from when it was judged: a new token must not make it look new. */
function endOf({ recordId, issuedAt }: PublicRecord, iat: number): number {
  const end = Math.floor(Date.parse(issuedAt) / 1000) + VERDICT_SECONDS;
  if (end <= iat)
    throw new AppError(
      'conflict',
      `The verdict of "${recordId}" is of ${issuedAt}, and is not signed anew after a day: ask for a new determination.`,
    );
  return end;
}
