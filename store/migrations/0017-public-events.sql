-- What the public is told as it happens. Triggers write down what became public, in the transaction that makes it so;
-- nothing can change a public row and not say so. A sequencer then gives each event its number: numbers have no gaps and
-- follow the order in which they can be read, so a reader who has seen one has seen all below it, and no number tells of
-- a transaction that was rolled back or of one that changed nothing that is public.
create table event_outbox (
  seq bigint generated always as identity primary key,
  xact xid8 not null default pg_current_xact_id(),
  kind text not null,
  subject text not null,               -- of one transaction only the last word on a subject is told
  body jsonb not null
);

create table public_events (
  id bigint primary key,
  kind text not null check (kind in ('match', 'close-call', 'listing', 'order-book', 'activity')),
  body jsonb not null,                 -- public columns alone; money in micro-dollars, as text
  told_at timestamptz not null default now()
);
create index public_events_told on public_events (told_at);

create table event_counter (
  single boolean primary key default true check (single),
  last bigint not null
);
insert into event_counter (last) values (0);

create function tell(kind text, subject text, body jsonb) returns void language sql as
  $$ insert into event_outbox (kind, subject, body) values (kind, subject, body) $$;

create function tell_match() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.settled_at is not distinct from old.settled_at and new.tx is not distinct from old.tx then
    return null;
  end if;
  perform tell('match', new.match_id, jsonb_build_object(
    'matchId', new.match_id, 'lot', new.asset_key, 'category', new.category, 'chain', new.chain,
    'price', new.price::text, 'matchedAt', new.matched_at, 'settledAt', new.settled_at, 'tx', new.tx));
  return null;
end $$;
create trigger matches_told after insert or update on matches for each row execute function tell_match();

create function tell_close_call() returns trigger language plpgsql as $$
begin
  perform tell('close-call', new.close_call_id, jsonb_build_object(
    'closeCallId', new.close_call_id, 'lot', new.lot, 'category', new.category, 'chain', new.chain, 'hour', new.hour));
  return null;
end $$;
create trigger close_calls_told after insert on close_calls for each row execute function tell_close_call();

-- A lot that is not open stands in no public book: neither its number nor that it changes is told.
create function tell_lot() returns trigger language plpgsql as $$
declare was_open boolean := tg_op = 'UPDATE' and old.open;
begin
  if not new.open and not was_open then return null; end if;
  if tg_op = 'UPDATE' and new.open = old.open and new.price_to_beat = old.price_to_beat then return null; end if;
  perform tell('order-book', new.asset_key, jsonb_build_object(
    'lot', new.asset_key, 'category', new.category, 'chain', new.chain, 'open', new.open, 'updatedAt', new.updated_at)
    || case when new.open then jsonb_build_object('price', new.price_to_beat::text) else '{}' end);
  return null;
end $$;
create trigger lots_told after insert or update on lots for each row execute function tell_lot();

create function tell_listing() returns trigger language plpgsql as $$
declare
  was_live boolean := tg_op = 'UPDATE' and old.status = 'live';
  is_live boolean := new.status = 'live';
begin
  if not is_live and not was_live then return null; end if;
  if was_live and is_live
    and (new.ask, new.negotiable, new.featured, new.category, new.description)
      = (old.ask, old.negotiable, old.featured, old.category, old.description) then
    return null;
  end if;
  perform tell('listing', new.listing_ref, jsonb_build_object(
    'listingRef', new.listing_ref, 'lot', new.asset_key, 'category', new.category, 'chain', new.chain, 'live', is_live)
    || case when is_live then jsonb_build_object(
      'seller', (select account from agents where handle = new.handle), 'asset', new.asset,
      'description', new.description, 'ask', new.ask::text, 'negotiable', new.negotiable,
      'featured', new.featured, 'listedAt', new.listed_at) else '{}' end);
  return null;
end $$;
create trigger listings_told after insert or update on listings for each row execute function tell_listing();

-- An agent's activity: a record that names it, and how far that record is on its way to the chain.
create function tell_activity(of_record text, of_batch bigint, to_handle text) returns void language sql as $$
  select tell('activity', p.handle || ' ' || r.record_id, jsonb_build_object(
    'handle', p.handle, 'recordId', r.record_id, 'kind', r.kind, 'at', r.created_at, 'subject', r.subject,
    'hash', r.hash, 'summary', r.summary, 'batchId', b.batch_id::text, 'tx', b.tx, 'state',
    case when b.batch_id is null then 'inscribing' when b.status = 'anchored' then 'anchored' else 'inscribed' end))
  from records r
  join record_parties p on p.record_id = r.record_id
  left join batches b on b.batch_id = r.batch_id
  where (of_record is null or r.record_id = of_record) and (of_batch is null or r.batch_id = of_batch)
    and (to_handle is null or p.handle = to_handle)
  order by r.seq, p.handle
$$;

create function tell_party() returns trigger language plpgsql as $$
begin
  perform tell_activity(new.record_id, null, new.handle);
  return null;
end $$;
create trigger record_parties_told after insert on record_parties for each row execute function tell_party();

create function tell_record() returns trigger language plpgsql as $$
begin
  perform tell_activity(new.record_id, null, null);
  return null;
end $$;
create trigger records_told after update of batch_id on records for each row
  when (old.batch_id is distinct from new.batch_id) execute function tell_record();

create function tell_batch() returns trigger language plpgsql as $$
begin
  perform tell_activity(null, new.batch_id, null);
  return null;
end $$;
create trigger batches_told after update of status, tx on batches for each row
  when (old.status is distinct from new.status or old.tx is distinct from new.tx) execute function tell_batch();

create index records_by_batch on records (batch_id) where batch_id is not null;

-- The words of a description: letters and digits, in any case; every other sign parts two words.
create function words_of(description text) returns tsvector language sql immutable parallel safe as
  $$ select to_tsvector('simple', translate(description, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))) $$;
create index listings_words on listings using gin (words_of(description)) where status = 'live';
