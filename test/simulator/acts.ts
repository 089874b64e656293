import { assetKey } from '../../agents/assets.ts';
import { Refusal } from '../../agents/errors.ts';
import { lookAtSpending, readLive } from '../../runtime/agent/live-agent.ts';
import type { SessionAction } from '../../runtime/agent/owner-acts/session-act.ts';
import { openCheckout } from '../../runtime/checkout/open-checkout.ts';
import { takeCardEvent } from '../../runtime/checkout/take-card-event.ts';
import { decideDeal } from '../../runtime/deal/decide-deal.ts';
import { deliver, NOT_FOR_EVER } from '../../runtime/durable/actors/mailbox.ts';
import { isTransient } from '../../runtime/durable/actors/transient.ts';
import { judgeOrder } from '../../runtime/market/orders/judge-order.ts';
import { lookThenWrite } from '../../runtime/market/orders/look-again.ts';
import { placeOrder } from '../../runtime/market/orders/place-order.ts';
import { readOrderingAgent } from '../../runtime/market/orders/read-ordering-agent.ts';
import type { Services } from '../../runtime/services.ts';
import { type AgentRow, findAgent } from '../../store/agent/agents.ts';
import { heldBy } from '../../store/agent/reservations.ts';
import { keepSettings } from '../../store/agent/settings.ts';
import type { Event } from '../../store/durable/actors.ts';
import { insertListing, liveListingOf } from '../../store/market/listings.ts';
import { cancelOrder } from '../../store/market/withdrawals.ts';
import { plainHolder } from '../fixtures/wallets/plain-holder.ts';
import { DEPLOYMENT } from './chain.ts';
import { listingKey, requireAgent } from './chain-state.ts';
import { disputed, NotReady } from './dispute-acts.ts';
import type { Invariants } from './invariants.ts';
import { handOn, mandateAct, signedAct } from './owner-acts.ts';
import { ownerAddress } from './owners.ts';
import { type Action, OWNERS } from './plan.ts';
import type { Random } from './random.ts';
import type { Surroundings } from './service.ts';

/** What the outside knows about the service: the answers that it got, and what it could read. */
export interface Outside {
  /** By the number of the agent in the plan. */
  readonly checkouts: Map<number, string>;
  readonly orders: { readonly orderId: string; readonly handle: string }[];
  readonly lots: { readonly key: string; readonly handle: string }[];
  assets: number;
}

const CENT = 10_000n;
const CATEGORY = 'digital-products';
const done = (): void => {};

const mandateText = ({ cap, total }: { readonly cap: number; readonly total: number }): string =>
  `Buy and sell digital products. At most ${cap / 100} USDC per deal and ${total / 100} USDC in total. Expires 2027-06-30.`;

export const handleOf = (n: number): string => `agent-${n}`;

/** Carries out one action against the running service, as people and programs would. A refusal counts as an answer. */
export async function act(
  around: Surroundings & { readonly invariants: Invariants },
  services: Services,
  outside: Outside,
  action: Action,
): Promise<void> {
  try {
    await perform(around, services, outside, action).catch(async (error: unknown) => {
      // A client that gets no answer repeats its request under the same id.
      if (!AGAIN.has(action.do) || !isTransient(error)) throw error;
      await perform(around, services, outside, action);
    });
    around.log(`${action.do} ${action.id} done`);
    // Some clients repeat it even after an answer.
    if (AGAIN.has(action.do) && around.world.random.chance(0.2))
      await perform(around, services, outside, action);
  } catch (error) {
    around.log(`${action.do} ${action.id}: ${(error as Error).message.slice(0, 120)}`);
    const answered = error instanceof Refusal || isTransient(error) || error instanceof NotReady;
    if (!answered)
      around.invariants.fail('every request is answered', `${action.do}: ${(error as Error).stack}`);
  }
}

/** Delivers an event a second time under the same id, like a producer that crashed before it got the confirmation. */
export async function deliverAgain(services: Services, random: Random): Promise<void> {
  const messages = await services.db.selectFrom('mailbox').selectAll().execute();
  const others = messages.filter(
    ({ event_id }) => !NOT_FOR_EVER.some((prefix) => event_id.startsWith(prefix)),
  );
  if (others.length === 0) return;
  const { actor_id: actorId, event_id: eventId, event } = random.pick(others);
  const message = { actorId, eventId, event: event as Event, now: services.now() };
  await services.db.transaction().execute((trx) => deliver(trx, message));
}

const AGAIN: ReadonlySet<string> = new Set([
  'pay',
  'pause',
  'resume',
  'retire',
  'decide',
  'cancel',
  'setting',
]);

async function perform(
  around: Surroundings & { readonly invariants: Invariants },
  services: Services,
  outside: Outside,
  action: Action,
): Promise<void> {
  const { chain } = around;
  switch (action.do) {
    case 'setting':
      return await keepSettings(
        services.db,
        plainHolder(ownerAddress(action.owner)),
        { onFlagged: action.choice },
        services.now(),
      );
    case 'checkout': {
      const mandate = mandateText(action);
      const owner = ownerAddress(action.owner);
      const opened = await openCheckout(
        services,
        { owner, handle: handleOf(action.n), mandate, tier: 'AGENT' },
        done,
      );
      outside.checkouts.set(action.n, opened.checkoutId);
      return;
    }
    case 'pay':
      return await pay(services, outside, action);
    case 'fund': {
      const agent = await findAgent(services.db, handleOf(action.n));
      if (!agent) throw new NotReady('no agent');
      const amount = BigInt(action.cents) * CENT;
      around.invariants.funded += amount;
      return chain.act((state) => {
        state.money.set(agent.account, (state.money.get(agent.account) ?? 0n) + amount);
      });
    }
    case 'list':
      return await list(around, services, outside, action);
    case 'buy': {
      const lot = outside.lots[action.lot % Math.max(1, outside.lots.length)];
      if (!lot) throw new NotReady('no lot');
      return await order(services, outside, handleOf(action.n), lot.key, {
        side: 'buy',
        cents: action.cents,
        seconds: action.seconds,
      });
    }
    case 'reprice': {
      const lot = outside.lots[action.lot % Math.max(1, outside.lots.length)];
      if (!lot) throw new NotReady('no lot');
      return await order(services, outside, lot.handle, lot.key, {
        side: 'sell',
        cents: action.cents,
        seconds: 900,
      });
    }
    case 'cancel': {
      const target = outside.orders[action.pick % Math.max(1, outside.orders.length)];
      if (!target) throw new NotReady('no order');
      return await services.db
        .transaction()
        .execute((trx) => cancelOrder(trx, { ...target, now: services.now() }));
    }
    case 'decide': {
      const deals = await services.db
        .selectFrom('deals')
        .selectAll()
        .where('state', '=', 'awaiting-owner')
        .execute();
      const deal = deals[action.pick % Math.max(1, deals.length)];
      if (!deal) throw new NotReady('no deal waits');
      const handle = action.pick % 2 === 0 ? deal.buyer : deal.seller;
      return await decideDeal(services, { dealId: deal.deal_id, handle, decision: action.decision }, done);
    }
    case 'dispute':
    case 'hold':
    case 'rule':
      return await disputed(services, outside, action);
    default:
      return await owned(around, services, outside, action);
  }
}

async function pay(
  services: Services,
  outside: Outside,
  { n, wrong }: { n: number; wrong: boolean },
): Promise<void> {
  const checkoutId = outside.checkouts.get(n);
  if (checkoutId === undefined) throw new NotReady('no checkout');
  const row = await services.db
    .selectFrom('checkouts')
    .selectAll()
    .where('id', '=', checkoutId)
    .executeTakeFirst();
  if (!row) throw new NotReady('no checkout');
  const event = {
    eventId: `evt_${checkoutId}${wrong ? '_wrong' : ''}`,
    type: 'checkout.session.completed',
    sessionId: `cs_${checkoutId}`,
    checkoutId,
    amountMicro: String(row.amount + (wrong ? CENT : 0n)),
    currency: 'usd',
    paymentStatus: 'paid',
    metadata: {},
  };
  await takeCardEvent(services, Buffer.from(JSON.stringify(event)), 'signed');
}

async function order(
  services: Services,
  outside: Outside,
  handle: string,
  lot: string,
  terms: { side: 'buy' | 'sell'; cents: number; seconds: number },
): Promise<void> {
  if (!(await findAgent(services.db, handle))) throw new NotReady('no agent');
  // Half of the buyers name the listing, like programs that saw it in the catalogue.
  const listed = terms.side === 'buy' && terms.cents % 2 === 0 ? await liveListingOf(services.db, lot) : null;
  const listingRef = listed?.listing_ref ?? null;
  const live = await readOrderingAgent(services, handle, listingRef);
  const tokenId = lot.split('/').at(-1)!;
  const asset = { kind: 'token', chainId: 1002, contract: DEPLOYMENT.assets, tokenId } as const;
  const { order: placed } = await placeOrder(
    services,
    live,
    {
      side: terms.side,
      asset: listingRef === null ? (asset as never) : null,
      listingRef,
      category: CATEGORY,
      limit: BigInt(terms.cents) * CENT,
      openingBid: null,
      expiresAt: new Date(services.now().getTime() + terms.seconds * 1000),
    },
    done,
  );
  outside.orders.push({ orderId: placed.order_id, handle });
}

/** Does what `POST /listings` does once the owner's text is on chain. */
async function list(
  { chain, world }: Surroundings,
  services: Services,
  outside: Outside,
  action: Extract<Action, { do: 'list' }>,
): Promise<void> {
  const agent = await findAgent(services.db, handleOf(action.n));
  if (!agent) throw new NotReady('no agent');
  const tokenId = BigInt(++outside.assets);
  chain.act((state) => {
    if (!state.assets.has(tokenId)) state.assets.set(tokenId, agent.account);
    const { epoch } = requireAgent(state, agent.token_id);
    state.listed.add(listingKey(agent.token_id, tokenId, epoch));
  });
  for (let i = 0; i < 30 && !chain.state.assets.has(tokenId); i++) {
    await new Promise((wake) => setTimeout(wake, 500));
    await world.reach(world.current, 'wait for the listing on chain');
  }
  const live = await readLive(services, agent);
  const owner = live.chain.owner.toLowerCase();
  const now = services.now();
  const asset = {
    kind: 'token' as const,
    chainId: 1002,
    contract: DEPLOYMENT.assets,
    tokenId: String(tokenId),
  };
  const ask = BigInt(action.ask) * CENT;
  const floor = action.floor === null ? null : BigInt(action.floor) * CENT;
  await lookThenWrite(async () => {
    const look = await lookAtSpending(services, agent);
    await services.db.transaction().execute(async (trx) => {
      const listingRef = services.newId('lst');
      const listing = await insertListing(trx, {
        listingRef,
        handle: agent.handle,
        owner,
        asset: asset as never,
        category: CATEGORY,
        chain: 'eip155:1002',
        description: 'A thing',
        ask,
        floor,
        negotiable: action.negotiable,
        gate: 'deposit',
        proven: true,
        featured: false,
        paid: true,
        orderId: services.newId('ord'),
        pledgeId: services.newId('plg'),
        expiresAt: new Date(now.getTime() + 86_400_000),
        now,
      });
      const held = await heldBy(trx, { handle: agent.handle, owner }, now);
      const before = { ...held, resting: held.resting - 1 };
      const order = { side: 'sell' as const, owner, limit: floor ?? ask, listing, held: before, now };
      await judgeOrder(trx, agent, order, look);
      await deliver(trx, {
        actorId: `agent:${agent.handle}`,
        eventId: `listed:${listingRef}`,
        event: { type: 'LISTED', listingRef },
        now,
      });
    });
  });
  outside.lots.push({ key: assetKey(asset as never), handle: agent.handle });
  services.notifier.actor(`agent:${agent.handle}`);
}

/** An action of an owner on its own agent. */
async function owned(
  around: Surroundings,
  services: Services,
  outside: Outside,
  action: Action & { readonly n: number },
): Promise<void> {
  const { chain } = around;
  const handle = handleOf(action.n);
  const agent = await findAgent(services.db, handle);
  if (!agent) throw new NotReady('no agent');
  if (['pause', 'resume', 'retire', 'rotate'].includes(action.do))
    return await signedAct(around, services, agent, action.do as SessionAction);
  if (action.do === 'mandate') return await mandateAct(around, services, agent, mandateText(action));
  if (action.do === 'unfund') return unfund(around, agent);
  if (action.do === 'transfer') {
    if (!(await handOn(around, services, agent, ownerAddress(OWNERS + action.id))))
      throw new NotReady('no transfer was seen');
    return;
  }
  if (action.do === 'pause-on-chain') {
    return chain.act((state) => {
      const on = requireAgent(state, agent.token_id);
      state.agents.set(agent.token_id, { ...on, paused: !on.paused });
    });
  }
  if (action.do === 'withdraw-asset') {
    const lot = outside.lots.find((l) => l.handle === handle);
    if (!lot) throw new NotReady('no lot');
    const tokenId = BigInt(lot.key.split('/').at(-1)!);
    return chain.act((state) => {
      if (state.assets.get(tokenId) === agent.account) state.assets.set(tokenId, agent.owner);
    });
  }
}

/** The owner takes money out of the agent's account: all of it, or most. The orders that it was for stay. */
function unfund({ chain, world }: Surroundings, agent: AgentRow): void {
  const keeps = BigInt(world.random.below(3)) * 20n * CENT;
  chain.act((state) => {
    const held = state.money.get(agent.account) ?? 0n;
    const taken = held > keeps ? held - keeps : 0n;
    state.money.set(agent.account, held - taken);
    state.money.set(agent.owner, (state.money.get(agent.owner) ?? 0n) + taken);
  });
}
