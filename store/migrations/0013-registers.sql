-- Registers that are fetched again and again, and asked at any size.

alter table register_imports drop constraint register_imports_register_check;
alter table register_imports add constraint register_imports_register_check
  check (register in ('sanctions', 'known-scam', 'stolen', 'recalled', 'comparables'));

-- Each list as it stands, written with the import that made it so: counting a million rows takes longer than the
-- look-up itself.
create table register_lists (
  register text not null,
  source text not null,
  as_of timestamptz not null,
  rows bigint not null,
  import_id bigint not null references register_imports (id),
  primary key (register, source)
);

insert into register_lists (register, source, as_of, rows, import_id)
select latest.register, latest.source, latest.as_of,
  (select count(*) from register_entries e where e.register = latest.register and e.source = latest.source),
  latest.id
from (
  select distinct on (register, source) register, source, as_of, id from register_imports
  order by register, source, id desc
) latest;

-- What came of the latest attempt to fetch a list. A fetch that fails leaves the list as it was.
create table register_fetches (
  register text not null,
  source text not null,
  tried_at timestamptz not null,
  succeeded_at timestamptz,
  fault text,                          -- of the latest attempt; null when it succeeded
  published_at timestamptz,            -- the date that the list itself carries, of the latest success
  primary key (register, source)
);
