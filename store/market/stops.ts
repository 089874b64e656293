import type { Selectable } from 'kysely';
import type { StopCause } from '../../agents/deal/stop-causes.ts';
import { isLifted, isUnanswered, type StandingStop, stopEnds } from '../../agents/market/stops.ts';
import { ownersWords } from '../agent/owners-word.ts';
import type { Database, Trx } from '../database.ts';
import type { Tables } from '../tables.ts';
import { sameThing } from './same-thing.ts';
import { readGrounds } from './stop-grounds.ts';

/** The agents of a deal. */
interface Agents {
  readonly seller_agent: string;
  readonly buyer_agent: string;
}

/** A stop, with the agents of its deal. */
type StopRow = Selectable<Tables['stops']> & Agents;
type OrderRow = Selectable<Tables['orders']>;

/**
 * Remembers what stopped a deal, in the transaction that undoes it and before its lot may match again. The caller holds
 * the lot's lock.
 */
export async function rememberStops(
  trx: Trx,
  deal: { dealId: string; sell: OrderRow; buy: OrderRow; causes: readonly StopCause[]; now: Date },
): Promise<void> {
  const { dealId, sell, buy, causes, now } = deal;
  if (causes.length === 0) return;
  const stoppedAt = await afterTheirOrders(trx, [sell, buy], now);
  const { price } = await trx
    .selectFrom('deals')
    .select('price')
    .where('deal_id', '=', dealId)
    .executeTakeFirstOrThrow();
  for (const { finding, side, verdict, barMs } of causes) {
    const pair = { assetKey: sell.asset_key, seller: sell.owner, buyer: buy.owner };
    const grounds = await readGrounds(
      trx,
      { finding, side, assetKey: sell.asset_key },
      { seller: sell.handle, buyer: buy.handle },
    );
    const stopping = { ...pair, finding, side, seller_agent: sell.handle, buyer_agent: buy.handle };
    const earlier = await timesStopped(trx, stopping);
    await trx
      .insertInto('stops')
      .values({
        deal_id: dealId,
        finding,
        side,
        asset_key: pair.assetKey,
        seller: pair.seller,
        buyer: pair.buyer,
        price,
        ...grounds,
        stopped_at: stoppedAt,
        ends_at: stopEnds(finding, { verdict, earlier, at: now, barMs }),
        lifted_at: null,
      })
      .onConflict((oc) => oc.columns(['deal_id', 'side', 'finding']).doNothing())
      .execute();
  }
}

/**
 * Now, or the newest time at which one of two owners placed an order that they still have on the lot. The clock of the
 * process that placed it may be ahead of this one's, and no order from before a stop may count as placed after it.
 */
async function afterTheirOrders(
  trx: Trx,
  stopped: readonly [sell: OrderRow, buy: OrderRow],
  now: Date,
): Promise<Date> {
  const [sell, buy] = stopped;
  const standing = await trx
    .selectFrom('orders')
    .select(['created_at', 'placed_at'])
    .where('asset_key', '=', sell.asset_key)
    .where('owner', 'in', [sell.owner, buy.owner])
    .where('status', 'in', ['resting', 'unfunded'])
    .execute();
  const times = [...stopped, ...standing].map((order) => (order.placed_at ?? order.created_at).getTime());
  return new Date(Math.max(now.getTime(), ...times));
}

/**
 * By side: what a seller leaves unanswered does not keep its buyer away for longer when he is late, nor the reverse. What
 * bound another agent alone made nobody else late.
 */
async function timesStopped(
  trx: Trx,
  of: { assetKey: string; seller: string; buyer: string } & Pick<StopCause, 'finding' | 'side'> & Agents,
): Promise<number> {
  const rows = await allStops(trx)
    .where('stops.asset_key', '=', of.assetKey)
    .where('stops.seller', '=', of.seller)
    .where('stops.buyer', '=', of.buyer)
    .where('stops.finding', '=', of.finding)
    .where('stops.side', '=', of.side)
    .execute();
  const alone = await boundAlone(trx, rows);
  const own = of.side === 'neither' ? null : agentsOf(of)[of.side];
  return alone.filter((handle) => handle === null || handle === own).length;
}

/** The stops on a lot that were not lifted, in any spelling, with the agent that alone each binds. */
export async function standingStops(db: Database | Trx, assetKey: string): Promise<StandingStop[]> {
  const rows = await unliftedOn(db, assetKey);
  const alone = await boundAlone(db, rows);
  return rows.map((row, n) => ({ ...asStop(row), alone: alone[n]! }));
}

/**
 * Lifts the stops between an owner who places a new order on a lot and the others there, if their grounds have changed.
 * The caller holds the lot's lock.
 */
export async function liftStops(
  trx: Trx,
  { assetKey, owner, now }: { assetKey: string; owner: string; now: Date },
): Promise<void> {
  const own = (await unliftedOn(trx, assetKey)).filter((s) => s.seller === owner || s.buyer === owner);
  for (const stop of own) {
    if (!(await hasChanged(trx, stop, now))) continue;
    await trx
      .updateTable('stops')
      .set({ lifted_at: now })
      .where('deal_id', '=', stop.deal_id)
      .where('side', '=', stop.side)
      .where('finding', '=', stop.finding)
      .execute();
  }
}

/**
 * Those of these lots on which one of the named sellers stopped a deal with this owner as the buyer, for a cause that
 * has not changed since. What binds another agent of the owner alone is left out.
 */
export async function barredLots(
  db: Database,
  { handle, owner }: { readonly handle: string; readonly owner: string },
  lots: readonly { readonly lot: string; readonly owners: readonly string[] }[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (lots.length === 0) return new Set();
  const rows = await unliftedStops(db)
    .where('stops.buyer', '=', owner)
    .where(
      'stops.asset_key',
      'in',
      lots.map((l) => l.lot),
    )
    .execute();
  const alone = await boundAlone(db, rows);
  const barred = new Set<string>();
  for (const [n, stop] of rows.entries()) {
    const { owners = [] } = lots.find((l) => l.lot === stop.asset_key) ?? {};
    if (!owners.includes(stop.seller) || (await hasChanged(db, stop, now))) continue;
    if (alone[n] === null || alone[n] === handle) barred.add(stop.asset_key);
  }
  return barred;
}

function allStops(db: Database | Trx) {
  return db
    .selectFrom('stops')
    .innerJoin('deals', 'deals.deal_id', 'stops.deal_id')
    .selectAll('stops')
    .select(['deals.seller as seller_agent', 'deals.buyer as buyer_agent']);
}

function unliftedStops(db: Database | Trx) {
  return allStops(db).where('stops.lifted_at', 'is', null);
}

async function unliftedOn(db: Database | Trx, assetKey: string): Promise<StopRow[]> {
  return await unliftedStops(db).where(sameThing(assetKey)).execute();
}

function asStop(row: StopRow): StandingStop {
  const { finding, seller, buyer, side, price, stopped_at } = row;
  return { finding, seller, buyer, side, price, stoppedAt: stopped_at };
}

/** Of each stop the agent that alone it binds, for which its owner had given no word; null where it binds both owners. */
async function boundAlone(
  db: Database | Trx,
  stops: readonly StopRow[],
): Promise<readonly (string | null)[]> {
  const asking = stops.map((stop) => {
    if (!isUnanswered(stop) || stop.side === 'neither') return null;
    return { handle: agentsOf(stop)[stop.side], owner: stop[stop.side], by: stop.stopped_at };
  });
  const agents = asking.filter((agent) => agent !== null);
  const given = await ownersWords(db, agents);
  return asking.map((agent) => (agent === null || given[agents.indexOf(agent)] ? null : agent.handle));
}

function agentsOf({ seller_agent: seller, buyer_agent: buyer }: Agents) {
  return { seller, buyer };
}

async function hasChanged(db: Database | Trx, stop: StopRow, now: Date): Promise<boolean> {
  const about = { finding: stop.finding, side: stop.side, assetKey: stop.asset_key };
  const present = await readGrounds(db, about, agentsOf(stop));
  return isLifted(
    { finding: stop.finding, grounds: stop, ends: stop.ends_at },
    { grounds: present, at: now },
  );
}
