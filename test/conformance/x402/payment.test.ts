import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x';
import { sql } from 'kysely';
import type { LocalAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { badField } from '../../../agents/errors.ts';
import { makeRecord } from '../../../agents/records/record.ts';
import { fundWallet } from '../../../chain/devnet/dev-wallets.ts';
import type { Facilitator } from '../../../chain/facilitator/facilitator.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { createCheckout } from '../../../store/checkout/checkouts.ts';
import type { Database } from '../../../store/database.ts';
import { unpackEvidence } from '../../../store/records/packed-columns.ts';
import type { SignedRecord } from '../../../store/records/records.ts';
import { type PaymentStage, paymentStage, type Shop, shop } from '../../fixtures/paid-service.ts';
import {
  ask,
  challengeOf,
  ethersPayment,
  receiptOf,
  send,
  stockFetch,
  type WirePayment,
} from '../../fixtures/wallets/payers.ts';
import { BASE_URL } from '../api/server-fixture.ts';

const ADDRESS = '0x00000000000000000000000000000000000000aa';
const QUERY = `/determination?address=${ADDRESS}`;
const TIER2 = '/determinations/tier2/real-world-assets';
const WAIT = { timeout: 60_000 };
let stage: PaymentStage;
let open: Shop;
let alice: `0x${string}`;

beforeAll(async () => {
  stage = await paymentStage();
  alice = stage.home.accounts.alice.privateKey;
});
afterAll(() => stage.stop());

async function give(to: `0x${string}`, amount: bigint): Promise<void> {
  const { url: rpcUrl, deployment, accounts } = stage.home;
  await fundWallet({ rpcUrl, deployment, operatorPrivateKey: accounts.operator.privateKey }, to, amount);
}

const facilitator = () => stage.home.accounts.facilitator.address;

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

async function within(run: (url: string) => Promise<void>, options: Parameters<typeof shop>[1] = {}) {
  open = await shop(stage, options);
  try {
    await run(open.url);
  } finally {
    await open.stop();
  }
}

describe('the stock client', () => {
  it('pays as it comes, on Base Sepolia', () =>
    within(async (url) => {
      const pay = stockFetch(await stage.payer());
      const response = await pay(url + QUERY);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ verdict: 'CLEAN', runs: 1 });
      expect(receiptOf(response)).toMatchObject({ success: true, network: 'eip155:84532' });
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect([await open.received(84532), await open.received(1002)]).toEqual([1n, 0n]);
    }));

  it('pays on the test chain once it is told of its token', () =>
    within(async (url) => {
      const pay = stockFetch(await stage.payer(), stage.home.deployment.usdc);
      const response = await pay(url + TIER2, json({ priceUsd: 12.5 }));
      expect(response.status).toBe(200);
      expect(receiptOf(response)).toMatchObject({ success: true, network: 'eip155:1002' });
      expect(await open.received()).toBe(1n);
    }));

  it('fits its payment, with every extension echoed, into the header that servers take', () =>
    within(async (url) => {
      const challenge = await fetch(url + QUERY);
      let largest = 0;
      const measure: typeof fetch = (input, init) => {
        const header = new Request(input, init).headers.get('payment-signature');
        largest = Math.max(largest, header?.length ?? 0);
        return fetch(input, init);
      };
      const pay = stockFetch(await stage.payer(), undefined, measure);
      expect((await pay(url + QUERY)).status).toBe(200);
      expect(challenge.headers.get('payment-required')?.length).toBeLessThan(3_000);
      expect(largest).toBeGreaterThan(0);
      expect(largest).toBeLessThan(4_096);
    }));
});

describe('a client of its own making', () => {
  it('pays on either chain with nothing but a signature', () =>
    within(async (url) => {
      const { privateKey } = await stage.payer();
      for (const [accept, chainId] of [
        [0, 1002],
        [1, 84532],
      ] as const) {
        const payment = await ethersPayment(privateKey, await ask(url + QUERY), { accept });
        const answer = await send(url + QUERY, payment);
        expect([answer.status, answer.receipt?.network]).toEqual([200, `eip155:${chainId}`]);
        expect(await open.received(chainId)).toBe(1n);
      }
    }));
});

describe('one payment', () => {
  it('sent again for the same request brings the same answer and is charged once', () =>
    within(async (url) => {
      const payment = await ethersPayment(alice, await ask(url + QUERY));
      const first = await send(url + QUERY, payment);
      const again = await send(url + QUERY, payment);
      expect([first.status, again.status]).toEqual([200, 200]);
      expect(again.text).toBe(first.text);
      expect(again.receipt).toEqual(first.receipt);
      expect(open.runs()).toBe(1);
      expect(await open.received()).toBe(1n);
    }));

  it('brings its answer also where the same could not be asked any more, and a new one is not taken then', () => {
    let isListedElsewhere = false;
    const check = () => {
      if (isListedElsewhere) throw badField('asset', 'is listed in another category');
    };
    return within(
      async (url) => {
        const challenge = await ask(url + QUERY);
        const [payment, other] = [
          await ethersPayment(alice, challenge),
          await ethersPayment(alice, challenge),
        ];
        const first = await send(url + QUERY, payment);
        isListedElsewhere = true;
        const again = await send(url + QUERY, payment);
        expect([again.status, again.text]).toEqual([200, first.text]);
        expect((await send(url + QUERY, other)).status).toBe(400);
        expect((await fetch(url + QUERY)).status).toBe(400);
        expect([open.runs(), await open.received()]).toEqual([1, 1n]);
      },
      { check },
    );
  });

  it('pays for no other path, query, method or body', () =>
    within(async (url) => {
      const payment = await ethersPayment(alice, await ask(url + QUERY));
      expect((await send(url + QUERY, payment)).status).toBe(200);
      const other = ADDRESS.replace('aa', 'bb');
      const elsewhere: [string, RequestInit?][] = [
        [`/determination?address=${other}`],
        [`${QUERY}&transactionUsd=1`],
        [TIER2, json({ priceUsd: 1 })],
      ];
      for (const [path, init] of elsewhere) {
        const answer = await send(url + path, payment, init);
        expect([path, answer.status, answer.code]).toEqual([path, 402, 'payment-invalid']);
        expect(challengeOf(answer.response).accepts).toHaveLength(2);
      }
      const tier = await ethersPayment(alice, await ask(url + TIER2, json({ priceUsd: 1 })));
      expect((await send(url + TIER2, tier, json({ priceUsd: 1 }))).status).toBe(200);
      expect((await send(url + TIER2, tier, json({ priceUsd: 2 }))).code).toBe('payment-invalid');
      expect(open.runs()).toBe(2);
      expect(await open.received()).toBe(2n);
    }));

  it('is not shown to somebody who knows its payer and nonce but not its signature', () =>
    within(async (url) => {
      const payment = await ethersPayment(alice, await ask(url + QUERY));
      expect((await send(url + QUERY, payment)).status).toBe(200);
      const forged = structuredClone(payment);
      forged.payload.signature = `0x${'11'.repeat(64)}1b`;
      expect((await send(url + QUERY, forged)).code).toBe('payment-invalid');
    }));

  it('sent fifty times at once runs the work once and answers all alike', () =>
    within(
      async (url) => {
        const payment = await ethersPayment(alice, await ask(url + QUERY));
        const answers = await Promise.all(Array.from({ length: 50 }, () => send(url + QUERY, payment)));
        expect(answers.map((a) => a.status)).toEqual(Array(50).fill(200));
        expect(new Set(answers.map((a) => a.text)).size).toBe(1);
        expect(open.runs()).toBe(1);
        expect(await open.received()).toBe(1n);
      },
      { work: ({ runs }) => new Promise((done) => setTimeout(done, 100, { runs })) },
    ));

  it('sent at once for two requests pays for one of them', () =>
    within(async (url) => {
      const payment = await ethersPayment(alice, await ask(url + QUERY));
      const paths = [QUERY, `/determination?address=${ADDRESS.replace('aa', 'bb')}`];
      const answers = await Promise.all(paths.map((path) => send(url + path, payment)));
      expect(answers.map((a) => a.status).sort()).toEqual([200, 402]);
      expect(open.runs()).toBe(1);
      expect(await open.received()).toBe(1n);
    }));
});

describe('twenty payments', () => {
  it('at once all settle, each once, in transactions that they may share', () =>
    within(async (url) => {
      const challenge = await ask(url + QUERY);
      const payments = await Promise.all(Array.from({ length: 20 }, () => ethersPayment(alice, challenge)));
      const answers = await Promise.all(payments.map((payment) => send(url + QUERY, payment)));
      expect(answers.map((a) => a.status)).toEqual(Array(20).fill(200));
      for (const { receipt } of answers) expect(receipt?.transaction).toMatch(/^0x[0-9a-f]{64}$/);
      expect(open.runs()).toBe(20);
      expect(await open.received()).toBe(20n);
    }));
});

/** What others wait for until it is opened. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('payments of one balance', () => {
  it('that holds one of them are worked for once at a time', () => {
    let began = (): void => {};
    let end = (): void => {};
    const working = new Promise<void>((resolve) => {
      began = resolve;
    });
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    return within(
      async (url) => {
        const key = generatePrivateKey();
        await give(privateKeyToAccount(key).address, 10_000n);
        const challenge = await ask(url + QUERY);
        const [first, ...others] = await Promise.all(
          Array.from({ length: 8 }, () => ethersPayment(key, challenge)),
        );
        const answer = send(url + QUERY, first!);
        await working;
        for (const refused of await Promise.all(others.map((payment) => send(url + QUERY, payment)))) {
          expect([refused.status, refused.code]).toEqual([503, 'unavailable']);
          expect(refused.text).toContain('does not hold the amount beside its other payments');
        }
        end();
        expect((await answer).status).toBe(200);
        expect([open.runs(), await open.received()]).toEqual([1, 1n]);
        await give(privateKeyToAccount(key).address, 10_000n);
        expect((await send(url + QUERY, others[0]!)).status).toBe(200);
      },
      {
        work: async ({ runs }) => {
          began();
          await ended;
          return { runs };
        },
      },
    );
  });

  /** A payer who holds as many prices of one answer. */
  async function payerOf(prices: bigint): Promise<`0x${string}`> {
    const key = generatePrivateKey();
    await give(privateKeyToAccount(key).address, prices * 10_000n);
    return key;
  }
  type Glance = NonNullable<PaymentStage['networks'][number]['glance']>;
  const glancing = (glance: (real: Glance) => Glance) =>
    stage.networks.map((network) => ({ ...network, glance: glance(network.glance!) }));

  it.each([1, 3])(
    'of which it holds %i are served as far as it goes, however many come at once',
    async (held) => {
      const key = await payerOf(BigInt(held));
      let looks = 0;
      const [every, again] = [gate(), gate()];
      // Each is looked at before it is bound, and where it sees another one that is bound, once more.
      const networks = glancing((real) => async (...asked) => {
        looks += 1;
        if (looks === 8) every.open();
        if (looks >= 16) again.open();
        await (looks > 8 ? again : every).opened;
        return await real(...asked);
      });
      const work = async ({ runs }: { runs: number }) => {
        again.open();
        return { runs };
      };
      await within(
        async (url) => {
          const challenge = await ask(url + QUERY);
          const payments = await Promise.all(Array.from({ length: 8 }, () => ethersPayment(key, challenge)));
          const answers = await Promise.all(payments.map((payment) => send(url + QUERY, payment)));
          const served = answers.filter(({ status }) => status === 200);
          expect(served.length).toBe(held);
          expect([open.runs(), await open.received()]).toEqual([held, BigInt(held)]);
          for (const { status } of answers) expect([200, 402, 503]).toContain(status);
        },
        { networks, work },
      );
    },
  );

  it('are not counted twice while one of them has settled and is not answered yet', async () => {
    const key = await payerOf(2n);
    let looks = 0;
    const [settled, answered] = [gate(), gate()];
    const slow: Facilitator = {
      ...stage.facilitator,
      async settle(...asked) {
        const receipt = await stage.facilitator.settle(...asked);
        settled.open();
        await answered.opened;
        return receipt;
      },
    };
    const networks = glancing((real) => async (...asked) => {
      looks += 1;
      const seen = await real(...asked);
      // The second payment was looked at for the second time, and could be refused now.
      if (looks >= 4) answered.open();
      return seen;
    });
    await within(
      async (url) => {
        const challenge = await ask(url + QUERY);
        const [first, second] = [await ethersPayment(key, challenge), await ethersPayment(key, challenge)];
        const one = send(url + QUERY, first);
        await settled.opened;
        const other = await send(url + QUERY, second);
        answered.open();
        expect([(await one).status, other.status]).toEqual([200, 200]);
        expect(await open.received()).toBe(2n);
      },
      { networks, facilitators: [slow] },
    );
  });

  it('of one who has paid before are taken where the chain does not tell the balance', async () => {
    const key = await payerOf(3n);
    let isSilent = false;
    const networks = glancing(
      (real) =>
        async (...asked) =>
          isSilent ? null : await real(...asked),
    );
    let second: Promise<unknown> | undefined;
    const work = async ({ runs }: { runs: number }) => {
      isSilent = true;
      if (runs === 2) second = send(open.url + QUERY, payments[2]!);
      await second;
      return { runs };
    };
    let payments: WirePayment[] = [];
    await within(
      async (url) => {
        const challenge = await ask(url + QUERY);
        payments = await Promise.all(Array.from({ length: 3 }, () => ethersPayment(key, challenge)));
        expect((await send(url + QUERY, payments[0]!)).status).toBe(200);
        expect((await send(url + QUERY, payments[1]!)).status).toBe(200);
        expect(await second).toMatchObject({ status: 200 });
      },
      { networks, work: async (asked) => (asked.runs === 3 ? { runs: 3 } : await work(asked)) },
    );
  });

  it('that left while the work ran are not sent, and cost no gas', async () => {
    const { address, privateKey } = await stage.payer();
    return within(
      async (url) => {
        const sent = () => rpc(stage.home.url, 'eth_getTransactionCount', [facilitator(), 'latest']);
        const before = await sent();
        const answer = await send(url + QUERY, await ethersPayment(privateKey, await ask(url + QUERY)));
        expect([answer.status, answer.code]).toEqual([402, 'settlement-failed']);
        expect(answer.receipt).toMatchObject({ success: false, errorReason: 'insufficient_funds' });
        expect([open.runs(), await open.received(), await sent()]).toEqual([1, 0n, before]);
      },
      {
        work: async ({ runs }) => {
          await stage.drain(address);
          return { runs };
        },
      },
    );
  });
});

describe('a payment of somebody who has paid nothing yet, whose money cannot be seen when it is to be sent', () => {
  /** A payer who holds the price of one answer. */
  async function payer() {
    const privateKey = generatePrivateKey();
    const { address } = privateKeyToAccount(privateKey);
    await give(address, 10_000n);
    return { address, privateKey };
  }

  it('is sent once it is seen again: a node may be behind', async () => {
    const { privateKey } = await payer();
    let behind = 0;
    const networks = stage.networks.map((network) => ({
      ...network,
      glance: async (...asked: Parameters<NonNullable<typeof network.glance>>) => {
        const seen = await network.glance!(...asked);
        return seen && behind-- > 0 ? { ...seen, balance: 0n } : seen;
      },
    }));
    const work = async ({ runs }: { runs: number }) => {
      behind = 2;
      return { runs };
    };
    await within(
      async (url) => {
        const answer = await send(url + QUERY, await ethersPayment(privateKey, await ask(url + QUERY)));
        expect([answer.status, answer.receipt?.success]).toEqual([200, true]);
        expect([open.runs(), await open.received()]).toEqual([1, 1n]);
      },
      { networks, work },
    );
  });

  it('counts as paid where its payer has sent it', async () => {
    const { privateKey } = await payer();
    const seen: { payment?: WirePayment } = {};
    const work = async ({ runs }: { runs: number }) => {
      const { accepted, payload } = seen.payment!;
      await stage.facilitator.settle({ x402Version: 2, accepted, payload }, accepted);
      return { runs };
    };
    await within(
      async (url) => {
        seen.payment = await ethersPayment(privateKey, await ask(url + QUERY));
        const answer = await send(url + QUERY, seen.payment);
        expect([answer.status, answer.receipt?.success]).toEqual([200, true]);
        expect([open.runs(), await open.received()]).toEqual([1, 1n]);
      },
      { work },
    );
  });
});

describe('a payment that does not meet the challenge', () => {
  const now = () => Math.floor(Date.now() / 1000);
  type Change = (payment: WirePayment) => void;
  const signed: [string, Partial<WirePayment['payload']['authorization']>][] = [
    ['for less', { value: '9999' }],
    ['for more', { value: '10001' }],
    ['to somebody else', { to: '0x00000000000000000000000000000000000000bb' }],
    ['expired', { validBefore: String(now() - 1) }],
    ['not valid yet', { validAfter: String(now() + 3_600) }],
    ['of somebody else', { from: '0x00000000000000000000000000000000000000cc' }],
  ];
  const accepted: [string, Change][] = [
    ['the amount', (p) => Object.assign(p.accepted, { amount: '1' })],
    ['the payee', (p) => Object.assign(p.accepted, { payTo: '0x00000000000000000000000000000000000000bb' })],
    ['the asset', (p) => Object.assign(p.accepted, { asset: '0x00000000000000000000000000000000000000bb' })],
    ['the network', (p) => Object.assign(p.accepted, { network: 'eip155:1' })],
    ['the network into none', (p) => Object.assign(p.accepted, { network: 'eip155:1002\0' })],
    ['the other chain', (p) => Object.assign(p.accepted, { network: 'eip155:84532' })],
    ['the scheme', (p) => Object.assign(p.accepted, { scheme: 'upto' })],
    ['the domain', (p) => Object.assign(p.accepted, { extra: { name: 'USDC', version: '1' } })],
    [
      'the signature',
      (p) => Object.assign(p.payload, { signature: `${p.payload.signature.slice(0, -8)}0000001b` }),
    ],
    ['a signed field', (p) => Object.assign(p.payload.authorization, { nonce: `0x${'ab'.repeat(32)}` })],
    [
      'an extension',
      (p) =>
        Object.assign(p, { extensions: { bazaar: { info: { input: { type: 'http', method: 'POST' } } } } }),
    ],
  ];

  it.each(signed)('is refused when signed %s', (_, authorization) =>
    within(async (url) => {
      const payment = await ethersPayment(alice, await ask(url + QUERY), { authorization });
      const answer = await send(url + QUERY, payment);
      expect([answer.status, answer.code]).toEqual([402, 'payment-invalid']);
      expect(answer.text).not.toContain('invalid_exact');
      expect([open.runs(), await open.received()]).toEqual([0, 0n]);
    }),
  );

  it.each(accepted)('is refused when it changes %s', (_, change) =>
    within(async (url) => {
      const payment = await ethersPayment(alice, await ask(url + QUERY));
      change(payment);
      const answer = await send(url + QUERY, payment);
      expect([answer.status, answer.code]).toEqual([402, 'payment-invalid']);
      expect([open.runs(), await open.received()]).toEqual([0, 0n]);
    }),
  );

  it('is refused when the payer cannot cover it, in words', () =>
    within(async (url) => {
      const poor = `0x${'7'.repeat(64)}` as const;
      const answer = await send(url + QUERY, await ethersPayment(poor, await ask(url + QUERY)));
      expect([answer.status, answer.code]).toEqual([402, 'payment-invalid']);
      expect(answer.text).toContain('does not hold the amount');
    }));

  it('is refused when it was paid for a smaller transaction', () =>
    within(async (url) => {
      const payment = await ethersPayment(alice, await ask(url + QUERY));
      const answer = await send(`${url}${QUERY}&transactionUsd=1000`, payment);
      expect([answer.status, answer.code]).toEqual([402, 'payment-invalid']);
      expect(await open.received()).toBe(0n);
    }));
});

describe('a route that is paid only sometimes', () => {
  it('offers the one chain it takes, answers with its own status and books once with the money', () =>
    within(async (url) => {
      const challenge = await ask(`${url}/sometimes`, { method: 'POST' });
      expect(challenge.accepts).toMatchObject([{ network: 'eip155:84532', amount: '5000000' }]);
      const { privateKey } = await stage.payer();
      const payment = await ethersPayment(privateKey, challenge);
      const post = { method: 'POST' };
      const answers = await Promise.all([1, 2, 3].map(() => send(`${url}/sometimes`, payment, post)));
      expect(answers.map((a) => a.status)).toEqual([201, 201, 201]);
      expect((await send(`${url}/sometimes`, payment, post)).status).toBe(201);
      expect(open.sold).toEqual([answers[0]?.text]);
      expect(await open.received(84532)).toBe(500n);
    }));

  it('books nothing when the money does not move', async () => {
    const payer = await stage.payer();
    const empty = async () => {
      await stage.drain(payer.address);
      return {};
    };
    await within(
      async (url) => {
        const payment = await ethersPayment(
          payer.privateKey,
          await ask(`${url}/sometimes`, { method: 'POST' }),
        );
        const answer = await send(`${url}/sometimes`, payment, { method: 'POST' });
        expect([answer.status, answer.code]).toEqual([402, 'settlement-failed']);
        expect(open.sold).toEqual([]);
      },
      { work: empty },
    );
  });

  it('books on the retry when booking failed after the money moved', async () => {
    const { privateKey } = await stage.payer();
    let attempts = 0;
    await within(
      async (url) => {
        const payment = await ethersPayment(privateKey, await ask(`${url}/sometimes`, { method: 'POST' }));
        expect((await send(`${url}/sometimes`, payment, { method: 'POST' })).status).toBe(500);
        expect((await send(`${url}/sometimes`, payment, { method: 'POST' })).status).toBe(201);
        expect([attempts, open.runs(), await open.received(84532)]).toEqual([2, 1, 500n]);
      },
      {
        leaseMs: 300,
        onPaid: async () => {
          attempts += 1;
          if (attempts === 1) throw new Error('the database ends the transaction');
        },
      },
    );
  });
});

describe('what the work rests on', () => {
  it('is read while the payment is verified, and once', () => {
    let read = 0;
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const { facilitator } = stage;
    // Answers only once the reading has begun.
    const waiting = {
      ...facilitator,
      verify: async (...asked: Parameters<typeof facilitator.verify>) => {
        await begun;
        return await facilitator.verify(...asked);
      },
    };
    const gather = async () => {
      read += 1;
      begin();
    };
    return within(
      async (url) => {
        const payment = await ethersPayment(alice, await ask(url + QUERY));
        expect((await send(url + QUERY, payment)).status).toBe(200);
        expect((await send(url + QUERY, payment)).status).toBe(200);
        expect([read, open.runs()]).toEqual([1, 1]);
      },
      { facilitators: [waiting], gather },
    );
  });

  it('is not read for a payment that is none, or that is refused', () => {
    let read = 0;
    const gather = async () => {
      read += 1;
      throw new Error('nobody waits for this');
    };
    return within(
      async (url) => {
        const challenge = await ask(url + QUERY);
        const payment = await ethersPayment(alice, challenge);
        expect((await send(url + QUERY, { ...payment, payload: {} })).code).toBe('payment-invalid');
        const cheap = { ...payment, accepted: { ...payment.accepted, amount: '1' } };
        expect((await send(url + QUERY, cheap)).code).toBe('payment-invalid');
        expect(read).toBe(0);
        const expired = { authorization: { validBefore: '1' } };
        const refused = await send(url + QUERY, await ethersPayment(alice, challenge, expired));
        expect([refused.code, read, open.runs()]).toEqual(['payment-invalid', 0, 0]);
      },
      { gather },
    );
  });
});

describe('a payment of somebody who has paid nothing yet', () => {
  /** What was read when a verification ended. */
  function counted() {
    const readAtVerdict: number[] = [];
    let read = 0;
    const { facilitator } = stage;
    const watched = {
      ...facilitator,
      verify: async (...asked: Parameters<typeof facilitator.verify>) => {
        const answer = await facilitator.verify(...asked);
        readAtVerdict.push(read);
        return answer;
      },
    };
    const gather = async () => {
      read += 1;
    };
    return { readAtVerdict, read: () => read, options: { facilitators: [watched], gather } };
  }

  it('causes no reading before it is verified, however well it is signed', async () => {
    const { readAtVerdict, read, options } = counted();
    const { privateKey } = await stage.payer();
    const poor = `0x${'8'.repeat(64)}` as const;
    await within(async (url) => {
      const forged = await ethersPayment(poor, await ask(url + QUERY));
      expect((await send(url + QUERY, forged)).code).toBe('payment-invalid');
      expect(read()).toBe(0);
      const first = await ethersPayment(privateKey, await ask(url + QUERY));
      expect((await send(url + QUERY, first)).status).toBe(200);
      // Two plain reads turned the forged one away: nobody verified it.
      expect([readAtVerdict, read()]).toEqual([[0], 1]);
    }, options);
  });

  it('is believed once it has paid, until it sends one that is bad', async () => {
    const { read, options } = counted();
    const payer = await stage.payer();
    await within(async (url) => {
      const pay = async () =>
        await send(url + QUERY, await ethersPayment(payer.privateKey, await ask(url + QUERY)));
      expect((await pay()).status).toBe(200);
      await stage.drain(payer.address);
      const codes = [];
      for (let n = 0; n < 5; n++) codes.push((await pay()).code);
      expect(codes).toEqual(Array(5).fill('payment-invalid'));
      expect(read()).toBe(2);
    }, options);
  });

  it('has one reading under way before it is verified, however many of its payments come at once', async () => {
    const most = 6;
    const { read, options } = counted();
    const payer = await stage.payer();
    let [begun, checked, readBefore] = [0, 0, 0];
    let letGo = () => {};
    const allCame = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const came = () => {
      // Each is checked twice: where it is asked for its price, and where it is paid for.
      if (begun === 1 + most && checked === 2 * (1 + most)) letGo();
    };
    const { facilitator } = stage;
    // No verification ends before every payment has come to where its reading would begin.
    const waiting = {
      ...facilitator,
      verify: async (...asked: Parameters<typeof facilitator.verify>) => {
        begun += 1;
        came();
        if (begun > 1) await allCame;
        await setImmediate();
        readBefore = read();
        return await facilitator.verify(...asked);
      },
    };
    const check = () => {
      checked += 1;
      came();
    };
    await within(
      async (url) => {
        const sign = async () => await ethersPayment(payer.privateKey, await ask(url + QUERY));
        expect((await send(url + QUERY, await sign())).status).toBe(200);
        await stage.drain(payer.address);
        const payments = await Promise.all(Array.from({ length: most }, sign));
        const codes = await Promise.all(payments.map(async (one) => (await send(url + QUERY, one)).code));
        expect(codes).toEqual(Array(most).fill('payment-invalid'));
        expect([begun, readBefore, read()]).toEqual([1 + most, 2, 2]);
      },
      { ...options, facilitators: [waiting], check },
    );
  });
});

describe('the record that an answer tells of', () => {
  it('is filed with it or not at all, once, and an answer whose record cannot be filed is not charged', async () => {
    const { db } = stage.database;
    const recordId = `rec_${Date.now()}`;
    const filed = () => db.selectFrom('records').where('record_id', '=', recordId).selectAll().execute();
    let attempts = 0;
    await within(
      async (url) => {
        const payment = await ethersPayment(alice, await ask(url + QUERY));
        expect((await send(url + QUERY, payment)).status).toBe(500);
        expect([await filed(), await open.received()]).toEqual([[], 0n]);
        expect((await send(url + QUERY, payment)).status).toBe(200);
        expect((await send(url + QUERY, payment)).status).toBe(200);
        const [record, ...others] = await filed();
        expect([record, others]).toMatchObject([{ kind: 'determination', handle: null }, []]);
        expect(unpackEvidence(record!.evidence)).toEqual({ seen: 1 });
        expect([attempts, await open.received()]).toEqual([2, 1n]);
      },
      {
        leaseMs: 300,
        record() {
          attempts += 1;
          // The database refuses a record without a signature.
          return attempts === 1 ? { ...recordOf(recordId), signature: null as never } : recordOf(recordId);
        },
      },
    );
  });
});

describe('work that fails', () => {
  it('is not charged, and the same payment may be sent again', () =>
    within(
      async (url) => {
        const payment = await ethersPayment(alice, await ask(url + QUERY));
        const failed = await send(url + QUERY, payment);
        expect([failed.status, failed.code]).toEqual([500, 'internal']);
        expect(failed.receipt).toBeNull();
        expect(await open.received()).toBe(0n);
        const again = await send(url + QUERY, payment);
        expect([again.status, again.text]).toEqual([200, '{"runs":2}']);
        expect(await open.received()).toBe(1n);
      },
      {
        work: async ({ runs }) => {
          if (runs === 1) throw new Error('boom');
          return { runs };
        },
      },
    ));

  it('fails once for all who sent that payment at the same time', () => {
    let came = 0;
    return within(
      async (url) => {
        open.app.server.on('request', () => {
          came += 1;
        });
        const payment = await ethersPayment(alice, await ask(url + QUERY));
        const answers = await Promise.all(Array.from({ length: 10 }, () => send(url + QUERY, payment)));
        expect(answers.map((a) => a.status)).toEqual(Array(10).fill(500));
        expect(open.runs()).toBe(1);
        expect(await open.received()).toBe(0n);
      },
      {
        work: async () => {
          // Fails when all have come, the last of them a while ago.
          await vi.waitFor(() => expect(came).toBe(11), WAIT);
          await new Promise((done) => setTimeout(done, 500));
          throw new Error('boom');
        },
      },
    );
  });
});

describe('work that takes longer than a request may', () => {
  it('is not charged to a caller who was told so, and is delivered to the same payment later', () => {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    return within(
      async (url) => {
        const payment = await ethersPayment(alice, await ask(url + QUERY));
        const late = await send(url + QUERY, payment);
        expect([late.status, late.code]).toEqual([503, 'timeout']);
        expect(late.text).toContain('send the same payment again');
        await vi.waitFor(() => expect(open.runs()).toBe(1), WAIT).finally(end);
        const { db } = stage.database;
        const { nonce } = payment.payload.authorization;
        await vi.waitFor(async () => {
          const [kept] = await db
            .selectFrom('payments')
            .select('status')
            .where('nonce', '=', nonce.toLowerCase())
            .execute();
          expect(kept?.status).toBe('stored');
        }, WAIT);
        expect([open.runs(), await open.received()]).toEqual([1, 0n]);
        // A machine on which that also takes longer than a request may is asked again.
        await vi.waitFor(async () => {
          const again = await send(url + QUERY, payment);
          expect([again.status, again.text]).toEqual([200, '{"runs":1}']);
        }, WAIT);
        expect([open.runs(), await open.received()]).toEqual([1, 1n]);
      },
      {
        handlerTimeoutMs: 1_500,
        work: async ({ runs }) => {
          await ended;
          return { runs };
        },
      },
    );
  });

  it('during the settlement is told how that ended, and so is whoever sent the same payment beside it', async () => {
    const LIMIT_MS = 4_000;
    const facilitator: Facilitator = {
      ...stage.facilitator,
      async settle(...payment) {
        await new Promise((resolve) => setTimeout(resolve, LIMIT_MS + 500));
        return await stage.facilitator.settle(...payment);
      },
    };
    await within(
      async (url) => {
        const payment = await ethersPayment(alice, await ask(url + QUERY));
        const answers = await Promise.all([send(url + QUERY, payment), send(url + QUERY, payment)]);
        for (const answer of answers) expect([answer.status, answer.code]).toEqual([200, undefined]);
        expect([open.runs(), await open.received()]).toEqual([1, 1n]);
      },
      { handlerTimeoutMs: LIMIT_MS, facilitators: [facilitator] },
    );
  });

  it('files no record for a member who was told that nothing was kept', async () => {
    const { db } = stage.database;
    const wallet = await stage.payer();
    await joins(wallet.address);
    const recordId = `rec_${randomUUID()}`;
    const filed = async () =>
      await db.selectFrom('records').select('record_id').where('record_id', '=', recordId).execute();
    await within(
      async (url) => {
        await db.transaction().execute(async (trx) => {
          // Reads go on; the record waits here for longer than a request may take.
          await sql`lock table records in share mode`.execute(trx);
          const late = await fetch(url + QUERY, { headers: { 'sign-in-with-x': await signIn(wallet, url) } });
          expect([late.status, await late.json()]).toEqual([
            503,
            expect.objectContaining({ code: 'timeout', detail: expect.stringContaining('nothing was kept') }),
          ]);
          await vi.waitFor(async () => expect(await waiting(trx)).toBe(true), WAIT);
        });
        await vi.waitFor(async () => expect(await busy(db)).toBe(false), WAIT);
        expect(await filed()).toEqual([]);
        const headers = { 'sign-in-with-x': await signIn(wallet, url) };
        expect((await fetch(url + QUERY, { headers })).status).toBe(200);
        expect(await filed()).toHaveLength(1);
      },
      { handlerTimeoutMs: 1_500, record: () => recordOf(recordId) },
    );
  });
});

/** Gives a wallet a membership that was paid just now. */
async function joins(wallet: string): Promise<void> {
  const { db } = stage.database;
  const now = new Date();
  const [id, owner] = [`co_${randomUUID()}`, wallet.toLowerCase()];
  await db.transaction().execute((trx) =>
    createCheckout(trx, {
      ...{ id, kind: 'membership', owner, handle: null, tier: null, depth: null, amount: 50_000_000n },
      ...{ session: id, details: { membership: 'individual' }, expiresAt: now, now },
    }),
  );
  await db.updateTable('checkouts').set({ status: 'paid', paid_at: now }).where('id', '=', id).execute();
}

/** Signs the challenge of the wallet determination, as the stock client does. */
async function signIn(wallet: LocalAccount, url: string): Promise<string> {
  const { extensions = {} } = await ask(url + QUERY);
  const { info } = extensions['sign-in-with-x'] as { info: object };
  const signed = { ...info, chainId: 'eip155:1002', type: 'eip191' } as never;
  return encodeSIWxHeader(await createSIWxPayload(signed, wallet as never, BASE_URL + QUERY));
}

/** Whether a write to the records waits for a lock. */
async function waiting(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_locks where not granted and relation = 'records'::regclass`.execute(db);
  return rows.length > 0;
}

/** Whether any transaction but this one has neither been committed nor rolled back. */
async function busy(db: Database): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`.execute(db);
  return rows.length > 0;
}

function recordOf(recordId: string): SignedRecord {
  const draft = { recordId, kind: 'determination', subject: '0xaa', summary: 'A test' } as const;
  const evidence = { seen: 1 };
  const made = makeRecord({ ...draft, issuedAt: new Date(), content: {}, evidence });
  return { ...made, signature: '0x01', evidence, handle: null };
}
