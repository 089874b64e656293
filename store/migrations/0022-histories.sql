-- Where a replay begins: an actor's birth at revision 0, or the checkpoint up to which its history was forgotten.
alter table actor_births add column revision bigint not null default 0;
alter table actor_births add column timers jsonb;                      -- standing ones, by the revision that set them; null at a birth
alter table actor_births add column cleared bigint not null default 0; -- events up to this turn are forgotten already
create index actor_births_to_clear on actor_births (actor_id) where cleared < revision;

-- Snapshots as they stood, for the day when what led to them is old enough to be forgotten.
create table actor_checkpoints (
  actor_id text not null,
  revision bigint not null,
  version integer not null,
  snapshot jsonb not null,
  timers jsonb not null,
  taken_at timestamptz not null,
  primary key (actor_id, revision)
);
