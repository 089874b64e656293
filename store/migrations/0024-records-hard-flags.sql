-- Every paid answer asks what was held against an address before: the few records that hold something, not all about it.
create index records_hard_flags on records (subject, seq desc)
  where kind = 'determination' and body @@ '$.content.hardFlags.size() > 0';
