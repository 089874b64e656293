import { type Selectable, sql } from 'kysely';
import type { Micro } from '../../agents/money.ts';
import type { Database, Trx } from '../database.ts';
import type { Tables } from '../tables.ts';

/** Something that happened in the market. */
export interface MarketChange {
  readonly seq: bigint;
  readonly kind: 'listed' | 'gone' | 'placed' | 'left' | 'settled' | 'freed';
  /** Null for an agent's caps. */
  readonly lot: string | null;
  /** Of a sale. */
  readonly category: string | null;
  /** Whose listing, order or caps; null for a sale. */
  readonly handle: string | null;
  /** For whom an order was placed, lower case. */
  readonly owner: string | null;
  readonly orderId: string | null;
}

/** What agents are yet to be told, oldest first, at most `most`. Another process that reads it now skips it. */
export async function untoldChanges(db: Database | Trx, most: number): Promise<readonly MarketChange[]> {
  const rows = await db
    .selectFrom('market_changes')
    .selectAll()
    .orderBy('seq')
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(changeOf);
}

/** As {@link untoldChanges}, and forgets them: where they are not told in the same transaction, nobody is told. */
export async function takeChanges(db: Database | Trx, most: number): Promise<readonly MarketChange[]> {
  const rows = await db
    .deleteFrom('market_changes')
    .where('seq', 'in', (eb) =>
      eb.selectFrom('market_changes').select('seq').orderBy('seq').limit(most).forUpdate().skipLocked(),
    )
    .returningAll()
    .execute();
  return rows.map(changeOf).sort((a, b) => (a.seq < b.seq ? -1 : 1));
}

function changeOf(r: Selectable<Tables['market_changes']>): MarketChange {
  return {
    seq: r.seq,
    kind: r.kind,
    lot: r.asset_key,
    category: r.category,
    handle: r.handle,
    owner: r.owner,
    orderId: r.order_id,
  };
}

/** Deletes changes that were told, or that nobody is told of. */
export async function forgetChanges(db: Database | Trx, changes: readonly MarketChange[]): Promise<void> {
  if (changes.length === 0) return;
  await db
    .deleteFrom('market_changes')
    .where(
      'seq',
      'in',
      changes.map(({ seq }) => seq),
    )
    .execute();
}

/** A lot as mandates are matched with it. */
export interface OfferedLot {
  readonly lot: string;
  readonly category: string;
  /** The chain, CAIP-2. */
  readonly chain: string;
  readonly ask: Micro;
  readonly negotiable: boolean;
  /** The seller. */
  readonly handle: string;
}

const OFFERED = ['asset_key as lot', 'category', 'chain', 'ask', 'negotiable', 'handle'] as const;

/** Those of these lots that are for sale now. */
export async function offeredLots(
  db: Database | Trx,
  lots: readonly string[],
): Promise<readonly OfferedLot[]> {
  if (lots.length === 0) return [];
  return await db
    .selectFrom('listings')
    .select(OFFERED)
    .where('status', '=', 'live')
    .where('asset_key', 'in', [...lots])
    .execute();
}

/** What is for sale of a category whose keys begin so, at most `limit`. */
export async function offeredByPrefix(
  db: Database | Trx,
  query: { readonly category: string; readonly prefix: string; readonly limit: number },
): Promise<readonly OfferedLot[]> {
  return await db
    .selectFrom('listings')
    .select(OFFERED)
    .where('status', '=', 'live')
    .where('category', '=', query.category)
    .where(sql<boolean>`asset_key collate "C" >= ${query.prefix}`)
    .where(sql<boolean>`asset_key collate "C" < ${`${query.prefix}\u{10FFFF}`}`)
    .limit(query.limit)
    .execute();
}

/** An agent that a lot concerns. */
export interface Concerned {
  readonly handle: string;
  readonly lot: string;
}

/** What a mandate must allow to concern a lot. */
export interface Sought {
  readonly lot: string;
  readonly category: string;
  /** The chain, as mandates name it. */
  readonly chain: string;
  /** The smallest limit that makes sense, micro-dollars. */
  readonly least: Micro;
  /** Only agents behind which this owner stands, lower case; null: all. */
  readonly owner: string | null;
}

/** The active agents whose mandates may buy a lot. Reads the rows of these agents only. */
export async function interestedIn(
  db: Database | Trx,
  sought: readonly Sought[],
): Promise<readonly Concerned[]> {
  const ofAll = sought.filter(({ owner }) => owner === null);
  const ofOwners = sought.filter(({ owner }) => owner !== null);
  return [
    ...(ofAll.length === 0 ? [] : await amongAll(db, ofAll)),
    ...(ofOwners.length === 0 ? [] : await amongOwned(db, ofOwners)),
  ];
}

async function amongAll(db: Database | Trx, sought: readonly Sought[]): Promise<readonly Concerned[]> {
  const { rows } = await sql<Concerned>`
    select distinct i.handle, s.lot from ${rowsOf(sought)} cross join lateral (
      select handle, denied_categories, denied_chains from buying_interests
      where category in (s.category, '') and chain in (s.chain, '') and most >= s.least
    ) i
    where s.category <> all(i.denied_categories) and s.chain <> all(i.denied_chains)`.execute(db);
  return rows;
}

async function amongOwned(db: Database | Trx, sought: readonly Sought[]): Promise<readonly Concerned[]> {
  const { rows } = await sql<Concerned>`
    select distinct i.handle, s.lot from ${rowsOf(sought)}
    cross join lateral (
      select s.owner as wallet union select b.owner from beneficial_owners b where b.beneficial_owner = s.owner
    ) w
    join agents a on a.owner = w.wallet
    cross join lateral (
      select handle, denied_categories, denied_chains from buying_interests
      where handle = a.handle and category in (s.category, '') and chain in (s.chain, '') and most >= s.least
    ) i
    where s.category <> all(i.denied_categories) and s.chain <> all(i.denied_chains)`.execute(db);
  return rows;
}

function rowsOf(sought: readonly Sought[]) {
  const column = (name: keyof Sought) => sought.map((s) => (s[name] === null ? null : String(s[name])));
  return sql`unnest(${column('lot')}::text[], ${column('category')}::text[], ${column('chain')}::text[],
    ${column('least')}::bigint[], ${column('owner')}::text[]) as s(lot, category, chain, least, owner)`;
}

/** The active agents that have an order of their own on one of these lots. */
export async function orderingOn(db: Database | Trx, lots: readonly string[]): Promise<readonly Concerned[]> {
  if (lots.length === 0) return [];
  return await db
    .selectFrom('orders')
    .innerJoin('agents', 'agents.handle', 'orders.handle')
    .select(['orders.handle', 'orders.asset_key as lot'])
    .distinct()
    .where('orders.asset_key', 'in', [...lots])
    .where('orders.status', 'in', ['resting', 'unfunded'])
    .where('agents.tier', '=', 'AGENT')
    .where('agents.status', '=', 'active')
    .execute();
}

/** Those of these agents that act by themselves now. */
export async function activeOf(db: Database | Trx, handles: readonly string[]): Promise<readonly string[]> {
  if (handles.length === 0) return [];
  const rows = await db
    .selectFrom('agents')
    .select('handle')
    .where('handle', 'in', [...handles])
    .where('tier', '=', 'AGENT')
    .where('status', '=', 'active')
    .execute();
  return rows.map(({ handle }) => handle);
}
