-- ── market: whose bids count as bids ─────────────────────────────────────────────────────────────────────
-- Whether a buyer's order has, at any ask of its listing, reached what the chain would sell for: half of it, rounded up. Every
-- bid on a name is above its reserve. If orders for a cent counted as bids, anybody could make a seller look guilty, or hide
-- behind them who bids for one. Once true it stays: a seller who asks for more makes no bid of before undone.
alter table orders add column moves_price boolean not null default false;

create function reaches_minimum(key text, limit_price bigint, ask bigint) returns boolean language sql immutable parallel safe
  return limit_price >= (ask + 1) / 2 or starts_with(key, 'serial:name:');

create function note_moving_bid() returns trigger language plpgsql as $$
begin
  if new.side = 'buy' then
    new.moves_price := coalesce((
      select reaches_minimum(new.asset_key, new.limit_price, l.ask)
      from listings l where l.listing_ref = new.listing_ref), false);
  end if;
  return new;
end $$;
create trigger orders_note_moving_bid before insert on orders for each row execute function note_moving_bid();

create function note_lower_ask() returns trigger language plpgsql as $$
begin
  update orders o set moves_price = true
  where o.listing_ref = new.listing_ref and o.side = 'buy' and not o.moves_price and o.status in ('resting', 'unfunded')
    and reaches_minimum(o.asset_key, o.limit_price, new.ask);
  return null;
end $$;
create trigger listings_note_lower_ask after update of ask on listings for each row
  when (new.ask < old.ask) execute function note_lower_ask();

update orders o set moves_price = true from listings l
where l.listing_ref = o.listing_ref and o.side = 'buy' and reaches_minimum(o.asset_key, o.limit_price, l.ask);

-- The bids of a category: the newest, those of one owner, and the lots that were bid on.
drop index orders_bids_of_category;
drop index orders_bids_of_owner;
create index orders_bids_of_category on orders (category, created_at desc) include (listing_ref)
  where moves_price and rested_at is not null;
create index orders_bids_of_owner on orders (lower(owner), category, created_at)
  where moves_price and rested_at is not null;
