-- ── market: how many orders of one agent may wait for money ──────────────────────────────────────────────
-- As before, and it tells how many orders of the agent are unfunded: an order that its account cannot cover costs its owner
-- nothing, so that their number is bounded, by the same look that is compared under the agent's lock when the order is written.
drop function before_order(text, text, text, timestamptz, timestamptz, integer);
create function before_order(
  of_lot text, of_handle text, of_owner text, as_of timestamptz, probed_since timestamptz, probes integer
) returns table (
  listing listings, agent_status text, agent_epoch integer, probed timestamptz[],
  held numeric, unfunded numeric, waiting bigint, booked_block bigint, resting bigint, dealt bigint, dealt_today bigint,
  sold_day numeric, sold_week numeric, sold_month numeric, sold_total numeric,
  mandate mandates, best_limit bigint, best_opening bigint, second_limit bigint,
  sibling_limit bigint, sibling_opening bigint, own_order text, own_since timestamptz, own_holds bigint, own_unfunded boolean,
  sell_order text, sell_handle text, sell_owner text, sell_limit bigint, sell_since timestamptz, stops boolean
-- All is found by keys: a plan for each set of parameters, as the first five of a connection get it, costs ten times the look.
) language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  best_owner text;
  is_over boolean;
begin
  perform 1 from lots l where l.asset_key = of_lot;
  if not found then return; end if;
  select m.* into mandate from mandates m where m.handle = of_handle and m.status = 'active';
  select a.status, a.epoch into agent_status, agent_epoch from agents a where a.handle = of_handle;
  select l.* into listing from listings l
  where claim_key(l.asset_key) = claim_key(of_lot) and l.status in ('live', 'dealing');
  probed := array(
    select p.at from (
      select o.created_at as at from orders o
      where o.owner = of_owner and o.asset_key = of_lot and o.created_at > probed_since and o.placed_at is null
      union all
      select min(s.stopped_at) from stops s
      where s.asset_key = of_lot and s.stopped_at > probed_since
        and of_owner = case s.side when 'buyer' then s.buyer when 'seller' then s.seller end
      group by s.deal_id
    ) p
    order by p.at desc limit probes
  );
  stops := exists (select 1 from stops s where claim_key(s.asset_key) = claim_key(of_lot) and s.lifted_at is null);
  select coalesce(sum(r.amount), 0), coalesce(sum(r.amount) filter (where o.status = 'unfunded'), 0)
  into held, unfunded
  from reservations r join orders o on o.order_id = r.order_id
  where r.handle = of_handle and r.state = 'held';
  select count(*), count(*) filter (where o.status = 'unfunded') into resting, waiting
  from orders o where o.handle = of_handle and o.status in ('resting', 'unfunded');
  select o.order_id, o.created_at, r.amount, o.status = 'unfunded', o.expires_at <= as_of
  into own_order, own_since, own_holds, own_unfunded, is_over
  from orders o left join reservations r on r.order_id = o.order_id and r.state = 'held'
  where o.asset_key = of_lot and o.handle = of_handle and o.side = 'buy' and o.status in ('resting', 'unfunded');
  if is_over then
    -- It is ended with the next order that is placed here.
    held := held - coalesce(own_holds, 0);
    if own_unfunded then
      unfunded := unfunded - coalesce(own_holds, 0);
      waiting := waiting - 1;
    end if;
    resting := resting - 1;
    own_order := null;
    own_since := null;
    own_holds := null;
    own_unfunded := null;
  end if;
  select
    count(*) filter (where c.own and c.in_total),
    count(*) filter (where c.own and m.matched_at > as_of - interval '24 hours'),
    coalesce(sum(d.price) filter (where c.sold and m.matched_at > as_of - interval '24 hours'), 0),
    coalesce(sum(d.price) filter (where c.sold and m.matched_at > as_of - interval '168 hours'), 0),
    coalesce(sum(d.price) filter (where c.sold and m.matched_at >= date_trunc('month', as_of, 'UTC')), 0),
    coalesce(sum(d.price) filter (where c.sold and c.in_total), 0),
    max(d.settled_block) filter (where d.buyer = of_handle and d.state in ('settled', 'recorded'))
  into dealt, dealt_today, sold_day, sold_week, sold_month, sold_total, booked_block
  from deals d join matches m on m.match_id = d.match_id
  cross join lateral (
    select of_owner = case when d.seller = of_handle then m.seller_owner else m.buyer_owner end as own,
      d.seller = of_handle and m.seller_owner = of_owner as sold,
      m.settled_at is null or m.settled_at > coalesce(mandate.counts_from, '-infinity') as in_total
  ) c
  where (d.seller = of_handle or d.buyer = of_handle) and d.state not in ('stopped', 'failed');
  select o.order_id, o.handle, o.owner, o.limit_price, coalesce(o.placed_at, o.created_at)
  into sell_order, sell_handle, sell_owner, sell_limit, sell_since from orders o
  where o.listing_ref = listing.listing_ref and o.side = 'sell' and o.status = 'resting' and o.expires_at > as_of;
  select o.limit_price, o.opening_bid, o.owner into best_limit, best_opening, best_owner
  from orders o where o.asset_key = of_lot and o.side = 'buy' and o.status = 'resting' and o.expires_at > as_of
    and o.owner <> of_owner and o.handle <> of_handle and o.owner is distinct from sell_owner
  order by o.limit_price desc, o.seq limit 1;
  if best_owner is not null then
    select o.limit_price into second_limit
    from orders o where o.asset_key = of_lot and o.side = 'buy' and o.status = 'resting' and o.expires_at > as_of
      and o.owner not in (of_owner, best_owner) and o.handle <> of_handle and o.owner is distinct from sell_owner
    order by o.limit_price desc, o.seq limit 1;
  end if;
  select o.limit_price, o.opening_bid into sibling_limit, sibling_opening
  from orders o where o.asset_key = of_lot and o.side = 'buy' and o.status = 'resting' and o.expires_at > as_of
    and o.owner = of_owner and o.handle <> of_handle
  order by o.limit_price desc, o.seq limit 1;
  return next;
end $$;
