-- ── market: the ask that the owner signed ─────────────────────────────────────────────────────────────────
-- The ask at which a lot was listed, where its order has moved the ask since; null where the ask is that one still. The
-- minimum on chain was signed once, as half of it, and no order moves that.
alter table listings add column listed_ask bigint;
-- The first order of a lot with one price was made with the listing, at its ask. The ask of a lot that leaves room stays.
update listings l set listed_ask = o.limit_price
from (
  select distinct on (listing_ref) listing_ref, limit_price from orders where side = 'sell' order by listing_ref, seq
) o
where o.listing_ref = l.listing_ref and not l.negotiable and l.status in ('unpaid', 'live', 'dealing')
  and o.limit_price <> l.ask;
