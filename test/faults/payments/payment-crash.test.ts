import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PaymentCrashPoint } from '../../../api/x402/collect.ts';
import { type PaymentStage, paymentStage, shop } from '../../fixtures/paid-service.ts';
import { strangersRecord } from '../../fixtures/strangers-record.ts';
import { ask, ethersPayment, send } from '../../fixtures/wallets/payers.ts';

const QUERY = '/determination?address=0x00000000000000000000000000000000000000aa';
let stage: PaymentStage;
let alice: `0x${string}`;

beforeAll(async () => {
  stage = await paymentStage();
  alice = stage.home.accounts.alice.privateKey;
});
afterAll(() => stage.stop());

/** How often the work runs when everything crashes at that point and the client retries. */
const POINTS: [PaymentCrashPoint, number][] = [
  ['payment-bound', 1],
  ['payment-worked', 2],
  ['payment-stored', 1],
  ['payment-settling', 1],
  ['payment-charged', 1],
  ['payment-released', 1],
];

describe('a service that crashes between two steps', () => {
  it.each(POINTS)('at %s delivers on the retry and charges once', async (point, runs) => {
    // The throw leaves the same behind as the end of a process: the rows, and a lease that nobody extends.
    let ended = false;
    const filed: string[] = [];
    const record = () => {
      const made = strangersRecord();
      filed.push(made.record.recordId);
      return made;
    };
    const dying = await shop(stage, {
      leaseMs: 300,
      record,
      crash: (at) => {
        if (at !== point || ended) return;
        ended = true;
        throw new Error('the process ends here');
      },
    });
    const payment = await ethersPayment(alice, await ask(dying.url + QUERY));
    expect((await send(dying.url + QUERY, payment)).status).toBe(500);
    expect(ended).toBe(true);
    await dying.stop();
    // What is not known to be paid is filed nowhere.
    const seen = () =>
      stage.database.db.selectFrom('records').select('record_id').where('record_id', 'in', filed).execute();
    if (point !== 'payment-released' && filed.length > 0) expect(await seen()).toEqual([]);

    // The next service has a long lease, so that nobody takes over from it, however slow it is.
    const next = await shop(stage, { payTo: dying.payTo, record });
    try {
      const answers = await Promise.all(Array.from({ length: 5 }, () => send(next.url + QUERY, payment)));
      expect(answers.map((a) => a.status)).toEqual(Array(5).fill(200));
      expect(new Set(answers.map((a) => a.text)).size).toBe(1);
      expect(answers[0]?.receipt).toMatchObject({ success: true, network: 'eip155:1002' });
      expect(dying.runs() + next.runs()).toBe(runs);
      expect(await next.received()).toBe(1n);
      expect(await seen()).toEqual([{ record_id: filed.at(-1) }]);
      const other = await send(`${next.url}${QUERY}&transactionUsd=1`, payment);
      expect(other.code).toBe('payment-invalid');
    } finally {
      await next.stop();
    }
  });
});

describe('two services on one database', () => {
  it('run the work once for one payment that reaches both at the same time', async () => {
    const work = () => new Promise<object>((done) => setTimeout(done, 300, { verdict: 'CLEAN' }));
    const one = await shop(stage, { work });
    const two = await shop(stage, { work, payTo: one.payTo });
    try {
      const payment = await ethersPayment(alice, await ask(one.url + QUERY));
      const urls = [one.url, two.url, one.url, two.url, two.url, one.url];
      const answers = await Promise.all(urls.map((url) => send(url + QUERY, payment)));
      expect(answers.map((a) => a.status)).toEqual(Array(6).fill(200));
      expect(new Set(answers.map((a) => a.text)).size).toBe(1);
      expect(one.runs() + two.runs()).toBe(1);
      expect(await one.received()).toBe(1n);
    } finally {
      await Promise.all([one.stop(), two.stop()]);
    }
  });

  it('keep a lease alive while the work takes longer than the lease', async () => {
    const leaseOver = async () => {
      const { lease_until: over } = await stage.database.db
        .selectFrom('payments')
        .select('lease_until')
        .where('status', '=', 'working')
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow();
      return over!.getTime();
    };
    // The work ends when its lease was extended; if it never is, after the time at which another could take it.
    const work = async () => {
      const first = await leaseOver();
      while ((await leaseOver()) === first && Date.now() < first + 2_000) await sleep(50);
      return { verdict: 'CLEAN' };
    };
    const one = await shop(stage, { work, leaseMs: 9_000 });
    const two = await shop(stage, { work, leaseMs: 9_000, payTo: one.payTo });
    try {
      const payment = await ethersPayment(alice, await ask(one.url + QUERY));
      const answers = await Promise.all([send(one.url + QUERY, payment), send(two.url + QUERY, payment)]);
      expect(answers.map((a) => a.status)).toEqual([200, 200]);
      expect(one.runs() + two.runs()).toBe(1);
    } finally {
      await Promise.all([one.stop(), two.stop()]);
    }
  });

  it('tell a caller to retry when the other takes too long', async () => {
    let end = (): void => {};
    const ended = new Promise<object>((done) => {
      end = () => done({ verdict: 'CLEAN' });
    });
    const one = await shop(stage, { work: () => ended });
    const two = await shop(stage, { waitMs: 200, payTo: one.payTo });
    try {
      const payment = await ethersPayment(alice, await ask(one.url + QUERY));
      const first = send(one.url + QUERY, payment);
      await vi.waitFor(() => expect(one.runs()).toBe(1), { timeout: 60_000 });
      const second = await send(two.url + QUERY, payment);
      expect([second.status, second.code]).toEqual([503, 'unavailable']);
      end();
      expect((await first).status).toBe(200);
      expect((await send(two.url + QUERY, payment)).text).toBe((await first).text);
      expect(two.runs()).toBe(0);
    } finally {
      end();
      await Promise.all([one.stop(), two.stop()]);
    }
  });
});
