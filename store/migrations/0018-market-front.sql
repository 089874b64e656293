-- What an owner's words put on chain for sale by an agent. It is taken off the chain again once no listing here needs it.
create table chain_listings (
  handle text not null references agents (handle),
  token_key text not null,             -- CAIP-19 of the token that settles
  lot text not null,                   -- the key it is listed under here
  touched_at timestamptz not null,     -- when a listing of it was last begun
  over_at timestamptz,                 -- when the last listing of it ended without a sale
  taking_since timestamptz,            -- being taken off the chain
  primary key (handle, token_key)
);
create index chain_listings_old on chain_listings (touched_at);
insert into chain_listings (handle, token_key, lot, touched_at, over_at)
select distinct on (handle, token_key) handle, token_key, asset_key, listed_at,
  case when status = 'dropped' then now() end
from (select l.*, format('eip155:%s/erc721:%s/%s', asset->>'chainId', asset->>'contract', asset->>'tokenId') as token_key
  from listings l where asset->>'kind' = 'token' and status in ('live', 'dealing', 'dropped')) l
order by handle, token_key, seq desc;

-- The front of a lot's book, and whoever of it is overdue, however many orders lie behind.
drop index orders_resting;
create index orders_front on orders (asset_key, limit_price desc, seq) where status = 'resting' and side = 'buy';
create index orders_offered on orders (listing_ref) where status = 'resting' and side = 'sell';
create index orders_lot_expiry on orders (asset_key, expires_at) where status = 'resting';
-- What one owner placed on one lot, and one agent in all.
create index orders_owner on orders (owner, asset_key, created_at);
create index orders_handle on orders (handle, seq);
-- An agent's deals, of either side.
create index deals_seller on deals (seller);
create index deals_buyer on deals (buyer);
create index listings_token on listings ((asset->>'contract'), (asset->>'tokenId')) where status in ('live', 'dealing');
