import type { Selectable } from 'kysely';
import type { Database, Trx } from '../database.ts';
import type { DealFinding } from '../json-columns.ts';
import { parsed, parsedAll, parsedOrNull } from '../parsed.ts';
import type { Tables } from '../tables.ts';

export type DealRow = Selectable<Tables['deals']>;

export async function findDeal(db: Database | Trx, dealId: string): Promise<DealRow | null> {
  const row = await db.selectFrom('deals').selectAll().where('deal_id', '=', dealId).executeTakeFirst();
  return parsedOrNull('deals', row);
}

/** The data of a deal with those of both sides' agents by which it settles. */
export async function loadDeal(db: Database | Trx, dealId: string) {
  const row = await db
    .selectFrom('deals')
    .innerJoin('matches', 'matches.match_id', 'deals.match_id')
    .innerJoin('orders as sell', 'sell.order_id', 'matches.sell_order')
    .innerJoin('listings', 'listings.listing_ref', 'sell.listing_ref')
    .leftJoin('agents as seller_agent', 'seller_agent.handle', 'deals.seller')
    .leftJoin('agents as buyer_agent', 'buyer_agent.handle', 'deals.buyer')
    .selectAll('deals')
    .select([
      'seller_agent.account as seller_account',
      'buyer_agent.account as buyer_account',
      'seller_agent.owner as seller_agent_owner',
      'buyer_agent.owner as buyer_agent_owner',
      'seller_agent.token_id as seller_token_id',
      'buyer_agent.token_id as buyer_token_id',
      'seller_agent.session_key_index as seller_key_index',
      'buyer_agent.session_key_index as buyer_key_index',
      'matches.asset_key',
      'matches.category',
      'matches.chain',
      'matches.buy_order',
      'matches.sell_order',
      'matches.seller_owner',
      'matches.buyer_owner',
      'matches.matched_at',
      'matches.settled_at',
      'listings.asset',
      'listings.listing_ref',
      'listings.gate',
      'listings.description',
      'listings.quoted_state',
    ])
    .where('deals.deal_id', '=', dealId)
    .executeTakeFirstOrThrow();
  return parsed('listings', parsed('deals', row));
}

/** The listing and the sides of a deal, by the match that it is of; null for an unknown deal. */
export async function matchOfDeal(db: Database, dealId: string) {
  const row = await db
    .selectFrom('matches as m')
    .innerJoin('orders as s', 's.order_id', 'm.sell_order')
    .innerJoin('listings as l', 'l.listing_ref', 's.listing_ref')
    .innerJoin('agents as a', 'a.handle', 's.handle')
    .select(['l.listing_ref', 'l.category', 'm.buyer_owner', 'm.seller_owner', 'a.account', 'a.session_key'])
    .where('m.deal_id', '=', dealId)
    .executeTakeFirst();
  return row ?? null;
}

export type DealMatch = NonNullable<Awaited<ReturnType<typeof matchOfDeal>>>;

export type LoadedDeal = Awaited<ReturnType<typeof loadDeal>>;

/**
 * The deals from an agent's orders for one owner, newest first, at most `limit` rows, including those that ended after
 * the agent had another owner.
 * @param owner the agent's beneficial owner at that time, lower case
 * @param page begins after the deal of this `seq`
 */
export async function dealsOf(
  db: Database,
  { handle, owner }: { readonly handle: string; readonly owner: string },
  page: { limit: number; offset: number; after?: bigint },
): Promise<(DealRow & { asset_key: string; seq: bigint; description: string })[]> {
  const rows = db
    .selectFrom('deals')
    .innerJoin('matches', 'matches.match_id', 'deals.match_id')
    .innerJoin('orders as sell', 'sell.order_id', 'matches.sell_order')
    .innerJoin('listings', 'listings.listing_ref', 'sell.listing_ref')
    .selectAll('deals')
    .select(['matches.asset_key', 'matches.seq', 'listings.description'])
    .innerJoin('orders as own', (join) =>
      join
        .on((eb) =>
          eb.or([
            eb('own.order_id', '=', eb.ref('matches.sell_order')),
            eb('own.order_id', '=', eb.ref('matches.buy_order')),
          ]),
        )
        .on('own.handle', '=', handle)
        .on('own.owner', '=', owner),
    );
  const found = await (page.after === undefined ? rows : rows.where('matches.seq', '<', page.after))
    .orderBy('matches.seq', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return parsedAll('deals', found);
}

/** Stores what sides found on their deal, and replaces what they found before. */
export async function keepFindings(
  trx: Trx,
  dealId: string,
  sides: readonly ('buyer' | 'seller')[],
  found: readonly DealFinding[],
): Promise<void> {
  const others = sides.length === 2 ? [] : await findingsBut(trx, dealId, sides);
  await trx
    .updateTable('deals')
    .set({ findings: JSON.stringify([...others, ...found]) })
    .where('deal_id', '=', dealId)
    .execute();
}

async function findingsBut(
  trx: Trx,
  dealId: string,
  sides: readonly ('buyer' | 'seller')[],
): Promise<DealFinding[]> {
  const row = await trx
    .selectFrom('deals')
    .select('findings')
    .where('deal_id', '=', dealId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return parsed('deals', row).findings.filter((f) => !sides.includes(f.side));
}

/** Whether a deal of this agent is on its way to the chain. */
export async function isSettling(db: Database | Trx, handle: string): Promise<boolean> {
  const row = await db
    .selectFrom('deals')
    .select('deal_id')
    .where((eb) => eb.or([eb('seller', '=', handle), eb('buyer', '=', handle)]))
    .where('state', '=', 'settling')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
