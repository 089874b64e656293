-- ── market: what an operator watches ─────────────────────────────────────────────────────────────────────
-- What came about lately is counted by when it did, and what waits by itself: never by going through all that ever was.
create index matches_matched on matches (matched_at);
create index stops_stopped on stops (stopped_at);
create index certificate_disputes_undecided on certificate_disputes (filed_at) where decision is null;

-- The deals that wait for an owner's decision. Apart from their rows, because an index of a state would be written at each
-- step of every deal, of which few ever wait.
create table waiting_deals (
  deal_id text primary key references deals (deal_id)
);
insert into waiting_deals select deal_id from deals where state = 'awaiting-owner';

create function note_waiting_deal() returns trigger language plpgsql as $$
begin
  if new.state = 'awaiting-owner' then
    insert into waiting_deals (deal_id) values (new.deal_id) on conflict do nothing;
  else
    delete from waiting_deals where deal_id = new.deal_id;
  end if;
  return null;
end $$;
create trigger deals_waiting_inserted after insert on deals for each row
  when (new.state = 'awaiting-owner') execute function note_waiting_deal();
create trigger deals_waiting_changed after update of state on deals for each row
  when (old.state is distinct from new.state and (new.state = 'awaiting-owner' or old.state = 'awaiting-owner'))
  execute function note_waiting_deal();
