-- Which turn served an event, by the revision that it wrote: what an actor did can be told, and gone through again.
-- Null for what was served before this was kept, and for an event that an operator dropped.
alter table mailbox add column served_in bigint;
create index mailbox_parked on mailbox (seq) where parked_at is not null and consumed_at is null;
create index mailbox_served on mailbox (actor_id, served_in) where served_in is not null;

-- How an actor was born; its events lead from there to its present snapshot.
create table actor_births (
  actor_id text primary key,
  version integer not null,
  snapshot jsonb not null
);

-- An effect that was given up, and that an operator has looked at.
alter table effects add column dropped_at timestamptz;
create index effects_given_up on effects (id) where status = 'failed' and dropped_at is null;

-- The processes that take turns and effects, as they last said so themselves, by the database's clock.
create table workers (
  id text primary key,
  host text not null,
  pid integer not null,
  concurrency integer not null,
  keeper boolean not null default false, -- keeps the rounds that one process keeps for all
  in_hand integer not null default 0,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- How fast a kind of effect may go, all processes together: when the next one would be due at an even pace.
create table rate_paces (
  name text primary key,
  due_at timestamptz not null
);
