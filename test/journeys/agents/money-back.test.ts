import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKOUT } from '../../../api/words/checkout.ts';
import { expectStatus, until } from '../../../runtime/cli/demo/client.ts';
import { type CardDesk, cardDesk } from '../../fixtures/servers/card-desk.ts';
import { expectProblem, TRADES, type WireStage, wireStage } from '../wire/wire-stage.ts';

/** A purchase lasts as long as its money stays; money that came too late to buy anything is refunded. */

let stage: WireStage;
let desk: CardDesk;

beforeAll(async () => {
  stage = await wireStage();
  desk = cardDesk(stage);
});
afterAll(() => stage.stop());

const stranger = () => privateKeyToAccount(generatePrivateKey());
const featuredOf = async (listingRef: string): Promise<boolean | undefined> => {
  const { body } = await stage.api.get('/catalogue?limit=100');
  return body.items.find((row: { listingRef: string }) => row.listingRef === listingRef)?.featured;
};
const shows = (listingRef: string, featured: boolean) =>
  until(`featured: ${featured}`, async () => ((await featuredOf(listingRef)) === featured ? true : null));

async function place(listingRef: string, card?: string): Promise<string> {
  const opened = expectStatus(
    await stage.api.post('/listing/checkout', { listingRef, featured: true }),
    201,
    'opening a placement',
  );
  expect(opened.amountUsd).toBe(10);
  await desk.pay(opened.checkoutUrl, card);
  return opened.checkoutUrl;
}

describe('featured placement', () => {
  it('comes first in the catalogue once it is paid, and ends when its money is charged back', async () => {
    const owner = await stage.owner();
    const agent = await stage.agent(owner);
    const first = await stage.listed(owner, agent);
    const second = await stage.listed(owner, agent);
    const page = await place(first.listingRef);
    await shows(first.listingRef, true);
    const { body } = await stage.api.get('/catalogue');
    expect(body.items.map((r: { listingRef: string }) => r.listingRef).slice(0, 2)).toEqual([
      first.listingRef,
      second.listingRef,
    ]);
    const again = { listingRef: first.listingRef, featured: true };
    expectProblem(await stage.api.post('/listing/checkout', again), 409, 'conflict');
    await desk.refund(page);
    await shows(first.listingRef, false);

    const disputed = await place(second.listingRef, '4000000000000259');
    await desk.heard('charge.dispute.created');
    await shows(second.listingRef, false);
    await desk.decide(disputed, 'winning_evidence');
    await shows(second.listingRef, true);
  });

  it('is bought once by pages that were open at the same time, and the other payments are refunded', async () => {
    const owner = await stage.owner();
    const { listingRef } = await stage.listed(owner, await stage.agent(owner));
    const pages = await Promise.all(
      [1, 2, 3].map(async () =>
        expectStatus(
          await stage.api.post('/listing/checkout', { listingRef, featured: true }),
          201,
          'opening a placement',
        ),
      ),
    );
    await Promise.all(pages.map(({ checkoutUrl }) => desk.pay(checkoutUrl)));
    const states = () =>
      Promise.all(
        pages.map(
          async ({ checkoutId }) => (await stage.api.get(`/listing/checkout/${checkoutId}`)).body.status,
        ),
      );
    await until('two of them to fail', async () => {
      const now = await states();
      return now.filter((s) => s === 'failed').length === 2 && now.includes('paid') ? true : null;
    });
    await until('two refunds', async () => {
      const { data } = await desk.stripe.events.list({ type: 'charge.refunded', limit: 100 });
      const back = data.map((e) => (e.data.object as { payment_intent: string }).payment_intent);
      const paid = await stage.db
        .selectFrom('checkouts')
        .select('payment_intent')
        .where(
          'id',
          'in',
          pages.map(({ checkoutId }) => checkoutId),
        )
        .where('status', '=', 'failed')
        .execute();
      return paid.every(({ payment_intent }) => back.includes(payment_intent as string)) ? true : null;
    });
    await desk.heard('charge.refunded');
    // The refund was not for the payment that placed it.
    expect(await featuredOf(listingRef)).toBe(true);
    const told = await Promise.all(
      pages.map(async ({ checkoutId }) => (await stage.api.get(`/listing/checkout/${checkoutId}`)).body),
    );
    const reason = 'the listing was featured already when the payment came';
    const failed = { status: 'failed', suspended: false, reason, refunded: true };
    expect(told.sort((a, b) => a.status.localeCompare(b.status))).toEqual([
      failed,
      failed,
      { status: 'paid', suspended: false },
    ]);
  });

  it('is not sold for a standard listing, which is free, or for an unknown listing', async () => {
    const body = { listingRef: 'lst_none', featured: false };
    expectProblem(await stage.api.post('/listing/checkout', body), 400, 'bad-request');
    expectProblem(await stage.api.post('/listing/checkout', { ...body, featured: true }), 404, 'not-found');
  });
});

describe('an unpaid page for a handle', () => {
  const opens = async (owner: string, handle: string, mandate = TRADES) =>
    expectStatus(
      await stage.api.post('/agent/checkout', { owner, handle, mandate, tier: 'AGENT' }),
      201,
      'opening',
    );

  it('reserves it for no wallet, neither its own nor another, whoever is named as its owner', async () => {
    const [victim, handle] = [stranger().address, 'wanted-by-two'];
    // Somebody else opens a page for himself, and another one with other terms in the victim's name.
    const foreign = [
      await opens(stranger().address, handle),
      await opens(victim, handle, 'Buy anything, max 9999 USDC per deal, for 300 days.'),
    ];
    const first = await opens(victim, handle);
    const again = await opens(victim, handle);
    expect(again.checkoutId).not.toBe(first.checkoutId);
    await desk.pay(again.checkoutUrl);
    await until('the mint', async () => {
      const { body } = await stage.api.get(`/agent/checkout/${again.checkoutId}`);
      return body.status === 'minted' ? body : null;
    });
    const agent = (await stage.api.get(`/agent/${handle}`)).body;
    expect(agent.owner.toLowerCase()).toBe(victim.toLowerCase());
    // It has its own terms, and not those that somebody else gave in its name.
    expect(JSON.stringify(agent)).toContain('500');
    expect(JSON.stringify(agent)).not.toContain('9999');
    // The other pages can no longer be paid.
    for (const { checkoutId } of [...foreign, first])
      expect((await stage.api.get(`/agent/checkout/${checkoutId}`)).body).toEqual({ status: 'expired' });
    const late = { owner: stranger().address, handle, mandate: TRADES, tier: 'AGENT' };
    expectProblem(await stage.api.post('/agent/checkout', late), 409, 'conflict');
  });
});

describe('a payment that bought nothing', () => {
  it('is refunded through the card processor when the handle was taken in the meantime', async () => {
    const handle = 'contested';
    const order = { owner: stranger().address, handle, mandate: TRADES, tier: 'AGENT' };
    const early = expectStatus(await stage.api.post('/agent/checkout', order), 201, 'opening');
    // The hour of the page is over, so that the handle is free again and goes to the next buyer.
    await stage.db
      .updateTable('checkouts')
      .set({ status: 'expired' })
      .where('id', '=', early.checkoutId)
      .execute();
    const other = { ...order, owner: stranger().address };
    const late = expectStatus(await stage.api.post('/agent/checkout', other), 201, 'opening');
    await desk.pay(late.checkoutUrl);
    // Of two payments at once, the events may arrive in either order, and the first that arrives has the handle.
    const winner = await until('the mint', async () => {
      const { body } = await stage.api.get(`/agent/checkout/${late.checkoutId}`);
      return body.status === 'minted' ? body : null;
    });
    expect(winner.agent).toBe(handle);
    await desk.pay(early.checkoutUrl);
    const session = new URL(early.checkoutUrl).pathname.split('/').at(-1) as string;
    await until('the refund', async () => {
      const { payment_intent } = await desk.stripe.checkout.sessions.retrieve(session);
      const { data } = await desk.stripe.events.list({ type: 'charge.refunded' });
      const back = data.some(
        (e) => (e.data.object as { payment_intent: string }).payment_intent === payment_intent,
      );
      return back ? true : null;
    });
    await desk.heard('charge.refunded');
    const reason = 'the handle went to another agent before the payment came';
    const path = `/agent/checkout/${early.checkoutId}`;
    expect((await stage.api.get(path)).body).toEqual({ status: 'failed', reason, refunded: true });
    const page = await fetch(stage.baseUrl + path, { headers: { accept: 'text/html' } }).then((r) =>
      r.text(),
    );
    expect(page).toContain(CHECKOUT.failed.card);
    expect(page).toContain(CHECKOUT.reason(reason));
    for (const untrue of [CHECKOUT.takenBack, CHECKOUT.notHolding.agent]) expect(page).not.toContain(untrue);
    // Its refund says nothing of the agent that now has the handle.
    expect((await stage.api.get(`/agent/${handle}`)).body).toMatchObject({ status: 'active' });
  });
});
