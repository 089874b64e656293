import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../agents/errors.ts';
import type { App } from '../../../api/http/app.ts';
import { ownerSignature } from '../../../api/http/auth/owner-signature.ts';
import { seedKeys } from '../../../chain/keys/seeds.ts';
import { signatureVerifier } from '../../../chain/tx/signature.ts';
import { deleteKeysOlderThan } from '../../../store/http/idempotency.ts';
import { usedSignatures } from '../../../store/http/used-signatures.ts';
import { testDatabase } from '../../fixtures/postgres.ts';
import { BASE_URL, server } from './server-fixture.ts';

const owner = privateKeyToAccount(generatePrivateKey());
let database: Awaited<ReturnType<typeof testDatabase>>;
let app: App;
const now = new Date('2026-11-21T07:00:00.000Z');
let acts = 0;
/** How long a duplicate waits: for the first to end, but where that never does. */
let patience: { waitMs: number };
let failures: AppError[] = [];
/** Lets the act end that waits for it. */
let end = (): void => {};
let ended = Promise.resolve();
let keys = 0;
let key: string;

beforeAll(async () => {
  database = await testDatabase();
  const clock = () => now;
  const requireOwner = ownerSignature({
    used: usedSignatures(database.db),
    clock,
    baseUrl: BASE_URL,
    beneficialOwnerOf: async (wallet) => wallet,
    verify: signatureVerifier(new Map()),
    seed: seedKeys(`0x${'5e'.repeat(32)}`),
  });
  const body = Type.Object({ note: Type.String() }, { additionalProperties: false });
  const idempotency = { db: database.db, clock, waitMs: 60_000 };
  patience = idempotency;
  app = await server({
    db: database.db,
    idempotency,
    routes: [
      (a) => {
        a.post('/free', { schema: { body } }, async (request, reply) => {
          const failure = failures.shift();
          if (failure) throw failure;
          acts += 1;
          const mine = acts;
          if (request.body.note === 'slow') await sleep(200);
          if (request.body.note === 'endless') await ended;
          return reply.code(201).header('location', `/things/${mine}`).send({ act: mine });
        });
        a.post('/signed', { schema: { body } }, async (request, reply) => {
          await requireOwner(request, { wallet: owner.address, statement: 'Act', chainId: 1002 });
          acts += 1;
          return reply.code(201).send({ act: acts });
        });
        a.post(
          '/for',
          { schema: { body: Type.Object({ owner: Type.String(), note: Type.String() }) } },
          async (_, reply) => reply.code(201).send({ act: ++acts }),
        );
        a.post(
          '/mine',
          { schema: { body: Type.Object({ wallet: Type.String(), note: Type.String() }) } },
          async (request, reply) => {
            const { wallet } = request.body as { wallet: `0x${string}` };
            await requireOwner(request, { wallet, statement: 'Act', chainId: 1002 });
            return reply.code(201).send({ act: ++acts });
          },
        );
        a.post('/operator', { schema: { body } }, async () => ({ act: ++acts }));
      },
    ],
  });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(() => {
  acts = 0;
  failures = [];
  key = `key-${++keys}`;
});

const send = (url: string, note: string, more: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url,
    payload: JSON.stringify({ note }),
    headers: { 'content-type': 'application/json', 'idempotency-key': key, ...more },
  });

describe('an Idempotency-Key', () => {
  it('gives the same answer to the same body, word for word, and acts once', async () => {
    const first = await send('/free', 'a');
    const again = await send('/free', 'a');
    expect(again.statusCode).toBe(201);
    expect(again.body).toBe(first.body);
    expect(again.headers.location).toBe('/things/1');
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(acts).toBe(1);
  });

  it("gives a member's answer to nobody at the same address who does not show the same sign-in", async () => {
    const member = { 'sign-in-with-x': 'c2lnbmVk' };
    const first = await send('/free', 'a', member);
    expect((await send('/free', 'a', member)).body).toBe(first.body);
    for (const other of [undefined, { 'sign-in-with-x': 'b3RoZXI' }])
      expect((await send('/free', 'a', other)).body).not.toBe(first.body);
    expect(acts).toBe(3);
  });

  it('refuses another body with 422', async () => {
    await send('/free', 'a');
    const other = await send('/free', 'b');
    expect(other.statusCode).toBe(422);
    expect(other.json()).toMatchObject({
      code: 'conflict',
      status: 422,
      errors: [{ path: 'idempotency-key' }],
    });
    expect(acts).toBe(1);
  });

  it('counts for one route only', async () => {
    await send('/free', 'a');
    expect((await send('/free?x=1', 'a')).headers['idempotent-replayed']).toBeUndefined();
    expect(acts).toBe(2);
  });

  it('lets twenty at the same time act once and all get that answer', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('/free', 'slow')));
    expect(new Set(answers.map((a) => a.body)).size).toBe(1);
    expect(answers.every((a) => a.statusCode === 201)).toBe(true);
    expect(acts).toBe(1);
  });

  it('gives 409 to a duplicate when the first does not end', async () => {
    ended = new Promise((resolve) => {
      end = resolve;
    });
    const first = send('/free', 'endless');
    await vi.waitFor(() => expect(acts).toBe(1), { timeout: 60_000 });
    patience.waitMs = 200;
    const second = await send('/free', 'endless').finally(() => {
      patience.waitMs = 60_000;
      end();
    });
    expect(second.json()).toMatchObject({ code: 'conflict', status: 409 });
    expect((await first).statusCode).toBe(201);
    expect(acts).toBe(1);
  });

  it.each(['internal', 'unavailable', 'payment-required', 'bad-request', 'agent-not-active'] as const)(
    'keeps no %s: the same key serves until the act succeeds',
    async (code) => {
      failures = [new AppError(code, 'not now')];
      expect((await send('/free', 'a')).json().code).toBe(code);
      expect((await send('/free', 'a')).statusCode).toBe(201);
      expect((await send('/free', 'a')).headers['idempotent-replayed']).toBe('true');
      expect(acts).toBe(1);
    },
  );

  it('keeps nothing of a body that is refused', async () => {
    const bad = await app.inject({
      method: 'POST',
      url: '/free',
      payload: '{}',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    });
    expect(bad.statusCode).toBe(400);
    expect((await send('/free', 'a')).statusCode).toBe(201);
  });

  it('is taken over when whoever held it died', async () => {
    ended = new Promise((resolve) => {
      end = resolve;
    });
    const first = send('/free', 'endless');
    await vi.waitFor(() => expect(acts).toBe(1), { timeout: 60_000 });
    await database.db
      .updateTable('idempotency_keys')
      .set({ created_at: new Date(now.getTime() - 61_000) })
      .where('key', '=', key)
      .execute();
    const second = send('/free', 'endless');
    await vi.waitFor(() => expect(acts).toBe(2), { timeout: 60_000 });
    end();
    expect([(await first).statusCode, (await second).statusCode]).toEqual([201, 201]);
  });

  it('leaves a request that carries a payment to the rule of that payment', async () => {
    const paid = { 'payment-signature': 'eyJ4NDAyVmVyc2lvbiI6Mn0=' };
    await send('/free', 'a', paid);
    expect((await send('/free', 'a')).headers['idempotent-replayed']).toBeUndefined();
    expect(acts).toBe(2);
  });

  it('must be one printable word', async () => {
    for (const bad of ['', 'a b', 'x'.repeat(256)]) {
      key = bad;
      expect((await send('/free', 'a')).json()).toMatchObject({
        code: 'bad-request',
        errors: [{ path: 'idempotency-key' }],
      });
    }
  });

  it('is forgotten when it is old', async () => {
    await send('/free', 'a');
    expect(await deleteKeysOlderThan(database.db, new Date(now.getTime() + 1))).toBeGreaterThan(0n);
    await send('/free', 'a');
    expect(acts).toBe(2);
  });
});

describe('an Idempotency-Key on a signed write', () => {
  const authorize = async (answer: Awaited<ReturnType<typeof send>>) => {
    const { message, nonce } = answer.json().sign;
    return { authorization: `EIP191 nonce="${nonce}", signature="${await owner.signMessage({ message })}"` };
  };

  it('does not keep the 401, then answers the same signature again instead of refusing it as used', async () => {
    const asked = await send('/signed', 'a');
    expect(asked.statusCode).toBe(401);
    const authorization = await authorize(asked);
    const first = await send('/signed', 'a', authorization);
    const again = await send('/signed', 'a', authorization);
    expect([first.statusCode, again.statusCode]).toEqual([201, 201]);
    expect(again.body).toBe(first.body);
    expect(acts).toBe(1);
  });

  it('gives the answer to a new signature of the same wallet, and to nobody without one', async () => {
    await send('/signed', 'a', await authorize(await send('/signed', 'a')));
    const stranger = await send('/signed', 'a');
    expect(stranger.json()).toMatchObject({
      code: 'signature-required',
      sign: { wallet: owner.address.toLowerCase() },
    });
    const again = await send('/signed', 'a', await authorize(stranger));
    expect(again.json()).toEqual({ act: 1 });
    expect(acts).toBe(1);
  });

  it('tells another body to the wallet that signed, and to nobody else which body it was', async () => {
    await send('/signed', 'a', await authorize(await send('/signed', 'a')));
    const [same, other] = [await send('/signed', 'a'), await send('/signed', 'b')];
    const told = (answer: typeof same) => {
      const { sign, instance: _, requestId: __, ...problem } = answer.json();
      return [answer.statusCode, problem, sign.message.split('\n')[3]];
    };
    expect(told(other)).toEqual(told(same));
    const forged = { authorization: `EIP191 nonce="${'0'.repeat(32)}", signature="0x${'1'.repeat(130)}"` };
    expect((await send('/signed', 'b', forged)).json().code).toBe('signature-invalid');
    expect((await send('/signed', 'b', await authorize(other))).statusCode).toBe(422);
    expect(acts).toBe(1);
  });

  it('counts a new signature once, also where all that it gets is the answer of before', async () => {
    await send('/signed', 'a', await authorize(await send('/signed', 'a')));
    const again = await authorize(await send('/signed', 'a'));
    expect((await send('/signed', 'a', again)).headers['idempotent-replayed']).toBe('true');
    const bare = { 'content-type': 'application/json', ...again };
    const used = await app.inject({ method: 'POST', url: '/signed', payload: '{"note":"a"}', headers: bare });
    expect(used.json().code).toBe('signature-used');
    expect(acts).toBe(1);
  });

  it('lets twenty of one signature at the same time act once and all get that answer', async () => {
    const authorization = await authorize(await send('/signed', 'a'));
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('/signed', 'a', authorization)));
    expect(new Set(answers.map((a) => a.body))).toEqual(new Set(['{"act":1}']));
    expect(acts).toBe(1);
  });
});

describe('an Idempotency-Key belongs to its caller', () => {
  const other = privateKeyToAccount(generatePrivateKey());
  const post = (url: string, body: object, headers: Record<string, string> = {}, from = '10.0.0.1') =>
    app.inject({
      ...{ method: 'POST', url, payload: JSON.stringify(body), remoteAddress: from },
      headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
    });
  const signedBy = async (by: typeof owner, url: string, body: object) => {
    const { message, nonce } = (await post(url, body)).json().sign;
    const signature = await by.signMessage({ message });
    return { authorization: `EIP191 nonce="${nonce}", signature="${signature}"` };
  };
  const rows = () => database.db.selectFrom('idempotency_keys').selectAll().where('key', '=', key).execute();

  it('so that two wallets use the same one, each with its own body and answer', async () => {
    const answers = [];
    for (const by of [owner, other]) {
      const body = { wallet: by.address, note: by.address };
      const first = await post('/mine', body, await signedBy(by, '/mine', body));
      const again = await post('/mine', body, await signedBy(by, '/mine', body));
      expect([first.statusCode, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
      answers.push(first.json(), again.json());
    }
    expect(answers).toEqual([{ act: 1 }, { act: 1 }, { act: 2 }, { act: 2 }]);
  });

  it('so that nobody takes the key of a wallet by a signature that is not its', async () => {
    const body = { wallet: owner.address, note: 'a' };
    const { nonce, message } = (await post('/mine', body)).json().sign;
    const forged = await other.signMessage({ message });
    for (const note of ['a', 'b']) {
      const authorization = `EIP191 nonce="${nonce}", signature="${forged}"`;
      expect((await post('/mine', { ...body, note }, { authorization })).json().code).toBe(
        'signature-invalid',
      );
      expect(await rows()).toEqual([]);
    }
    expect((await post('/mine', body, await signedBy(owner, '/mine', body))).json()).toEqual({ act: 1 });
  });

  it('so that who proves nothing is told apart by where it asks from and by the wallet that it names', async () => {
    const body = { owner: owner.address, note: 'a' };
    const answers = [
      await post('/for', body),
      // Nobody gets the answer of another address, nor takes its key with another body.
      await post('/for', body, {}, '10.0.0.2'),
      await post('/for', { ...body, note: 'b' }, {}, '2001:db8::1'),
      await post('/for', { owner: other.address, note: 'b' }),
      // The same caller again.
      await post('/for', body),
      await post('/for', body, {}, '10.0.0.2'),
    ];
    expect(answers.map((a) => a.json())).toEqual([1, 2, 3, 4, 1, 2].map((act) => ({ act })));
    expect((await post('/for', { ...body, note: 'c' })).statusCode).toBe(422);
  });

  it('so that one operator has the answer of no other', async () => {
    const keys = ['Bearer 0123456789abcdef', 'Bearer fedcba9876543210', ''].map((authorization) =>
      authorization === '' ? {} : { authorization },
    );
    const told = [];
    for (const headers of [...keys, ...keys])
      told.push((await post('/operator', { note: 'a' }, headers as Record<string, string>)).json().act);
    expect(told).toEqual([1, 2, 3, 1, 2, 3]);
  });
});
