import { assetKey } from '../../agents/assets.ts';
import { AppError } from '../../agents/errors.ts';
import { deliver } from '../../runtime/actors/mailbox.ts';
import { isTransient } from '../../runtime/actors/transient.ts';
import { decideDeal } from '../../runtime/acts/decide-deal.ts';
import { judgeOrder } from '../../runtime/acts/judge-order.ts';
import { readLive } from '../../runtime/acts/live-agent.ts';
import { openCheckout } from '../../runtime/acts/open-checkout.ts';
import { placeOrder } from '../../runtime/acts/place-order.ts';
import { readOrdering } from '../../runtime/acts/ready-order.ts';
import { takeCardEvent } from '../../runtime/acts/take-card-event.ts';
import type { Services } from '../../runtime/services.ts';
import { findAgent } from '../../store/agents.ts';
import { insertListing, liveListingOf } from '../../store/listings.ts';
import { heldBy } from '../../store/reservations.ts';
import { setOnFlagged } from '../../store/settings.ts';
import { cancelOrder } from '../../store/withdrawals.ts';
import { DEPLOYMENT } from './chain.ts';
import { listingKey, requireAgent } from './chain-state.ts';
import type { Invariants } from './invariants.ts';
import { handOn, signedAct } from './owner-acts.ts';
import { ownerAddress } from './owners.ts';
import { type Action, OWNERS } from './plan.ts';
import type { Surroundings } from './service.ts';

/** What the outside knows of the service: what it was answered, and what it could read. */
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

export const handleOf = (n: number): string => `agent-${n}`;

/** Carries one action out against the running service, as the people and the wire would. Refusals are answers. */
export async function act(
  around: Surroundings & { readonly invariants: Invariants },
  services: Services,
  outside: Outside,
  action: Action,
): Promise<void> {
  try {
    await perform(around, services, outside, action).catch(async (error: unknown) => {
      // Who does not hear whether a wish was taken says it again, under the same name.
      if (!AGAIN.has(action.do) || !isTransient(error)) throw error;
      await perform(around, services, outside, action);
    });
    around.log(`${action.do} ${action.id} done`);
    // And some say it twice all the same.
    if (AGAIN.has(action.do) && around.world.random.chance(0.2))
      await perform(around, services, outside, action);
  } catch (error) {
    around.log(`${action.do} ${action.id}: ${(error as Error).message.slice(0, 120)}`);
    const answered = error instanceof AppError || isTransient(error) || error instanceof NotReady;
    if (!answered)
      around.invariants.fail('every request is answered', `${action.do}: ${(error as Error).stack}`);
  }
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

/** What the action is about is not there yet, or is gone. */
class NotReady extends Error {}

async function perform(
  around: Surroundings & { readonly invariants: Invariants },
  services: Services,
  outside: Outside,
  action: Action,
): Promise<void> {
  const { chain } = around;
  switch (action.do) {
    case 'setting':
      return await setOnFlagged(services.db, ownerAddress(action.owner), action.choice, services.now());
    case 'checkout': {
      const mandate = `Buy and sell digital products. At most ${action.cap / 100} USDC per deal and ${action.total / 100} USDC in total. Expires 2027-06-30.`;
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
  // Half of the buyers name the listing, as programs do that saw it in the catalogue.
  const listed = terms.side === 'buy' && terms.cents % 2 === 0 ? await liveListingOf(services.db, lot) : null;
  const listingRef = listed?.listing_ref ?? null;
  const live = await readOrdering(services, handle, listingRef);
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

/** As `POST /listings` does, once the owner's words stand on chain. */
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
  const now = services.now();
  const asset = {
    kind: 'token' as const,
    chainId: 1002,
    contract: DEPLOYMENT.assets,
    tokenId: String(tokenId),
  };
  const ask = BigInt(action.ask) * CENT;
  const floor = action.floor === null ? null : BigInt(action.floor) * CENT;
  await services.db.transaction().execute(async (trx) => {
    const listingRef = services.newId('lst');
    const listing = await insertListing(trx, {
      listingRef,
      handle: agent.handle,
      owner: live.chain.owner.toLowerCase(),
      asset: asset as never,
      category: CATEGORY,
      chain: 'eip155:1002',
      description: 'A thing',
      ask,
      floor,
      negotiable: action.negotiable,
      gate: 'deposit',
      featured: false,
      orderId: services.newId('ord'),
      pledgeId: services.newId('plg'),
      expiresAt: new Date(now.getTime() + 86_400_000),
      now,
    });
    const held = await heldBy(trx, agent.handle, now);
    const before = { ...held, resting: held.resting - 1 };
    await judgeOrder(services, trx, agent, { side: 'sell', limit: floor ?? ask, listing, held: before, now });
    await deliver(trx, {
      actorId: `agent:${agent.handle}`,
      eventId: `listed:${listingRef}`,
      event: { type: 'LISTED', listingRef },
      now,
    });
  });
  outside.lots.push({ key: assetKey(asset as never), handle: agent.handle });
  services.bell.actor(`agent:${agent.handle}`);
}

/** What an owner does with an agent that is its own. */
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
  if (action.do === 'pause' || action.do === 'resume' || action.do === 'retire')
    return await signedAct(around, services, agent, action.do);
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
