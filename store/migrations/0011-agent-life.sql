-- How often an agent has changed hands, as last seen on chain; its mint counts as the first time. An order of an agent
-- whose epoch on chain is another is refused: its owner is not the one whose mandate and keys are known here.
alter table agents add column epoch integer not null default 1;

-- Why it may not trade, as its actor has it: 'owner', 'owner-on-chain', 'guardian', 'mandate-end', 'new-owner', 'operator'.
alter table agents add column holds text[] not null default '{}';

-- What an owner was given to sign for the policy on chain, and what became of it.
create table owner_acts (
  id text primary key,
  handle text not null references agents (handle),
  kind text not null check (kind in ('mandate', 'pause', 'resume', 'rotate', 'retire')),
  owner text not null,                 -- who must sign; lower case
  epoch integer not null,
  nonce bigint not null,               -- of the first signature; a second one follows it
  since_block bigint not null,         -- at which the nonce was still free
  deadline timestamptz not null,
  version integer,                     -- of the mandate that is proposed
  detail jsonb not null,
  signatures jsonb,                    -- once signed: hex, in the order of their nonces
  status text not null check (status in ('proposed', 'signed', 'done', 'failed', 'replaced')),
  reason text,
  tx text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index owner_acts_open on owner_acts (handle) where status in ('proposed', 'signed');
create index owner_acts_by_handle on owner_acts (handle, created_at);
