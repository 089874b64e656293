import pg from 'pg';
import { CATEGORIES } from '../../../agents/categories.ts';
import { inBulk } from './bulk.ts';

/** A collection that no chain knows. */
export const NOWHERE = `0x${'b'.repeat(40)}`;
/** Tokens of the history lie above those that are minted for real. */
export const FIRST_TOKEN = 1_000_000_000;
/** Days over which the history lies. */
const DAYS = 78;

export const category = (n: string) =>
  `(array[${CATEGORIES.map((c) => `'${c}'`).join(',')}])[1+(${n})%${CATEGORIES.length}]`;
const owner = (n: string) => `'0xaa'||lpad(to_hex(${n}),38,'0')`;
const ago = (n: string) => `now()-((${n})%(86400*${DAYS}))*interval '1 second'`;

export interface History {
  /** Listings. */
  readonly size: number;
  /** One of so many is live; the others are sold. */
  readonly every: number;
  readonly agents: number;
  /** Of the agents: an EXECUTOR never acts by itself. */
  readonly tier?: 'AGENT' | 'EXECUTOR';
  /** The collection that was traded, lower case. */
  readonly contract?: string;
}

/**
 * A market with a history, written by set-based SQL: listings, each with the orders of a seller and of a buyer, most of
 * them sold, each with its deal, its records and what is durable of it; and the agents that own them.
 */
export async function seedHistory(url: string, history: History): Promise<void> {
  const db = new pg.Client(url);
  await db.connect();
  try {
    await inBulk(db, statements(history));
  } finally {
    await db.end();
  }
}

function statements(history: History): readonly string[] {
  const { size, every, agents, tier = 'AGENT', contract = NOWHERE } = history;
  const lot = (n: string) => `'eip155:1002/erc721:${contract}/'||(${FIRST_TOKEN}+${n})`;
  const live = `n%${every}=0`;
  const sold = `generate_series(1,${size}) n where n%${every}<>0`;
  const seller = `1+n%${agents}`;
  const buyer = `1+(n*7+3)%${agents}`;
  const price = '90000000+(n%400)*100000';
  return [
    `insert into checkouts (id, kind, owner, handle, tier, amount, status, expires_at)
      select 'co_x'||n, 'agent', ${owner('n')}, 'x-'||n, '${tier}', 1, 'minted', now() from generate_series(1,${agents}) n`,
    `insert into agents (handle, checkout_id, owner, tier, status, chain_id, contract, token_id, account, session_key,
        session_key_index, mandate_version, mint_tx, since)
      select 'x-'||n, 'co_x'||n, ${owner('n')}, '${tier}', 'active', 1002, '0xbench', n, '0xcc'||lpad(to_hex(n),38,'0'),
        '0xdd'||lpad(to_hex(n),38,'0'), n, 1, '0xtx', now()-interval '90 days'-n*interval '1 second' from generate_series(1,${agents}) n`,
    // They have stood there for long: it was read who is behind them.
    'delete from new_owners',
    `insert into mandates (handle, version, text, structured, hash, status)
      select 'x-'||n, 1, 'Buy digital products',
        '{"side":"buy","currency":"USDC","cap_per_deal":"150","categories_allow":["digital-products"],"expires_at":"2099-12-31T23:59:59Z"}',
        '0x'||n, 'active' from generate_series(1,${agents}) n`,
    `insert into agent_categories (handle, category, since) select handle, 'digital-products', since from agents`,
    `insert into actors (id, kind, version, snapshot, revision, status)
      select 'agent:x-'||n, 'agent', 1, '{"status":"active","value":"active","context":{},"historyValue":{},"children":{}}', 6, 'active'
      from generate_series(1,${agents}) n`,
    `insert into listings (listing_ref, handle, asset_key, asset, category, chain, description, ask, negotiable, gate, proven, status, listed_at)
      select 'lst_x'||n, 'x-'||(${seller}), ${lot('n')},
        json_build_object('kind','token','chainId',1002,'contract','${contract}','tokenId',(${FIRST_TOKEN}+n)::text), ${category('n/2')},
        'eip155:1002', 'a painting of a house, kind'||n%500||', number '||(${FIRST_TOKEN}+n), 1000000000, n%2=0, 'deposit', true,
        case when ${live} then 'live' else 'sold' end, ${ago('n')} from generate_series(1,${size}) n`,
    `insert into lots (asset_key, category, chain, price_to_beat, open, updated_at)
      select asset_key, category, chain, ask, status='live', listed_at from listings where listing_ref like 'lst_x%'`,
    ...orders('ord_s', seller, 'sell', '1000000000', 'null'),
    ...orders('ord_b', buyer, 'buy', '500000', '500000'),
    `insert into reservations (order_id, handle, amount, state)
      select order_id, handle, limit_price, case when status='resting' then 'held' else 'spent' end
      from orders where order_id like 'ord_b%'`,
    `insert into matches (match_id, deal_id, asset_key, category, chain, sell_order, buy_order, seller_owner,
        buyer_owner, price, matched_at, settled_at, tx)
      select 'mat_x'||n, 'deal_x'||n, ${lot('n')}, ${category('n/2')}, 'eip155:1002', 'ord_s'||n, 'ord_b'||n, ${owner(seller)}, ${owner(buyer)},
        ${price}, ${ago('n')},
        ${ago('n')}, '0xtx' from ${sold}`,
    `insert into deals (deal_id, match_id, seller, buyer, price, fee, state, findings, tx, settled_block, created_at, updated_at)
      select 'deal_x'||n, 'mat_x'||n, 'x-'||(${seller}), 'x-'||(${buyer}), ${price}, 2000000, 'recorded', '[]', '0xtx', null, ${ago('n')},
        ${ago('n')} from ${sold}`,
    `insert into batches (root, size, status, tx, block, anchored_at)
      select '0xroot'||n, 1000, 'anchored', '0xtx', null, now() from generate_series(1,${Math.ceil(size / 1000)}) n`,
    `insert into records (record_id, kind, handle, subject, summary, body, hash, signature, batch_id, leaf_index, created_at)
      select 'rec_x'||n, case when n%3=0 then 'deal-settled' else 'determination' end, 'x-'||(${seller}),
        case when n%3=0 then ${lot('n')} else '0xcc'||lpad(to_hex(n%${agents}),38,'0') end, 'A determination was CLEAN.',
        convert_to(json_build_object('recordId','rec_x'||n,'kind','determination','subject','0x'||n,'content',
          json_build_object('verdict','CLEAN','hardFlags','[]'::json,'filler',repeat('f',300)))::text, 'UTF8'),
        '0x'||lpad(to_hex(n),64,'0'), '0x'||repeat('ab',65), (select min(batch_id) from batches)+(n-1)/1000, (n-1)%1000, ${ago('n')}
      from generate_series(1,${size}) n`,
    `insert into record_parties (handle, seq) select 'x-'||(${buyer}), r.seq from generate_series(1,${size}) n
      join records r on r.record_id = 'rec_x'||n where n%3=0`,
    `insert into actors (id, kind, version, snapshot, revision, status)
      select 'deal:deal_x'||n, 'deal', 1, '{"status":"done","value":"recorded","context":{},"historyValue":{},"children":{}}', 6, 'done'
      from ${sold}`,
    `insert into mailbox (actor_id, event_id, event, consumed_at, served_in)
      select 'deal:deal_x'||n, 'e'||k, '{"type":"DETERMINED"}', now(), k from generate_series(1,5) k, ${sold}`,
    `insert into effects (key, actor_id, kind, params, status, attempts, finished_at)
      select 'deal:deal_x'||n||':'||k, 'deal:deal_x'||n, 'determine', '{}', 'done', 1, now()
      from generate_series(1,4) k, ${sold}`,
    `insert into public_events (first_id, last_id, events)
      select min(n), max(n), jsonb_agg('{"kind":"activity","body":{"handle":"x-1","recordId":"rec_x1"}}'::jsonb)
      from generate_series(1,${size}) n group by (n-1)/10`,
    `update event_counter set last = ${size}`,
  ];

  function orders(prefix: string, agent: string, side: string, limit: string, opening: string): string[] {
    return [
      `insert into orders (order_id, handle, owner, side, asset_key, listing_ref, category, limit_price, opening_bid, account_held, status,
          created_at, rested_at, expires_at, left_at)
        select '${prefix}'||n, 'x-'||(${agent}), ${owner(agent)}, '${side}', ${lot('n')}, 'lst_x'||n, ${category('n/2')}, ${limit},
          ${opening}, ${limit}, case when ${live} then 'resting' else 'filled' end, ${ago('n')}, ${ago('n')}, now()+interval '60 days',
          case when ${live} then null else ${ago('n')} end from generate_series(1,${size}) n`,
    ];
  }
}
