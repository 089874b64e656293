-- ── records: whom else one names ──────────────────────────────────────────────────────────────────────────
-- The first of them stands in the record itself, in whose activity it stands as well: most name one. What names more has
-- the others in `record_parties`, and what was filed before has all of them there.
alter table records add column partner text;
create index records_by_partner on records (partner, seq desc) where partner is not null;

create function parties_of(r records) returns setof text language sql stable as $$
  select r.handle where r.handle is not null union select r.partner where r.partner is not null
  union select p.handle from record_parties p where p.seq = r.seq
$$;
create or replace function activity_told(word jsonb) returns table (seq bigint, handle text, body jsonb)
language sql stable as $$
  select r.seq, p.handle, activity_of(r, p.handle, word ->> 'state', word ->> 'batchId', word ->> 'tx')
  from records r cross join lateral parties_of(r) p (handle)
  where r.seq in (select f::bigint from jsonb_array_elements_text(word -> 'filed') f)
  union all
  select r.seq, p.handle, activity_of(r, p.handle, word ->> 'state', word ->> 'batchId', word ->> 'tx')
  from records r cross join lateral parties_of(r) p (handle)
  where r.batch_id = (word ->> 'batchId')::bigint
$$;
drop function parties_of(bigint, text);

-- ── durable: births ───────────────────────────────────────────────────────────────────────────────────────
-- Where the replay of an actor begins that was never folded: the snapshot and its schema version at revision 0. It stands
-- behind what a turn changes, so that no turn logs it again. `actor_births` holds where the others begin, and the births
-- of those that are older than this column.
alter table actors add column born jsonb;
