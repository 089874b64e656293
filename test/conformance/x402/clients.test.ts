import { setTimeout as sleep } from 'node:timers/promises';
import { wrapAxiosWithPaymentFromConfig } from '@x402/axios';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { appendPaymentIdentifierToExtensions } from '@x402/extensions/payment-identifier';
import axios from 'axios';
import { Wallet } from 'ethers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { badField } from '../../../agents/errors.ts';
import { handshake } from '../../../client/client.ts';
import { type PaymentStage, paymentStage, type Shop, shop } from '../../fixtures/paid-service.ts';
import { ask, ethersPayment, send, type WirePayment } from '../../fixtures/wallets/payers.ts';

/** Clients of others' making, and what a payer may call a purchase. */

const QUERY = '/determination?address=0x00000000000000000000000000000000000000aa';
const OTHER = QUERY.replace('aa', 'bb');
let stage: PaymentStage;
let open: Shop;
let alice: `0x${string}`;

beforeAll(async () => {
  stage = await paymentStage();
  alice = stage.home.accounts.alice.privateKey;
});
afterAll(() => stage.stop());
beforeEach(async () => {
  open = await shop(stage);
});
afterEach(() => open.stop());

/** What the other package's types say of a scheme, whichever version they are of. */
type AxiosConfig = Parameters<typeof wrapAxiosWithPaymentFromConfig>[1];

describe('the axios client', () => {
  it('pays a read and a write, each once', async () => {
    const payer = await stage.payer();
    const config = { schemes: [{ network: 'eip155:*', client: new ExactEvmScheme(payer) }] };
    const pay = wrapAxiosWithPaymentFromConfig(axios.create(), config as unknown as AxiosConfig);
    const read = await pay.get(open.url + QUERY);
    expect([read.status, read.data]).toEqual([200, expect.objectContaining({ verdict: 'CLEAN' })]);
    expect(read.headers['payment-response']).toBeDefined();
    const tier = `${open.url}/determinations/tier2/real-world-assets`;
    expect((await pay.post(tier, { priceUsd: 5 })).status).toBe(200);
    expect(open.runs()).toBe(2);
    expect((await open.received(1002)) + (await open.received(84532))).toBe(2n);
  });
});

describe("the project's own client", () => {
  it('that has lost its payment gets the answer again by its own short key, and pays once', async () => {
    const account = await stage.payer();
    const bought = () =>
      handshake(open.url, { account }).check(`0x${'aa'.repeat(20)}`, { idempotencyKey: 'order-42' });
    const first = await bought();
    expect([await bought(), open.runs()]).toEqual([first, 1]);
    expect((await open.received(1002)) + (await open.received(84532))).toBe(1n);
  });
});

describe('a payment-identifier', () => {
  let ids = 0;
  const freshId = () => `purchase-${Date.now()}-${++ids}`;

  /** As the client side of the extension does it: the declaration echoed, with the id in it. */
  async function paymentNamed(id: string, query = QUERY, key = alice): Promise<WirePayment> {
    const challenge = await ask(open.url + query);
    const extensions = appendPaymentIdentifierToExtensions(structuredClone(challenge.extensions ?? {}), id);
    return { ...(await ethersPayment(key, challenge)), extensions };
  }

  it('brings the stored answer to the same payment and to another one for the same request, and nothing else', async () => {
    const id = freshId();
    const payment = await paymentNamed(id);
    const first = await send(open.url + QUERY, payment);
    const again = await send(open.url + QUERY, payment);
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.receipt).toEqual(first.receipt);

    const second = await send(open.url + QUERY, await paymentNamed(id));
    expect([second.status, second.text, second.receipt]).toEqual([200, first.text, first.receipt]);
    const forged = await paymentNamed(id);
    const signature = `0x${'1b'.repeat(65)}`;
    const unverified = await send(open.url + QUERY, { ...forged, payload: { ...forged.payload, signature } });
    expect([unverified.status, unverified.code]).toEqual([402, 'payment-invalid']);
    const elsewhere = await send(open.url + OTHER, await paymentNamed(id, OTHER));
    expect([elsewhere.status, elsewhere.code]).toEqual([409, 'conflict']);
    expect([open.runs(), await open.received()]).toEqual([1, 1n]);
  });

  it('brings the stored answer also once the wallet is spent and the same could be asked no more', async () => {
    let gone = false;
    const closing = await shop(stage, {
      payTo: open.payTo,
      check() {
        if (gone) throw badField('address', 'is gone');
      },
    });
    try {
      const id = freshId();
      const { privateKey, address } = await stage.payer();
      const [one, two, other] = [
        await paymentNamed(id, QUERY, privateKey),
        await paymentNamed(id, QUERY, privateKey),
        await paymentNamed(freshId(), QUERY, privateKey),
      ];
      const first = await send(closing.url + QUERY, one);
      gone = true;
      await stage.drain(address);
      const again = await send(closing.url + QUERY, two);
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect((await send(closing.url + QUERY, other)).status).toBe(400);
    } finally {
      await closing.stop();
    }
  });

  it('is one payment among ten that come at once under it', async () => {
    const id = freshId();
    const payments = await Promise.all(Array.from({ length: 10 }, () => paymentNamed(id)));
    const answers = await Promise.all(payments.map((payment) => send(open.url + QUERY, payment)));
    for (const answer of answers) expect([answer.status, answer.text]).toEqual([200, answers[0]!.text]);
    expect([open.runs(), await open.received()]).toEqual([1, 1n]);
  });

  it('is each payer’s own', async () => {
    const id = freshId();
    const { privateKey } = await stage.payer();
    expect((await send(open.url + QUERY, await paymentNamed(id))).status).toBe(200);
    expect((await send(open.url + QUERY, await paymentNamed(id, QUERY, privateKey))).status).toBe(200);
    expect(open.runs()).toBe(2);
  });

  it('goes on to another payment when the first one did not settle', async () => {
    const payer = await stage.payer();
    let drained = false;
    const draining = await shop(stage, {
      payTo: open.payTo,
      work: async () => {
        if (!drained) await stage.drain(payer.address);
        drained = true;
        return {};
      },
    });
    try {
      const id = freshId();
      const failed = await send(draining.url + QUERY, await paymentNamed(id, QUERY, payer.privateKey));
      expect([failed.status, failed.code]).toEqual([402, 'settlement-failed']);
      await stage.fill(payer.address);
      const paid = await send(draining.url + QUERY, await paymentNamed(id, QUERY, payer.privateKey));
      expect(paid.status).toBe(200);
    } finally {
      await draining.stop();
    }
  });

  it.each(['too-short', 'x'.repeat(129), 'not allowed: spaces and colons', 17])(
    'of another form is refused: %s',
    async (id) => {
      const payment = await paymentNamed(freshId());
      const named = payment.extensions as { 'payment-identifier': { info: { id: unknown } } };
      named['payment-identifier'].info.id = id;
      const answer = await send(open.url + QUERY, payment);
      expect([answer.status, answer.code]).toEqual([402, 'payment-invalid']);
      expect(open.runs()).toBe(0);
    },
  );
});

describe('an Idempotency-Key on a paid POST', () => {
  const TIER = '/determinations/tier2/real-world-assets';
  let keys = 0;
  const freshKey = () => `k${Date.now()}-${++keys}`;
  const asking = (key: string, body: unknown = { priceUsd: 5 }): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  });
  /** A payment signed anew, as by a client that has lost its last one. */
  async function buy(key: string, { body = { priceUsd: 5 }, payer = alice, shopUrl = open.url } = {}) {
    const init = asking(key, body);
    return send(shopUrl + TIER, await ethersPayment(payer, await ask(shopUrl + TIER, init)), init);
  }

  it('brings the stored answer to a payment signed anew, and refuses another body, and charges neither', async () => {
    const key = freshKey();
    const first = await buy(key);
    const again = await buy(key);
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.receipt).toEqual(first.receipt);
    const other = await buy(key, { body: { priceUsd: 6 } });
    expect([other.status, other.code]).toEqual([422, 'conflict']);
    expect([open.runs(), await open.received()]).toEqual([1, 1n]);
  });

  it('does so whatever a payment calls itself (payment-identifier)', async () => {
    const key = freshKey();
    const answers: { status: number; text: string }[] = [];
    for (const id of [`${key}-first-purchase`, `${key}-second-purchase`]) {
      const init = asking(key);
      const challenge = await ask(open.url + TIER, init);
      const extensions = appendPaymentIdentifierToExtensions(structuredClone(challenge.extensions ?? {}), id);
      answers.push(
        await send(open.url + TIER, { ...(await ethersPayment(alice, challenge)), extensions }, init),
      );
    }
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      answers.map(() => [200, answers[0]!.text]),
    );
    expect([open.runs(), await open.received()]).toEqual([1, 1n]);
  });

  it('is one payment among ten that come at once under it', async () => {
    const key = freshKey();
    const answers = await Promise.all(Array.from({ length: 10 }, () => buy(key)));
    for (const answer of answers) expect([answer.status, answer.text]).toEqual([200, answers[0]!.text]);
    expect([open.runs(), await open.received()]).toEqual([1, 1n]);
  });

  it("is each payer's own, and tells nothing to who only claims to be that payer", async () => {
    const key = freshKey();
    const first = await buy(key);
    const { privateKey } = await stage.payer();
    const others = await buy(key, { payer: privateKey });
    expect([others.status, others.text === first.text]).toEqual([200, false]);
    const init = asking(key);
    const forged = await ethersPayment(privateKey, await ask(open.url + TIER, init));
    forged.payload.authorization.from = new Wallet(alice).address;
    const answer = await send(open.url + TIER, forged, init);
    expect([answer.status, answer.code]).toEqual([402, 'payment-invalid']);
    expect([open.runs(), await open.received()]).toEqual([2, 2n]);
  });

  it('is free again for another payment, and for another body, when the work was refused', async () => {
    const key = freshKey();
    const refusing = await shop(stage, {
      payTo: open.payTo,
      work: async ({ runs }) => {
        if (runs === 1) throw badField('priceUsd', 'not now');
        return { runs };
      },
    });
    try {
      const init = asking(key);
      const lost = await ethersPayment(alice, await ask(refusing.url + TIER, init));
      expect((await send(refusing.url + TIER, lost, init)).status).toBe(400);
      const paid = await buy(key, { shopUrl: refusing.url });
      expect(paid.status).toBe(200);
      // The payment that was refused comes again: its purchase is paid for.
      const late = await send(refusing.url + TIER, lost, init);
      expect([late.status, late.text]).toEqual([200, paid.text]);
      expect(await refusing.received()).toBe(1n);
    } finally {
      await refusing.stop();
    }
  });

  it('counts also for a payment that was sent without it before', async () => {
    let failures = 2;
    const failing = await shop(stage, {
      payTo: open.payTo,
      work: async ({ runs }) => {
        failures -= 1;
        if (failures >= 0) throw new Error('boom');
        return { runs };
      },
    });
    try {
      const [key, other] = [freshKey(), freshKey()];
      const init = asking(key);
      const without = { ...init, headers: { 'content-type': 'application/json' } };
      const tier = failing.url + TIER;
      const first = await ethersPayment(alice, await ask(tier, init));
      expect((await send(tier, first, without)).status).toBe(500);
      // Under whichever key it was sent last.
      expect((await send(tier, first, asking(other))).status).toBe(500);
      const paid = await send(tier, first, init);
      expect([paid.status, await failing.received()]).toEqual([200, 1n]);
      const anew = await buy(key, { shopUrl: failing.url });
      expect([anew.status, anew.text, await failing.received()]).toEqual([200, paid.text, 1n]);
      const body = await buy(key, { shopUrl: failing.url, body: { priceUsd: 6 } });
      expect([body.status, body.code, await failing.received()]).toEqual([422, 'conflict', 1n]);
      expect((await buy(other, { shopUrl: failing.url })).status).toBe(200);
      expect(await failing.received()).toBe(2n);
    } finally {
      await failing.stop();
    }
  });

  it('counts also for a payment that is being worked on when it is sent again with it', async () => {
    let proceed: (() => void)[] = [];
    const slow = await shop(stage, {
      payTo: open.payTo,
      work: async ({ runs }) => {
        await new Promise<void>((resolve) => proceed.push(resolve));
        return { runs };
      },
    });
    const tier = slow.url + TIER;
    try {
      for (const by of ['idempotency_key', 'identifier'] as const) {
        const key = `${freshKey()}-joined-under-way`;
        const without = { ...asking(key), headers: { 'content-type': 'application/json' } };
        const init = by === 'identifier' ? without : asking(key);
        const sign = async () => ethersPayment(alice, await ask(tier, init));
        const { extensions } = await ask(tier, init);
        const called = (payment: WirePayment): WirePayment =>
          by === 'idempotency_key'
            ? payment
            : {
                ...payment,
                extensions: appendPaymentIdentifierToExtensions(structuredClone(extensions ?? {}), key),
              };
        const payment = await sign();
        const before = await slow.received();
        const first = send(tier, payment, without);
        await expect.poll(() => proceed.length).toBe(1);
        const joined = send(tier, called(payment), init);
        const { nonce } = payment.payload.authorization;
        const row = () =>
          stage.database.db
            .selectFrom('payments')
            .select(by)
            .where('nonce', '=', nonce.toLowerCase())
            .execute();
        await expect.poll(row).toEqual([{ [by]: expect.any(String) }]);
        for (const go of proceed) go();
        proceed = [];
        const paid = await first;
        expect([paid.status, (await joined).status, (await joined).text]).toEqual([200, 200, paid.text]);
        const anew = await send(tier, called(await sign()), init);
        expect([anew.status, anew.text, await slow.received()]).toEqual([200, paid.text, before + 1n]);
      }
    } finally {
      for (const go of proceed) go();
      await slow.stop();
    }
  });

  it('counts also for a payment that comes at the same time without it', async () => {
    const busy = await shop(stage, {
      payTo: open.payTo,
      work: async ({ runs }) => {
        await sleep(150);
        return { runs };
      },
    });
    try {
      const key = freshKey();
      const tier = busy.url + TIER;
      const payment = await ethersPayment(alice, await ask(tier, asking(key)));
      const without = { ...asking(key), headers: { 'content-type': 'application/json' } };
      const answers = await Promise.all([without, asking(key)].map((init) => send(tier, payment, init)));
      answers.push(await buy(key, { shopUrl: busy.url }));
      for (const answer of answers) expect([answer.status, answer.text]).toEqual([200, answers[0]!.text]);
      expect([busy.runs(), await busy.received()]).toEqual([1, 1n]);
    } finally {
      await busy.stop();
    }
  });

  it('brings what another payment bought to one that was sent without it before, and charges it not', async () => {
    let fails = true;
    const failing = await shop(stage, {
      payTo: open.payTo,
      work: async ({ runs }) => {
        if (fails) throw new Error('boom');
        return { runs };
      },
    });
    try {
      const init = asking(freshKey());
      const without = { ...init, headers: { 'content-type': 'application/json' } };
      const tier = failing.url + TIER;
      const [first, second] = [
        await ethersPayment(alice, await ask(tier, init)),
        await ethersPayment(alice, await ask(tier, init)),
      ];
      expect((await send(tier, first, without)).status).toBe(500);
      fails = false;
      const paid = await send(tier, second, init);
      const late = await send(tier, first, init);
      expect([late.status, late.text, await failing.received()]).toEqual([200, paid.text, 1n]);
    } finally {
      await failing.stop();
    }
  });

  it('brings the stored answer also once the wallet is spent, and to no signature but its own', async () => {
    const key = freshKey();
    const { privateKey, address } = await stage.payer();
    const first = await buy(key, { payer: privateKey });
    await stage.drain(address);
    const again = await buy(key, { payer: privateKey });
    expect([again.status, again.text, again.receipt]).toEqual([200, first.text, first.receipt]);
    const init = asking(key);
    const forged = await ethersPayment(alice, await ask(open.url + TIER, init));
    forged.payload.authorization.from = address;
    expect((await send(open.url + TIER, forged, init)).code).toBe('payment-invalid');
    // Another purchase is none that was paid for.
    expect((await buy(freshKey(), { payer: privateKey })).code).toBe('payment-invalid');
    const elsewhere = await ethersPayment(privateKey, await ask(open.url + TIER, init));
    elsewhere.payload.authorization.validBefore = '1';
    expect((await send(open.url + TIER, elsewhere, init)).code).toBe('payment-invalid');
    expect([open.runs(), await open.received()]).toEqual([1, 1n]);
  });

  it('of another form is refused before anything is charged', async () => {
    const payment = await ethersPayment(alice, await ask(open.url + TIER, asking('good')));
    const answer = await send(open.url + TIER, payment, asking('two words'));
    expect([answer.status, answer.code, open.runs()]).toEqual([400, 'bad-request', 0]);
  });

  it('counts for a day, as every key does', async () => {
    const key = freshKey();
    const first = await buy(key);
    await stage.database.db
      .updateTable('payments')
      .set({ created_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('payer', '=', new Wallet(alice).address.toLowerCase())
      .execute();
    const next = await buy(key, { body: { priceUsd: 6 } });
    expect([next.status, next.text === first.text, open.runs()]).toEqual([200, false, 2]);
  });
});
