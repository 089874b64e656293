import { sql } from 'kysely';
import type { PrivateKeyAccount } from 'viem/accounts';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../runtime/cli/demo/client.ts';
import { fund } from '../../../runtime/cli/dev.ts';
import { ask, ethersPayment, send as sendOnce, stockFetch } from '../../fixtures/wallets/payers.ts';
import { inDays, type WireStage, wireStage } from '../wire/wire-stage.ts';

/** An agent bought with USDC on Base Sepolia, over x402. */

let stage: WireStage;
let url: string;

beforeAll(async () => {
  stage = await wireStage();
  url = `${stage.baseUrl}/agent/checkout`;
});
afterAll(() => stage.stop());

let count = 0;
function order(
  handle = `usdc-${++count}`,
  more: Record<string, unknown> = {},
): RequestInit & { handle: string } {
  const owner = privateKeyToAccount(generatePrivateKey()).address;
  const mandate = `Buy digital products, max 50 USDC per deal, until ${inDays(30)}.`;
  const body = JSON.stringify({ owner, handle, mandate, tier: 'AGENT', pay: 'usdc', ...more });
  return { handle, method: 'POST', headers: { 'content-type': 'application/json' }, body };
}

async function payer(): Promise<PrivateKeyAccount & { privateKey: `0x${string}` }> {
  const privateKey = generatePrivateKey();
  const account = privateKeyToAccount(privateKey);
  await fund(stage.env, account.address, '20');
  return { ...account, privateKey };
}

/** Sends the same payment again, as the answer asks, while another request with it is in progress. */
const send: typeof sendOnce = (...request) =>
  until('an answer', async () => {
    const answer = await sendOnce(...request);
    return answer.status === 503 ? null : answer;
  });

const minted = (checkoutId: string) =>
  until('the mint', async () => {
    const { body } = await stage.api.get(`/agent/checkout/${checkoutId}`);
    return body.status === 'minted' ? body : null;
  });
const mintsOf = async (handle: string) =>
  (await stage.db.selectFrom('agents').selectAll().where('handle', '=', handle).execute()).length;

describe('an agent for USDC', () => {
  it('is offered on one chain, paid by an ethers client, and minted', async () => {
    const { privateKey } = await payer();
    const request = order();
    const challenge = await ask(url, request);
    expect(challenge.accepts).toMatchObject([{ network: 'eip155:84532', amount: '5000000' }]);
    // It travels in one header, and proxies take no more than 4 kB of headers.
    expect(Buffer.from(JSON.stringify(challenge)).toString('base64').length).toBeLessThan(3_000);
    const answer = await send(url, await ethersPayment(privateKey, challenge), request);
    expect([answer.status, answer.receipt?.success]).toEqual([201, true]);
    const body = JSON.parse(answer.text);
    expect(body).toMatchObject({
      status: 'paid',
      amountUsd: 5,
      mandate: { side: 'buy' },
    });
    expect(body).not.toHaveProperty('checkoutUrl');
    expect(await minted(body.checkoutId)).toMatchObject({ agent: request.handle });
  });

  it('is read back beside the challenge, as by card, before anybody pays', async () => {
    const mandate = 'Buy digital products, max 50 USDC per deal, for 30 days.';
    const more = { mandate, readAt: new Date().toISOString() };
    const request = order(undefined, more);
    const asked = await stage.api.post('/agent/checkout', JSON.parse(String(request.body)));
    const { body } = asked;
    expect(asked.status).toBe(402);
    const byCard = await stage.api.post(
      '/agent/checkout',
      JSON.parse(String(order(undefined, { ...more, pay: 'card' }).body)),
    );
    expect(byCard.body.openChoice.question).toEqual(expect.any(String));
    for (const said of ['mandate', 'openEnded', 'openChoice'] as const)
      expect(body[said]).toEqual(byCard.body[said]);
    const header = String(asked.headers.get('payment-required'));
    const challenge = JSON.parse(Buffer.from(header, 'base64').toString());
    expect(body).toMatchObject({ ...challenge, code: 'payment-required' });
    expect(challenge).not.toHaveProperty('mandate');
    const { privateKey } = await payer();
    const paid = await send(url, await ethersPayment(privateKey, challenge), request);
    expect(JSON.parse(paid.text).mandate).toEqual(body.mandate);
    // A payment that is refused is answered in the same way.
    const refused = await send(
      url,
      await ethersPayment(generatePrivateKey(), challenge),
      order(undefined, more),
    );
    expect([refused.status, JSON.parse(refused.text).mandate]).toEqual([402, body.mandate]);
  });

  it('ends as its mandate did when it was read back, and not later for whoever pays later', async () => {
    const { privateKey } = await payer();
    const mandate = 'Buy digital products, max 50 USDC per deal, for 30 days.';
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const old = await fetch(url, order(undefined, { mandate, readAt: ago(61) }));
    expect([old.status, await old.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ path: 'readAt' })] }),
    ]);
    const readAt = ago(20);
    const request = order(undefined, { mandate, readAt, tier: 'EXECUTOR' });
    const answer = await send(url, await ethersPayment(privateKey, await ask(url, request)), request);
    const { checkoutId, mandate: kept } = JSON.parse(answer.text);
    const end = Math.floor(Date.parse(readAt) / 1000) + 30 * 86_400;
    expect(Math.abs(Date.parse(kept.expires_at) / 1000 - end)).toBeLessThanOrEqual(1);
    await minted(checkoutId);
    const byCard = await stage.api.post(
      '/agent/checkout',
      JSON.parse(String(order(undefined, { mandate, readAt, pay: 'card' }).body)),
    );
    expect(byCard.body.mandate.expires_at).toBe(kept.expires_at);
  });

  it('costs a dollar for an EXECUTOR, and the stock client pays it', async () => {
    const request = order(undefined, { tier: 'EXECUTOR' });
    const answer = await stockFetch(await payer())(url, request);
    expect(answer.status).toBe(201);
    const body = (await answer.json()) as { checkoutId: string; amountUsd: number };
    expect(body.amountUsd).toBe(1);
    await minted(body.checkoutId);
  });

  it('is charged and minted once for one payment that is sent ten times at once and again later', async () => {
    const { privateKey } = await payer();
    const request = order();
    const payment = await ethersPayment(privateKey, await ask(url, request));
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(url, payment, request)));
    expect(answers.map((a) => a.status)).toEqual(Array(10).fill(201));
    expect(new Set(answers.map((a) => a.text)).size).toBe(1);
    await minted(JSON.parse(answers[0]!.text).checkoutId);
    expect((await send(url, payment, request)).text).toBe(answers[0]!.text);
    expect((await send(url, payment, order())).code).toBe('payment-invalid');
    expect(await mintsOf(request.handle)).toBe(1);
  });

  it('is refused before any payment when its handle is taken, and nobody who pays at once is charged', async () => {
    const handle = `usdc-${++count}`;
    const requests = [order(handle), order(handle)];
    const payers = await Promise.all([payer(), payer()]);
    const payments = await Promise.all(
      requests.map(async (request, i) => ethersPayment(payers[i]!.privateKey, await ask(url, request))),
    );
    const answers = await Promise.all(payments.map((payment, i) => send(url, payment, requests[i]!)));
    expect(answers.map((a) => a.status).sort()).toEqual([201, 409]);
    const winner = answers.find((a) => a.status === 201)!;
    await minted(JSON.parse(winner.text).checkoutId);
    const settled = await stage.db
      .selectFrom('payments')
      .selectAll()
      .where(
        'payer',
        'in',
        payers.map((p) => p.address.toLowerCase()),
      )
      .where('status', '=', 'settled')
      .execute();
    expect(settled).toHaveLength(1);
    const late = await fetch(url, order(handle));
    expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([409, 'conflict']);
  });

  it('is told to its own owner, who asks for its handle once more, and is no news to anybody else', async () => {
    const { privateKey, address } = await payer();
    const request = order(undefined, { owner: address });
    const answer = await send(url, await ethersPayment(privateKey, await ask(url, request)), request);
    const { checkoutId } = JSON.parse(answer.text);
    const again = await fetch(url, request);
    expect([again.status, await again.json()]).toEqual([409, expect.objectContaining({ checkoutId })]);
    const stranger = (await (await fetch(url, order(request.handle))).json()) as object;
    expect(stranger).not.toHaveProperty('checkoutId');
    const form = (path: string, more: Record<string, string> = {}) => {
      const { pay: _, ...said } = JSON.parse(String(request.body)) as Record<string, string>;
      const body = new URLSearchParams({ ...said, readAt: new Date().toISOString(), ...more });
      const headers = { accept: 'text/html' };
      return fetch(stage.baseUrl + path, { method: 'POST', body, headers, redirect: 'manual' });
    };
    const unpaid = await form('/desk/new-agent');
    expect(unpaid.status).toBe(409);
    const shown = await unpaid.text();
    expect(shown).toContain(`href="/agent/checkout/${checkoutId}"`);
    expect(shown).toContain(`href="/desk/mandate?handle=${request.handle}"`);
    const byCard = await form('/agents/new', { step: 'pay', depth: '2-of-2' });
    expect(byCard.status).toBe(409);
    const kept = await byCard.text();
    expect(kept).toContain(`The checkout ${checkoutId} of this same wallet has the handle`);
    expect(kept).toMatch(/<input[^>]* name="handle"/);
  });

  it('is answered again to who has lost the payment and asks anew under the same Idempotency-Key', async () => {
    const { privateKey, address } = await payer();
    const named = (key: string, handle?: string) => {
      const request = order(handle, { owner: address });
      return { ...request, headers: { ...request.headers, 'idempotency-key': key } };
    };
    const request = named('my-agent');
    const buy = async () =>
      await send(url, await ethersPayment(privateKey, await ask(url, request)), request);
    const first = await buy();
    expect(first.status).toBe(201);
    const again = await buy();
    expect([again.status, again.text]).toEqual([201, first.text]);
    await minted(JSON.parse(first.text).checkoutId);
    expect((await buy()).text).toBe(first.text);
    expect(await mintsOf(request.handle)).toBe(1);
    // Whoever cannot have that answer is told before anything is signed.
    for (const other of [named('another', request.handle), { ...request, body: order(request.handle).body! }])
      expect((await fetch(url, other)).status).toBe(409);
    // After a day the key brings nothing: a challenge would promise an answer that is not there.
    await sql`update payments set created_at = created_at - interval '25 hours' where payer = ${address.toLowerCase()}`.execute(
      stage.db,
    );
    expect((await fetch(url, request)).status).toBe(409);
  });

  it('leaves the handle to the next payer when it could not be paid', async () => {
    const poor = generatePrivateKey();
    const request = order();
    const challenge = await ask(url, request);
    expect((await send(url, await ethersPayment(poor, challenge), request)).status).toBe(402);
    const { privateKey } = await payer();
    expect((await send(url, await ethersPayment(privateKey, challenge), request)).status).toBe(201);
  });

  it('is refused before any payment when its mandate cannot be enforced', async () => {
    const answer = await fetch(url, order(undefined, { mandate: 'Do well.' }));
    expect(answer.status).toBe(422);
  });
});
