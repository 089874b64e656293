import fc from 'fast-check';
import { Type } from 'typebox';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { parseSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../agents/canonical.ts';
import type { App } from '../../api/app.ts';
import { ownerSignature } from '../../api/plugins/owner-signature.ts';
import { problems } from '../../api/schemas.ts';
import { signatureVerifier } from '../../chain/signature.ts';
import { challengeBook, deleteChallengesExpiredBefore } from '../../store/challenges.ts';
import { testDatabase } from '../fixtures/postgres.ts';
import { BASE_URL, server } from './server-fixture.ts';

const owner = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
let database: Awaited<ReturnType<typeof testDatabase>>;
let app: App;
let now: Date;
let liveOwner: `0x${string}`;
let acts: number;
let nonces = 0;

beforeAll(async () => {
  database = await testDatabase();
  const requireOwner = ownerSignature({
    challenges: challengeBook(database.db),
    clock: () => now,
    baseUrl: BASE_URL,
    verify: signatureVerifier(new Map()),
    newNonce: () => `nonce0000000000${++nonces}`,
  });
  app = await server({
    db: database.db,
    clock: () => now,
    routes: [
      (a) => {
        for (const url of ['/act', '/other', '/public']) {
          a.route({
            method: ['POST', 'DELETE'],
            url,
            schema: {
              body: Type.Object({ note: Type.String() }, { additionalProperties: false }),
              response: { 201: Type.Object({ by: Type.String() }), ...problems('signature-required') },
            },
            handler: async (request, reply) => {
              await requireOwner(request, {
                wallet: liveOwner,
                statement: 'Do the act.\nNonce: forged',
                chainId: 1002,
                salted: url === '/public',
              });
              acts += 1;
              return reply.code(201).send({ by: request.signedBy ?? '' });
            },
          });
        }
      },
    ],
  });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(() => {
  now = new Date('2026-11-21T07:00:00.000Z');
  liveOwner = owner.address;
  acts = 0;
});

interface Ask {
  readonly method: 'POST' | 'DELETE';
  readonly url: string;
  readonly payload: string;
}
const ASK: Ask = { method: 'POST', url: '/act?mode=a', payload: '{"note":"one"}' };

const send = (ask: Ask, authorization?: string) =>
  app.inject({
    ...ask,
    headers: {
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    },
  });
const challengeFor = async (ask: Ask) =>
  (await send(ask)).json().sign as {
    message: string;
    nonce: string;
    expiresAt: string;
    wallet: string;
    chainId: number;
  };
const credentials = (nonce: string, signature: string) => `EIP191 nonce="${nonce}", signature="${signature}"`;
async function signed(ask: Ask, by = owner): Promise<string> {
  const { message, nonce } = await challengeFor(ask);
  return credentials(nonce, await by.signMessage({ message }));
}

describe('a write without a signature', () => {
  it('gets 401 with an EIP-4361 message that binds method, path with query and body', async () => {
    const answer = await send(ASK);
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('EIP191');
    const { code, sign } = answer.json();
    expect(code).toBe('signature-required');
    expect(sign).toMatchObject({
      wallet: owner.address.toLowerCase(),
      chainId: 1002,
      expiresAt: '2026-11-21T07:10:00.000Z',
    });
    const parsed = parseSiweMessage(sign.message);
    expect(parsed).toMatchObject({
      address: owner.address,
      domain: 'handshake.test',
      uri: `${BASE_URL}/act?mode=a`,
      version: '1',
      chainId: 1002,
      nonce: sign.nonce,
      expirationTime: new Date(sign.expiresAt),
    });
    expect(parsed.resources).toEqual([
      'urn:http:method:POST',
      `${BASE_URL}/act?mode=a`,
      `urn:sha256:${sha256Hex(ASK.payload)}`,
    ]);
    // A statement cannot forge a line of the message.
    expect(sign.message.match(/^Nonce: /gm)).toHaveLength(1);
    expect(acts).toBe(0);
  });

  it('is told a salt where its text will be public, without which its body cannot be tried against the text', async () => {
    const ask = { ...ASK, url: '/public' };
    const [one, other] = [(await send(ask)).json().sign, (await send(ask)).json().sign];
    const hashIn = ({ message }: { message: string }) => /urn:sha256:([0-9a-f]{64})$/m.exec(message)?.[1];
    expect(hashIn(one)).toBe(sha256Hex(one.salt + ask.payload));
    expect(one.message).not.toContain(one.salt);
    expect(one.message).not.toContain(sha256Hex(ask.payload));
    expect(other.salt).not.toBe(one.salt);
    expect(hashIn(other)).not.toBe(hashIn(one));
    // It binds this very body all the same.
    const authorization = await signed(ask);
    expect((await send({ ...ask, payload: '{"note":"two"}' }, authorization)).statusCode).toBe(401);
    expect((await send(ask, authorization)).statusCode).toBe(201);
    // Used, it stands on chain with its nonce and its signature: it says the same of every body.
    for (const payload of [ask.payload, '{"note":"two"}'])
      expect((await send({ ...ask, payload }, authorization)).json().code).toBe('signature-used');
  });

  it('is refused for its body before it is asked to sign', async () => {
    expect((await send({ ...ASK, payload: '{"note":1}' })).statusCode).toBe(400);
  });
});

describe('a signature', () => {
  it('lets its own request pass, once', async () => {
    const authorization = await signed(ASK);
    const first = await send(ASK, authorization);
    expect(first.statusCode).toBe(201);
    expect(first.json()).toEqual({ by: owner.address.toLowerCase() });
    const second = await send(ASK, authorization);
    expect(second.json()).toMatchObject({
      code: 'signature-used',
      status: 401,
      sign: { nonce: expect.any(String) },
    });
    expect(acts).toBe(1);
  });

  it('counts once among fifty at the same time', async () => {
    const authorization = await signed(ASK);
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(ASK, authorization)));
    const codes = answers.map((a) => (a.statusCode === 201 ? 'passed' : a.json().code));
    expect(codes.filter((c) => c === 'passed')).toHaveLength(1);
    expect(codes.filter((c) => c === 'signature-used')).toHaveLength(49);
    expect(acts).toBe(1);
  });

  it('is refused when method, path, query, body, nonce, wallet or any byte of it is another', async () => {
    const alter: Record<string, (ask: Ask, nonce: string, text: string) => { ask: Ask; nonce: string }> = {
      method: (ask, nonce) => ({ ask: { ...ask, method: 'DELETE' }, nonce }),
      path: (ask, nonce) => ({ ask: { ...ask, url: ask.url.replace('/act', '/other') }, nonce }),
      query: (ask, nonce, text) => ({
        ask: { ...ask, url: `${ask.url}&x=${encodeURIComponent(text)}` },
        nonce,
      }),
      body: (ask, nonce, text) => ({ ask: { ...ask, payload: JSON.stringify({ note: `${text}+` }) }, nonce }),
      'white space of the body': (ask, nonce) => ({ ask: { ...ask, payload: ` ${ask.payload}` }, nonce }),
      nonce: (ask, nonce) => ({ ask, nonce: `${nonce.slice(0, -1)}${nonce.endsWith('z') ? 'y' : 'z'}` }),
    };
    await fc.assert(
      fc.asyncProperty(
        fc.string({ maxLength: 40 }),
        fc.constantFrom(...Object.keys(alter)),
        async (note, what) => {
          acts = 0;
          const ask = { ...ASK, payload: JSON.stringify({ note }) };
          const { message, nonce } = await challengeFor(ask);
          const signature = await owner.signMessage({ message });
          const altered = alter[what]!(ask, nonce, note);
          const refused = await send(altered.ask, credentials(altered.nonce, signature));
          expect([what, refused.json().code]).toEqual([what, 'signature-invalid']);
          expect(acts).toBe(0);
          // The attempt did not burn it.
          expect((await send(ask, credentials(nonce, signature))).statusCode).toBe(201);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('is refused when any byte of it is changed, and is not burnt by that', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 63 }), fc.integer({ min: 1, max: 255 }), async (index, flip) => {
        const { message, nonce } = await challengeFor(ASK);
        const signature = await owner.signMessage({ message });
        const bytes = Buffer.from(signature.slice(2), 'hex');
        bytes[index] = bytes[index]! ^ flip;
        const refused = await send(ASK, credentials(nonce, `0x${bytes.toString('hex')}`));
        expect(refused.json().code).toBe('signature-invalid');
        expect((await send(ASK, credentials(nonce, signature))).statusCode).toBe(201);
      }),
      { numRuns: 15 },
    );
  });

  it("of another wallet is invalid and does not burn the owner's", async () => {
    const { message, nonce } = await challengeFor(ASK);
    const forged = await send(ASK, credentials(nonce, await stranger.signMessage({ message })));
    expect(forged.json()).toMatchObject({ code: 'signature-invalid', status: 401 });
    expect((await send(ASK, credentials(nonce, await owner.signMessage({ message })))).statusCode).toBe(201);
  });

  it.each([
    'EIP191',
    'Basic abc',
    'EIP191 nonce="x", signature="0x"',
    'EIP191 nonce="nonce00000001", signature="zz"',
    'Bearer 0123456789abcdef',
  ])('written as %s is invalid, with a message to sign', async (authorization) => {
    expect((await send(ASK, authorization)).json()).toMatchObject({
      code: 'signature-invalid',
      sign: { message: expect.any(String) },
    });
  });

  it('expires after ten minutes', async () => {
    const authorization = await signed(ASK);
    now = new Date(now.getTime() + 10 * 60_000);
    expect((await send(ASK, authorization)).json()).toMatchObject({ code: 'signature-expired', status: 401 });
    const fresh = await signed(ASK);
    now = new Date(now.getTime() + 10 * 60_000 - 1);
    expect((await send(ASK, fresh)).statusCode).toBe(201);
  });

  it('is not-owner only when ownership moved after the message was given out', async () => {
    const authorization = await signed(ASK);
    liveOwner = stranger.address;
    expect((await send(ASK, authorization)).json()).toMatchObject({ code: 'not-owner', status: 403 });
    expect((await send(ASK, await signed(ASK, owner))).json().code).toBe('signature-invalid');
    expect((await send(ASK, await signed(ASK, stranger))).statusCode).toBe(201);
  });

  it('for a forgotten message is invalid', async () => {
    const authorization = await signed(ASK);
    await deleteChallengesExpiredBefore(database.db, new Date(now.getTime() + 3_600_000));
    expect((await send(ASK, authorization)).json().code).toBe('signature-invalid');
  });
});
