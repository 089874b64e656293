-- A timer stays until the turn that takes its event, so that one cancelled or set anew meanwhile is known as stale.
alter table timers add column set_at bigint not null default 0; -- the actor's revision that set it
alter table timers add column fired_at timestamptz;             -- its event stands in the mailbox
drop index timers_due;
create index timers_due on timers (due_at) where fired_at is null;

-- Why an event was parked outlives the turns that follow it.
alter table mailbox add column fault text;

-- What an actor waits to have done, for whoever is woken for it.
create index effects_waiting on effects (actor_id) where status = 'pending';
