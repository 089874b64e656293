-- Attempts that failed and attempts that ended with their process are counted apart: a crash loop is no effect's fault.
alter table effects add column failures integer not null default 0; -- runs that ended in an error
alter table effects add column deaths integer not null default 0;   -- attempts whose process vanished
-- Until now every attempt counted as a failure.
update effects set failures = greatest(attempts - 1, 0) where status = 'pending';

-- A turn rewrites the actor's row in place: room on its page keeps the indexes untouched.
alter table actors set (fillfactor = 75);
