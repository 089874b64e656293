-- ── market: until when what both keys signed may settle a deal ───────────────────────────────────────────
-- Anyone may send a settlement that both keys have signed, until its deadline: a deal is not told as stopped before.
alter table deals
  -- Counts on with each signing, and when no attempt that began before may sign any more.
  add column signing integer not null default 0,
  add column signed_until bigint,      -- unix seconds: the latest deadline of a settlement that was sent
  add column signed_over bigint,       -- the first block that was seen after it; what lies on it confirms it
  add column refusal text;             -- why the chain refused one that was sent, in a block
-- What an earlier release signed is valid for a quarter of an hour.
update deals set signed_until = extract(epoch from now())::bigint + 900
  where state = 'settling' or state in ('settled', 'recorded') and updated_at > now() - interval '1 hour';
