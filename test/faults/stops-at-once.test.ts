import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyEvent } from '../../runtime/durable/actors/apply-event.ts';
import { deliver } from '../../runtime/durable/actors/mailbox.ts';
import { processMailbox } from '../../runtime/durable/actors/process-mailbox.ts';
import { replay } from '../../runtime/durable/actors/replay.ts';
import { spawnActor } from '../../runtime/durable/actors/spawn.ts';
import type { EffectContext } from '../../runtime/durable/jobs/effect.ts';
import { agentActor } from '../../runtime/machines.ts';
import { withdrawOrdersEffect } from '../../runtime/market/orders/withdraw-orders.ts';
import type { Services } from '../../runtime/services.ts';
import { findAgent } from '../../store/agent/agents.ts';
import { proposeMandate } from '../../store/agent/mandates.ts';
import { findAct, type OwnerActRow, openAct, proposeAct, signAct } from '../../store/agent/owner-acts.ts';
import type { Trx } from '../../store/database.ts';
import { readHistory } from '../../store/durable/histories.ts';
import { liveListingOf } from '../../store/market/listings.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

/** What stops an agent holds from its transaction on: no order of it rests or matches, whatever its mailbox holds. */

let database: Awaited<ReturnType<typeof testDatabase>>;
let market: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  market = marketStage(database.db);
});
afterAll(() => database?.drop());

const usd = (dollars: number): bigint => BigInt(dollars * 1_000_000);

async function living(): Promise<string> {
  const handle = await market.agent();
  const input = { handle, mandateEndsInMs: 9_000_000, watches: false };
  await market.inTrx((trx) => spawnActor(trx, agentActor, { key: handle, input, now: market.now() }));
  return handle;
}

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

const apply = (trx: Trx, handle: string, event: Event, eventId = market.fresh('event')) =>
  applyEvent(trx, agentActor, { key: handle, eventId, event, now: market.now() });

const send = (handle: string, event: Event) =>
  market.inTrx((trx) =>
    deliver(trx, { actorId: `agent:${handle}`, eventId: market.fresh('event'), event, now: market.now() }),
  );

const batch = (handle: string) =>
  processMailbox(
    { db: database.db, machines: new Map([['agent', agentActor]]), now: market.now, crash() {} },
    `agent:${handle}`,
  );

const shown = async (handle: string): Promise<string> => {
  const agent = (await findAgent(database.db, handle))!;
  return [agent.status, ...agent.suspension_reasons].join(' ');
};

const verdict = async (handle: string) =>
  replay(agentActor, (await readHistory(database.db, `agent:${handle}`))!).verdict;

const STOPS: readonly (readonly [string, Event, string])[] = [
  ['a pause', { type: 'PAUSE', by: 'owner' }, 'paused owner'],
  ['a pause on chain', { type: 'PAUSE', by: 'guardian' }, 'paused guardian'],
  ['a suspension', { type: 'SUSPEND', by: 'operator' }, 'suspended operator'],
  ['a charge-back', { type: 'SUSPEND' }, 'suspended money'],
  ['a transfer', { type: 'TRANSFERRED', epoch: 2 }, 'paused new-owner'],
  ['the end of the mandate', { type: 'MANDATE_END' }, 'paused mandate-end'],
  ['a retirement', { type: 'RETIRE' }, 'retired'],
];

describe('a pause that was resumed before its withdrawal ran', () => {
  it('leaves the order and the listing that the agent placed since', async () => {
    const [seller, handle] = [await market.agent(), await living()];
    const [before, since] = [await market.list(seller), await market.list(seller)];
    await market.order(handle, before);
    await market.inTrx((trx) => apply(trx, handle, { type: 'RESTED', orderId: 'ord_1' }));
    market.tick();
    await market.inTrx((trx) => apply(trx, handle, { type: 'PAUSE', by: 'owner' }));
    market.tick();
    await market.inTrx((trx) => apply(trx, handle, { type: 'RESUME', by: ['owner'] }));
    const { order } = await market.order(handle, since);
    const own = await market.list(handle);
    const { key, params } = await database.db
      .selectFrom('effects')
      .select(['key', 'params'])
      .where('actor_id', '=', `agent:${handle}`)
      .where('kind', '=', 'withdraw-orders')
      .executeTakeFirstOrThrow();
    const services = { db: database.db, now: market.now } as unknown as Services;
    await withdrawOrdersEffect(services).run({ key, params } as unknown as EffectContext);
    const left = await database.db
      .selectFrom('orders')
      .select(['asset_key', 'status'])
      .where('handle', '=', handle)
      .orderBy('seq')
      .execute();
    expect(left).toEqual([
      { asset_key: before, status: 'cancelled' },
      { asset_key: since, status: order.status },
      { asset_key: own, status: 'resting' },
    ]);
    expect(order.status).toBe('resting');
    expect(await liveListingOf(database.db, own)).not.toBeNull();
  });
});

describe.each(STOPS)('%s', (_, stop, status) => {
  it('holds from its transaction on, and is gone when that is rolled back', async () => {
    const [seller, buyer] = [await living(), await market.agent()];
    const lot = await market.list(seller, { ask: usd(100), floor: usd(80) });
    const undone = market.inTrx(async (trx) => {
      await apply(trx, seller, stop);
      throw new Error('roll back');
    });
    await expect(undone).rejects.toThrow('roll back');
    expect(await shown(seller)).toBe('active');

    await market.inTrx((trx) => apply(trx, seller, stop));
    expect(await shown(seller)).toBe(status);
    expect((await market.order(buyer, lot, { limit: usd(90) })).match).toBeNull();
    await expect(market.order(seller, lot, { limit: usd(90) })).rejects.toMatchObject({
      code: 'agent-not-active',
    });
    expect(await verdict(seller)).toBe('same');
  });

  it('is not delayed by an event before it that throws, nor undone by one that waited', async () => {
    const handle = await living();
    await send(handle, { type: 'MATCHED', dealId: 'deal_1' });
    await send(handle, { type: 'PAUSE', by: 'guardian' });
    // Nobody sends such an event: the machine throws on it.
    await send(handle, { type: 'RESUME', by: 7 });
    await send(handle, { type: 'RESUME', by: ['owner', 'guardian'] });
    await send(handle, { type: 'REINSTATE', by: 'operator' });
    await market.inTrx((trx) => apply(trx, handle, stop));
    expect((await shown(handle)).split(' ')[0]).toBe(status.split(' ')[0]);
    const given = (await readHistory(database.db, `agent:${handle}`))!.events.filter(
      (e) => e.dead_lettered_at,
    );
    expect(given.map((e) => e.event.type)).toEqual(['RESUME']);
    expect((await batch(handle)).kind).toBe('idle');
    expect((await shown(handle)).split(' ')[0]).toBe(status.split(' ')[0]);
    expect(await verdict(handle)).toBe('same');
  });

  it('is not undone by a batch that another process read before it', async () => {
    const handle = await living();
    await send(handle, { type: 'RESTED', orderId: 'ord_1' });
    await market.inTrx(async (trx) => {
      await apply(trx, handle, stop);
      expect((await batch(handle)).kind).toBe('idle');
    });
    await batch(handle);
    expect(await shown(handle)).toBe(status);
    expect(await verdict(handle)).toBe('same');
  });

  it('counts once under one id', async () => {
    const handle = await living();
    await market.inTrx((trx) => apply(trx, handle, stop, 'stop'));
    const revision = async () => (await readHistory(database.db, `agent:${handle}`))!.actor.revision;
    const before = await revision();
    expect(await market.inTrx((trx) => apply(trx, handle, stop, 'stop'))).toBe(false);
    expect(await revision()).toBe(before);
  });
});

describe('what an owner signs about an agent that retires', () => {
  const propose = (handle: string, kind: OwnerActRow['kind'], version: number | null = null) =>
    market.inTrx((trx) =>
      proposeAct(
        trx,
        {
          id: market.fresh('act'),
          handle,
          kind,
          owner: '0xowner',
          beneficial_owner: '0xowner',
          epoch: 1,
          nonce: 0n,
          since_block: 1n,
          deadline: market.later(60_000),
          version,
          detail: {},
        },
        market.now(),
      ),
    );
  const keepMandate = (handle: string) =>
    market.inTrx((trx) =>
      proposeMandate(trx, { handle, text: 'x', structured: {} as never, hash: '0x1', now: market.now() }),
    );
  const sign = (handle: string, { id, kind }: OwnerActRow) =>
    market.inTrx(async (trx) => {
      await signAct(trx, { id, signatures: ['0x1'], now: market.now() });
      const event = { type: 'SIGNED', actId: id, kind };
      await deliver(trx, { actorId: `agent:${handle}`, eventId: `signed:${id}`, event, now: market.now() });
    });
  const status = async ({ id }: OwnerActRow) => (await findAct(database.db, id))!.status;
  const sent = async ({ id }: OwnerActRow) =>
    (await database.db.selectFrom('effects').select('key').where('key', '=', `owner-act:${id}`).execute())
      .length;

  it.each([
    ['before it is served', [{ type: 'RETIRE' }]],
    ['while a deal of it is open', [{ type: 'MATCHED', dealId: 'deal_1' }, { type: 'RETIRE' }]],
  ])('is over when it is not its end and was signed %s', async (_, events) => {
    const handle = await living();
    const version = await keepMandate(handle);
    const act = await propose(handle, 'mandate', version);
    for (const event of events) await market.inTrx((trx) => apply(trx, handle, event));
    await sign(handle, act);
    await batch(handle);
    expect([await status(act), await sent(act)]).toEqual(['failed', 0]);
    const mandate = await database.db
      .selectFrom('mandates')
      .select('status')
      .where('handle', '=', handle)
      .where('version', '=', version)
      .executeTakeFirstOrThrow();
    expect(mandate.status).toBe('superseded');
    // Its end can still be signed, and is kept for the keys.
    const end = await propose(handle, 'retire');
    await sign(handle, end);
    await batch(handle);
    expect(await status(end)).toBe('signed');
    expect(await verdict(handle)).toBe('same');
  });

  it('is sent when it was signed before', async () => {
    const handle = await living();
    const act = await propose(handle, 'pause');
    await sign(handle, act);
    await market.inTrx((trx) => apply(trx, handle, { type: 'RETIRE' }));
    expect([await status(act), await sent(act)]).toEqual(['signed', 1]);
  });

  it('takes the place of its end only when it is another end', async () => {
    const handle = await living();
    await market.inTrx((trx) => apply(trx, handle, { type: 'RETIRE' }));
    const end = await propose(handle, 'retire');
    for (const kind of ['mandate', 'pause', 'resume', 'rotate'] as const)
      await expect(propose(handle, kind)).rejects.toMatchObject({ code: 'agent-not-active' });
    expect(await openAct(database.db, handle)).toMatchObject({ id: end.id, status: 'proposed' });
    const again = await propose(handle, 'retire');
    expect([await status(end), await status(again)]).toEqual(['replaced', 'proposed']);
  });
});
