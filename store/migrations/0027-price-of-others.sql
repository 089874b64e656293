-- What an order is judged by, with or without the locks of its lot and of its agent, as `stand_before_order` reads it; but
-- the best buy orders are the best of those that may come to match the seller's: orders of one beneficial owner never do,
-- and make no price. (Owners are written in lower case.) Walking past the seller's own costs as much as it has in front of
-- the others, which is bounded by how many orders one owner may place on one lot an hour and by how long one may rest.
-- `stand_before_order` stays for processes that were started before this.
-- @returns no row where there is no such lot; a listing of nulls where none stands on it; no seller's owner where no order
--   of the seller's rests
create function before_order(
  of_lot text, of_handle text, of_owner text, as_of timestamptz, probed_since timestamptz, probes integer,
  locked boolean
) returns table (
  listing listings, agent_status text, agent_epoch integer, overdue boolean, probed timestamptz[],
  held numeric, booked_block bigint, resting bigint, dealt bigint, dealt_today bigint,
  sold_day numeric, sold_week numeric, sold_month numeric, sold_total numeric,
  mandate mandates, best_limit bigint, best_opening bigint, second_limit bigint, seller_owner text
) language plpgsql as $$
begin
  if locked then
    perform 1 from lots l where l.asset_key = of_lot for update;
    if not found then return; end if;
    select a.status, a.epoch into agent_status, agent_epoch from agents a where a.handle = of_handle for no key update;
  else
    perform 1 from lots l where l.asset_key = of_lot;
    if not found then return; end if;
    select a.status, a.epoch into agent_status, agent_epoch from agents a where a.handle = of_handle;
  end if;
  select l.* into listing from listings l
  where claim_key(l.asset_key) = claim_key(of_lot) and l.status in ('live', 'dealing');
  overdue := exists (
    select 1 from orders o where o.asset_key = of_lot and o.status = 'resting' and o.expires_at <= as_of
  );
  probed := array(
    select o.created_at from orders o
    where o.owner = of_owner and o.asset_key = of_lot and o.created_at > probed_since
    order by o.created_at desc limit probes
  );
  select coalesce(sum(r.amount), 0) into held
  from reservations r where r.handle = of_handle and r.state = 'held';
  select count(*) into resting from orders o where o.handle = of_handle and o.status = 'resting';
  select
    count(*), count(*) filter (where m.matched_at > as_of - interval '24 hours'),
    coalesce(sum(d.price) filter (where d.seller = of_handle and m.matched_at > as_of - interval '24 hours'), 0),
    coalesce(sum(d.price) filter (where d.seller = of_handle and m.matched_at > as_of - interval '168 hours'), 0),
    coalesce(sum(d.price) filter (
      where d.seller = of_handle and m.matched_at >= date_trunc('month', as_of, 'UTC')
    ), 0),
    coalesce(sum(d.price) filter (where d.seller = of_handle), 0),
    -- Where a settlement does not say its block, no reading is known to have it.
    max(coalesce(d.settled_block, 9223372036854775807)) filter (
      where d.buyer = of_handle and d.state in ('settled', 'recorded')
    )
  into dealt, dealt_today, sold_day, sold_week, sold_month, sold_total, booked_block
  from deals d join matches m on m.match_id = d.match_id
  where (d.seller = of_handle or d.buyer = of_handle) and d.state not in ('stopped', 'failed');
  select m.* into mandate from mandates m where m.handle = of_handle and m.status = 'active';
  select o.owner into seller_owner from orders o
  where o.listing_ref = listing.listing_ref and o.side = 'sell' and o.status = 'resting';
  select (array_agg(b.limit_price))[1], (array_agg(b.opening))[1], (array_agg(b.limit_price))[2]
  into best_limit, best_opening, second_limit
  from (
    select o.limit_price, coalesce(o.opening_bid, o.limit_price) as opening
    from orders o where o.asset_key = of_lot and o.side = 'buy' and o.status = 'resting'
      and o.owner is distinct from seller_owner
    order by o.limit_price desc, o.seq limit 2
  ) b;
  return next;
end $$;

-- Whether all that an order was judged by, in a look that held nobody up, still stands, under the locks of its lot and
-- of its agent. Where the snapshot is the very one that the look began with, nothing at all has been committed since:
-- whatever was read then or later is what is read now. Where something has, all of it is read again and compared.
-- @param seen `pg_current_snapshot()` of the statement that looked
-- @param digest of what it saw
create function is_as_looked(
  of_lot text, of_handle text, of_owner text, as_of timestamptz, probed_since timestamptz, probes integer,
  seen text, digest text
) returns boolean language plpgsql as $$
begin
  perform 1 from lots l where l.asset_key = of_lot for update;
  if not found then return false; end if;
  perform 1 from agents a where a.handle = of_handle for no key update;
  -- This statement's own snapshot, taken once both are held: whoever held them before has ended.
  if pg_current_snapshot()::text = seen then return true; end if;
  return (
    select md5(f::text) = digest
    from before_order(of_lot, of_handle, of_owner, as_of, probed_since, probes, true) f
  );
end $$;

-- Prices as such orders made them before this.
update lots l set price_to_beat = r.price, updated_at = now()
from (
  select i.asset_key, case
    when b.limits is null then i.ask
    when b.limits[2] is null then b.openings[1]
    else greatest(b.openings[1], least(b.limits[1], b.limits[2] + 10000))
  end as price
  from listings i
  join orders s on s.listing_ref = i.listing_ref and s.side = 'sell' and s.status = 'resting'
  cross join lateral (
    select array_agg(f.limit_price) as limits, array_agg(f.opening) as openings
    from (
      select o.limit_price, coalesce(o.opening_bid, o.limit_price) as opening
      from orders o where o.asset_key = i.asset_key and o.side = 'buy' and o.status = 'resting' and o.owner <> s.owner
      order by o.limit_price desc, o.seq limit 2
    ) f
  ) b
  where i.status = 'live' and i.asset_key not like 'serial:name:%' and exists (
    select from orders o
    where o.asset_key = i.asset_key and o.side = 'buy' and o.status = 'resting' and o.owner = s.owner
  )
) r
where l.asset_key = r.asset_key and l.open and l.price_to_beat <> r.price;
