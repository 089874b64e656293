import { Webhook } from 'standardwebhooks';
import { Compile } from 'typebox/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedKeys } from '../../chain/keys/seeds.ts';
import { deliverWebhooks } from '../../runtime/webhooks/deliver-webhooks.ts';
import { secretBoxOf } from '../../runtime/webhooks/secret-box.ts';
import { newWebhookSecret } from '../../runtime/webhooks/signature.ts';
import { spreadNotificationsJob } from '../../runtime/webhooks/spread-notifications.ts';
import { insertSubscription } from '../../store/webhooks/webhook-subscriptions.ts';
import { type Description, describeRoutes } from '../client/describe-routes.ts';
import { sweptJobs } from '../fixtures/actors/swept-jobs.ts';
import { marketStage } from '../fixtures/market-stage.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';
import { quietQuarantine } from '../fixtures/quiet-quarantine.ts';
import { type Arrived, type Receiver, webhookReceiver } from '../fixtures/servers/webhook-receiver.ts';

const KINDS = [
  'deal.matched',
  'deal.awaiting-owner',
  'deal.settled',
  'deal.stopped',
  'deal.failed',
  'agent.status',
] as const;
const secret = newWebhookSecret();

let description: Description;
let database: TestDatabase;
let receiver: Receiver;
let worker: { stop(): Promise<void> };
let arrived: readonly Arrived[];

beforeAll(async () => {
  [description, database, receiver] = await Promise.all([
    describeRoutes(),
    testDatabase(),
    webhookReceiver(),
  ]);
  const { db } = database;
  const stage = marketStage(db);
  const now = () => new Date();
  const secretBox = secretBoxOf(seedKeys(`0x${'5e'.repeat(32)}`), 'test');
  await stage.inTrx((trx) =>
    insertSubscription(trx, {
      ...{ id: 'whs_1', wallet: '0xowner-of-wm-ann', beneficialOwner: '0xowner-of-wm-ann', kinds: [] },
      ...{ url: receiver.url, secret: secretBox.close(secret), now: now() },
    }),
  );
  const ownerOf = async (handle: string) => ({
    ...{ wallet: `0xowner-of-${handle}`, beneficialOwner: `0xowner-of-${handle}` },
  });
  const spread = spreadNotificationsJob({ db, now, everyMs: 10, ownerOf, quarantine: quietQuarantine(db) });
  const allowed = { loopback: true };
  const deliver = deliverWebhooks({ db, now, secretBox, retriesMs: [10], allowed, timeoutMs: 60_000 });
  worker = await sweptJobs({ db, runners: [deliver], recurring: [spread] });

  const [ann, bob] = [await stage.agent('wm-ann'), await stage.agent('wm-bob')];
  const lot = await stage.list(ann, { ask: 100_000_000n, floor: 80_000_000n });
  const { match } = await stage.order(bob, lot, { limit: 90_000_000n });
  const becomes = async (state: string, more: Record<string, unknown> = {}) => {
    const deal = db.updateTable('deals').set({ state, ...more } as object);
    await deal.where('deal_id', '=', match!.dealId).execute();
  };
  await becomes('awaiting-owner', { deadline: new Date('2026-09-07T00:00:00Z') });
  await becomes('settled', { deadline: null, tx: `0x${'7a'.repeat(32)}` });
  await becomes('failed', { reason: 'the chain refused it', tx: null });
  await becomes('stopped', { reason: 'the owner stopped it' });
  arrived = await receiver.until(KINDS.length);
});
afterAll(async () => {
  await receiver?.stop();
  await worker?.stop();
  await database?.drop();
});

const delivered = (kind: string) => arrived.filter(({ body }) => JSON.parse(body).type === kind);
const described = (kind: string) => description.webhooks?.[kind]?.post;

describe('a message that was delivered', () => {
  it.each(KINDS)('%s is as the published description says, and closed to anything beside it', (kind) => {
    const schema = described(kind)?.requestBody?.content['application/json']?.schema;
    expect(schema).toBeDefined();
    const check = Compile({ ...schema, components: description.components });
    const messages = delivered(kind).map(({ headers, body }) =>
      new Webhook(secret).verify(body, headers as Record<string, string>),
    ) as { data: object }[];
    expect(messages).toHaveLength(1);
    for (const message of messages) {
      const [holds, errors] = check.Errors(message);
      expect([holds, errors]).toEqual([true, []]);
      expect(check.Check({ ...message, data: { ...message.data, limitUsd: 90 } })).toBe(false);
      expect(check.Check({ ...message, type: 'deal.other' })).toBe(false);
      for (const name of Object.keys(message.data)) {
        const { [name]: _, ...rest } = message.data as Record<string, unknown>;
        expect(check.Check({ ...message, data: rest }), name).toBe(false);
      }
    }
  });

  it('has the headers that the description names, by which it is verified', () => {
    for (const kind of KINDS) {
      const names = described(kind)?.parameters?.map((p) => [p.in, p.name, p.required]);
      expect(names).toEqual(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ['header', name, true]),
      );
      const check = described(kind)!.parameters!.map(({ name, schema }) => ({ name, ...schema }));
      for (const { headers } of delivered(kind))
        for (const { name, pattern = '^$' } of check) expect(headers[name]).toMatch(new RegExp(pattern));
    }
  });
});

it('of each kind that can be subscribed to there is one, and of no other', () => {
  const kinds =
    description.paths['/webhooks/subscriptions']?.post?.requestBody?.content['application/json']?.schema
      .properties?.events?.items?.enum;
  expect(Object.keys(description.webhooks ?? {})).toEqual(kinds);
  expect(kinds).toEqual([...KINDS]);
});
