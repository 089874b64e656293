-- Whether all that an order was judged by, in a look that held nobody up, still stands, under the locks of its lot and
-- of its agent. Where the snapshot is the very one that the look began with, nothing at all has been committed since:
-- whatever was read then or later is what is read now. Where something has, all of it is read again and compared.
-- @param seen `pg_current_snapshot()` of the statement that looked
-- @param digest of what it saw
create function stands_as_looked(
  of_lot text, of_handle text, of_owner text, as_of timestamptz, probed_since timestamptz, probes integer,
  seen text, digest text
) returns boolean language plpgsql as $$
begin
  perform 1 from lots l where l.asset_key = of_lot for update;
  if not found then return false; end if;
  perform 1 from agents a where a.handle = of_handle for no key update;
  -- This statement's own snapshot, taken once both are held: whoever held them before has ended.
  if pg_current_snapshot()::text = seen then return true; end if;
  return (
    select md5(f::text) = digest
    from stand_before_order(of_lot, of_handle, of_owner, as_of, probed_since, probes, true) f
  );
end $$;
