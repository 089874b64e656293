import type { Selectable } from 'kysely';
import { isChoosable } from '../../agents/deal/effect.ts';
import type { StopCause } from '../../agents/deal/stop-causes.ts';
import {
  type Grounds,
  isLifted,
  LISTS_OF,
  restsOn,
  type StandingStop,
  type StopFinding,
  stopEnds,
} from '../../agents/market/stops.ts';
import { settingsOf } from '../agent/settings.ts';
import type { Database, Trx } from '../database.ts';
import type { RegisterName, Tables } from '../tables.ts';
import { sameThing } from './same-thing.ts';

type StopRow = Selectable<Tables['stops']>;
type OrderRow = Selectable<Tables['orders']>;
type Side = StopRow['side'];
/** The agents of a deal, by their handles. */
interface Agents {
  readonly seller: string;
  readonly buyer: string;
}

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
  const { price } = await trx
    .selectFrom('deals')
    .select('price')
    .where('deal_id', '=', dealId)
    .executeTakeFirstOrThrow();
  for (const { finding, side, verdict } of causes) {
    const pair = { assetKey: sell.asset_key, seller: sell.owner, buyer: buy.owner };
    const grounds = await readGrounds(
      trx,
      { finding, side, assetKey: sell.asset_key },
      { seller: sell.handle, buyer: buy.handle },
    );
    const earlier = await timesStopped(trx, { ...pair, finding });
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
        stopped_at: now,
        ends_at: stopEnds(finding, { verdict, earlier, at: now }),
        lifted_at: null,
      })
      .onConflict((oc) => oc.columns(['deal_id', 'side', 'finding']).doNothing())
      .execute();
  }
}

async function timesStopped(
  trx: Trx,
  of: { assetKey: string; seller: string; buyer: string; finding: StopFinding },
): Promise<number> {
  const { n } = await trx
    .selectFrom('stops')
    .select((eb) => eb.fn.countAll<bigint>().as('n'))
    .where('asset_key', '=', of.assetKey)
    .where('seller', '=', of.seller)
    .where('buyer', '=', of.buyer)
    .where('finding', '=', of.finding)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** The stops on a lot that were not lifted, in any spelling. */
export async function standingStops(db: Database | Trx, assetKey: string): Promise<StandingStop[]> {
  return (await unlifted(db, assetKey)).map(asStop);
}

/**
 * Lifts the stops between an owner who places a new order on a lot and the others there, if their grounds have changed.
 * The caller holds the lot's lock.
 */
export async function liftStops(
  trx: Trx,
  { assetKey, owner, now }: { assetKey: string; owner: string; now: Date },
): Promise<void> {
  const own = (await unlifted(trx, assetKey)).filter((s) => s.seller === owner || s.buyer === owner);
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
 * has not changed since.
 */
export async function barredLots(
  db: Database,
  owner: string,
  lots: readonly { readonly lot: string; readonly owners: readonly string[] }[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (lots.length === 0) return new Set();
  const rows = await db
    .selectFrom('stops')
    .selectAll()
    .where('buyer', '=', owner)
    .where('lifted_at', 'is', null)
    .where(
      'asset_key',
      'in',
      lots.map((l) => l.lot),
    )
    .execute();
  const barred = new Set<string>();
  for (const stop of rows) {
    const { owners = [] } = lots.find((l) => l.lot === stop.asset_key) ?? {};
    if (owners.includes(stop.seller) && !(await hasChanged(db, stop, now))) barred.add(stop.asset_key);
  }
  return barred;
}

async function unlifted(db: Database | Trx, assetKey: string): Promise<StopRow[]> {
  return await db
    .selectFrom('stops')
    .selectAll()
    .where(sameThing(assetKey))
    .where('lifted_at', 'is', null)
    .execute();
}

function asStop(row: StopRow): StandingStop {
  const { finding, seller, buyer, price, stopped_at } = row;
  return { finding, seller, buyer, price, stoppedAt: stopped_at };
}

async function hasChanged(db: Database | Trx, stop: StopRow, now: Date): Promise<boolean> {
  const agents = await db
    .selectFrom('deals')
    .select(['seller', 'buyer'])
    .where('deal_id', '=', stop.deal_id)
    .executeTakeFirstOrThrow();
  const about = { finding: stop.finding, side: stop.side, assetKey: stop.asset_key };
  const present = await readGrounds(db, about, agents);
  return isLifted(
    { finding: stop.finding, grounds: stop, ends: stop.ends_at },
    { grounds: present, at: now },
  );
}

/** The present grounds of a finding; null for what the finding does not depend on. */
async function readGrounds(
  db: Database | Trx,
  { finding, side, assetKey }: { finding: StopFinding; side: Side; assetKey: string },
  agents: Agents,
): Promise<Grounds> {
  const whose = side === 'neither' ? [agents.seller, agents.buyer] : [agents[side]];
  const has = (ground: keyof Grounds): boolean => restsOn(finding, ground);
  return {
    setting: has('setting') ? await chosenBy(db, whose, finding) : null,
    mandates: has('mandates') ? await mandatesOf(db, whose) : null,
    lists: has('lists') ? await listsNow(db, finding) : null,
    claims: has('claims') ? await claimsNow(db, assetKey) : null,
  };
}

/** The owners' choices for a finding of this kind; choices about other findings change nothing. */
async function chosenBy(
  db: Database | Trx,
  handles: readonly string[],
  finding: StopFinding,
): Promise<string> {
  const agents = await db.selectFrom('agents').select('owner').where('handle', 'in', handles).execute();
  const chosen = await Promise.all(
    agents.map(async (a) => {
      const { onFlagged, onInconclusive } = await settingsOf(db, a.owner.toLowerCase());
      const flagged = onFlagged ?? 'stop';
      return isChoosable(finding) ? `${flagged}/${onInconclusive ?? flagged}` : flagged;
    }),
  );
  return chosen.join();
}

async function mandatesOf(db: Database | Trx, handles: readonly string[]): Promise<string> {
  const rows = await db
    .selectFrom('mandates')
    .select(['handle', 'version'])
    .where('handle', 'in', handles)
    .where('status', '=', 'active')
    .orderBy('handle')
    .execute();
  return rows.map((m) => `${m.handle}:${m.version}`).join();
}

/** The publisher's date and the number of rows: a list that is fetched again unchanged counts as the same. */
async function listsNow(db: Database | Trx, finding: StopFinding): Promise<string> {
  const registers: Partial<Record<StopFinding, readonly RegisterName[]>> = LISTS_OF;
  const rows = await db
    .selectFrom('register_lists')
    .select(['register', 'source', 'as_of', 'basis', 'rows'])
    .where('register', 'in', registers[finding] ?? [])
    .orderBy('register')
    .orderBy('source')
    .execute();
  return rows
    .map((l) => `${l.register}/${l.source}@${l.basis === null ? '' : l.as_of.toISOString()}:${l.rows}`)
    .join();
}

/** Pledges that are not the listing's own, because listing the thing again does not change them. */
async function claimsNow(db: Database | Trx, assetKey: string): Promise<string> {
  const rows = await db
    .selectFrom('pledges')
    .select('id')
    .where(sameThing(assetKey))
    .where('source', '!=', 'listing')
    .where('released_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map((p) => p.id).join();
}
