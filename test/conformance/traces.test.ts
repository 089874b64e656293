import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deliver } from '../../runtime/durable/actors/mailbox.ts';
import { spawnActor } from '../../runtime/durable/actors/spawn.ts';
import { scopeBindings } from '../../runtime/telemetry/scope.ts';
import { spanned } from '../../runtime/telemetry/spans.ts';
import { openTracing, type Tracing } from '../../runtime/telemetry/tracing.ts';
import { courier } from '../fixtures/actors/courier-machine.ts';
import { carrier, courierService } from '../fixtures/actors/courier-service.ts';
import { type TestDatabase, testDatabase } from '../fixtures/postgres.ts';

/** What an OTLP/HTTP receiver on this machine is told of one request and all that comes of it. */

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

let database: TestDatabase;
let receiver: Server;
let endpoint: string;
const received: { path: string; spans: OtlpSpan[]; service: string; text: string }[] = [];

beforeAll(async () => {
  database = await testDatabase();
  receiver = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const [resource] = JSON.parse(text).resourceSpans;
    const name = resource.resource.attributes.find((a: { key: string }) => a.key === 'service.name');
    received.push({
      path: request.url ?? '',
      spans: resource.scopeSpans.flatMap((s: { spans: OtlpSpan[] }) => s.spans),
      service: name.value.stringValue,
      text,
    });
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await new Promise((resolve) => receiver.close(resolve));
  await database.drop();
});

/** One event, delivered as on behalf of a request; its effect calls a chain; the machine hears of it. */
async function oneStory(tracing: Tracing): Promise<{ id: string; bound: object[] }> {
  const { db, url: databaseUrl } = database;
  const bound: object[] = [];
  const chain = spanned(tracing, 'chain 1002 viem', {
    head: async () => 7,
    name: 'a member that is no call',
  });
  const runner = carrier(async () => {
    bound.push(scopeBindings());
    await chain.head();
  });
  const service = await courierService({
    db,
    databaseUrl,
    redisUrl: null,
    runner,
    spans: tracing,
    sweepMs: 50,
  });
  const now = new Date();
  const id = await db
    .transaction()
    .execute((trx) => spawnActor(trx, courier, { key: `a${now.getTime()}`, input: {}, now }));
  await tracing.run('request', 'POST /parcels', { parent: null }, () =>
    db.transaction().execute((trx) =>
      deliver(trx, {
        actorId: id,
        eventId: 'p1',
        event: { type: 'CARRY', parcel: 'a secret parcel' },
        now,
      }),
    ),
  );
  service.notifier.actor(id);
  await vi.waitFor(
    async () => {
      const left = await db.selectFrom('mailbox').select('consumed_at').where('actor_id', '=', id).execute();
      expect(left.map((m) => m.consumed_at !== null)).toEqual([true, true]);
    },
    { timeout: 120_000, interval: 20 },
  );
  await service.stop();
  return { id, bound };
}

describe('traces', () => {
  it('follow a request through mailboxes, effects and calls of the chain, over the mailbox and the outbox', async () => {
    const tracing = openTracing(endpoint, '9.9');
    const { id, bound } = await oneStory(tracing);
    await tracing.stop();
    expect(new Set(received.map((r) => `${r.service} ${r.path}`))).toEqual(
      new Set(['safe-handshake /v1/traces']),
    );
    const spans = received.flatMap((r) => r.spans);
    expect(new Set(spans.map((s) => s.traceId)).size).toBe(1);
    const byId = new Map(spans.map((s) => [s.spanId, s]));
    const path = (s: OtlpSpan): string => {
      const parent = byId.get(s.parentSpanId ?? '');
      return parent ? `${path(parent)} > ${s.name}` : s.name;
    };
    const root = 'POST /parcels > mailbox courier > effect carry';
    expect(spans.map(path).sort()).toEqual(
      [
        'POST /parcels',
        'POST /parcels > mailbox courier',
        root,
        `${root} > chain 1002 viem head`,
        `${root} > mailbox courier`,
      ].sort(),
    );
    const effect = spans.find((s) => s.name === 'effect carry')!;
    expect(effect.attributes).toEqual(
      expect.arrayContaining([
        { key: 'actor', value: { stringValue: id } },
        { key: 'status', value: { stringValue: 'done' } },
      ]),
    );
    // Every log line of the effect finds its trace; no line and no span holds what the event said.
    expect(bound).toEqual([{ actor: id, effect: expect.any(String), attempt: 1, traceId: effect.traceId }]);
    expect(received.map((r) => r.text).join()).not.toContain('secret');
  });

  it('leave no mark in what the machine and the runner see', async () => {
    const tracing = openTracing(endpoint, '9.9');
    const { id } = await oneStory(tracing);
    await tracing.stop();
    const { snapshot } = await database.db
      .selectFrom('actors')
      .select('snapshot')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(snapshot)).not.toContain('trace');
  });

  it('cost spans and nothing else when the receiver is away', async () => {
    const tracing = openTracing('http://127.0.0.1:1', '9.9');
    const { bound } = await oneStory(tracing);
    expect(bound).toHaveLength(1);
    await tracing.stop().catch(() => {});
  });
});
