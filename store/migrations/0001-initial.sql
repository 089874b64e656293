-- Money columns are bigint micro-dollars. Times are timestamptz. Addresses are lower case.

-- ── durable actors ───────────────────────────────────────────────────────────────────────────────────────
create table actors (
  id text primary key,                 -- '{kind}:{key}', e.g. 'deal:deal_…'
  kind text not null,
  version integer not null,            -- schema version of `snapshot`
  snapshot jsonb not null,
  revision bigint not null default 0,  -- one more with every turn
  status text not null default 'active' check (status in ('active', 'done', 'failed')),
  next_turn_at timestamptz,            -- null: dormant, nothing unserved
  failures integer not null default 0, -- turns that threw since the last good one
  fault text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index actors_due on actors (next_turn_at) where next_turn_at is not null;

create table mailbox (
  seq bigint generated always as identity primary key,
  actor_id text not null,
  event_id text not null,
  event jsonb not null,
  created_at timestamptz not null default now(),
  consumed_at timestamptz,
  parked_at timestamptz,
  unique (actor_id, event_id)
);
create index mailbox_unserved on mailbox (actor_id, seq) where consumed_at is null and parked_at is null;

create table timers (
  actor_id text not null,
  timer_id text not null,
  due_at timestamptz not null,
  event jsonb not null,
  primary key (actor_id, timer_id)
);
create index timers_due on timers (due_at);

create table effects (
  id bigint generated always as identity primary key,
  key text not null unique,            -- idempotency key: the same effect is never two rows
  actor_id text not null,
  kind text not null,
  params jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'running', 'done', 'failed', 'parked')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  lease_until timestamptz,
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index effects_due on effects (next_attempt_at) where status in ('pending', 'running');

-- ── owners, agents ───────────────────────────────────────────────────────────────────────────────────────
create table checkouts (
  id text primary key,
  kind text not null default 'agent' check (kind in ('agent', 'membership', 'listing')),
  owner text not null,
  handle text,
  tier text check (tier in ('AGENT', 'EXECUTOR')),
  depth text,
  amount bigint not null,
  status text not null check (status in ('awaiting-payment', 'paid', 'minting', 'minted', 'failed', 'expired')),
  pay text not null default 'card' check (pay in ('card', 'usdc')),
  processor_session text unique,       -- the card processor's checkout session
  checkout_url text,
  details jsonb not null default '{}'::jsonb,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  paid_at timestamptz
);
-- A handle is held by an open or a minted checkout, and never reused.
create unique index checkouts_handle on checkouts (handle)
  where kind = 'agent' and status in ('awaiting-payment', 'paid', 'minting', 'minted');

create table card_events (
  event_id text primary key,
  type text not null,
  session_id text,
  received_at timestamptz not null default now()
);

create sequence session_key_index;

create table agents (
  handle text primary key,
  checkout_id text not null unique references checkouts (id),
  owner text not null,                 -- cache: ownership is read live where it decides something
  tier text not null check (tier in ('AGENT', 'EXECUTOR')),
  depth text,
  status text not null check (status in ('minting', 'active', 'paused', 'suspended', 'retired')),
  chain_id integer not null,
  contract text not null,
  token_id bigint not null,
  account text not null unique,
  session_key text not null,
  session_key_index bigint not null,
  mandate_version integer not null,
  mint_tx text not null,
  display_name text,
  about text,
  since timestamptz not null default now(),
  unique (chain_id, contract, token_id)
);
create index agents_owner on agents (owner);

create table mandates (
  handle text not null,
  version integer not null,
  text text not null,
  structured jsonb not null,
  hash text not null,
  status text not null check (status in ('proposed', 'active', 'superseded')),
  tx text,
  created_at timestamptz not null default now(),
  primary key (handle, version)
);

create table owner_settings (
  wallet text primary key,
  on_flagged text not null check (on_flagged in ('stop', 'ask')),
  updated_at timestamptz not null default now()
);

-- ── market ───────────────────────────────────────────────────────────────────────────────────────────────
create table listings (
  listing_ref text primary key,
  seq bigint generated always as identity unique,
  handle text not null references agents (handle),
  asset_key text not null,
  asset jsonb not null,
  category text not null,
  chain text not null,
  description text not null,
  ask bigint not null,
  floor bigint,
  negotiable boolean not null,
  gate text not null check (gate in ('deposit', 'owner-signed')),
  featured boolean not null default false,
  status text not null check (status in ('live', 'dealing', 'sold', 'dropped')),
  listed_at timestamptz not null default now()
);
create unique index listings_live_asset on listings (asset_key) where status in ('live', 'dealing');
create index listings_front on listings (featured desc, seq desc) where status = 'live';

create table pledges (
  id text primary key,
  seq bigint generated always as identity unique,
  asset_key text not null,
  listing_ref text not null,
  wallet text not null,
  lender text,
  until timestamptz,
  source text not null check (source in ('listing', 'owner', 'operator')),
  created_at timestamptz not null default now(),
  released_at timestamptz
);
-- The rule "one live pledge an asset" belongs to the database.
create unique index pledges_live_asset on pledges (asset_key) where released_at is null;

create table lots (                    -- one row a lot: its lock is the matcher
  asset_key text primary key,
  category text not null,
  chain text not null,
  price_to_beat bigint not null,
  open boolean not null default true,
  updated_at timestamptz not null default now()
);

create table orders (
  order_id text primary key,
  seq bigint generated always as identity unique,
  handle text not null references agents (handle),
  owner text not null,
  side text not null check (side in ('buy', 'sell')),
  asset_key text not null references lots (asset_key),
  listing_ref text not null references listings (listing_ref),
  category text not null,
  limit_price bigint not null check (limit_price > 0),
  opening_bid bigint,
  status text not null check (status in ('resting', 'matched', 'filled', 'cancelled', 'expired', 'unwound')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  left_at timestamptz                  -- when it left the book; null while it rests
);
create index orders_left on orders (left_at) where left_at is not null;
create index orders_resting on orders (asset_key, side, limit_price, seq) where status = 'resting';
create index orders_by_handle on orders (handle) where status in ('resting', 'matched');
create index orders_expiry on orders (expires_at) where status = 'resting';

create table matches (
  match_id text primary key,
  seq bigint generated always as identity unique,
  deal_id text not null unique,
  asset_key text not null,
  category text not null,
  chain text not null,
  sell_order text not null unique references orders (order_id),
  buy_order text not null unique references orders (order_id),
  price bigint not null,
  matched_at timestamptz not null default now(),
  settled_at timestamptz,
  tx text
);

create table deals (
  deal_id text primary key,
  match_id text not null unique references matches (match_id),
  seller text not null,                -- handle
  buyer text not null,                 -- handle
  price bigint not null,
  fee bigint not null,
  state text not null check (state in ('determining', 'awaiting-owner', 'settling', 'settled', 'recorded', 'stopped', 'failed')),
  deadline timestamptz,
  findings jsonb not null default '[]'::jsonb,
  tx text,
  reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- What an agent has promised and not yet spent; the mandate and the caps count it. One row an order.
create table reservations (
  order_id text primary key references orders (order_id),
  handle text not null,
  amount bigint not null,
  state text not null check (state in ('held', 'spent', 'released')),
  updated_at timestamptz not null default now()
);
create index reservations_held on reservations (handle) where state = 'held';

create table close_calls (
  close_call_id text primary key,
  seq bigint generated always as identity unique,
  lot text not null,
  category text not null,
  chain text not null,
  hour timestamptz not null,
  unique (lot, hour)
);

-- ── registers: what determinations look up ───────────────────────────────────────────────────────────────
create table register_imports (
  id bigint generated always as identity primary key,
  register text not null check (register in ('sanctions', 'known-scam', 'stolen', 'comparables')),
  source text not null,
  rows integer not null,
  as_of timestamptz not null,
  imported_at timestamptz not null default now()
);

create table register_entries (
  register text not null,
  key text not null,                   -- address (EVM lower case) or asset key
  source text not null,
  detail jsonb not null default '{}'::jsonb,
  import_id bigint not null references register_imports (id),
  primary key (register, key, source)
);

-- ── records and their anchors ────────────────────────────────────────────────────────────────────────────
create table batches (
  batch_id bigint generated always as identity primary key,
  root text not null,
  size integer not null,
  status text not null check (status in ('open', 'anchored')),
  tx text,
  block bigint,
  created_at timestamptz not null default now(),
  anchored_at timestamptz
);

create table records (
  record_id text primary key,
  seq bigint generated always as identity unique,
  kind text not null,
  handle text,                         -- whose activity this is; null for a stranger's determination
  subject text not null,
  summary text not null,
  body jsonb not null,                 -- the public record, exactly what is hashed
  evidence jsonb,                      -- what the verdict was judged on; served with the record
  hash text not null unique,
  signature text not null,             -- EIP-712 by the service
  batch_id bigint references batches (batch_id),
  leaf_index integer,
  created_at timestamptz not null default now()
);
create index records_unbatched on records (seq) where batch_id is null;
create index records_by_handle on records (handle, seq desc);

-- A record that names two agents stands in the activity of both.
create table record_parties (
  record_id text not null references records (record_id),
  handle text not null,
  primary key (handle, record_id)
);

-- ── who may ask ──────────────────────────────────────────────────────────────────────────────────────────
create table payments (
  payment_id text primary key,         -- network:payer:nonce
  network text not null,
  payer text not null,
  nonce text not null,
  method text not null,
  path text not null,                  -- with query string
  body_hash text not null,
  proof text not null,                 -- sha-256 of what the payer signed and the signature
  amount bigint not null,
  asset text not null,
  status text not null check (status in ('working', 'stored', 'settling', 'settled', 'failed')),
  response jsonb,                      -- { status, body, headers } stored unreleased until settled
  receipt jsonb,                       -- the facilitator's settle response
  valid_before timestamptz not null,
  lease_holder text,                   -- who does the work now; another takes over once the lease is over
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table signature_challenges (
  nonce text primary key,
  wallet text not null,
  method text not null,
  path text not null,
  body_hash text not null,
  message text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index signature_challenges_expiry on signature_challenges (expires_at);

create table operator_keys (
  id text primary key,
  name text not null,
  hash text not null unique,           -- sha-256 of the key
  scopes text[] not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);

create table idempotency_keys (
  key text not null,
  scope text not null,                 -- method and path
  body_hash text not null,
  response jsonb,                      -- null while the first request is under way
  created_at timestamptz not null default now(),
  primary key (scope, key)
);
