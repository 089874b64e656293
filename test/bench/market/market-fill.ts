import { sql } from 'kysely';
import { type Database, openDatabase } from '../../../store/database.ts';

/** How many sellers' lots there are, and how many agents bid on them, whatever the number of their orders. */
export const LOTS = 2_000;
const BIDDERS = 1_000;
const CONTRACT = `0x${'b'.repeat(40)}`;

export const lotAt = (n: number): string => `eip155:1002/erc721:${CONTRACT}/${n % LOTS}`;

/** A market of lots on which so many bids rest in all, as the database keeps it. The agents are on no chain. */
export async function fillMarket(url: string, resting: number): Promise<void> {
  const db = openDatabase(url, { max: 1 });
  try {
    await agents(db);
    await lots(db);
    await bids(db, resting);
    await sql`vacuum analyze`.execute(db);
  } finally {
    await db.destroy();
  }
}

/** Minted long ago: of what was minted of late and is not on chain, a service looks where it went, again and again. */
async function agents(db: Database): Promise<void> {
  await sql`
    insert into checkouts (id, kind, owner, handle, tier, amount, status, expires_at)
    select 'co_bench_' || n, 'agent', '0x' || n, 'bench-' || n, 'AGENT', 1, 'minted', now()
    from generate_series(0, ${BIDDERS}::int) n`.execute(db);
  await sql`
    insert into agents (handle, checkout_id, owner, tier, status, chain_id, contract, token_id, account, session_key,
      session_key_index, mandate_version, mint_tx, since)
    select 'bench-' || n, 'co_bench_' || n, '0x' || n, 'AGENT', 'active', 1002, '0xbench', n, '0xaccount' || n, '0xkey', n, 1, '0xtx',
      now() - interval '30 days'
    from generate_series(0, ${BIDDERS}::int) n`.execute(db);
}

/** All of them by agent 0, at an ask that nobody reaches. */
async function lots(db: Database): Promise<void> {
  await sql`
    insert into lots (asset_key, category, chain, price_to_beat, open)
    select 'eip155:1002/erc721:' || ${CONTRACT} || '/' || n, 'digital-products', 'eip155:1002', 1000000000, true
    from generate_series(0, ${LOTS - 1}::int) n`.execute(db);
  await sql`
    insert into listings (listing_ref, handle, asset_key, asset, category, chain, description, ask, negotiable, gate, proven, status)
    select 'lst_bench_' || n, 'bench-0', 'eip155:1002/erc721:' || ${CONTRACT} || '/' || n,
      json_build_object('kind', 'token', 'chainId', 1002, 'contract', ${CONTRACT}::text, 'tokenId', n::text),
      'digital-products', 'eip155:1002', 'A lot', 1000000000, true, 'deposit', true, 'live'
    from generate_series(0, ${LOTS - 1}::int) n`.execute(db);
  await sql`
    insert into orders (order_id, handle, owner, side, asset_key, listing_ref, category, limit_price, status, expires_at)
    select 'ord_sell_' || n, 'bench-0', '0x0', 'sell', 'eip155:1002/erc721:' || ${CONTRACT} || '/' || n, 'lst_bench_' || n,
      'digital-products', 1000000000, 'resting', now() + interval '90 days'
    from generate_series(0, ${LOTS - 1}::int) n`.execute(db);
}

async function bids(db: Database, resting: number): Promise<void> {
  await sql`
    insert into orders (order_id, handle, owner, side, asset_key, listing_ref, category, limit_price, opening_bid, status, expires_at)
    select 'ord_bid_' || n, 'bench-' || h, '0x' || h, 'buy', 'eip155:1002/erc721:' || ${CONTRACT} || '/' || (n % ${LOTS}::int),
      'lst_bench_' || (n % ${LOTS}::int), 'digital-products', limit_price, limit_price, 'resting', now() + interval '7 days'
    from (select n, 1 + (n / ${LOTS}::int) % ${BIDDERS}::int as h, (100 + (n * 7919::bigint) % 40000) * 10000 as limit_price
      from generate_series(0, ${resting - 1}::int) n) b`.execute(db);
  await sql`
    insert into reservations (order_id, handle, amount, state)
    select order_id, handle, limit_price, 'held' from orders where side = 'buy'`.execute(db);
}
