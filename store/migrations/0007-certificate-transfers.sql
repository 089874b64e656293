-- A transfer as the owner of a certificate was given it to sign. A later one takes the place of an earlier.
create table certificate_transfers (
  token_id text primary key,
  holder text not null,
  receiver text not null,
  nonce text not null,                 -- the certificate's on chain, decimal
  deadline timestamptz not null,
  tx text,                             -- null until it is on chain
  created_at timestamptz not null default now()
);

-- How far a chain's log was read by whoever follows it.
create table chain_cursors (
  name text primary key,
  block bigint not null
);
