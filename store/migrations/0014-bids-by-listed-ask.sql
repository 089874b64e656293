-- ── market: whose bids count as bids ─────────────────────────────────────────────────────────────────────
-- As before, by the ask at which the lot was listed: half of that is what the chain sells for, wherever an order moves the
-- ask. A seller could otherwise ask for half, and then for all again, to make bidders of those who could never have bought.
-- The order of a lot that leaves room moves its floor alone, and to list a thing anew makes another row, which ends the orders
-- of the one before: the minimum of a row never moves, so that one look is enough. What counts already still does.
create or replace function note_moving_bid() returns trigger language plpgsql as $$
begin
  if new.side = 'buy' and not new.moves_price then
    new.moves_price := coalesce((
      select reaches_minimum(new.asset_key, new.account_held, coalesce(l.listed_ask, l.ask))
      from listings l where l.listing_ref = new.listing_ref), false);
  end if;
  return new;
end $$;

drop trigger listings_note_lower_ask on listings;
drop function note_lower_ask();
