-- Who stood behind each account that owns agents when it was last looked at. The account's own token may change hands
-- while the agents that it owns stay where they are: nothing of theirs says so.
create table owners_behind (
  owner text primary key,              -- an account that is bound to a token, lower case
  behind text,                         -- lower case; null: the chain of accounts had no end in sight
  seen_at timestamptz not null
);
