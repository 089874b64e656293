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

-- Nobody looks a record up by its hash, and no two have one: each says its id, which is unique.
alter table records drop constraint records_hash_key;

-- ── durable: births ───────────────────────────────────────────────────────────────────────────────────────
-- Where the replay of an actor begins that was never folded: the snapshot and its schema version at revision 0. It stands
-- behind what a turn changes, so that no turn logs it again. `actor_births` holds where the others begin, and the births
-- of those that are older than this column.
alter table actors add column born jsonb;

-- ── statistics of what nobody asks by ─────────────────────────────────────────────────────────────────────
-- No condition names these, or only as a unique key, of which the planner knows all without them. Each time a table was
-- looked at anew, a hundred of their values were written to the catalogue, packed texts and signatures among them.
alter table records alter column body set statistics 0, alter column evidence set statistics 0,
  alter column hash set statistics 0, alter column signature set statistics 0, alter column summary set statistics 0;
alter table payments alter column response set statistics 0, alter column record set statistics 0,
  alter column record_body set statistics 0, alter column evidence set statistics 0, alter column receipt set statistics 0;
alter table mailbox alter column event set statistics 0;
alter table actors alter column snapshot set statistics 0, alter column born set statistics 0;
alter table effects alter column params set statistics 0, alter column error set statistics 0;
alter table signer_transactions alter column data set statistics 0, alter column earlier set statistics 0;
alter table used_signatures alter column nonce set statistics 0;
alter table deals alter column findings set statistics 0;
alter table event_outbox alter column body set statistics 0;

-- ── orders: their numbers ─────────────────────────────────────────────────────────────────────────────────
-- A sequence gives them. Nobody asks for an order by its number alone, and each change of an order wrote it here once more.
alter table orders drop constraint orders_seq_key;
