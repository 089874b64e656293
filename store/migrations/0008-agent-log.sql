-- What an agent decided by itself and why: its owner alone reads it. Nothing public is made from these rows.
create table agent_log (
  entry_id text primary key,           -- of the effect's key: a repeat writes nothing twice
  seq bigint generated always as identity unique,
  handle text not null references agents (handle),
  owner text not null,                 -- whose agent it was: a later owner does not read it
  topic text not null,                 -- the listing it is about, or the agent itself
  mark text not null,                  -- what was decided, in short: the same again is not written
  action text not null,
  lot text,
  listing_ref text,
  order_id text,
  says text not null,
  figures jsonb not null default '{}',
  at timestamptz not null
);
create index agent_log_page on agent_log (handle, owner, seq desc);
create index agent_log_topic on agent_log (handle, topic, seq desc);
