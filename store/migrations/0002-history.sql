-- What a long history would make slow: kept as it changes, so that nobody counts or reads it all again.

-- ── market: the sales of a category ──────────────────────────────────────────────────────────────────────
-- Which sales changed last, the newest change first: the change to `version` stands first, the one before it second. Who
-- knows the sales of a version reads those that have changed since, and not all of them.
alter table sales_versions add column changed text[] not null default '{}';

create or replace function count_sales_version() returns trigger language plpgsql as $$
begin
  insert into sales_versions as v (category, version, changed)
    select m.category, 1, array[m.match_id] from matches m
    where m.match_id = new.match_id and (m.settled_at is not null or tg_table_name = 'matches')
    on conflict (category) do update
      set version = v.version + 1, changed = (excluded.changed || v.changed)[1:32];
  return null;
end $$;

-- The bids of a category by their time, with what was bid on: those of the last days are counted without reading the others.
drop index orders_bids_of_category;
create index orders_bids_of_category on orders (category, created_at desc) include (listing_ref) where side = 'buy';

-- ── names: those in an auction ───────────────────────────────────────────────────────────────────────────
-- The place of its listing among all listings, which never changes: names in an auction are found in the order in which
-- they are shown, without looking at the others.
alter table auctions add column listing_seq bigint;
update auctions a set listing_seq = l.seq from listings l where l.listing_ref = a.listing_ref;
create function place_auction() returns trigger language plpgsql as $$
begin
  new.listing_seq := (select seq from listings where listing_ref = new.listing_ref);
  return new;
end $$;
create trigger auctions_placed before insert on auctions for each row execute function place_auction();
create index auctions_front on auctions (format, listing_seq desc) where status = 'open';

-- ── public events, in parts ──────────────────────────────────────────────────────────────────────────────
-- Parted by their numbers, which follow time, so that a number still stands once in the whole table. Parts are made ahead,
-- and dropped whole once nothing in them is told any more. What was numbered before its part was made stands in the
-- default part until then.
alter table public_events rename to public_events_whole;
alter index public_events_pkey rename to public_events_whole_pkey;
alter index public_events_told rename to public_events_whole_told;
create table public_events (
  first_id bigint primary key,
  last_id bigint not null check (last_id >= first_id),
  events jsonb not null,               -- in the order of their numbers: { kind, body }
  told_at timestamptz not null default now()
) partition by range (first_id);
create index public_events_told on public_events (told_at);
create table public_events_0 partition of public_events for values from (0) to (1000000);
create table public_events_default partition of public_events default;
insert into public_events select * from public_events_whole;
drop table public_events_whole;

-- ── records, once they are old ───────────────────────────────────────────────────────────────────────────
-- Nobody asks what was held against a subject before: judgements look up again what findings were based on.
drop index records_hard_flags;
drop index records_determined;
-- What an old record says, and what it was judged on, moves to the archive, by the month in which it was filed; what proves
-- it (its hash, its signature, its leaf) stays where it is. A month may be written to a file and taken out.
create table record_archive (
  record_id text not null,
  created_at timestamptz not null,
  body jsonb not null,
  evidence bytea,
  primary key (record_id, created_at)
) partition by range (created_at);
alter table records alter column body drop not null; -- null: in the archive

-- Whoever follows the chain makes and drops these parts too.
do $$ declare part regclass; owner name; begin
  select tableowner into owner from pg_tables where schemaname = 'public' and tablename = 'transfers';
  for part in select c.oid::regclass from pg_class c where c.relnamespace = 'public'::regnamespace
    and c.relkind in ('r', 'p') and c.relname ~ '^(public_events|record_archive)(_[0-9]+|_default)?$'
  loop
    execute format('alter table %s owner to %I', part, owner);
  end loop;
end $$;
