-- ── market: when the past sales of a category change ─────────────────────────────────────────────────────
-- A deal begins before its match settles: then it makes no sale another one.
drop trigger deals_sold_inserted on deals;
create constraint trigger deals_sold_inserted after insert on deals deferrable initially deferred for each row
  when (new.state not in ('determining', 'awaiting-owner', 'settling')) execute function count_sales_version();
