import pg from 'pg';
import { inBulk } from './bulk.ts';
import { category, FIRST_TOKEN } from './seed.ts';

/** What the free lists show beside the market of a history: close calls, names and their auctions, outcomes, pledges. */
export async function seedLists(
  url: string,
  { size, agents, contract }: { readonly size: number; readonly agents: number; readonly contract: string },
): Promise<void> {
  const db = new pg.Client(url);
  await db.connect();
  try {
    await inBulk(db, statements(size, agents, contract));
  } finally {
    await db.end();
  }
}

function statements(size: number, agents: number, contract: string): readonly string[] {
  const lot = `'eip155:1002/erc721:${contract}/'||(${FIRST_TOKEN}+n)`;
  const ago = (n: string): string => `now()-((${n})%6739200)*interval '1 second'`;
  return [
    // A few among many.
    `update agents set tier = 'AGENT' where token_id % 500 = 1`,
    `insert into close_calls (close_call_id, lot, category, chain, hour)
      select 'clc_x'||n, ${lot}, ${category('n/2')}, 'eip155:1002', date_trunc('hour', ${ago('n')})
      from generate_series(10, ${size}, 10) n on conflict do nothing`,
    `insert into listings (listing_ref, handle, asset_key, asset, category, chain, description, ask, negotiable, gate,
        proven, status, listed_at)
      select 'lst_n'||n, 'x-'||(1+n%${agents}), 'serial:name:label-'||n||'.example',
        json_build_object('kind','serial','scheme','name','value','label-'||n||'.example'), 'digital-products',
        'eip155:1002', 'The name label-'||n||'.example', 1000000000, false, 'owner-signed', false,
        case when n%20=0 then 'live' else 'sold' end, ${ago('n')} from generate_series(1, ${size}) n where n%10=0`,
    `insert into auctions (auction_id, listing_ref, listing_seq, format, reserve, window_ms, extension_ms, starts_at,
        ends_at, price, status)
      select 'auc_x'||n, l.listing_ref, l.seq, 'ascending', 1000000, 1000, 1000, now(), now()+interval '9 days', null,
        'open'
      from generate_series(80, ${size}, 80) n join listings l on l.listing_ref = 'lst_n'||n`,
    `insert into record_outcomes (record_id, signer, outcome, kind, evidence, verdicts, filed_at)
      select 'rec_x'||n, '0xaa'||lpad(to_hex(1+n%${agents}),38,'0'), 'honest', null, '{}', '{"wallet":"CLEAN"}', ${ago('n')}
      from generate_series(100, ${size}, 100) n`,
    `insert into outcome_counts (determination, verdict, by, honest)
      select 'wallet', 'CLEAN', 'parties', count(*) from record_outcomes`,
    `insert into pledges (id, asset_key, listing_ref, wallet, source, proven, released_at)
      select 'plg_x'||n, ${lot}, 'lst_x'||n, '0xaa'||lpad(to_hex(1+n%${agents}),38,'0'), 'listing', true,
        case when n%2=0 then null else now() end from generate_series(1, ${size}) n`,
  ];
}
