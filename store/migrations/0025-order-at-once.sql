-- What an order is judged by, with or without the locks of its lot and of its agent. Looked at without them it holds
-- nobody up; an order that was judged by such a look rests only where the very same is found under the locks. What the
-- chain has booked is known by the last block that it was booked in: caps that were read there or later have it all.
-- The function of six parameters stays for processes that were started before this.
-- @returns no row where there is no such lot; a listing of nulls where none stands on it
create function stand_before_order(
  of_lot text, of_handle text, of_owner text, as_of timestamptz, probed_since timestamptz, probes integer,
  locked boolean
) returns table (
  listing listings, agent_status text, agent_epoch integer, overdue boolean, probed timestamptz[],
  held numeric, booked_block bigint, resting bigint, dealt bigint, dealt_today bigint,
  sold_day numeric, sold_week numeric, sold_month numeric, sold_total numeric,
  mandate mandates, best_limit bigint, best_opening bigint, second_limit bigint
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
  select o.limit_price, coalesce(o.opening_bid, o.limit_price) into best_limit, best_opening
  from orders o where o.asset_key = of_lot and o.side = 'buy' and o.status = 'resting'
  order by o.limit_price desc, o.seq limit 1;
  select o.limit_price into second_limit
  from orders o where o.asset_key = of_lot and o.side = 'buy' and o.status = 'resting'
  order by o.limit_price desc, o.seq limit 1 offset 1;
  return next;
end $$;
