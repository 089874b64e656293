import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bookPayment, endOtherPages, tellCheckout } from '../../runtime/checkout/book-payment.ts';
import { takeCardEvent } from '../../runtime/checkout/take-card-event.ts';
import { processMailbox } from '../../runtime/durable/actors/process-mailbox.ts';
import { spawnActor } from '../../runtime/durable/actors/spawn.ts';
import { checkoutActor } from '../../runtime/machines.ts';
import type { Services } from '../../runtime/services.ts';
import { noteBeneficialOwner } from '../../store/agent/beneficial-owners.ts';
import { keepSettings, lastSettingsOf, settingsOf, settingsOfEach } from '../../store/agent/settings.ts';
import {
  attachSession,
  createCheckout,
  findCheckout,
  findCheckoutBySession,
  handleIsHeld,
  type NewCheckout,
  recordCardEvent,
} from '../../store/checkout/checkouts.ts';
import { forgetUnpaid } from '../../store/checkout/forget-unpaid.ts';
import { lockSuspended } from '../../store/checkout/reversals.ts';
import { holdActor, insertMessage } from '../../store/durable/actors.ts';
import { fireDueTimers } from '../../store/durable/timers.ts';
import { readLotParties } from '../../store/market/lot-parties.ts';
import { type MarketStage, marketStage } from '../fixtures/market-stage.ts';
import { testDatabase } from '../fixtures/postgres.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;
let stage: MarketStage;

beforeAll(async () => {
  database = await testDatabase();
  stage = marketStage(database.db);
});

afterAll(async () => {
  await database.drop();
});

async function open(handle: string | null, terms: Partial<NewCheckout> = {}): Promise<string> {
  const id = stage.fresh('co');
  await stage.inTrx(async (trx) => {
    await createCheckout(trx, {
      id,
      kind: 'agent',
      owner: '0xowner',
      handle,
      tier: 'AGENT',
      depth: '2-of-2',
      amount: 5_000_000n,
      details: { mandateText: 'Buy' },
      expiresAt: stage.later(3_600_000),
      now: stage.now(),
      ...terms,
    });
    if (terms.pay === 'usdc') return;
    await spawnActor(trx, checkoutActor, {
      key: id,
      input: { checkoutId: id, expiresInMs: 3_600_000 },
      now: stage.now(),
    });
  });
  await attachSession(database.db, id, { sessionId: `cs_${id}`, url: `http://pay/${id}` });
  return id;
}

const pay = (checkoutId: string, paid: Partial<Parameters<typeof bookPayment>[1]> = {}) =>
  stage.inTrx(async (trx) => {
    const now = stage.now();
    const sessionId = `cs_${checkoutId}`;
    const booked = await bookPayment(trx, {
      ...{ checkoutId, sessionId, amount: 5_000_000n, currency: 'usd', now },
      ...paid,
    });
    if (booked !== 'paid' && booked !== 'handle-taken') return booked;
    const input = { checkoutId, expiresInMs: 3_600_000 };
    await spawnActor(trx, checkoutActor, { key: checkoutId, input, now });
    const event = booked === 'paid' ? { type: 'PAID' } : { type: 'UNSERVABLE', reason: booked };
    await tellCheckout(trx, checkoutId, { eventId: `card:${sessionId}`, event, now });
    const checkout = await findCheckout(trx, checkoutId);
    if (booked === 'paid' && checkout?.handle) await endOtherPages(trx, checkout.handle, now);
    return booked;
  });

const statusOf = async (id: string) => (await findCheckout(database.db, id))?.status;

/** Lets its time run out. */
async function expire(id: string, now: Date): Promise<void> {
  await fireDueTimers(database.db, now, 1_000);
  const deps = { db: database.db, machines: new Map([['checkout', checkoutActor]]), crash() {} };
  await processMailbox({ ...deps, now: () => now }, `checkout:${id}`);
}

/** A payment whose settlement is on its way. */
async function collecting(payment_id: string): Promise<void> {
  const [network, payer, nonce] = ['eip155:84532', '0xpayer', '0x1'];
  const request = { method: 'POST', path: '/agent/checkout', body_hash: '', proof: '', asset: '0xusdc' };
  await database.db
    .insertInto('payments')
    .values({
      ...{ payment_id, network, payer, nonce, ...request, amount: 5_000_000n, status: 'settling' },
      ...{ response: null, receipt: null, valid_before: stage.later(60_000), identifier: null },
      ...{ lease_holder: null, lease_until: null },
    })
    .execute();
}

describe('a checkout', () => {
  it('that nobody paid keeps its handle from nobody: of twenty paid at once one has it, and nobody opens another', async () => {
    const owners = Array.from({ length: 20 }, (_, i) => `0xowner${i % 10}`);
    const ids = await Promise.all(owners.map((owner) => open('wanted', { owner })));
    const outcomes = await Promise.all(ids.map((id) => pay(id)));
    expect(outcomes.filter((o) => o === 'paid')).toHaveLength(1);
    expect(outcomes.filter((o) => o === 'handle-taken')).toHaveLength(19);
    await expect(open('wanted')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('ends when another page for its handle is paid, so that nobody is led to pay for nothing', async () => {
    const [one, other, elsewhere] = [await open('led'), await open('led'), await open('apart')];
    expect(await pay(one)).toBe('paid');
    expect((await findCheckout(database.db, other))?.status).toBe('expired');
    expect((await findCheckout(database.db, elsewhere))?.status).toBe('awaiting-payment');
    expect(await pay(other)).toBe('handle-taken');
  });

  it.each(['card', 'usdc'] as const)(
    'is paid once by %s, however many pages for its handle nobody paid',
    async (pay_) => {
      const handle = `crowded-${pay_}`;
      await database.db.executeQuery(
        sql`insert into checkouts (id, handle, owner, amount, status, expires_at)
        select ${handle} || n, ${handle}, '0xstranger', 5000000,
          case when n > 69000 then 'awaiting-payment' else 'expired' end, ${stage.now()}
        from generate_series(1, 70000) n`.compile(database.db),
      );
      const session = `x402:${handle}`;
      const id = await open(handle, pay_ === 'usdc' ? { pay: pay_, session } : {});
      expect([await pay(id), await pay(id)]).toEqual(['paid', 'already']);
      expect(await statusOf(id)).toBe('minting');
      await expect(open(handle)).rejects.toMatchObject({ code: 'conflict' });
    },
  );

  it('that expired unpaid is deleted after its days; what was paid or may still be paid stays', async () => {
    const [gone, recent, paid, open_] = [
      await open('a1'),
      await open('a2'),
      await open('a3'),
      await open('a4'),
    ];
    await pay(paid);
    await expire(gone, stage.later(3_600_000));
    await expire(recent, stage.later(3_600_000));
    await database.db
      .updateTable('checkouts')
      .set({ expires_at: stage.later(-1_000) })
      .where('id', 'in', [gone, paid, open_])
      .execute();
    await forgetUnpaid(database.db, stage.now());
    expect(await Promise.all([gone, recent, paid, open_].map(statusOf))).toEqual([
      undefined,
      'expired',
      'minting',
      'awaiting-payment',
    ]);
  });

  it('is deleted with all of its actor, but not while that one is held or has mail', async () => {
    const { db } = database;
    const ids = [await open('b1'), await open('b2'), await open('b3')];
    const [gone, held, told] = ids as [string, string, string];
    for (const id of ids) await expire(id, stage.later(3_600_000));
    await sql`insert into actor_checkpoints (actor_id, revision, version, snapshot, timers, taken_at)
      values (${`checkout:${gone}`}, 1, 1, '{}', '{}', ${stage.now()})`.execute(db);
    const late = { actorId: `checkout:${told}`, eventId: 'late', event: { type: 'PAID' }, now: stage.now() };
    await insertMessage(db, late);
    await db.transaction().execute(async (trx) => {
      await holdActor(trx, `checkout:${held}`);
      await forgetUnpaid(db, stage.later(7_200_000));
    });
    expect(await Promise.all(ids.map(statusOf))).toEqual([undefined, 'expired', 'expired']);
    const { rows } = await sql<{ left: number }>`select (select count(*) from actors where id = a.id)
      + (select count(*) from actor_births where actor_id = a.id) + (select count(*) from actor_checkpoints where actor_id = a.id)
      + (select count(*) from mailbox where actor_id = a.id) + (select count(*) from timers where actor_id = a.id) as left
      from (select 'checkout:' || ${gone}::text as id) a`.execute(db);
    expect(Number(rows[0]?.left)).toBe(0);
    await forgetUnpaid(db, stage.later(7_200_000));
    expect(await Promise.all(ids.map(statusOf))).toEqual([undefined, undefined, 'expired']);
  });

  it('in USDC holds its handle while its payment is collected, since nothing returns that money by itself', async () => {
    const page = await open('held');
    const usdc = { pay: 'usdc', session: 'x402:eip155:84532:0xpayer:0x1' } as const;
    const collected = await open('held', usdc);
    await database.db
      .updateTable('checkouts')
      .set({ processor_session: usdc.session })
      .where('id', '=', collected)
      .execute();
    await expect(open('held', usdc)).rejects.toMatchObject({ code: 'conflict' });
    // Another page may be opened meanwhile: that payment may fail.
    await open('held');
    await collecting('eip155:84532:0xpayer:0x1');
    expect(await pay(page)).toBe('handle-taken');
    expect(await pay(collected, { sessionId: usdc.session })).toBe('paid');
  });

  it('in USDC whose payment can no longer be collected gives way to a page that is paid', async () => {
    const page = await open('lapsed');
    const collected = await open('lapsed', { pay: 'usdc', session: 'x402:never-begun' });
    expect(await pay(page)).toBe('paid');
    expect((await findCheckout(database.db, collected))?.lapsed_at).toEqual(stage.now());
  });

  it('is paid once, however often and at once it is reported', async () => {
    const id = await open('paid-once');
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => pay(id)));
    expect(outcomes.filter((o) => o === 'paid')).toHaveLength(1);
    expect(outcomes.filter((o) => o === 'already')).toHaveLength(9);
    expect(await findCheckoutBySession(database.db, `cs_${id}`)).toMatchObject({
      id,
      status: 'minting',
    });
  });

  it.each([
    ['another amount', { amount: 4_999_999n }],
    ['no amount', { amount: null }],
    ['another currency', { currency: 'eur' }],
    ['another session', { sessionId: 'cs_other' }],
  ])('is not paid by %s', async (_, paid) => {
    const id = await open(null, { kind: 'membership' });
    expect(await pay(id, paid)).toBe('differs');
    expect((await findCheckout(database.db, id))?.paid_at).toBeNull();
  });

  it.each([
    ['another amount', { amount: 4_999_999n }],
    ['another currency', { currency: 'eur' }],
    ['another session', { sessionId: 'cs_other' }],
  ])('whose payment is known is booked to be returned when it is of %s', async (_, paid) => {
    const id = await open(null, { kind: 'membership' });
    const paymentIntent = `pi_${id}`;
    expect(await pay(id, { ...paid, paymentIntent })).toBe('unfit');
    expect(await findCheckout(database.db, id)).toMatchObject({ payment_intent: paymentIntent });
    expect(await pay(id, { ...paid, paymentIntent })).toBe('already');
    // A second payment is another one's money, and the first is what goes back.
    expect(await pay(id, { ...paid, paymentIntent: 'pi_second' })).toBe('differs');
    expect(await findCheckout(database.db, id)).toMatchObject({ payment_intent: paymentIntent });
  });

  it('is known by its name when its session was never attached', async () => {
    const id = await open('unattached');
    await database.db
      .updateTable('checkouts')
      .set({ processor_session: null })
      .where('id', '=', id)
      .execute();
    expect(await pay(id)).toBe('paid');
    expect((await findCheckout(database.db, id))?.processor_session).toBe(`cs_${id}`);
    expect(await pay('co_nowhere')).toBe('unknown-checkout');
  });

  it('expires when its time is over and gives its handle back; paid late, it is served', async () => {
    const id = await open('late-payer');
    await expire(id, stage.later(3_599_999));
    expect(await statusOf(id)).toBe('awaiting-payment');
    await expire(id, stage.later(3_600_000));
    expect(await statusOf(id)).toBe('expired');
    expect(await handleIsHeld(database.db, 'late-payer')).toBe(false);
    expect(await pay(id)).toBe('paid');
    expect(await handleIsHeld(database.db, 'late-payer')).toBe(true);
    await expire(id, stage.later(9_999_999));
    expect(await statusOf(id)).toBe('minting');
  });

  it('paid after its handle went to another is kept as money to return', async () => {
    const late = await open('contested');
    const now = stage.now();
    const told = { eventId: 'withdrawn', event: { type: 'WITHDRAWN' }, now };
    await stage.inTrx((trx) => tellCheckout(trx, late, told));
    expect(await statusOf(late)).toBe('expired');
    const other = await open('contested');
    expect(await pay(other)).toBe('paid');
    expect(await pay(late)).toBe('handle-taken');
    expect((await findCheckout(database.db, late))?.status).toBe('failed');
  });
});

describe('a card event', () => {
  it('is taken once out of ten deliveries at once, and again later never', async () => {
    const event = { eventId: 'evt_1', type: 'checkout.session.completed', sessionId: 'cs', now: stage.now() };
    const taken = await Promise.all(
      Array.from({ length: 10 }, () => stage.inTrx((trx) => recordCardEvent(trx, event))),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await stage.inTrx((trx) => recordCardEvent(trx, event))).toBe(false);
  });

  it('of money that went before there was an agent waits with its payment, and for no agent of that handle', async () => {
    const id = await open('unborn');
    await pay(id, { paymentIntent: 'pi_unborn' });
    const disputed = {
      ...{ eventId: 'evt_unborn', type: 'charge.dispute.created', sessionId: null },
      reversal: { paymentIntent: 'pi_unborn', reference: 'dp_unborn', state: 'open' },
    };
    const services = {
      ...{ db: database.db, now: stage.now, log: { warn() {} }, card: { verifyWebhook: () => disputed } },
      ...{ crash() {}, notifier: { actor() {} } },
    } as unknown as Services;
    await takeCardEvent(services, Buffer.alloc(0), undefined);
    expect(await stage.inTrx((trx) => lockSuspended(trx, id))).toBe(true);
    const told = database.db.selectFrom('mailbox').select('event').where('actor_id', '=', 'agent:unborn');
    expect(await told.execute()).toEqual([]);
  });

  it('whose effect fails is not taken', async () => {
    const event = { eventId: 'evt_2', type: 'x', sessionId: null, now: stage.now() };
    await expect(
      stage.inTrx(async (trx) => {
        await recordCardEvent(trx, event);
        throw new Error('the effect failed');
      }),
    ).rejects.toThrow('the effect failed');
    expect(await stage.inTrx((trx) => recordCardEvent(trx, event))).toBe(true);
  });
});

describe("an owner's setting", () => {
  const CHOOSER = { wallet: '0xaccount', beneficialOwner: '0xchooser' };
  it('is unset until the owner chooses, and then what was chosen last; a choice leaves the other as it was', async () => {
    const { db } = database;
    const unset = { onFlagged: null, onInconclusive: null };
    expect(await settingsOf(db, CHOOSER)).toEqual(unset);
    await keepSettings(db, CHOOSER, { onFlagged: 'ask' }, stage.now());
    expect(await settingsOf(db, CHOOSER)).toEqual({ ...unset, onFlagged: 'ask' });
    await keepSettings(db, CHOOSER, { onInconclusive: 'proceed' }, stage.now());
    expect(await settingsOf(db, CHOOSER)).toEqual({ onFlagged: 'ask', onInconclusive: 'proceed' });
    await keepSettings(db, CHOOSER, { onFlagged: 'stop' }, stage.now());
    expect(await settingsOf(db, CHOOSER)).toEqual({ onFlagged: 'stop', onInconclusive: 'proceed' });
  });

  it('is unset once another stands behind the wallet, and what that one chooses adds nothing to it', async () => {
    const { db } = database;
    const unset = { onFlagged: null, onInconclusive: null };
    const sold = { wallet: '0xsold', beneficialOwner: '0xseller' };
    await keepSettings(db, sold, { onInconclusive: 'proceed' }, stage.now());
    const bought = { ...sold, beneficialOwner: '0xbuyer' };
    for (const holder of [bought, { ...sold, beneficialOwner: null }]) {
      expect(await settingsOf(db, holder)).toEqual(unset);
      expect(await settingsOfEach(db, [sold, holder])).toEqual([
        { ...unset, onInconclusive: 'proceed' },
        unset,
      ]);
    }
    await keepSettings(db, bought, { onFlagged: 'ask' }, stage.now());
    expect(await settingsOf(db, bought)).toEqual({ onFlagged: 'ask', onInconclusive: null });
    expect(await settingsOf(db, sold)).toEqual(unset);
  });

  it('counts, where the chain is not asked, for whoever was last seen to stand behind the wallet', async () => {
    const { db } = database;
    const unset = { onFlagged: null, onInconclusive: null };
    const seen = (beneficialOwner: string, block: bigint) =>
      stage.inTrx((trx) =>
        noteBeneficialOwner(trx, { owner: '0xheld', beneficialOwner, block, now: stage.now() }),
      );
    await seen('0xfirst', 5n);
    await keepSettings(
      db,
      { wallet: '0xheld', beneficialOwner: '0xfirst' },
      { onFlagged: 'ask' },
      stage.now(),
    );
    const seller = await stage.agent();
    const by = { handle: seller, wallet: '0xheld' };
    expect(await lastSettingsOf(db, '0xheld')).toEqual({ ...unset, onFlagged: 'ask' });
    expect((await readLotParties(db, seller, by)).settings).toEqual({ ...unset, onFlagged: 'ask' });
    await seen('0xsecond', 6n);
    expect(await lastSettingsOf(db, '0xheld')).toEqual(unset);
    expect((await readLotParties(db, seller, by)).settings).toEqual(unset);
  });
});
