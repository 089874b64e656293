import { Webhook } from 'standardwebhooks';
import type { PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectStatus, until } from '../../../runtime/cli/demo/client.ts';
import { attested } from '../../fixtures/attested.ts';
import { type Listening, listenTo } from '../../fixtures/servers/event-stream.ts';
import { type Receiver, webhookReceiver } from '../../fixtures/servers/webhook-receiver.ts';
import { runCommand } from '../../fixtures/service.ts';
import {
  expectProblem,
  type WireAgent,
  type WireListing,
  type WireStage,
  wireStage,
} from '../wire/wire-stage.ts';

let stage: WireStage;
let receiver: Receiver;
let stream: Listening;
let seller: PrivateKeyAccount;
let buyer: PrivateKeyAccount;
let sells: WireAgent;
let buys: WireAgent;
let lot: WireListing;
let subscription: { subscriptionId: string; secret: string };

beforeAll(async () => {
  [stage, receiver] = await Promise.all([
    wireStage({ WATCH_SECONDS: '0', WEBHOOK_RETRY_SECONDS: '0,0,3600', ANCHOR_SECONDS: '1' }),
    webhookReceiver(),
  ]);
  stream = await listenTo(`${stage.baseUrl}/events`);
  [seller, buyer] = await Promise.all([stage.proceedingOwner(), stage.proceedingOwner()]);
  const body = { wallet: seller.address, url: receiver.url };
  subscription = expectStatus(
    await stage.api.signedPost(seller, '/webhooks/subscriptions', body),
    201,
    'subscribing',
  );
  for (const register of ['sanctions', 'known-scam']) {
    const answer = await fetch(`${stage.baseUrl}/register/${register}?source=test&${attested()}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.operatorKey}`, 'content-type': 'application/x-ndjson' },
      body: '{"address":"0x00000000000000000000000000000000deadbeef"}\n',
    });
    expect(answer.status).toBe(201);
  }
  [sells, buys] = await Promise.all([stage.agent(seller), stage.agent(buyer)]);
  await stage.moveUsd(buyer, buys.account, '200');
  lot = await stage.listed(seller, sells, { askUsd: 100 });
  const order = {
    handle: buys.handle,
    side: 'buy',
    listingRef: lot.listingRef,
    category: 'digital-products',
  };
  expectStatus(await stage.api.signedPost(buyer, '/order', { ...order, limitUsd: 100 }), 201, 'ordering');
  await until('the deal', async () =>
    (await stage.api.get('/matches')).body.items[0]?.tx === undefined ? null : true,
  );
});
afterAll(async () => {
  stream?.stop();
  await receiver?.stop();
  await stage?.stop();
});

describe('a listener to /events', () => {
  const heard = (event: string, is: (data: Record<string, unknown>) => boolean = () => true) =>
    stream.heard.filter((e) => e.event === event && is(e.data));

  it('gets a purchase and a deal from their inscription to their anchoring, each with its links', async () => {
    const states = (handle: string, kind: string) =>
      heard('activity', (d) => d.handle === handle && d.kind === kind).map((e) => e.data.state);
    await until('the anchoring of all', async () =>
      [
        [sells.handle, 'agent-purchase'],
        [buys.handle, 'agent-purchase'],
        [sells.handle, 'deal-settled'],
        [buys.handle, 'deal-settled'],
      ].every(([handle, kind]) => states(handle!, kind!).includes('anchored'))
        ? true
        : null,
    );
    for (const handle of [sells.handle, buys.handle]) {
      for (const kind of ['agent-purchase', 'deal-settled']) {
        expect(states(handle, kind)).toEqual(['inscribing', 'inscribed', 'anchored']);
      }
      const { items } = (await stage.api.get(`/agent/${handle}/activity`)).body;
      for (const row of items) {
        const [last] = heard('activity', (d) => d.handle === handle && d.recordId === row.recordId).slice(-1);
        expect(last!.data).toEqual({ handle, ...row });
        expect(row.ledger.contract.toLowerCase()).toBe(stage.ledger.toLowerCase());
        const record = await stage.api.get(new URL(row.recordUrl).pathname);
        expect(record.body).toMatchObject({
          state: 'anchored',
          hash: row.hash,
          ledger: { tx: row.ledger.tx },
        });
      }
    }
  });

  it('gets what the lists showed of the lot, in the order in which it happened', async () => {
    const of = heard('listing', (d) => d.lot === lot.key).map((e) => [e.event, e.data.live]);
    expect(of).toEqual([
      ['listing', true],
      ['listing', false],
    ]);
    expect(
      heard('order-book', (d) => d.lot === lot.key).map((e) => [e.data.open, e.data.priceToBeatUsd]),
    ).toEqual([
      [true, 100],
      [false, undefined],
    ]);
    const [row] = (await stage.api.get('/matches')).body.items;
    const matches = heard('match').map((e) => e.data);
    expect(matches.map((m) => m.tx)).toEqual([undefined, row.tx]);
    expect(matches[1]).toEqual(row);
    const ids = stream.heard.map((e) => Number(e.id));
    expect(ids).toEqual(ids.map((_, i) => i + 1));
  });
});

describe('an owner who subscribed', () => {
  const messages = () =>
    receiver.arrived.map(({ headers, body }) => ({
      id: headers['webhook-id'],
      ...(new Webhook(subscription.secret).verify(body, headers as Record<string, string>) as {
        type: string;
        data: Record<string, unknown>;
      }),
    }));

  it('gets notifications about its agent and its side of the deal, and about nobody else', async () => {
    // Two may be sent at a time, so either may arrive first.
    await until('all that it is told', async () => {
      const types = new Set(messages().map((m) => m.type));
      return ['agent.status', 'deal.matched', 'deal.settled'].every((t) => types.has(t)) ? true : null;
    });
    expect(new Set(messages().map((m) => m.data.handle))).toEqual(new Set([sells.handle]));
    const [own] = (await stage.api.signedGet(seller, `/agent/${sells.handle}/deals`)).body.items;
    // Each is sent at least once, with its id; a repetition counts as the same one.
    const told = (type: string) => [
      ...new Map(
        messages()
          .filter((m) => m.type === type)
          .map((m) => [m.id, m]),
      ).values(),
    ];
    expect(told('agent.status').map((m) => m.data.status)).toContain('active');
    expect(told('deal.matched')).toHaveLength(1);
    const money = { priceUsd: 100, feeUsd: 2, paysUsd: 100, getsUsd: 98 };
    expect(own).toMatchObject(money);
    expect(told('deal.settled').map((m) => m.data)).toEqual([
      {
        handle: sells.handle,
        role: 'seller',
        dealId: own.dealId,
        matchId: own.matchId,
        lot: lot.key,
        ...money,
        state: 'settled',
        deadline: null,
        reason: null,
        tx: own.tx,
      },
    ]);
  });

  it('lists its subscriptions and ends them, only by its own signature', async () => {
    const path = `/webhooks/subscriptions?wallet=${seller.address}`;
    expectProblem(await stage.api.get(path), 401, 'signature-required');
    expectProblem(await stage.api.signedGet(buyer, path), 401, 'signature-invalid');
    const { items, ...envelope } = (await stage.api.signedGet(seller, path)).body;
    expect(envelope).toEqual({ limit: 20, offset: 0, hasMore: false });
    expect(items).toEqual([
      {
        subscriptionId: subscription.subscriptionId,
        wallet: seller.address.toLowerCase(),
        url: receiver.url,
        events: [],
        status: 'active',
        failingSince: null,
        reason: null,
        createdAt: expect.any(String),
      },
    ]);
    // The secret was shown once, and is stored nowhere in plain form.
    const rows = await stage.db.selectFrom('webhook_subscriptions').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(subscription.secret.slice(6));
  });

  it('reads its subscriptions page by page, the newest first', async () => {
    const subscriber = await stage.owner();
    const made: string[] = [];
    for (let n = 0; n < 3; n++) {
      const body = { wallet: subscriber.address, url: receiver.url };
      const answer = await stage.api.signedPost(subscriber, '/webhooks/subscriptions', body);
      made.unshift(expectStatus(answer, 201, 'subscribing').subscriptionId);
    }
    const page = async (query: string) => {
      const path = `/webhooks/subscriptions?wallet=${subscriber.address}&${query}`;
      const { items, ...envelope } = expectStatus(
        await stage.api.signedGet(subscriber, path),
        200,
        'reading',
      );
      return { ids: items.map((s: { subscriptionId: string }) => s.subscriptionId), ...envelope };
    };
    expect(await page('limit=2')).toEqual({ ids: made.slice(0, 2), limit: 2, offset: 0, hasMore: true });
    expect(await page('limit=2&offset=2')).toEqual({
      ids: made.slice(2),
      limit: 2,
      offset: 2,
      hasMore: false,
    });
    expect(await page('offset=3')).toEqual({ ids: [], limit: 20, offset: 3, hasMore: false });
    for (const wrong of ['limit=0', 'limit=101', 'offset=-1']) {
      const path = `/webhooks/subscriptions?wallet=${subscriber.address}&${wrong}`;
      expectProblem(await stage.api.get(path), 400, 'bad-request');
    }
    await stage.db.deleteFrom('webhook_subscriptions').where('id', 'in', made).execute();
  });

  it('sees what was sent there and how it was answered, and nobody else does', async () => {
    const path = `/webhooks/subscriptions/${subscription.subscriptionId}/deliveries`;
    expectProblem(await stage.api.signedGet(buyer, path), 401, 'signature-invalid');
    expectProblem(await stage.api.get('/webhooks/subscriptions/whs_none/deliveries'), 404, 'not-found');
    // A delivery is recorded after it was accepted.
    const items = await until('all that arrived to be written down', async () => {
      const { items } = (await stage.api.signedGet(seller, path)).body;
      const taken = items.filter((d: { status: string }) => d.status === 'delivered');
      const ids = new Set(taken.map((d: { webhookId: string }) => d.webhookId));
      return messages().every((m) => ids.has(m.id)) ? items : null;
    });
    const settled = items.find((d: { kind: string }) => d.kind === 'deal.settled');
    expect(settled).toEqual({
      webhookId: messages().find((m) => m.type === 'deal.settled')?.id,
      kind: 'deal.settled',
      status: 'delivered',
      attempts: expect.any(Number),
      answered: 200,
      error: null,
      createdAt: expect.any(String),
      nextAttemptAt: null,
    });
    const first = (await stage.api.signedGet(seller, `${path}?limit=1`)).body;
    expect([first.items.length, first.hasMore]).toEqual([1, true]);
  });

  it.each([
    ['http://example.com/', 'https'],
    ['https://10.1.2.3/', 'public internet'],
    ['https://169.254.169.254/', 'public internet'],
    ['nothing', 'absolute'],
  ])('cannot have notifications sent to %s', async (url, says) => {
    const answer = await stage.api.signedPost(seller, '/webhooks/subscriptions', {
      wallet: seller.address,
      url,
    });
    expectProblem(answer, 400, 'bad-request');
    expect(answer.body.errors[0].message).toContain(says);
  });

  it('finds undelivered notifications by command, and has them sent again', async () => {
    const env = { ...stage.env, DATABASE_URL: stage.databaseUrl };
    const command = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCommand(['webhooks', ...args], { env });
      return {
        code,
        stderr,
        lines: stdout
          .trim()
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
      };
    };
    receiver.answers.push(500, 500, 500);
    await stage.db
      .updateTable('agents')
      .set({ status: 'paused' })
      .where('handle', '=', sells.handle)
      .execute();
    await until('the third attempt', async () => {
      const rows = await stage.db.selectFrom('webhook_deliveries').select(['attempts', 'answered']).execute();
      return rows.some((d) => d.attempts === 3 && d.answered === 500) ? true : null;
    });
    const [waiting] = (await command('list', '--status', 'pending')).lines;
    expect(waiting).toMatchObject({
      event: 'agent.status',
      answered: 500,
      error: 'answered 500',
      url: receiver.url,
    });
    expect((await command('subscriptions')).lines).toMatchObject([
      { subscriptionId: subscription.subscriptionId, status: 'active', failingSince: expect.any(String) },
    ]);
    const before = receiver.arrived.length;
    expect((await command('resend', waiting.messageId)).lines).toEqual([
      { messageId: waiting.messageId, resent: true },
    ]);
    await receiver.until(before + 1);
    expect(
      new Set(
        messages()
          .slice(-4)
          .map((m) => m.id),
      ),
    ).toEqual(new Set([waiting.messageId]));
    const unknown = await command('resend', 'msg_none');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('No message has the id')]);
  });

  it('gets no more notifications once it has ended its subscription', async () => {
    const path = `/webhooks/subscriptions/${subscription.subscriptionId}`;
    const call = async (wallet: PrivateKeyAccount) => {
      const first = await fetch(`${stage.baseUrl}${path}`, { method: 'DELETE' });
      if (first.status !== 401) return first;
      const { message, nonce } = ((await first.json()) as { sign: { message: string; nonce: string } }).sign;
      expect(message).toContain('Send no more news of my agents and deals to 127.0.0.1');
      const signature = await wallet.signMessage({ message });
      const authorization = `EIP191 nonce="${nonce}", signature="${signature}"`;
      return fetch(`${stage.baseUrl}${path}`, { method: 'DELETE', headers: { authorization } });
    };
    expect((await call(buyer)).status).toBe(401);
    const ended = await call(seller);
    expect([ended.status, await ended.json()]).toEqual([
      200,
      { subscriptionId: subscription.subscriptionId, ended: true },
    ]);
    expect((await call(seller)).status).toBe(404);
    await stage.db
      .updateTable('agents')
      .set({ status: 'active' })
      .where('handle', '=', sells.handle)
      .execute();
    expect(await stage.db.selectFrom('owner_notifications').selectAll().execute()).toEqual([]);
  });
});
