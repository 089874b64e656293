-- An appeal against a determination: judged again on fresh evidence, both records kept. One a record.
create table appeals (
  record_id text primary key references records (record_id),
  appeal_id text not null unique references records (record_id),
  wallet text not null,                -- who signed it, lower case
  filed_at timestamptz not null,
  overturned boolean not null,         -- the appeal raised no hard flag: the first record is not held against its subject
  check (record_id <> appeal_id)
);
create index appeals_by_wallet on appeals (wallet, filed_at);

-- What was determined on one subject before is looked up with every determination on it.
create index records_determined on records (subject, seq desc) where kind = 'determination';
