-- One row a key and chain: the nonce that the next transaction gets, whichever process sends it.
create table signer_keys (
  chain_id integer not null,
  address text not null,               -- lower case
  next_nonce bigint not null,
  primary key (chain_id, address)
);

-- What was put under each nonce, written before it is signed: whoever holds the key can send it again, with the same
-- nonce. Deleted some time after its nonce is behind the chain's.
create table signer_transactions (
  chain_id integer not null,
  address text not null,
  nonce bigint not null,
  purpose text,                        -- what it is for, such as 'settle:deal_…'; null for nothing worth asking about
  recipient text not null,
  data text not null,
  value numeric(78, 0) not null,
  gas bigint not null,
  max_fee bigint not null,             -- wei per gas, of the version sent last
  priority_fee bigint not null,
  earlier jsonb not null default '[]'::jsonb, -- [[max_fee, priority_fee], …] of the versions it replaced
  tended integer not null default 0,   -- how often it was sent again or replaced
  touched_at timestamptz not null default now(),
  taken_at timestamptz not null default now(),
  primary key (chain_id, address, nonce)
);
create index signer_transactions_purpose on signer_transactions (chain_id, address, purpose) where purpose is not null;

-- The block a deal settled in; a chain that goes back may take it along.
alter table deals add column settled_block bigint;
create index deals_settled_block on deals (settled_block) where settled_block is not null;
