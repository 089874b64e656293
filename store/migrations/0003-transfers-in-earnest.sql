-- Transfers of more than dust to somebody else, found without looking at the worthless ones, of which anybody can make any
-- number. The predicate is that of `store/chain-sync/looks.ts`.
create index transfers_in_earnest_by_sender on transfers (chain_id, sender, block) include (receiver, token, amount, at, tx)
  where sender <> receiver and amount >= case when token is null then 500000000000000 else 1000000 end;
create index transfers_in_earnest_by_receiver on transfers (chain_id, receiver, block) include (sender, token, amount, at, tx)
  where sender <> receiver and amount >= case when token is null then 500000000000000 else 1000000 end;
