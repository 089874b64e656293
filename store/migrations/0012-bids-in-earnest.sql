-- ── market: whose bids count as bids ─────────────────────────────────────────────────────────────────────
-- As before, and the order's own limit must be as large as what the chain would sell for: half of the ask. An account that
-- is not empty could otherwise be a bidder everywhere by orders for a cent, all at once. Evidence is public and the limit is
-- not, so that no more of it is asked than whether it is above the power of two (in micro-dollars) below that half: whatever
-- asks a seller tries, and however often, the records tell between which two powers the limit is, and nothing more. What is
-- below the power is below the half, too: no order that a ring could win by is left out.
create function is_as_large(limit_price bigint, minimum bigint) returns boolean language sql immutable parallel safe
  return limit_price >= minimum or (limit_price # minimum) <= (limit_price & minimum);

create function is_bid(key text, held bigint, limit_price bigint, ask bigint) returns boolean language sql immutable parallel safe
  return reaches_minimum(key, held, ask) and (starts_with(key, 'serial:name:') or is_as_large(limit_price, (ask + 1) / 2));

create or replace function note_moving_bid() returns trigger language plpgsql as $$
begin
  if new.side = 'buy' and not new.moves_price then
    new.moves_price := coalesce((
      select is_bid(new.asset_key, new.account_held, new.limit_price, l.ask)
      from listings l where l.listing_ref = new.listing_ref), false);
  end if;
  return new;
end $$;

create or replace function note_lower_ask() returns trigger language plpgsql as $$
begin
  update orders o set moves_price = true
  where o.listing_ref = new.listing_ref and o.side = 'buy' and not o.moves_price and o.status in ('resting', 'unfunded')
    and is_bid(o.asset_key, o.account_held, o.limit_price, new.ask);
  return null;
end $$;
