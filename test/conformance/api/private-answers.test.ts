import { appendPaymentIdentifierToExtensions } from '@x402/extensions/payment-identifier';
import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x';
import { createPublicClient, decodeFunctionData, type Hex, http, parseAbi, serializeSignature } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PaymentStage, paymentStage, type Shop, shop } from '../../fixtures/paid-service.ts';
import { type Answer, ask, ethersPayment, send, type WirePayment } from '../../fixtures/wallets/payers.ts';

/** An answer that is filed nowhere is for its payer, and a payment that was settled is known to everybody. */

const QUERY = '/determination?address=0x00000000000000000000000000000000000000aa';
const OTHER = '/determination?address=0x00000000000000000000000000000000000000bb';
const TRANSFER = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);
let stage: PaymentStage;
let open: Shop;

beforeAll(async () => {
  stage = await paymentStage();
  open = await shop(stage, { private: true });
});
afterAll(async () => {
  await open.stop();
  await stage.stop();
});

/** The payment as anybody makes it again who reads the transaction that settled it. */
async function rebuilt(transaction: Hex, accepted: WirePayment['accepted']): Promise<WirePayment> {
  const client = createPublicClient({ transport: http(stage.home.url) });
  const { input } = await client.getTransaction({ hash: transaction });
  const { args } = decodeFunctionData({ abi: TRANSFER, data: input });
  const [from, to, value, validAfter, validBefore, nonce, v, r, s] = args;
  const authorization = {
    ...{ from, to, nonce },
    value: String(value),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
  };
  return {
    x402Version: 2,
    accepted,
    payload: { signature: serializeSignature({ r, s, v: BigInt(v) }), authorization },
  };
}

/** All that a response says, but for what is each response's own. */
function told({ status, text, response }: Answer): unknown {
  const { requestId, instance, extensions, resource, ...body } = JSON.parse(text);
  expect([requestId, instance, extensions, resource]).not.toContain(undefined);
  return { status, body, receipt: response.headers.get('payment-response') };
}

async function signedIn(by: PrivateKeyAccount, path = QUERY): Promise<Record<string, string>> {
  const { extensions } = await ask(open.url + path);
  const { info } = (extensions as Record<string, { info: Record<string, unknown> }>)['sign-in-with-x']!;
  const asked = { ...info, chainId: 'eip155:1002', type: 'eip191' };
  const payload = await createSIWxPayload(asked as never, by, String(info.uri));
  return { 'sign-in-with-x': encodeSIWxHeader(payload) };
}

describe('an answer that is filed nowhere', () => {
  it('is neither given nor betrayed to whoever rebuilds its payment from the chain and guesses the request', async () => {
    const { privateKey } = await stage.payer();
    const payment = await ethersPayment(privateKey, await ask(open.url + QUERY));
    const paid = await send(open.url + QUERY, payment);
    expect(paid.status).toBe(200);
    // A payment of the same payer to the same payee that bought nothing here.
    const elsewhere = await ethersPayment(privateKey, await ask(open.url + QUERY));
    const { accepted, payload } = elsewhere;
    const carried = await stage.facilitator.settle({ x402Version: 2, accepted, payload }, accepted);

    const known = await rebuilt(paid.receipt!.transaction as Hex, accepted);
    const unknown = await rebuilt(carried.transaction as Hex, accepted);
    expect(known.payload.authorization.nonce).toBe(payment.payload.authorization.nonce);
    const seen = [];
    for (const path of [QUERY, OTHER]) {
      for (const made of [known, unknown]) seen.push(told(await send(open.url + path, made)));
    }
    expect(seen[0]).toMatchObject({ status: 402, body: { code: 'payment-invalid' } });
    expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(open.runs()).toBe(1);
  });

  it('is given again by the secret name of the purchase, which is kept as a hash', async () => {
    const { privateKey } = await stage.payer();
    const id = `purchase-${Date.now()}-of-mine`;
    const named = async (name: string, payment: WirePayment): Promise<WirePayment> => {
      const { extensions = {} } = await ask(open.url + QUERY);
      return {
        ...payment,
        extensions: appendPaymentIdentifierToExtensions(structuredClone(extensions), name),
      };
    };
    const bare = await ethersPayment(privateKey, await ask(open.url + QUERY));
    const first = await send(open.url + QUERY, await named(id, bare));
    expect(first.status).toBe(200);
    expect((await send(open.url + QUERY, await named(id, bare))).text).toBe(first.text);
    for (const guess of [bare, await named(`${id}-not`, bare)])
      expect((await send(open.url + QUERY, guess)).code).toBe('payment-invalid');
    expect((await send(open.url + OTHER, await named(id, bare))).code).toBe('payment-invalid');
    const rows = await stage.database.db.selectFrom('payments').selectAll().execute();
    expect(JSON.stringify(rows, (_, v) => (typeof v === 'bigint' ? String(v) : v))).not.toContain(id);
  });

  it('is given again to its payer who signs in for the same request, once a signature', async () => {
    const payer = await stage.payer();
    const payment = await ethersPayment(payer.privateKey, await ask(open.url + QUERY));
    const first = await send(open.url + QUERY, payment);
    expect(first.status).toBe(200);
    const headers = await signedIn(payer);
    expect((await send(open.url + QUERY, payment, { headers })).text).toBe(first.text);
    expect((await send(open.url + QUERY, payment, { headers })).code).toBe('payment-invalid');

    const stranger = privateKeyToAccount(generatePrivateKey());
    for (const wrong of [await signedIn(stranger), await signedIn(payer, OTHER)])
      expect((await send(open.url + QUERY, payment, { headers: wrong })).code).toBe('payment-invalid');
    expect((await send(open.url + OTHER, payment, { headers: await signedIn(payer, OTHER) })).code).toBe(
      'payment-invalid',
    );
  });

  it('says of a payment that names another request that it was made for that one, whether it is known or not', async () => {
    const { privateKey } = await stage.payer();
    const made = async (): Promise<WirePayment> => {
      const challenge = await ask(open.url + QUERY);
      const { resource, extensions } = challenge;
      return { ...(await ethersPayment(privateKey, challenge)), resource, extensions } as WirePayment;
    };
    const [known, unknown] = [await made(), await made()];
    expect((await send(open.url + QUERY, known)).status).toBe(200);
    for (const payment of [known, unknown]) {
      const refused = await send(open.url + OTHER, payment);
      expect([refused.status, refused.code]).toEqual([402, 'payment-invalid']);
      expect(JSON.parse(refused.text).detail).toBe(
        'The payment is refused: it was made for another request, which its `resource` names, and pays for that one only.',
      );
    }
  });

  it('is shared by requests that came before the payment was sent', async () => {
    const slow = await shop(stage, {
      private: true,
      work: () => new Promise((done) => setTimeout(done, 300, { verdict: 'CLEAN' })),
    });
    const twin = await shop(stage, { private: true, payTo: slow.payTo });
    try {
      const { privateKey } = await stage.payer();
      const payment = await ethersPayment(privateKey, await ask(slow.url + QUERY));
      const answers = await Promise.all([1, 2, 3].map(() => send(slow.url + QUERY, payment)));
      expect(answers.map((a) => a.status)).toEqual([200, 200, 200]);
      expect((await send(twin.url + QUERY, payment)).code).toBe('payment-invalid');
    } finally {
      await Promise.all([slow.stop(), twin.stop()]);
    }
  });
});
