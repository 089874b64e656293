-- ── market: whose bids count as bids ─────────────────────────────────────────────────────────────────────
-- What its agent's account held, as the chain showed everybody, when a buyer's order last came to rest. Null: it never did.
alter table orders add column account_held bigint;

-- Whether a buyer's order could, at any ask of its listing, have been worth what the chain would sell for: half of the ask,
-- rounded up. If orders of empty accounts counted as bids, anybody could make a seller look guilty for cents, or hide behind
-- them who bids for one. What the account holds decides and not the limit, which nobody may learn: evidence is public, and a
-- seller who lowers an ask step by step would see at which one the bid appears. No order has a limit above what its account
-- holds. Every bid on a name is above its reserve. Once true it stays: a seller who asks for more makes no bid of before undone.
alter table orders add column moves_price boolean not null default false;

create function reaches_minimum(key text, held bigint, ask bigint) returns boolean language sql immutable parallel safe
  return starts_with(key, 'serial:name:') or coalesce(held >= (ask + 1) / 2, false);

create function note_moving_bid() returns trigger language plpgsql as $$
begin
  if new.side = 'buy' and not new.moves_price then
    new.moves_price := coalesce((
      select reaches_minimum(new.asset_key, new.account_held, l.ask)
      from listings l where l.listing_ref = new.listing_ref), false);
  end if;
  return new;
end $$;
create trigger orders_note_moving_bid before insert or update of account_held on orders
  for each row execute function note_moving_bid();

create function note_lower_ask() returns trigger language plpgsql as $$
begin
  update orders o set moves_price = true
  where o.listing_ref = new.listing_ref and o.side = 'buy' and not o.moves_price and o.status in ('resting', 'unfunded')
    and reaches_minimum(o.asset_key, o.account_held, new.ask);
  return null;
end $$;
create trigger listings_note_lower_ask after update of ask on listings for each row
  when (new.ask < old.ask) execute function note_lower_ask();

-- What accounts held before is not known, and what lay on the book was covered: it counts, as it has.
update orders set moves_price = true where side = 'buy' and rested_at is not null;

-- The bids of a category: the newest, those of one owner, and the lots that were bid on.
drop index orders_bids_of_category;
drop index orders_bids_of_owner;
create index orders_bids_of_category on orders (category, created_at desc) include (listing_ref)
  where moves_price and rested_at is not null;
create index orders_bids_of_owner on orders (lower(owner), category, created_at)
  where moves_price and rested_at is not null;
