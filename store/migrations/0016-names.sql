-- A name is its own spelling already (ENSIP-15): nothing of it is taken away to see whether two are one.
create or replace function claim_key(asset_key text) returns text
language plpgsql immutable strict parallel safe as $$
declare
  bare text := split_part(asset_key, ':', 3);
  sum integer := 0;
begin
  if asset_key not like 'serial:%' or asset_key like 'serial:name:%' then return asset_key; end if;
  if bare ~ '^[0-9]{9}[0-9X]$' then
    for i in 1..10 loop
      sum := sum + (11 - i) * (case substr(bare, i, 1) when 'X' then 10 else substr(bare, i, 1)::integer end);
    end loop;
    if sum % 11 = 0 then
      bare := '978' || left(bare, 9);
      sum := 0;
      for i in 1..12 loop
        sum := sum + substr(bare, i, 1)::integer * (case when i % 2 = 1 then 1 else 3 end);
      end loop;
      bare := bare || ((10 - sum % 10) % 10)::text;
    end if;
  end if;
  if bare ~ '^[0-9]+$' then bare := ltrim(bare, '0'); end if;
  return 'serial:' || bare;
end
$$;

-- One auction of a listed name. What may change it holds the lot's lock; its row says when bids end, and its actor
-- keeps the time.
create table auctions (
  auction_id text primary key,
  seq bigint generated always as identity unique,
  listing_ref text not null references listings (listing_ref),
  format text not null check (format in ('dutch', 'ascending')),
  start_price bigint check ((start_price is not null) = (format = 'dutch')),
  reserve bigint not null check (reserve > 0),
  window_ms integer not null,          -- a bid in the last so many milliseconds moves the end
  extension_ms integer not null,       -- by so many
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  extensions integer not null default 0,
  price bigint,                        -- ascending: what the leader would pay; null without a bid
  status text not null check (status in ('open', 'won', 'unsold', 'withdrawn')),
  deal_id text unique references deals (deal_id),
  ended_at timestamptz,
  check ((deal_id is not null) = (status = 'won')),
  check (start_price > reserve),
  check (ends_at > starts_at)
);
-- The rule "one auction a listing" belongs to the database.
create unique index auctions_open on auctions (listing_ref) where status = 'open';
create index auctions_by_listing on auctions (listing_ref, seq);
-- Names for sale, newest first.
create index listings_names on listings (seq desc) where status = 'live' and asset_key like 'serial:name:%';
