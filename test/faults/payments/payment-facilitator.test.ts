import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../../api/http/app.ts';
import { facilitatorRoutes } from '../../../api/x402/facilitator.ts';
import { authorizationReader } from '../../../chain/facilitator/authorization.ts';
import type { Facilitator } from '../../../chain/facilitator/facilitator.ts';
import { httpFacilitator } from '../../../chain/facilitator/http.ts';
import { inProcessFacilitator } from '../../../chain/facilitator/in-process.ts';
import { rpc } from '../../../chain/rpc/json-rpc.ts';
import { server } from '../../conformance/api/server-fixture.ts';
import {
  facilitatorChain,
  type PaymentStage,
  paymentStage,
  type Shop,
  shop,
} from '../../fixtures/paid-service.ts';
import { type FaultyProxy, faultyProxy } from '../../fixtures/servers/faulty-proxy.ts';
import { ask, ethersPayment, send, stockFetch } from '../../fixtures/wallets/payers.ts';

const QUERY = '/determination?address=0x00000000000000000000000000000000000000aa';
const NETWORKS = ['eip155:1002', 'eip155:84532'];
let stage: PaymentStage;
let alice: `0x${string}`;

beforeAll(async () => {
  stage = await paymentStage();
  alice = stage.home.accounts.alice.privateKey;
});
afterAll(() => stage.stop());

async function within(options: Parameters<typeof shop>[1], run: (open: Shop) => Promise<void>) {
  const open = await shop(stage, options);
  try {
    await run(open);
  } finally {
    await open.stop();
  }
}

describe('a facilitator behind a URL', () => {
  let elsewhere: App;
  let network: FaultyProxy;
  let facilitator: Facilitator;

  beforeAll(async () => {
    elsewhere = await server({ routes: [(app) => facilitatorRoutes(app, stage.facilitator)] });
    await elsewhere.listen({ port: 0, host: '127.0.0.1' });
    network = await faultyProxy(`http://127.0.0.1:${(elsewhere.server.address() as AddressInfo).port}`);
    facilitator = httpFacilitator({
      url: `${network.url}/facilitator`,
      networks: NETWORKS,
      timeoutMs: 60_000,
    });
  });
  beforeEach(() => network.fault(() => 'pass'));
  afterAll(async () => {
    await network.stop();
    await elsewhere.close();
  });

  it('settles a payment of the stock client', () =>
    within({ facilitators: [facilitator] }, async (open) => {
      const response = await stockFetch(await stage.payer())(open.url + QUERY);
      expect(response.status).toBe(200);
      expect(await open.received(84532)).toBe(1n);
      expect(await facilitator.check()).toEqual({ kind: 'http', networks: NETWORKS });
    }));

  it('passes on the reason of its refusal in words', () =>
    within({ facilitators: [facilitator] }, async (open) => {
      const poor = `0x${'7'.repeat(64)}` as const;
      const answer = await send(open.url + QUERY, await ethersPayment(poor, await ask(open.url + QUERY)));
      expect([answer.status, answer.code]).toEqual([402, 'payment-invalid']);
      expect(answer.text).toContain('does not hold the amount');
    }));

  it('when it is down does not keep the service from starting, and delivers nothing until it is back', async () => {
    network.fault(() => 'cut');
    await within({ facilitators: [facilitator] }, async (open) => {
      await expect(facilitator.check()).rejects.toThrow();
      const payment = await ethersPayment(alice, await ask(open.url + QUERY));
      const answer = await send(open.url + QUERY, payment);
      expect([answer.status, answer.code]).toEqual([503, 'unavailable']);
      expect(answer.response.headers.get('retry-after')).not.toBeNull();
      expect([open.runs(), await open.received()]).toEqual([0, 0n]);

      network.fault(() => 'pass');
      expect((await send(open.url + QUERY, payment)).status).toBe(200);
      expect([open.runs(), await open.received()]).toEqual([1, 1n]);
    });
  });

  it('when it fails before the settlement leaves the outcome open, and the retry settles without working again', () =>
    within({ facilitators: [facilitator] }, async (open) => {
      network.fault((path) => (path.endsWith('/settle') ? 'cut' : 'pass'));
      const payment = await ethersPayment(alice, await ask(open.url + QUERY));
      const answer = await send(open.url + QUERY, payment);
      expect([answer.status, answer.code]).toEqual([503, 'unavailable']);
      expect(answer.text).not.toContain('"runs"');
      expect(await open.received()).toBe(0n);

      network.fault(() => 'pass');
      expect((await send(open.url + QUERY, payment)).status).toBe(200);
      expect([open.runs(), await open.received()]).toEqual([1, 1n]);
    }));

  it('when the answer to a settlement is lost is not trusted: the chain decides', () =>
    within({ facilitators: [facilitator] }, async (open) => {
      network.fault((path) => (path.endsWith('/settle') ? 'lose-answer' : 'pass'));
      const payment = await ethersPayment(alice, await ask(open.url + QUERY));
      const answer = await send(open.url + QUERY, payment);
      expect(answer.status).toBe(200);
      expect(answer.receipt).toMatchObject({ success: true, transaction: expect.stringMatching(/^0x/) });
      expect([open.runs(), await open.received()]).toEqual([1, 1n]);
    }));
});

describe('a chain that does not answer', () => {
  let network: FaultyProxy;
  let facilitator: Facilitator;
  let networks: PaymentStage['networks'];

  beforeAll(async () => {
    network = await faultyProxy(stage.home.url);
    const home = facilitatorChain(stage.home, { rpcUrl: network.url });
    facilitator = inProcessFacilitator([home, facilitatorChain(stage.base)], { confirmationMs: 500 });
    networks = stage.networks.map((n) =>
      n.chainId === 1002 ? { ...n, readAuthorization: authorizationReader(network.url) } : n,
    );
  });
  beforeEach(() => network.fault(() => 'pass'));
  afterAll(() => network.stop());

  it('makes no payment invalid: the answer is 503, and the same payment is valid later', () =>
    within({ facilitators: [facilitator], networks }, async (open) => {
      const payment = await ethersPayment(alice, await ask(open.url + QUERY));
      for (const method of ['eth_call', '']) {
        network.fault((_, body) => (body.includes(method) ? 'cut' : 'pass'));
        const answer = await send(open.url + QUERY, payment);
        expect([method, answer.status, answer.code]).toEqual([method, 503, 'unavailable']);
      }
      expect(open.runs()).toBe(0);
      network.fault(() => 'pass');
      expect((await send(open.url + QUERY, payment)).status).toBe(200);
      expect(await open.received()).toBe(1n);
    }));

  it('after the settlement was sent leaves the outcome open, and the retry finds it paid', () =>
    within({ facilitators: [facilitator], networks }, async (open) => {
      let sent = false;
      network.fault((_, body) => {
        if (sent) return 'cut';
        sent = body.includes('eth_sendRawTransaction');
        return 'pass';
      });
      const payment = await ethersPayment(alice, await ask(open.url + QUERY));
      const answer = await send(open.url + QUERY, payment);
      expect([answer.status, answer.code]).toEqual([503, 'unavailable']);
      expect(answer.text).not.toContain('"runs"');
      expect(await open.received()).toBe(1n);

      sent = false;
      network.fault(() => 'pass');
      expect((await send(open.url + QUERY, payment)).status).toBe(200);
      expect([open.runs(), await open.received()]).toEqual([1, 1n]);
    }));

  it('while a settlement waits for its block leaves the outcome open, and the retry finds it paid', async () => {
    await rpc(stage.home.url, 'evm_setAutomine', [false]);
    try {
      await within({ facilitators: [facilitator], networks }, async (open) => {
        const payment = await ethersPayment(alice, await ask(open.url + QUERY));
        const answer = await send(open.url + QUERY, payment);
        expect([answer.status, answer.code]).toEqual([503, 'unavailable']);
        expect(answer.text).not.toContain('"runs"');

        await rpc(stage.home.url, 'evm_mine');
        const again = await send(open.url + QUERY, payment);
        expect([again.status, again.receipt?.success]).toEqual([200, true]);
        expect([open.runs(), await open.received()]).toEqual([1, 1n]);
      });
    } finally {
      await rpc(stage.home.url, 'evm_setAutomine', [true]);
      await rpc(stage.home.url, 'evm_mine');
    }
  });
});

describe('a payer who moves the money away while the work is done', () => {
  it('gets nothing, pays nothing, and is told so', async () => {
    const payer = await stage.payer();
    const spend = async () => {
      await stage.drain(payer.address);
      return { runs: 1 };
    };
    await within({ work: spend }, async (open) => {
      const payment = await ethersPayment(payer.privateKey, await ask(open.url + QUERY));
      for (let attempt = 0; attempt < 2; attempt++) {
        const answer = await send(open.url + QUERY, payment);
        expect([answer.status, answer.code]).toEqual([402, 'settlement-failed']);
        expect(answer.receipt).toMatchObject({ success: false, transaction: '' });
        expect(answer.text).not.toContain('"runs"');
      }
      expect([open.runs(), await open.received()]).toEqual([1, 0n]);
    });
  });
});

describe('a payment that somebody else sends to the chain first', () => {
  it('counts as paid', async () => {
    const seen: { payment?: Awaited<ReturnType<typeof ethersPayment>> } = {};
    const carry = async () => {
      const { accepted, payload } = seen.payment!;
      await stage.facilitator.settle({ x402Version: 2, accepted, payload }, accepted);
      return { verdict: 'CLEAN' };
    };
    await within({ work: carry }, async (open) => {
      seen.payment = await ethersPayment(alice, await ask(open.url + QUERY));
      const answer = await send(open.url + QUERY, seen.payment);
      expect([answer.status, answer.receipt?.success]).toEqual([200, true]);
      expect(await open.received()).toBe(1n);
    });
  });
});
