import { spawn } from 'node:child_process';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seedKeys } from '../../chain/keys/seeds.ts';
import { deadLettersCommand } from '../../runtime/cli/dead-letters.ts';
import { quarantineCommand } from '../../runtime/cli/quarantine.ts';
import { type DeliverDeps, deliverWebhooks } from '../../runtime/webhooks/deliver-webhooks.ts';
import { secretBoxOf } from '../../runtime/webhooks/secret-box.ts';
import { newWebhookSecret } from '../../runtime/webhooks/signature.ts';
import { type SpreadDeps, spreadNotificationsJob } from '../../runtime/webhooks/spread-notifications.ts';
import {
  type DeliveryRow,
  enableSubscription,
  insertDelivery,
  listDeliveries,
  resendDelivery,
} from '../../store/webhooks/webhook-deliveries.ts';
import {
  insertSubscription,
  listSubscriptions,
  MOST_SUBSCRIPTIONS,
  requireRoom,
} from '../../store/webhooks/webhook-subscriptions.ts';
import { sweptJobs } from '../fixtures/actors/swept-jobs.ts';
import { unwindDeal } from '../fixtures/closings.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { quietQuarantine } from '../fixtures/quiet-quarantine.ts';
import { type Receiver, webhookReceiver } from '../fixtures/servers/webhook-receiver.ts';

const SEED = `0x${'5e'.repeat(32)}` as const;
const secretBox = secretBoxOf(seedKeys(SEED), 'test');

let database: TestDatabase;
let stage: MarketStage;
let receiver: Receiver;
let worker: { stop(): Promise<void> } | null = null;
let clock = 0;
/** The present owner of each agent: `0xowner` unless set. */
const owners = new Map<string, string | null>();
/** The beneficial owner of an owner, if it is somebody else. */
const beneficialOwners = new Map<string, string>();
const secret = newWebhookSecret();

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});
afterAll(() => database.drop());
beforeEach(async () => {
  receiver = await webhookReceiver();
  clock = 0;
});
afterEach(async () => {
  // This comes first, so that nothing waits for an answer that never comes.
  await receiver.stop();
  await worker?.stop();
  worker = null;
  owners.clear();
  beneficialOwners.clear();
  await database.db.deleteFrom('webhook_subscriptions').execute();
  await database.db.deleteFrom('owner_notifications').execute();
  await database.db.deleteFrom('effects').where('actor_id', 'is', null).execute();
});

const now = (): Date => new Date(Date.now() + clock);

async function subscribe(
  terms: { url?: string; kinds?: string[]; wallet?: string; beneficialOwner?: string } = {},
): Promise<string> {
  const id = stage.fresh('whs');
  await stage.inTrx((trx) =>
    insertSubscription(trx, {
      ...{ id, wallet: '0xowner', url: receiver.url, kinds: [], secret: secretBox.close(secret), now: now() },
      ...{ ...terms, beneficialOwner: terms.beneficialOwner ?? terms.wallet ?? '0xowner' },
    }),
  );
  return id;
}

async function start(terms: Partial<SpreadDeps & DeliverDeps> = {}): Promise<void> {
  const { db } = database;
  const spread = spreadNotificationsJob({
    ...{ db, now, everyMs: 10 },
    ownerOf: async (handle) => {
      const wallet = owners.has(handle) ? owners.get(handle)! : '0xowner';
      return wallet === null ? null : { wallet, beneficialOwner: beneficialOwners.get(wallet) ?? wallet };
    },
    quarantine: quietQuarantine(db),
    ...terms,
  });
  const deliver = deliverWebhooks({
    ...{ db, now, secretBox, retriesMs: [10, 10, 10] },
    allowed: { loopback: true },
    // So long that nothing is sent twice because this machine answered itself late.
    timeoutMs: 60_000,
    ...terms,
  });
  worker = await sweptJobs({ db, runners: [deliver], recurring: [spread] });
}

const deliveries = () => listDeliveries(database.db, { limit: 1_000 });

/** Waits until the deliveries satisfy the condition. */
async function until(is: (all: readonly DeliveryRow[]) => boolean): Promise<readonly DeliveryRow[]> {
  for (;;) {
    const all = await deliveries();
    if (is(all)) return all;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
const allDone = (all: readonly DeliveryRow[]) => all.length > 0 && all.every((d) => d.status !== 'pending');

describe('the notifications of owners', () => {
  it('show a deal as its owners may see it, from its match to its end, and their agents, signed for stock libraries', async () => {
    for (const handle of ['wh-ann', 'wh-bob']) {
      // Named like the stage's agents, because a notification about a deal goes to the agent's owner at the match.
      owners.set(handle, `0xowner-of-${handle}`);
      await subscribe({ wallet: `0xowner-of-${handle}` });
    }
    await start();
    const [ann, bob] = [await stage.agent('wh-ann'), await stage.agent('wh-bob')];
    const lot = await stage.list(ann, { ask: 100_000_000n, floor: 80_000_000n });
    const { match } = await stage.order(bob, lot, { limit: 90_000_000n });
    await database.db
      .updateTable('deals')
      .set({ state: 'awaiting-owner', deadline: new Date('2026-09-07T00:00:00Z') })
      .where('deal_id', '=', match!.dealId)
      .execute();
    await stage.inTrx((trx) =>
      unwindDeal(trx, {
        dealId: match!.dealId,
        reason: 'the owner stopped it',
        orderId: stage.fresh('again'),
        ids: stage.ids(),
        allows: () => true,
        now: stage.now(),
      }),
    );
    await stage.setStatus(bob, 'paused');
    const arrived = await receiver.until(9);
    const told = arrived.map(({ headers, body }) => {
      expect(headers['content-type']).toBe('application/json');
      return new Webhook(secret).verify(body, headers as Record<string, string>) as {
        type: string;
        timestamp: string;
        data: Record<string, unknown>;
      };
    });
    const of = (handle: string) =>
      told
        .filter(({ data }) => data.handle === handle)
        .map(({ type, data }) => [type, data] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1));
    const deal = {
      handle: 'wh-ann',
      role: 'seller',
      dealId: match!.dealId,
      matchId: match!.matchId,
      lot,
      priceUsd: 85,
      feeUsd: 1.7,
      paysUsd: 85,
      getsUsd: 83.3,
      tx: null,
    };
    expect(of('wh-ann')).toEqual([
      ['agent.status', { handle: 'wh-ann', status: 'active' }],
      [
        'deal.awaiting-owner',
        { ...deal, state: 'awaiting-owner', deadline: '2026-09-07T00:00:00.000Z', reason: null },
      ],
      ['deal.matched', { ...deal, state: 'determining', deadline: null, reason: null }],
      ['deal.stopped', { ...deal, state: 'stopped', deadline: null, reason: 'the owner stopped it' }],
    ]);
    expect(of('wh-bob').map(([type, { role, status }]) => [type, role ?? status])).toEqual([
      ['agent.status', expect.any(String)],
      ['agent.status', expect.any(String)],
      ['deal.awaiting-owner', 'buyer'],
      ['deal.matched', 'buyer'],
      ['deal.stopped', 'buyer'],
    ]);
    for (const { timestamp } of told) expect(Date.parse(timestamp)).toBeGreaterThan(Date.now() - 3_600_000);
    // They contain no limit of either side, not even for the other side's owner.
    expect(JSON.stringify(told)).not.toMatch(/"(?:90|80)(?:\.0+)?"|:(?:90|80),/);
  });

  it('go to the present owner of the agent, only of the kinds that were asked for, and to nobody when there is no subscription', async () => {
    await subscribe({ wallet: '0xold' });
    await subscribe({ kinds: ['deal.settled'] });
    const mine = await subscribe({ kinds: ['agent.status', 'deal.matched'] });
    owners.set('wh-moved', '0xowner').set('wh-lost', null).set('wh-silent', '0xsilent');
    for (const handle of ['wh-moved', 'wh-lost', 'wh-silent']) await stage.agent(handle, '0xold');
    await start();
    await receiver.until(1);
    await until(allDone);
    expect((await deliveries()).map((d) => d.subscription_id)).toEqual([mine]);
    expect(await database.db.selectFrom('owner_notifications').selectAll().execute()).toEqual([]);
  });

  it('wait while the chain cannot say who owns the agent', async () => {
    await subscribe();
    await stage.agent('wh-waits');
    let silent = true;
    let asked = 0;
    await start({
      ownerOf: async () => {
        asked += 1;
        if (silent) throw new Error('the chain is silent');
        return { wallet: '0xowner', beneficialOwner: '0xowner' };
      },
    });
    while (asked < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await deliveries()).toEqual([]);
    silent = false;
    await receiver.until(1);
  });

  it('are not held back by an agent whose owner cannot be determined', async () => {
    await subscribe();
    // Its notification is always the first to be tried.
    for (const handle of ['wh-poisoned', 'wh-after', 'wh-last']) await stage.agent(handle);
    await start({
      ownerOf: async (handle) => {
        if (handle === 'wh-poisoned') throw new TypeError('x is not a function');
        return { wallet: '0xowner', beneficialOwner: '0xowner' };
      },
    });
    await receiver.until(2);
    expect((await deliveries()).map(({ body }) => JSON.parse(body).data.handle).sort()).toEqual([
      'wh-after',
      'wh-last',
    ]);
    const left = await database.db.selectFrom('owner_notifications').select('handle').distinct().execute();
    expect(left).toEqual([{ handle: 'wh-poisoned' }]);
  });

  it('are not stored when there is nobody to notify', async () => {
    await stage.agent('wh-nobody');
    expect(await database.db.selectFrom('owner_notifications').selectAll().execute()).toEqual([]);
  });
});

describe('a message that is not accepted', () => {
  it('is sent again under the same id, freshly signed, until it is accepted', async () => {
    await subscribe();
    receiver.answers.push(500, 404, { status: 302, headers: { location: `${receiver.url}/elsewhere` } });
    await start();
    await stage.agent();
    await until(allDone);
    const [one] = await deliveries();
    expect(one).toMatchObject({ status: 'delivered', attempts: 4, answered: 200, error: null });
    expect(receiver.arrived.map((a) => a.answered)).toEqual([500, 404, 302, 200]);
    // Redirects are not followed.
    expect(new Set(receiver.arrived.map((a) => a.path))).toEqual(new Set(['/hook']));
    expect(new Set(receiver.arrived.map((a) => a.headers['webhook-id']))).toEqual(new Set([one!.id]));
    expect(new Set(receiver.arrived.map((a) => a.body)).size).toBe(1);
    for (const { headers, body } of receiver.arrived)
      new Webhook(secret).verify(body, headers as Record<string, string>);
    expect((await listSubscriptions(database.db))[0]).toMatchObject({
      status: 'active',
      failing_since: null,
    });
  });

  it('is given up after its last attempt, and sent again on request', async () => {
    await subscribe();
    receiver.answers.push(...Array(4).fill(503));
    await start();
    await stage.agent();
    const [one] = await until(allDone);
    expect(one).toMatchObject({ status: 'failed', attempts: 4, answered: 503, error: 'answered 503' });
    expect(await resendDelivery(database.db, one!.id, now())).toBe(true);
    const [again] = await until(allDone);
    expect(again).toMatchObject({ id: one!.id, status: 'delivered', attempts: 1 });
    expect(await resendDelivery(database.db, 'msg_none', now())).toBe(false);
  });

  it('is given up, too, where its receiver answers 101 each time', async () => {
    await subscribe();
    receiver.answers.push(101, 101, 101, 101);
    await start();
    await stage.agent();
    const [one] = await until(allDone);
    expect(one).toMatchObject({ status: 'failed', attempts: 4, answered: 101, error: 'answered 101' });
    expect((await listSubscriptions(database.db))[0]!.failing_since).toBeInstanceOf(Date);
  });

  it('is stored with the reason: no answer in time, nobody there, an address that is not public', async () => {
    await subscribe({ wallet: '0xslow' });
    await subscribe({ wallet: '0xnobody', url: 'http://127.0.0.1:1/' });
    await subscribe({ wallet: '0xinside', url: 'http://10.0.0.1/' });
    receiver.answers.push(0);
    owners.set('wh-slow', '0xslow').set('wh-nobody-there', '0xnobody').set('wh-inside', '0xinside');
    await start({ retriesMs: [] });
    for (const handle of ['wh-nobody-there', 'wh-inside']) await stage.agent(handle);
    await until((d) => d.length === 2 && allDone(d));
    await worker?.stop();
    // Only for the receiver that never answers: on a slow machine the others would not be done by then either.
    await start({ retriesMs: [], timeoutMs: 150 });
    await stage.agent('wh-slow');
    const all = await until((d) => d.length === 3 && allDone(d));
    const errors = Object.fromEntries(all.map((d) => [d.body.match(/wh-[a-z-]+/)?.[0], d.error]));
    expect(errors).toMatchObject({
      'wh-slow': 'no answer within 150 ms',
      'wh-nobody-there': expect.stringContaining('ECONNREFUSED'),
      'wh-inside': '10.0.0.1 is not an address of the public internet',
    });
  });

  it('ends its subscription at once after a 410, and after five days without any accepted message', async () => {
    const gone = await subscribe();
    receiver.answers.push(410);
    await start();
    await stage.agent();
    await until(allDone);
    expect(await listSubscriptions(database.db)).toMatchObject([
      { id: gone, status: 'disabled', reason: 'it answered 410: gone' },
    ]);
    await database.db.deleteFrom('webhook_subscriptions').execute();

    const failing = await subscribe();
    receiver.answers.push(...Array(8).fill(500));
    await stage.agent();
    await until(allDone);
    expect(await listSubscriptions(database.db)).toMatchObject([
      { id: failing, status: 'active', failing_since: expect.any(Date) },
    ]);
    clock = 5 * 86_400_000;
    await stage.agent();
    await until((all) => all.length === 2 && all[0]!.answered !== null);
    expect(await listSubscriptions(database.db)).toMatchObject([
      { status: 'disabled', reason: expect.stringMatching(/^nothing has been taken since /) },
    ]);
    // Nothing more is sent there or stored for it until it is enabled again.
    const heard = receiver.arrived.length;
    await stage.agent();
    expect(await database.db.selectFrom('owner_notifications').selectAll().execute()).toEqual([]);
    await enableSubscription(database.db, failing);
    receiver.answers.length = 0;
    await receiver.until(heard + 1);
  });

  it('delays nobody else, and a receiver gets one message at a time', async () => {
    const other = await webhookReceiver();
    await subscribe({ wallet: '0xstuck' });
    await subscribe({ wallet: '0xquick', url: other.url });
    receiver.answers.push(...Array(100).fill(0));
    for (let n = 0; n < 50; n++) owners.set(await stage.agent(), '0xstuck');
    for (let n = 0; n < 10; n++) owners.set(await stage.agent(), '0xquick');
    await start({ timeoutMs: 60_000 });
    await other.until(10);
    expect(receiver.arrived.length).toBeLessThanOrEqual(1);
    await receiver.stop();
    await other.stop();
  });
});

describe('a process that is killed while sending a message', () => {
  it('leaves the message to the next process, which sends it under the same id', async () => {
    await subscribe();
    await stage.agent();
    const script = new URL('../fixtures/processes/webhook-process.ts', import.meta.url).pathname;
    const args = ['--import', 'tsx', script, database.url, SEED, 'after-webhook-before-commit'];
    const child = spawn(process.execPath, args, { stdio: 'inherit' });
    expect(await new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))).toBe(
      'SIGKILL',
    );
    expect(receiver.arrived).toHaveLength(1);
    expect(await deliveries()).toMatchObject([{ status: 'pending', attempts: 1 }]);
    // While its lease runs, nobody else sends it.
    await start();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(receiver.arrived).toHaveLength(1);
    await sql`update effects set lease_until = clock_timestamp() where status = 'running'`.execute(
      database.db,
    );
    await until(allDone);
    expect(receiver.arrived.map((a) => a.headers['webhook-id'])).toEqual(
      Array(2).fill((await deliveries())[0]!.id),
    );
  });
});

describe('a subscription whose job an operator dropped', () => {
  /** What the job became, and the command that drops it. */
  const cases = [
    { what: 'a dead letter', command: deadLettersCommand, id: 'effect-', set: { status: 'failed' as const } },
    { what: 'set aside', command: quarantineCommand, id: 'job-', set: { failures: 3 } },
  ];

  for (const { what, command, id, set } of cases) {
    it(`as ${what} is still told of what waits`, async () => {
      const { db, url } = database;
      const message = {
        id: stage.fresh('msg'),
        subscriptionId: await subscribe(),
        kind: 'agent.status',
        body: '{}',
      };
      await stage.inTrx((trx) => insertDelivery(trx, { ...message, now: now() }));
      const { id: job } = await db
        .updateTable('effects')
        .set(set)
        .where('kind', '=', 'deliver-webhooks')
        .returning('id')
        .executeTakeFirstOrThrow();
      await command({ DATABASE_URL: url }).parseAsync(['drop', `${id}${job}`, '--json'], { from: 'user' });
      await start();
      await until(allDone);
      expect(await deliveries()).toMatchObject([{ status: 'delivered' }]);
    });
  }
});

describe('subscriptions', () => {
  it('are limited to ten for one wallet, even when many are made at once', async () => {
    const made = await Promise.allSettled(Array.from({ length: 15 }, () => subscribe()));
    expect(made.filter((m) => m.status === 'fulfilled')).toHaveLength(MOST_SUBSCRIPTIONS);
    for (const m of made) if (m.status === 'rejected') expect(m.reason).toMatchObject({ code: 'conflict' });
  });

  it('of an account leave no place taken for whoever holds it next, and end when that one subscribes', async () => {
    const wallet = '0xaccount';
    await Promise.all(
      Array.from({ length: MOST_SUBSCRIPTIONS }, () => subscribe({ wallet, beneficialOwner: '0xseller' })),
    );
    const others = await subscribe();
    const holder = { wallet, beneficialOwner: '0xbuyer' };
    await requireRoom(database.db, holder);
    const id = await subscribe(holder);
    expect((await listSubscriptions(database.db, wallet)).map((row) => row.id)).toEqual([id]);
    expect((await listSubscriptions(database.db, '0xowner')).map((row) => row.id)).toEqual([others]);
  });
});
