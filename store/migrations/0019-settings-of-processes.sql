-- ── processes: what each takes the chains for ─────────────────────────────────────────────────────────────
-- API and workers, as each last said itself. All of one database must agree: a worker that waits for more blocks than
-- there will be leaves deals without their records.
create table processes (
  id text primary key,
  host text not null,
  pid integer not null,
  confirmations integer not null,  -- CONFIRMATIONS_1002
  head_age_1002 integer not null,  -- seconds; a year is no limit, as on embedded chains
  head_age_84532 integer not null,
  seen_at timestamptz not null default clock_timestamp()
);
