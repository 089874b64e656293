import { createHash, generateKeyPairSync } from 'node:crypto';
import { getListFromStatusListJWT } from '@sd-jwt/jwt-status-list';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import type { PaymentRequired } from '@x402/core/types';
import {
  type DecodedOffer,
  decodeSignedOffers,
  extractJWSHeader,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  type SignedReceipt,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt';
import { compactVerify, createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose';
import { verifyTypedData } from 'viem';
import { beforeAll, describe, expect, it } from 'vitest';
import { documentHash, type Hex } from '../../../agents/canonical.ts';
import { recordTypedData } from '../../../agents/records/eip712.ts';
import { verifyRecord } from '../../../client/verify.ts';
import { expectStatus } from '../../../runtime/cli/demo/client.ts';
import { attested } from '../../fixtures/attested.ts';
import { runCommand } from '../../fixtures/service.ts';
import { stockFetch } from '../../fixtures/wallets/payers.ts';
import { wireStage } from './wire-stage.ts';

/** Verdicts that were kept, read by stock libraries after the service has ended. */

const AUDIENCE = 'https://shop.example';
const OTHER = 'https://other.example';
const SD_JWT = 'application/dc+sd-jwt';

// biome-ignore lint/suspicious/noExplicitAny: a stranger reads JSON as it comes
type Told = any;

interface Kept {
  readonly document: Told;
  readonly jwt: string;
  readonly sdJwt: string;
}

let issuer: string;
let jwks: JSONWebKeySet;
let standing: Kept;
let overturned: Kept;
let retracted: Kept;
/** What `record verify` said of these two, and its exit code. */
let verified: Told[];
let forms: Record<string, [string | null, string]>;
let did: Told;
let bought: { url: string; payer: string; offer: DecodedOffer; receipt: SignedReceipt };
const lists = new Map<string, string>();

beforeAll(async () => {
  const stage = await wireStage();
  issuer = stage.baseUrl;
  const text = async (path: string, accept: string): Promise<[string | null, string]> => {
    const answer = await fetch(`${issuer}${path}`, { headers: { accept } });
    return [answer.headers.get('content-type'), await answer.text()];
  };
  const owner = await stage.owner();
  const buy = async (address: string): Promise<string> => {
    const url = `${issuer}/determination?address=${address}&chainId=1002`;
    const unpaid = (await (await fetch(url)).json()) as PaymentRequired;
    const [offer] = decodeSignedOffers(extractOffersFromPaymentRequired(unpaid));
    const answer = await stockFetch(owner)(url);
    bought = { url, payer: owner.address, offer: offer!, receipt: extractReceiptFromResponse(answer)! };
    return ((await answer.json()) as Told).recorded.recordId;
  };
  const keep = async (recordId: string): Promise<Kept> => ({
    document: (await stage.api.get(`/records/${recordId}`)).body,
    jwt: (await text(`/records/${recordId}?audience=${AUDIENCE}`, 'application/jwt'))[1],
    sdJwt: (await text(`/records/${recordId}?audience=${AUDIENCE}`, SD_JWT))[1],
  });
  const [first, second, third] = [
    await buy(owner.address),
    await buy(owner.address),
    await buy(owner.address),
  ];
  // Without lists nothing could be said of them. With lists the appeal is CLEAN.
  for (const register of ['sanctions', 'known-scam']) {
    const listed = await fetch(`${issuer}/register/${register}?source=test&${attested()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.operatorKey}`, 'content-type': 'application/x-ndjson' },
      body: '{"address":"0x00000000000000000000000000000000deadbeef"}\n',
    });
    expect(listed.status).toBe(201);
  }
  const appeal = { wallet: owner.address, grounds: 'it is mine' };
  expectStatus(await stage.api.signedPost(owner, `/records/${first}/appeal`, appeal), 201, 'appealing');
  const reason = 'The list of that day was wrong.';
  const told = await runCommand(['record', 'retract', third, '--reason', reason], {
    env: { ...stage.env, DATABASE_URL: stage.databaseUrl },
  });
  expect([told.code, JSON.parse(told.stdout)]).toMatchObject([0, { recordId: third, reason }]);
  const checked = await Promise.all(
    [first, third].map((id) =>
      runCommand(['record', 'verify', id, '--offline', '--json'], { env: stage.env }),
    ),
  );
  verified = checked.map(({ code, stdout }) => ({ code, ...JSON.parse(stdout) }));
  overturned = await keep(first);
  retracted = await keep(third);
  expect(retracted.document.retracted).toMatchObject({ reason });
  standing = await keep(second);
  expect([overturned, standing].map(({ document }) => document.overturned)).toEqual([true, undefined]);
  jwks = (await stage.api.get('/.well-known/jwks.json')).body;
  did = (await stage.api.get('/.well-known/did.json')).body;
  const named = (await stage.api.get('/.well-known/jwt-vc-issuer')).body;
  expect(named).toEqual({ issuer, jwks_uri: `${issuer}/.well-known/jwks.json` });
  for (const { jwt } of [standing, overturned, retracted]) {
    const { uri } = (decodeJwt(jwt) as Told).status.status_list;
    const [type, list] = await text(uri.slice(issuer.length), 'application/statuslist+jwt');
    expect(type).toBe('application/statuslist+jwt');
    lists.set(uri, list);
  }
  forms = {};
  for (const accept of [
    'application/jwt',
    'application/jose',
    SD_JWT,
    '*/*',
    'application/json',
    'text/html',
  ])
    forms[accept] = await text(`/records/${second}`, accept);
  expect((await text('/status-lists/1', '*/*'))[1]).toContain('not-found');
  expect((await text(`/records/${second}?audience=a%20b`, 'application/jwt'))[1]).toContain('bad-request');
  await stage.stop();
});

const keys = () => createLocalJWKSet(jwks);
const expected = { typ: 'verification-record+jwt', requiredClaims: ['exp', 'sub', 'aud'] };
const inADay = new Date(Date.now() + 25 * 3_600_000);

/** What a careful verifier does: signature, type, issuer, audience, time, and then the kept status list. */
async function readJwt(token: string, audience = AUDIENCE, currentDate = new Date()): Promise<Told> {
  const { payload } = await jwtVerify(token, keys(), { ...expected, issuer, audience, currentDate });
  const { uri, idx } = (payload as Told).status.status_list;
  const list = lists.get(uri) as string;
  await jwtVerify(list, keys(), { typ: 'statuslist+jwt', subject: uri, currentDate });
  if (getListFromStatusListJWT(list).getStatus(idx) !== 0) throw new Error('retracted');
  return payload;
}

async function readSdJwt(token: string, audience = AUDIENCE, currentDate = new Date()): Promise<Told> {
  const { payload } = await verifier().verify(token, {
    currentDate: Math.floor(currentDate.getTime() / 1000),
  });
  requireReferenced(token);
  // The library leaves issuer and audience to its caller.
  await jwtVerify(token.split('~')[0]!, keys(), { typ: 'dc+sd-jwt', issuer, audience, currentDate });
  return payload;
}

/** RFC 9901, 7.1: a disclosure that belongs to nothing is a reason to refuse. The library passes over it. */
function requireReferenced(token: string): void {
  const [jwt = '', ...parts] = token.split('~');
  const digests = new Set((decodeJwt(jwt) as Told).record._sd);
  const disclosures = parts.slice(0, -1);
  for (const disclosure of disclosures) {
    if (!digests.delete(createHash('sha256').update(disclosure).digest('base64url')))
      throw new Error('a disclosure belongs to nothing');
  }
  if (parts.at(-1) !== '') throw new Error('there is a key binding, and none was asked for');
}

function verifier(): SDJwtVcInstance {
  const verify = async (data: string, signature: string): Promise<boolean> => {
    await compactVerify(`${data}.${signature}`, keys());
    return true;
  };
  return new SDJwtVcInstance({
    hasher: (data) =>
      createHash('sha256')
        .update(Buffer.from(data as string))
        .digest(),
    hashAlg: 'sha-256',
    verifier: verify,
    statusListFetcher: async (uri) => lists.get(uri) as string,
  });
}

describe('a kept verdict', () => {
  it('is the same record in every form, by what Accept names', () => {
    const types = Object.fromEntries(Object.entries(forms).map(([accept, [type]]) => [accept, type]));
    expect(types).toEqual({
      'application/jwt': 'application/jwt',
      'application/jose': 'application/jose',
      [SD_JWT]: SD_JWT,
      '*/*': 'application/json; charset=utf-8',
      'application/json': 'application/json; charset=utf-8',
      'text/html': 'text/html; charset=utf-8',
    });
    expect(decodeJwt(forms['application/jwt']![1])).toMatchObject({ iss: issuer, aud: issuer });
  });

  it('is verified by jose alone, and holds the record, its hash and its EIP-712 signature', async () => {
    const payload = await readJwt(standing.jwt);
    const { record, hash, signature } = standing.document;
    expect(payload).toMatchObject({
      iss: issuer,
      aud: AUDIENCE,
      sub: record.subject,
      jti: record.recordId,
      verdict: 'FLAGGED',
      record,
      hash,
    });
    expect(documentHash(payload.record)).toBe(hash);
    expect(payload.eip712).toEqual({ signer: signature.signer, signature: signature.value });
    const { signer: address, signature: signed } = payload.eip712 as { signer: Hex; signature: Hex };
    expect(
      await verifyTypedData({ address, signature: signed, ...recordTypedData(payload.record, hash) }),
    ).toBe(true);
  });

  it('is verified by the SD-JWT library alone, whole or with all but verdict and subject left out', async () => {
    const whole = await readSdJwt(standing.sdJwt);
    expect(whole).toMatchObject({
      vct: `${issuer}/credentials/verification-record`,
      record: standing.document.record,
    });
    expect(documentHash(whole.record)).toBe(whole.hash);
    const little = await verifier().present(standing.sdJwt, {} as never);
    const shown = await readSdJwt(little);
    expect(little.length).toBeLessThan(standing.sdJwt.length / 2);
    expect(shown).toMatchObject({
      verdict: 'FLAGGED',
      sub: standing.document.record.subject,
      hash: whole.hash,
    });
    expect(shown.record.content).toBeUndefined();
  });

  it('that was overturned or retracted does not hold, by command as by library, and both say why', async () => {
    const why = ['an appeal overturned it', 'its operator retracted it (The list of that day was wrong.)'];
    const documents = [overturned.document, retracted.document];
    const read = await Promise.all(documents.map((d) => verifyRecord(d, { unanchored: true })));
    expect(verified.map((v) => v.code)).toEqual([1, 1]);
    for (const [n, withdrawn] of (['overturned', 'retracted'] as const).entries())
      for (const said of [verified[n], read[n]]) {
        expect(said).toMatchObject({ ok: false, withdrawn });
        expect(said.steps).toContainEqual({ step: `the service took it back: ${why[n]}`, ok: false });
      }
    expect(read.map((r) => r.verdict)).toEqual([null, null]);
    expect(await verifyRecord(standing.document, { unanchored: true })).toMatchObject({
      ...{ ok: true, verdict: 'FLAGGED', withdrawn: null },
    });
  });

  it.each([
    ['JWT', readJwt, () => [standing.jwt, overturned.jwt, retracted.jwt]],
    ['SD-JWT', readSdJwt, () => [standing.sdJwt, overturned.sdJwt, retracted.sdJwt]],
  ] as const)(
    'as %s is refused for another audience, when it has expired, and when it was overturned or retracted',
    async (_of, read, both) => {
      const [good, ...withdrawn] = both() as [string, ...string[]];
      await expect(read(good)).resolves.toBeDefined();
      await expect(read(good, OTHER)).rejects.toThrow(/aud/);
      await expect(read(good, AUDIENCE, inADay)).rejects.toThrow(/exp/);
      for (const token of withdrawn)
        await expect(read(token)).rejects.toThrow(/retracted|Status is not valid/);
    },
  );

  it('as JWT or SD-JWT is refused after each of ten thousand changes', async () => {
    const next = chances(20_261_123);
    const accepted: string[] = [];
    let tried = 0;
    for (const [read, token] of [
      [readJwt, standing.jwt],
      [readSdJwt, standing.sdJwt],
    ] as const) {
      for (let n = 0; n < 5_000; n++) {
        const changed = change(token, next);
        if (sameBytes(changed, token)) continue;
        tried += 1;
        await read(changed).then(
          () => accepted.push(changed),
          () => {},
        );
      }
    }
    expect(accepted.slice(0, 3)).toEqual([]);
    expect(tried).toBeGreaterThan(9_900);
  }, 900_000);

  it('is refused when somebody else signed it, or nobody', async () => {
    const claims = decodeJwt(standing.jwt);
    const header = { typ: 'verification-record+jwt', kid: jwks.keys[0]!.kid! };
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const forged = await new SignJWT(claims).setProtectedHeader({ ...header, alg: 'ES256' }).sign(privateKey);
    await expect(readJwt(forged)).rejects.toThrow();
    const secret = Buffer.from(JSON.stringify(jwks.keys[0]));
    const confused = await new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256' }).sign(secret);
    await expect(readJwt(confused)).rejects.toThrow();
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    await expect(readJwt(`${encode({ ...header, alg: 'none' })}.${encode(claims)}.`)).rejects.toThrow();
    // A status list is signed by the same key, and is no verdict.
    await expect(readJwt([...lists.values()][0]!)).rejects.toThrow(/typ/);
  });
});

describe('what was paid', () => {
  it('is proved by the offer and the receipt that x402 signs, under the key of the verdicts', async () => {
    const { url, payer, offer, receipt } = bought;
    const key = jwks.keys[0] as Told;
    expect(await verifyOfferSignatureJWS(offer.signedOffer as never, key)).toMatchObject({
      resourceUrl: url,
      network: 'eip155:1002',
      amount: '10000',
    });
    expect(await verifyReceiptSignatureJWS(receipt as never, key)).toMatchObject({ resourceUrl: url, payer });
    expect(verifyReceiptMatchesOffer(receipt, { ...offer, network: 'eip155:84532' }, [payer])).toBe(true);
    const [method] = did.verificationMethod;
    expect(extractJWSHeader(receipt.signature)).toEqual({ alg: 'ES256', kid: method.id });
    expect(method.publicKeyJwk).toEqual(key);
    const other = {
      ...receipt,
      signature: receipt.signature.replace(/.(?=[^.]*$)/, (c) => (c === 'A' ? 'B' : 'A')),
    };
    await expect(verifyReceiptSignatureJWS(other as never, key)).rejects.toThrow();
  });
});

/** Numbers from 0 to before 1, the same in each run (mulberry32). */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~';

/** Replaces, adds, removes or doubles something, or changes a claim and leaves the signature. */
function change(token: string, next: () => number): string {
  const at = Math.floor(next() * token.length);
  const letter = LETTERS[Math.floor(next() * LETTERS.length)]!;
  switch (Math.floor(next() * 5)) {
    case 0:
      return token.slice(0, at) + letter + token.slice(at);
    case 1:
      return token.slice(0, at) + token.slice(at + 1);
    case 2:
      return token.slice(0, at) + token.slice(at, at + 8) + token.slice(at);
    case 3:
      return withClaim(token, next);
    default:
      return token.slice(0, at) + letter + token.slice(at + 1);
  }
}

function withClaim(token: string, next: () => number): string {
  const [header, payload, ...rest] = token.split('.') as [string, string, string];
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const edits: [string, unknown][] = [
    ['verdict', 'CLEAN'],
    ['sub', `0x${Math.floor(next() * 2 ** 48).toString(16)}`],
    ['aud', OTHER],
    ['exp', claims.exp + 1 + Math.floor(next() * 1e6)],
    ['hash', documentHash(next())],
    ['status', { status_list: { ...claims.status.status_list, idx: Math.floor(next() * 1000) + 10 } }],
  ];
  const [name, value] = edits[Math.floor(next() * edits.length)]!;
  const text = JSON.stringify({ ...claims, [name]: value });
  return [header, Buffer.from(text).toString('base64url'), ...rest].join('.');
}

/** The last letter of a signature has bits that mean nothing: with other ones it is the same token. */
function sameBytes(changed: string, token: string): boolean {
  const bytes = (text: string) => {
    const [jwt = '', ...disclosures] = text.split('~');
    const [header, payload, signature = ''] = jwt.split('.');
    return [header, payload, Buffer.from(signature, 'base64url').toString('hex'), ...disclosures].join('|');
  };
  return changed === token || (LETTERS.includes(changed.at(-1)!) && bytes(changed) === bytes(token));
}
