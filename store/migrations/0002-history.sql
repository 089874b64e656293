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

-- How common words are in descriptions. Postgres takes nothing of the kind from an index that holds some rows alone: without
-- this a word that nobody uses counts as one in fifty, and the whole catalogue is read for it.
create statistics listings_word_counts on (words_of(description)) from listings;

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
-- What an old record says, and what it was judged on, moves to the archive, by the month in which it was filed; what proves
-- it (its hash, its signature, its leaf) stays where it is. A month may be written to a file and taken out.
create table record_archive (
  record_id text not null,
  created_at timestamptz not null,
  body bytea not null,                 -- packed, as records keep it
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

-- ── outcomes, counted ────────────────────────────────────────────────────────────────────────────────────
-- Records by determination, verdict, who says what turned out, and what. Kept with each outcome: these are only added to.
create table outcome_counts (
  determination text not null,
  verdict text not null,
  by text not null check (by in ('operator', 'parties')),
  honest integer not null default 0,
  fraudulent integer not null default 0,
  contested integer not null default 0, -- some say this, some that
  primary key (determination, verdict, by)
);
insert into outcome_counts (determination, verdict, by, honest, fraudulent, contested)
  with told as (
    select o.record_id, v.key as determination, v.value as verdict,
      case when o.signer = 'operator' then 'operator' else 'parties' end as by,
      bool_or(o.outcome = 'honest') as honest, bool_or(o.outcome = 'fraudulent') as fraudulent
    from record_outcomes o cross join lateral jsonb_each_text(o.verdicts) v
    group by 1, 2, 3, 4)
  select determination, verdict, by, count(*) filter (where honest and not fraudulent),
    count(*) filter (where fraudulent and not honest), count(*) filter (where honest and fraudulent)
  from told group by 1, 2, 3;

-- Those who speak of one record take turns, so that each sees what was said before.
create function count_outcome() returns trigger language plpgsql as $$
begin
  perform 1 from records where record_id = new.record_id for no key update;
  insert into outcome_counts as c (determination, verdict, by, honest, fraudulent, contested)
    select v.key, v.value, said.by, (said.now = 'honest')::integer - (said.before = 'honest')::integer,
      (said.now = 'fraudulent')::integer - (said.before = 'fraudulent')::integer,
      (said.now = 'contested')::integer - (said.before = 'contested')::integer
    from jsonb_each_text(new.verdicts) v
    cross join lateral (
      select case when new.signer = 'operator' then 'operator' else 'parties' end as by,
        case count(distinct o.outcome) when 0 then 'nothing' when 1 then min(o.outcome) else 'contested' end as before
      from record_outcomes o
      where o.record_id = new.record_id and o.signer <> new.signer and (o.signer = 'operator') = (new.signer = 'operator')
        and o.verdicts ->> v.key = v.value
    ) earlier
    cross join lateral (
      select earlier.by, earlier.before,
        case when earlier.before in ('nothing', new.outcome) then new.outcome else 'contested' end as now
    ) said
  on conflict (determination, verdict, by) do update set honest = c.honest + excluded.honest,
    fraudulent = c.fraudulent + excluded.fraudulent, contested = c.contested + excluded.contested;
  return null;
end $$;
create trigger outcomes_counted after insert on record_outcomes for each row execute function count_outcome();
