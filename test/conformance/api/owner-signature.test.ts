import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { parseSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../agents/canonical.ts';
import { AppError } from '../../../agents/errors.ts';
import type { App } from '../../../api/http/app.ts';
import { challengeNonces } from '../../../api/http/auth/challenge-nonces.ts';
import { ownerSignature } from '../../../api/http/auth/owner-signature.ts';
import { ownerOrOperator, ownerSigned, problems } from '../../../api/schemas.ts';
import { seedKeys } from '../../../chain/keys/seeds.ts';
import { signatureVerifier } from '../../../chain/tx/signature.ts';
import { deleteSignaturesUsedBefore, usedSignatures } from '../../../store/http/used-signatures.ts';
import { testDatabase } from '../../fixtures/postgres.ts';
import { BASE_URL, server } from './server-fixture.ts';

const owner = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
let database: Awaited<ReturnType<typeof testDatabase>>;
let app: App;
/** Another process on the same database. */
let other: App;
let now: Date;
let liveOwner: `0x${string}`;
let acts: number;
/** What a contract wallet would say; null: the signature is looked at. */
let says: (() => boolean) | null;
const looksAt = signatureVerifier(new Map());

/** A process as it starts: it remembers nothing. */
async function started(): Promise<App> {
  const requireOwner = ownerSignature({
    used: usedSignatures(database.db),
    clock: () => now,
    baseUrl: BASE_URL,
    beneficialOwnerOf: async (wallet) => wallet,
    verify: async (claim) => (says === null ? looksAt(claim) : says()),
    seed: seedKeys(`0x${'5e'.repeat(32)}`),
  });
  return await server({
    db: database.db,
    clock: () => now,
    routes: [
      (a) => {
        for (const [url, security] of [
          ['/list/:name', ownerSigned],
          ['/either/:name', ownerOrOperator],
        ] as const)
          a.get(
            url,
            {
              schema: {
                security,
                params: Type.Object({ name: Type.String({ maxLength: 100 }) }),
                querystring: Type.Object({ cursor: Type.Optional(Type.String({ maxLength: 400 })) }),
              },
            },
            async (request) => {
              await requireOwner(request, { wallet: liveOwner, statement: 'Read the list', chainId: 1002 });
              return { by: request.signedBy };
            },
          );
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
}

beforeAll(async () => {
  database = await testDatabase();
  [app, other] = [await started(), await started()];
});
afterAll(async () => {
  await Promise.all([app.close(), other.close()]);
  await database.drop();
});
beforeEach(() => {
  now = new Date('2026-11-21T07:00:00.000Z');
  liveOwner = owner.address;
  acts = 0;
  says = null;
});

interface Ask {
  readonly method: 'POST' | 'DELETE';
  readonly url: string;
  readonly payload: string;
}
const ASK: Ask = { method: 'POST', url: '/act?mode=a', payload: '{"note":"one"}' };

const send = (ask: Ask, authorization?: string, at = app) =>
  at.inject({
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

describe('a request that nobody signed', () => {
  const get = (url: string, authorization?: string) =>
    app.inject({ method: 'GET', url, headers: authorization === undefined ? {} : { authorization } });
  const bytes = async () => {
    const { rows } = await sql<{ n: string }>`select pg_database_size(current_database())::text as n`.execute(
      database.db,
    );
    return Number(rows[0]!.n);
  };

  it('leaves nothing in the database, however many come and however long their addresses are', async () => {
    const written = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from used_signatures`.execute(database.db)).rows[0]!
        .n;
    const [rows, before] = [await written(), await bytes()];
    const answers = [];
    for (let i = 0; i < 1_000; i++)
      answers.push((await get(`/list/${i}?cursor=${randomBytes(200).toString('hex')}`)).json());
    expect(new Set(answers.map((a) => a.code))).toEqual(new Set(['signature-required']));
    expect(new Set(answers.map((a) => a.sign.nonce)).size).toBe(1_000);
    expect(await written()).toBe(rows);
    // A row of 1 KB for each would be eight times as much. Statistics of the server itself may take a page or two.
    expect((await bytes()) - before).toBeLessThan(128 * 1024);
    // The first of them stands as well as the last, and leaves its nonce alone.
    for (const i of [0, 999]) {
      const { message, nonce } = answers[i]!.sign;
      const path = /^URI: http:\/\/handshake\.test(.*)$/m.exec(message)?.[1] as string;
      const signature = await owner.signMessage({ message });
      expect((await get(path, credentials(nonce, signature))).statusCode).toBe(200);
    }
    expect(await written()).toBe(rows + 2);
  });

  it('is told of a parameter that its route does not know, by name, before it is asked to sign', async () => {
    for (const url of [
      '/list/a?junk=1',
      '/either/a?junk=1',
      `/list/a?cursor=x&${'z'.repeat(900)}`,
      '/list/a?&&=',
    ]) {
      const answer = await get(url);
      expect([url, answer.statusCode]).toEqual([url, 400]);
      expect(answer.json()).not.toHaveProperty('sign');
    }
    expect((await get('/list/a?junk=1')).json()).toMatchObject({
      code: 'bad-request',
      errors: [{ path: 'junk', message: 'is not a known field: use cursor' }],
    });
    const long = await get(`/list/a?cursor=a${'&'.repeat(3_000)}`);
    expect([long.statusCode, long.json().errors?.[0]?.path]).toEqual([400, 'url']);
  });

  it('is not let in by a nonce that another secret has marked, or that says another wallet or time', async () => {
    const { message, nonce } = (await get('/list/a')).json().sign;
    const forged = challengeNonces(seedKeys(`0x${'5f'.repeat(32)}`)).make(
      { wallet: owner.address.toLowerCase() as `0x${string}`, issuedAt: now },
      '',
    );
    const flipped = (at: number) =>
      `${nonce.slice(0, at)}${nonce[at] === '0' ? '1' : '0'}${nonce.slice(at + 1)}`;
    for (const other of [forged, flipped(11), flipped(51), flipped(71), flipped(103)]) {
      const said = message.replace(nonce, other);
      const signature = await owner.signMessage({ message: said });
      expect((await get('/list/a', credentials(other, signature))).json().code).toBe('signature-invalid');
    }
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
      nonce: (ask, nonce) => ({ ask, nonce: `${nonce.slice(0, -1)}${nonce.endsWith('a') ? 'b' : 'a'}` }),
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

  it('that was used counts no second time once its use was forgotten: it has expired by then', async () => {
    const authorization = await signed(ASK);
    expect((await send(ASK, authorization)).statusCode).toBe(201);
    now = new Date(now.getTime() + 3_600_000);
    expect(await deleteSignaturesUsedBefore(database.db, now)).toBeGreaterThan(0n);
    expect((await send(ASK, authorization)).json().code).toBe('signature-expired');
    expect(acts).toBe(1);
  });
});

describe('a signature, of a text that another process gave out or took', () => {
  const moved = { ...ASK, payload: '{"note":"two"}' };
  /** What a caller is told of it, but for what each refusal has of its own. */
  async function told(ask: Ask, authorization: string, at: App): Promise<unknown> {
    const { sign, instance, requestId, ...words } = (await send(ask, authorization, at)).json();
    expect(sign.message).toContain('Nonce: ');
    return words;
  }

  it('counts once, wherever it comes first and wherever again', async () => {
    const words: unknown[] = [];
    for (const first of [app, other]) {
      for (const again of [app, other]) {
        acts = 0;
        const authorization = await signed(ASK);
        expect((await send(ASK, authorization, first)).statusCode).toBe(201);
        words.push(await told(ASK, authorization, again));
        expect(acts).toBe(1);
      }
    }
    expect(words[0]).toMatchObject({ code: 'signature-used', status: 401 });
    expect(words).toEqual(words.map(() => words[0]));
  });

  it('counts once among fifty at two processes at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      acts = 0;
      const authorization = await signed(ASK);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => send(ASK, authorization, i % 2 ? app : other)),
      );
      const codes = answers.map((a) => (a.statusCode === 201 ? 'passed' : a.json().code));
      expect(codes.filter((c) => c !== 'signature-used')).toEqual(['passed']);
      expect(acts).toBe(1);
    }
  });

  it('passes at a process that was started since, and only as it was given out', async () => {
    const authorization = await signed(ASK);
    const later = await started();
    const refused = [{ ...ASK, url: '/other' }, { ...ASK, method: 'DELETE' } as const, moved];
    for (const ask of refused)
      expect(await told(ask, authorization, later)).toMatchObject({ code: 'signature-invalid' });
    expect((await send(ASK, authorization, later)).statusCode).toBe(201);
    await later.close();
  });

  it('says the same of every body once it was used elsewhere, also where its text is remembered', async () => {
    const words: unknown[] = [];
    for (const ask of [ASK, moved, { ...ASK, url: '/other' }, { ...ASK, method: 'DELETE' } as const]) {
      const authorization = await signed(ASK);
      expect((await send(ASK, authorization, other)).statusCode).toBe(201);
      words.push(await told(ask, authorization, app));
    }
    expect(words[0]).toMatchObject({ code: 'signature-used' });
    expect(words).toEqual(words.map(() => words[0]));
  });

  it('is not looked at for any body once it was used elsewhere, where its text is public', async () => {
    const ask = { ...ASK, url: '/public' };
    for (const again of [ask, { ...ask, payload: moved.payload }]) {
      const authorization = await signed(ask);
      expect((await send(ask, authorization, other)).statusCode).toBe(201);
      let looked = 0;
      says = () => ++looked > 0;
      expect(await told(again, authorization, app)).toMatchObject({ code: 'signature-used' });
      expect(looked).toBe(0);
      says = null;
    }
  });

  it('that was used elsewhere is used, also where ownership has moved or its time is over', async () => {
    for (const happens of [
      () => (liveOwner = stranger.address),
      () => (now = new Date(now.getTime() + 3_600_000)),
    ]) {
      liveOwner = owner.address;
      const authorization = await signed(ASK);
      expect((await send(ASK, authorization, other)).statusCode).toBe(201);
      happens();
      expect(await told(ASK, authorization, app)).toMatchObject({ code: 'signature-used' });
    }
    expect(acts).toBe(2);
  });

  it('of a contract wallet is as good as what that says now, and is not burnt by its no', async () => {
    for (const at of [app, other]) {
      const { nonce } = await challengeFor(ASK);
      const authorization = credentials(nonce, '0x1234');
      says = () => false;
      expect(await told(ASK, authorization, at)).toMatchObject({ code: 'signature-invalid' });
      says = () => true;
      expect((await send(ASK, authorization, at)).statusCode).toBe(201);
      says = () => false;
      for (const again of [app, other])
        expect(await told(ASK, authorization, again)).toMatchObject({ code: 'signature-used' });
    }
  });

  it('of a contract wallet that cannot be asked is not burnt by that', async () => {
    const { nonce } = await challengeFor(ASK);
    const authorization = credentials(nonce, '0x1234');
    says = () => {
      throw new AppError('unavailable', 'The chain does not answer.');
    };
    expect((await send(ASK, authorization)).json().code).toBe('unavailable');
    says = () => true;
    expect((await send(ASK, authorization)).statusCode).toBe(201);
  });
});
