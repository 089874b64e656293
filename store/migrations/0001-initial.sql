-- The whole schema, by feature. Money columns are bigint micro-dollars, times are timestamptz, addresses lower case.
-- What a trigger or a function needs stands before it: the events that are told come last.

-- ── durable: actors and their effects ────────────────────────────────────────────────────────────────────
create table actors (
  id text primary key,                 -- '{kind}:{key}', e.g. 'deal:deal_…'
  kind text not null,
  version integer not null,            -- schema version of `snapshot`
  snapshot jsonb not null,
  revision bigint not null default 0,  -- one more with every turn
  status text not null default 'active' check (status in ('active', 'done', 'failed')),
  next_batch_at timestamptz,            -- null: dormant, nothing unserved
  failures integer not null default 0, -- turns that threw since the last good one
  fault text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
) with (fillfactor = 75);              -- a turn rewrites the row in place: room on its page keeps the indexes untouched
create index actors_due on actors (next_batch_at) where next_batch_at is not null;

create table mailbox (
  seq bigint generated always as identity primary key,
  actor_id text not null,
  event_id text not null,
  event jsonb not null,
  created_at timestamptz not null default now(),
  consumed_at timestamptz,
  served_in bigint,                    -- the revision of the turn that served it; null when an operator dropped it
  dead_lettered_at timestamptz,
  fault text,                          -- why it became a dead letter: this outlives the turns that follow it
  unique (actor_id, event_id)
);
create index mailbox_unserved on mailbox (actor_id, seq) where consumed_at is null and dead_lettered_at is null;
create index mailbox_dead_letters on mailbox (seq) where dead_lettered_at is not null and consumed_at is null;
create index mailbox_served on mailbox (actor_id, served_in) where served_in is not null;

-- A timer stays until the turn that takes its event, so that one cancelled or set anew meanwhile is known as stale.
create table timers (
  actor_id text not null,
  timer_id text not null,
  due_at timestamptz not null,
  event jsonb not null,
  set_at bigint not null default 0,    -- the actor's revision that set it
  fired_at timestamptz,                -- its event stands in the mailbox
  primary key (actor_id, timer_id)
);
create index timers_due on timers (due_at) where fired_at is null;

-- Attempts that failed and attempts that ended with their process are counted apart: a crash loop is no effect's fault.
create table effects (
  id bigint generated always as identity primary key,
  key text not null unique,            -- idempotency key: the same effect is never two rows
  actor_id text,                       -- null: a job of the service's own, which reports to nobody
  kind text not null,
  params jsonb not null,
  status text not null default 'pending' check (status in ('pending', 'running', 'done', 'failed', 'dead-lettered')),
  attempts integer not null default 0,
  failures integer not null default 0, -- runs that ended in an error
  crash_count integer not null default 0, -- attempts whose process vanished
  next_attempt_at timestamptz not null default now(),
  lease_until timestamptz,
  lease_holder text,                   -- the process that holds it, by the name of its connections
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  dropped_at timestamptz               -- given up, and an operator has looked at it
);
-- By kind, so that a long backlog of one lane costs a claim in another nothing.
create index effects_due on effects (kind, next_attempt_at, id) where status in ('pending', 'running');
-- What an actor waits to have done, for whoever is woken for it.
create index effects_waiting on effects (actor_id) where status = 'pending';
create index effects_given_up on effects (id) where status = 'failed' and dropped_at is null;
-- Jobs of the service's own: few, and looked at by whoever asks which of them fail.
create index effects_of_nobody on effects (id) where actor_id is null;

-- Where a replay begins: an actor's birth at revision 0, or the checkpoint up to which its history was forgotten.
create table actor_births (
  actor_id text primary key,
  version integer not null,
  snapshot jsonb not null,
  revision bigint not null default 0,
  timers jsonb,                        -- standing ones, by the revision that set them; null at a birth
  cleared bigint not null default 0    -- events up to this turn are forgotten already
);
create index actor_births_to_clear on actor_births (actor_id) where cleared < revision;

-- Snapshots as they stood, for the day when what led to them is old enough to be forgotten.
create table actor_checkpoints (
  actor_id text not null,
  revision bigint not null,
  version integer not null,
  snapshot jsonb not null,
  timers jsonb not null,
  taken_at timestamptz not null,
  primary key (actor_id, revision)
);

-- The processes that take turns and effects, as they last said so themselves, by the database's clock.
create table workers (
  id text primary key,
  host text not null,
  pid integer not null,
  concurrency integer not null,
  leader boolean not null default false, -- keeps the rounds that one process keeps for all
  in_hand integer not null default 0,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  gone_at timestamptz                  -- its connections are gone, and its leases were ended
);

-- How fast a kind of effect may go, all processes together: when the next one would be due at an even pace.
create table rate_limits (
  name text primary key,
  due_at timestamptz not null
);

-- What a periodic task set aside because it failed: a lot, an agent, a list, a batch. The task goes on without it, and
-- tries it again by itself, later and later.
create table quarantine (
  id bigint generated always as identity primary key,
  kind text not null,                  -- which task's item it is
  item text not null,                  -- by which the task knows it
  reason text not null,                -- of the latest failure
  context jsonb not null,              -- what the task needs besides to try it again
  failures integer not null,           -- one after another
  set_aside_at timestamptz not null,
  next_try_at timestamptz not null,
  unique (kind, item)
);

-- ── chain-sync: keys that send, logs that are read ───────────────────────────────────────────────────────
-- One row a key and chain: the nonce that the next transaction gets, whichever process sends it.
create table signer_keys (
  chain_id integer not null,
  address text not null,
  next_nonce bigint not null,
  primary key (chain_id, address)
);

-- What was put under each nonce, written before it is signed: whoever holds the key can send it again, with the same
-- nonce. Deleted some time after its nonce is behind the chain's.
create table signer_transactions (
  chain_id integer not null,
  address text not null,
  nonce bigint not null,
  purposes text[] not null default '{}', -- what it is for, such as 'settle:deal_…'; none for nothing worth asking about
  recipient text not null,
  data bytea not null,
  value numeric(78, 0) not null,
  gas bigint not null,
  max_fee bigint not null,             -- wei per gas, of the version sent last
  priority_fee bigint not null,
  earlier jsonb not null default '[]'::jsonb, -- [[max_fee, priority_fee], …] of the versions it replaced
  rebroadcasts integer not null default 0,   -- how often it was sent again or replaced
  touched_at timestamptz not null default now(),
  taken_at timestamptz not null default now(),
  primary key (chain_id, address, nonce)
);
-- Without a list of pending entries, which each look-up would walk.
create index signer_transactions_purposes on signer_transactions using gin (purposes) with (fastupdate = off);

-- How far a chain's log was read by whoever follows it, and up to which hour close calls are published.
create table chain_cursors (
  name text primary key,
  block bigint not null
);

-- ── checkout: what is paid for before it exists ──────────────────────────────────────────────────────────
create table checkouts (
  id text primary key,
  kind text not null default 'agent' check (kind in ('agent', 'membership', 'listing')),
  owner text not null,
  handle text,
  tier text check (tier in ('AGENT', 'EXECUTOR')),
  depth text,
  amount bigint not null,
  -- What its actor shows; nothing else writes it.
  status text not null default 'awaiting-payment'
    check (status in ('awaiting-payment', 'paid', 'minting', 'minted', 'failed', 'expired')),
  pay text not null default 'card' check (pay in ('card', 'usdc')),
  processor_session text unique,       -- the card processor's checkout session
  checkout_url text,
  payment_intent text,                 -- the card processor's own id of the payment: what refunds and disputes name
  details jsonb not null default '{}'::jsonb,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  paid_at timestamptz,
  lapsed_at timestamptz,               -- a payment in USDC can no longer be collected: its handle is free again
  suspended_at timestamptz             -- money was taken back or is in dispute: what it paid for rests while this is set
);
-- An unpaid page holds its handle for nobody: whoever pays first has it, and it is never reused. A payment in USDC holds
-- it while it is collected, since nothing returns that money by itself.
create unique index checkouts_handle on checkouts (handle)
  where kind = 'agent' and (status in ('paid', 'minting', 'minted')
    or (status = 'awaiting-payment' and pay = 'usdc' and lapsed_at is null));
create index checkouts_of_handle on checkouts (handle) where kind = 'agent';
create unique index checkouts_payment_intent on checkouts (payment_intent) where payment_intent is not null;
create index checkouts_membership on checkouts (owner) where kind = 'membership' and paid_at is not null;
create index checkouts_listing on checkouts ((details ->> 'listingRef')) where kind = 'listing' and paid_at is not null;

create table card_events (
  event_id text primary key,
  type text not null,
  session_id text,
  received_at timestamptz not null default now()
);

-- What the processor said of a payment after it was made; it may say so before it says that it was paid.
create table payment_reversals (
  payment_intent text not null,
  reference text not null,             -- the dispute, or the charge that was refunded
  state text not null check (state in ('refunded', 'open', 'won', 'lost')),
  updated_at timestamptz not null,
  primary key (payment_intent, reference)
);

-- Wallets that a member's institutional membership covers beside its own.
create table membership_wallets (
  member text not null,                -- the wallet that pays
  wallet text not null,
  added_at timestamptz not null,
  primary key (member, wallet)
);
create index membership_wallets_covered on membership_wallets (wallet);

-- A member's sign-in counts once in every process.
create table sign_in_nonces (
  nonce text primary key,
  wallet text not null,
  expires_at timestamptz not null
);
create index sign_in_nonces_expiry on sign_in_nonces (expires_at);

-- ── agent: agents, their mandates, their owners ──────────────────────────────────────────────────────────
create sequence session_key_index;

create table agents (
  handle text primary key,
  checkout_id text not null unique references checkouts (id),
  owner text not null,                 -- cache: ownership is read live where it decides something
  -- How often it has changed hands, as last seen on chain; its mint counts as the first time. An order of an agent whose
  -- epoch on chain is another is refused: its owner is not the one whose mandate and keys are known here.
  epoch integer not null default 1,
  tier text not null check (tier in ('AGENT', 'EXECUTOR')),
  depth text,
  -- What its actor shows; nothing else writes it, nor the reasons.
  status text not null default 'active' check (status in ('minting', 'active', 'paused', 'suspended', 'retired')),
  -- Why it may not trade, as its actor has it: 'owner', 'owner-on-chain', 'guardian', 'mandate-end', 'new-owner', 'operator'.
  suspension_reasons text[] not null default '{}',
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
-- Which agents an address acts for: accounts are unique, owners and session keys are looked up as well.
create index agents_owner on agents (owner);
create index agents_lower_owner on agents (lower(owner));
create index agents_session_key on agents (session_key);
create index agents_since on agents (since, handle);
create index agents_since_of_tier on agents (tier, since, handle);
create index agents_since_of_status on agents (status, since, handle);
-- A stop by the guardian ends by itself, and no event of the chain tells of it: who is held by one is asked again.
create index agents_held_by_guardian on agents (chain_id, contract) where 'guardian' = any (suspension_reasons);

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
-- The categories that the mandate in force allows by name, `*` where it names none, for the directory, which shows the
-- newest of them first: a category that few agents trade in is found without reading the others.
create table agent_categories (
  handle text not null references agents (handle),
  category text not null,
  since timestamptz not null,          -- the agent's, which never changes
  primary key (handle, category)
);
create index agent_categories_front on agent_categories (category, since, handle);
create function index_categories() returns trigger language plpgsql as $$
begin
  delete from agent_categories where handle = new.handle;
  insert into agent_categories (handle, category, since)
    select distinct a.handle, category, a.since
    from agents a join mandates m on m.handle = a.handle and m.status = 'active'
    cross join lateral jsonb_array_elements_text(coalesce(m.structured -> 'categories_allow', '["*"]')) as category
    where a.handle = new.handle
    on conflict do nothing;
  return null;
end $$;
create trigger mandates_categories after insert on mandates for each row
  when (new.status = 'active') execute function index_categories();
create trigger mandates_categories_changed after update on mandates for each row
  when ((old.status = 'active' or new.status = 'active')
    and (old.status <> new.status or old.structured <> new.structured)) execute function index_categories();

-- What an owner was given to sign for the policy on chain, and what became of it.
create table owner_acts (
  id text primary key,
  handle text not null references agents (handle),
  kind text not null check (kind in ('mandate', 'pause', 'resume', 'rotate', 'retire')),
  owner text not null,                 -- who must sign
  beneficial_owner text not null,                -- who stood behind that account then: accounts (ERC-6551) change hands as well
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

-- Null where the owner has not chosen.
create table owner_settings (
  wallet text primary key,
  on_flagged text check (on_flagged in ('stop', 'ask')),
  on_inconclusive text check (on_inconclusive in ('stop', 'ask', 'proceed')),
  updated_at timestamptz not null default now()
);

-- Who stood behind each account that owns agents when it was last looked at. The account's own token may change hands
-- while the agents that it owns stay where they are: nothing of theirs says so.
create table beneficial_owners (
  owner text primary key,              -- an account that is bound to a token
  beneficial_owner text,                         -- null: the chain of accounts had no end in sight
  seen_at timestamptz not null
);
create index beneficial_owners_of on beneficial_owners (beneficial_owner);

-- Who has come to own an agent, until it is read who stands behind them.
create table new_owners (
  owner text primary key
);
create function note_owner() returns trigger language plpgsql as $$
begin
  insert into new_owners (owner) values (new.owner) on conflict do nothing;
  return null;
end $$;
create trigger agents_note_owner after insert on agents for each row execute function note_owner();
create trigger agents_note_new_owner after update of owner on agents for each row
  when (old.owner is distinct from new.owner) execute function note_owner();

-- What an agent decided by itself and why: its owner alone reads it. Nothing public is made from these rows.
create table agent_log (
  entry_id text primary key,           -- of the effect's key: a repeat writes nothing twice
  seq bigint generated always as identity unique,
  handle text not null references agents (handle),
  owner text not null,                 -- whose agent it was: a later owner does not read it
  topic text not null,                 -- the listing it is about, or the agent itself
  mark text not null,                  -- what was decided, in short: the same again is not written
  action text not null,
  lot text,
  listing_ref text,
  order_id text,
  says text not null,
  figures jsonb not null default '{}',
  at timestamptz not null
);
create index agent_log_page on agent_log (handle, owner, seq desc);
create index agent_log_topic on agent_log (handle, topic, seq desc);

-- ── market: listings, pledges, lots, orders ──────────────────────────────────────────────────────────────
-- One thing, however it was written down: keys carry one spelling already, but neither a serial's kind, nor its maker, nor
-- leading zeros of a number make another thing of it; nor letters in 17 places that no VIN has. A name is its own spelling
-- (ENSIP-15): nothing of it is taken away.
create function claim_key(asset_key text) returns text
language sql immutable strict parallel safe as $$
  select case
    when asset_key not like 'serial:%' or asset_key like 'serial:name:%' then asset_key
    else (
      select 'serial:' || case when length(number) = 17 then translate(number, 'OQI', '001') else number end
      from regexp_replace(
        regexp_replace(asset_key, '^serial:[a-z]+:([A-Z0-9]+:)?', ''), '^0+([0-9]+)$', '\1') as number)
  end
$$;

-- The words of a description: letters and digits, in any case; every other sign parts two words. Its cost is that of the
-- dictionary: a plan that reads the words of many rows again must look dearer than one that finds a few by the index.
create function words_of(description text) returns tsvector language plpgsql immutable parallel safe cost 5000 as $$
begin
  return to_tsvector('simple', translate(description, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)));
end $$;

create table listings (
  listing_ref text primary key,
  seq bigint generated always as identity unique,
  handle text not null references agents (handle),
  asset_key text not null,
  asset jsonb not null,
  category text not null,
  chain text not null,
  description text not null,
  attributes jsonb,                    -- what the seller tells of it: make, model, year, mileage, term, rate
  ask bigint not null,
  floor bigint,
  negotiable boolean not null,
  gate text not null check (gate in ('deposit', 'owner-signed')),
  -- False where no chain says that it is the seller's: its certificate stands on a signed word. A proof displaces it.
  proven boolean not null,
  featured boolean not null default false,
  -- `unpaid`: its fee is not paid yet. It is promised, and collides with every other listing of the thing, but it is not
  -- for sale: no book, no catalogue and no order finds it before the fee is paid.
  status text not null check (status in ('unpaid', 'live', 'dealing', 'sold', 'dropped')),
  -- An agent that is listed is sold as it was quoted then: the state of its account, in decimal. Null for other assets.
  quoted_state text check (quoted_state ~ '^[0-9]{1,78}$'),
  listed_at timestamptz not null default now()
);
-- The rule "one standing listing an asset" belongs to the database. It holds for the thing, not for its spelling.
create unique index listings_standing_claim on listings (claim_key(asset_key))
  where status in ('unpaid', 'live', 'dealing');
-- And by the spelling they carry, for whoever reads them so.
create index listings_live_asset on listings (asset_key) where status in ('live', 'dealing');
create index listings_token on listings ((asset->>'contract'), (asset->>'tokenId'))
  where status in ('unpaid', 'live', 'dealing');
create index listings_of_agent on listings (handle, seq desc);
-- Everything that was ever listed of one thing, the newest first.
create index listings_of_asset on listings (asset_key, seq desc);
-- The catalogue, featured first. Names have a list of their own.
create index listings_front on listings (featured desc, seq desc)
  where status = 'live' and asset_key not like 'serial:name:%';
-- The same by what the catalogue is asked for, so that a rare one is found without reading all that is for sale.
create index listings_front_of_category on listings (category, featured desc, seq desc)
  where status = 'live' and asset_key not like 'serial:name:%';
create index listings_front_of_chain on listings (chain, featured desc, seq desc)
  where status = 'live' and asset_key not like 'serial:name:%';
create index listings_front_negotiable on listings (negotiable, featured desc, seq desc)
  where status = 'live' and asset_key not like 'serial:name:%';
create index listings_ask on listings (ask) where status = 'live' and asset_key not like 'serial:name:%';
create index listings_words on listings using gin (words_of(description)) where status = 'live';
-- What is for sale of one kind of goods.
create index listings_kind on listings (category, asset_key collate "C") where status = 'live';
-- And the newest of a category, whether featured or not: what an agent looks at.
create index listings_newest_of_category on listings (category, listed_at desc, seq desc)
  where status = 'live' and asset_key not like 'serial:name:%';
-- Names for sale, newest first.
create index listings_names on listings (seq desc) where status = 'live' and asset_key like 'serial:name:%';
-- And those of one top-level domain.
create index listings_names_of_tld on listings (substring(asset_key from '[^.:]*$'), seq desc)
  where status = 'live' and asset_key like 'serial:name:%';

-- What an owner's words put on chain for sale by an agent. It is taken off the chain again once no listing here needs it.
create table chain_listings (
  handle text not null references agents (handle),
  token_key text not null,             -- CAIP-19 of the token that settles
  lot text not null,                   -- the key it is listed under here
  touched_at timestamptz not null,     -- when a listing of it was last begun
  over_at timestamptz,                 -- when the last listing of it ended without a sale
  taking_since timestamptz,            -- being taken off the chain
  primary key (handle, token_key)
);
create index chain_listings_old on chain_listings (touched_at);
create index chain_listings_over on chain_listings (over_at) where over_at is not null;

create table pledges (
  id text primary key,
  seq bigint generated always as identity unique,
  asset_key text not null,
  listing_ref text not null,
  wallet text not null,
  lender text,
  until timestamptz,
  source text not null check (source in ('listing', 'owner', 'operator')),
  proven boolean not null,             -- false: by a certificate, which stands on a signed word; a proof ends it
  created_at timestamptz not null default now(),
  released_at timestamptz
);
-- The rule "one live pledge an asset" belongs to the database as well.
create unique index pledges_live_claim on pledges (claim_key(asset_key)) where released_at is null;
create index pledges_live_asset on pledges (asset_key) where released_at is null;
-- The pledge that ends with its listing.
create index pledges_live_listing on pledges (listing_ref) where released_at is null;

create table lots (                    -- one row a lot: its lock is the matcher
  asset_key text primary key,
  category text not null,
  chain text not null,
  price_to_beat bigint not null,
  open boolean not null default true,
  updated_at timestamptz not null default now()
);
-- The live book as it is read: newest first.
create index lots_front on lots (updated_at desc, asset_key) where open;
create index lots_front_of_category on lots (category, updated_at desc, asset_key) where open;
create index lots_front_of_chain on lots (chain, updated_at desc, asset_key) where open;

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
  -- Unfunded: a buyer's order that its agent's account cannot cover. It is on no book until the money is there.
  status text not null check (status in ('resting', 'unfunded', 'matched', 'filled', 'cancelled', 'expired', 'unwound')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  rested_at timestamptz default now(), -- since when it lies on the book, or last lay there; null: it never has
  left_at timestamptz,                 -- when it left the book; null while it rests, and where it never has
  -- Of a seller's order that rests again, as its deal was undone: when its owner placed the first one. Null for an order
  -- that its owner placed just so.
  placed_at timestamptz
);
-- The front of a lot's book, and whoever of it is overdue, however many orders lie behind.
create index orders_front on orders (asset_key, limit_price desc, seq) where status = 'resting' and side = 'buy';
-- An agent has one buy order on a lot: its next takes the place of it.
create unique index orders_one_bid on orders (asset_key, handle)
  where status in ('resting', 'unfunded') and side = 'buy';
create index orders_offered on orders (listing_ref) where status = 'resting' and side = 'sell';
create index orders_of_listing on orders (listing_ref);
create index orders_lot_expiry on orders (asset_key, expires_at) where status in ('resting', 'unfunded');
create index orders_expiry on orders (expires_at) where status in ('resting', 'unfunded');
create index orders_unfunded on orders (seq) where status = 'unfunded';
create index orders_left on orders (left_at) where left_at is not null;
-- What one owner placed on one lot, and one agent in all.
-- What left the book of one lot, and the bids of a category: the newest, and those of one owner.
create index orders_left_of_lot on orders (asset_key, left_at) where left_at is not null;
create index orders_bids_of_category on orders (category, seq desc) where side = 'buy';
create index orders_bids_of_owner on orders (lower(owner), category, created_at) where side = 'buy';
create index orders_owner on orders (owner, asset_key, created_at);
create index orders_handle on orders (handle, seq);
create index orders_by_handle on orders (handle) where status in ('resting', 'unfunded', 'matched');

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
create index close_calls_front on close_calls (hour desc, close_call_id);
create index close_calls_front_of_category on close_calls (category, hour desc, close_call_id);
create index close_calls_front_of_chain on close_calls (chain, hour desc, close_call_id);

create table matches (
  match_id text primary key,
  seq bigint generated always as identity unique,
  deal_id text not null unique,
  asset_key text not null,
  category text not null,
  chain text not null,
  sell_order text not null unique references orders (order_id),
  buy_order text not null unique references orders (order_id),
  seller_owner text not null,          -- for whom the two orders were placed
  buyer_owner text not null,
  price bigint not null,
  matched_at timestamptz not null default now(),
  settled_at timestamptz,
  tx text
);
-- What was traded, by lot, by pair and by owner, and the sales of a category, newest first: no history is counted.
create index matches_of_lot on matches (asset_key, seq);
create index matches_of_category on matches (category, seq);
create index matches_of_chain on matches (chain, seq);
create index matches_of_seller on matches (seller_owner, buyer_owner, matched_at);
create index matches_of_buyer on matches (buyer_owner, matched_at);
create index matches_sales on matches (category, settled_at desc, match_id) where settled_at is not null;
-- The same of one kind of goods: of a token its collection, of a serial what its maker gave many. As `kindPrefix` says it.
create function kind_prefix(asset_key text) returns text language sql immutable parallel safe
return case
  when asset_key not like 'serial:%' then substring(asset_key from '^.*/')
  else substring(asset_key from '^serial:[a-z]+:') || left(
    substring(asset_key from '^serial:[a-z]+:(.*)$'),
    case substring(asset_key from '^serial:([a-z]+):') when 'vin' then 8 when 'imei' then 8 when 'isrc' then 5
      when 'isbn' then 32 when 'gtin' then 32 when 'name' then 128 else 64 end)
end;
create index matches_sales_of_kind on matches (category, kind_prefix(asset_key), settled_at desc, match_id)
  where settled_at is not null;

-- ── deal: from a match to its settlement ─────────────────────────────────────────────────────────────────
create table deals (
  deal_id text primary key,
  match_id text not null unique references matches (match_id),
  seller text not null,                -- handle
  buyer text not null,                 -- handle
  price bigint not null,
  fee bigint not null,
  -- What its actor shows, with deadline, tx, settled_block and reason; nothing else writes them.
  state text not null default 'determining'
    check (state in ('determining', 'awaiting-owner', 'settling', 'settled', 'recorded', 'stopped', 'failed')),
  deadline timestamptz,
  findings jsonb not null default '[]'::jsonb,
  tx text,
  settled_block bigint,                -- the block it settled in; a chain that goes back may take it along
  reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index deals_settled_block on deals (settled_block) where settled_block is not null;
-- An agent's deals, of either side.
create index deals_seller on deals (seller);
create index deals_buyer on deals (buyer);

-- ── market: what has stopped deals ───────────────────────────────────────────────────────────────────────
-- Each finding that stopped a deal, for its two owners and its lot. They do not match over the lot again, and the buyer
-- makes no price there, until it is lifted: when one of them places a new order and finds what it rested on changed. The
-- texts of what it rested on are compared and never read; null where it does not rest on it.
create table stops (
  deal_id text not null references deals (deal_id),
  finding text not null check (finding in ('wallet', 'shill-collusion', 'double-pledge', 'provenance',
    'mandate-compliance', 'price-intelligence', 'approval', 'owner-decision', 'not-determined', 'settlement')),
  side text not null check (side in ('buyer', 'seller', 'neither')), -- whose it was
  asset_key text not null,
  seller text not null,                -- beneficial owners, as their orders named them
  buyer text not null,
  price bigint not null,               -- what the deal would have cleared at
  setting text,
  mandates text,
  lists text,
  claims text,
  stopped_at timestamptz not null,
  ends_at timestamptz not null,        -- from then on a new order lifts it, whatever has changed
  lifted_at timestamptz,
  primary key (deal_id, side, finding)
);
create index stops_standing on stops (claim_key(asset_key)) where lifted_at is null;
create index stops_of_buyer on stops (buyer) where lifted_at is null;
-- How often the same has stopped the same, and who tried a lot out by being stopped.
create index stops_by_lot on stops (asset_key, stopped_at);

-- ── names: auctions ──────────────────────────────────────────────────────────────────────────────────────
-- One auction of a listed name. What may change it holds the lot's lock; its row says when bids end, and its actor
-- keeps the time.
create table auctions (
  auction_id text primary key,
  seq bigint generated always as identity unique,
  listing_ref text not null references listings (listing_ref),
  format text not null check (format in ('dutch', 'ascending')),
  start_price bigint check ((start_price is not null) = (format = 'dutch')),
  reserve bigint not null check (reserve > 0),
  window_ms integer not null,          -- a bid in the last so many milliseconds moves the end
  extension_ms integer not null,       -- by so many
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  extensions integer not null default 0,
  price bigint,                        -- ascending: what the leader would pay; null without a bid
  -- What its actor shows, with deal_id and ended_at; nothing else writes them.
  status text not null default 'open' check (status in ('open', 'won', 'unsold', 'withdrawn')),
  deal_id text unique references deals (deal_id),
  ended_at timestamptz,
  check ((deal_id is not null) = (status = 'won')),
  check (start_price > reserve),
  check (ends_at > starts_at)
);
-- The rule "one auction a listing" belongs to the database.
create unique index auctions_open on auctions (listing_ref) where status = 'open';
create index auctions_by_listing on auctions (listing_ref, seq);

-- ── market: what an order is judged by ───────────────────────────────────────────────────────────────────
-- An order is judged by a look without locks, which holds nobody up, and is placed only where the very same is found
-- under the locks of its lot and of its agent. Stable, so that all of it is read in the one snapshot of the statement that
-- asks: a match that is committed meanwhile is seen whole or not at all.
-- Orders whose time is over are not on the book any more, whether or not anybody has ended them yet.
-- What the chain has booked is known by the last block that it was booked in: caps that were read there or later have
-- it all.
-- Each order that an owner places on a lot reveals a little of its book, and so does each match that an own rule of that
-- owner undoes: both count as probes. An order that only rests again counts for nothing.
-- Where a stop stands on the lot the best orders are not the ones that make its price, and must be looked up.
-- The best buy orders are those of the best two other owners that may come to match the seller's: orders of one
-- beneficial owner never do, and make no price. Of each owner the best one counts, so that nobody pushes up the price
-- that he must beat himself. Walking past the others of an owner costs as many rows as it has agents on the lot.
-- An order that its account cannot cover is not on the book: it is nobody's best. Its caps are held all the same, so that
-- no cap is exceeded when the money comes; the money that it lacks is not held.
-- @returns no row where there is no such lot; a listing of nulls where none stands on it; no seller's order where none
--   rests
create function before_order(
  of_lot text, of_handle text, of_owner text, as_of timestamptz, probed_since timestamptz, probes integer
) returns table (
  listing listings, agent_status text, agent_epoch integer, probed timestamptz[],
  held numeric, unfunded numeric, booked_block bigint, resting bigint, dealt bigint, dealt_today bigint,
  sold_day numeric, sold_week numeric, sold_month numeric, sold_total numeric,
  mandate mandates, best_limit bigint, best_opening bigint, second_limit bigint,
  sibling_limit bigint, sibling_opening bigint, own_order text, own_since timestamptz, own_holds bigint, own_unfunded boolean,
  sell_order text, sell_handle text, sell_owner text, sell_limit bigint, sell_since timestamptz, stops boolean
-- All is found by keys: a plan for each set of parameters, as the first five of a connection get it, costs ten times the look.
) language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  best_owner text;
  is_over boolean;
begin
  perform 1 from lots l where l.asset_key = of_lot;
  if not found then return; end if;
  select a.status, a.epoch into agent_status, agent_epoch from agents a where a.handle = of_handle;
  select l.* into listing from listings l
  where claim_key(l.asset_key) = claim_key(of_lot) and l.status in ('live', 'dealing');
  probed := array(
    select p.at from (
      select o.created_at as at from orders o
      where o.owner = of_owner and o.asset_key = of_lot and o.created_at > probed_since and o.placed_at is null
      union all
      select min(s.stopped_at) from stops s
      where s.asset_key = of_lot and s.stopped_at > probed_since
        and of_owner = case s.side when 'buyer' then s.buyer when 'seller' then s.seller end
      group by s.deal_id
    ) p
    order by p.at desc limit probes
  );
  stops := exists (select 1 from stops s where claim_key(s.asset_key) = claim_key(of_lot) and s.lifted_at is null);
  select coalesce(sum(r.amount), 0), coalesce(sum(r.amount) filter (where o.status = 'unfunded'), 0)
  into held, unfunded
  from reservations r join orders o on o.order_id = r.order_id
  where r.handle = of_handle and r.state = 'held';
  select count(*) into resting from orders o where o.handle = of_handle and o.status in ('resting', 'unfunded');
  select o.order_id, o.created_at, r.amount, o.status = 'unfunded', o.expires_at <= as_of
  into own_order, own_since, own_holds, own_unfunded, is_over
  from orders o left join reservations r on r.order_id = o.order_id and r.state = 'held'
  where o.asset_key = of_lot and o.handle = of_handle and o.side = 'buy' and o.status in ('resting', 'unfunded');
  if is_over then
    -- It is ended with the next order that is placed here.
    held := held - coalesce(own_holds, 0);
    if own_unfunded then unfunded := unfunded - coalesce(own_holds, 0); end if;
    resting := resting - 1;
    own_order := null;
    own_since := null;
    own_holds := null;
    own_unfunded := null;
  end if;
  select
    count(*), count(*) filter (where m.matched_at > as_of - interval '24 hours'),
    coalesce(sum(d.price) filter (where d.seller = of_handle and m.matched_at > as_of - interval '24 hours'), 0),
    coalesce(sum(d.price) filter (where d.seller = of_handle and m.matched_at > as_of - interval '168 hours'), 0),
    coalesce(sum(d.price) filter (
      where d.seller = of_handle and m.matched_at >= date_trunc('month', as_of, 'UTC')
    ), 0),
    coalesce(sum(d.price) filter (where d.seller = of_handle), 0),
    max(d.settled_block) filter (where d.buyer = of_handle and d.state in ('settled', 'recorded'))
  into dealt, dealt_today, sold_day, sold_week, sold_month, sold_total, booked_block
  from deals d join matches m on m.match_id = d.match_id
  where (d.seller = of_handle or d.buyer = of_handle) and d.state not in ('stopped', 'failed');
  select m.* into mandate from mandates m where m.handle = of_handle and m.status = 'active';
  select o.order_id, o.handle, o.owner, o.limit_price, coalesce(o.placed_at, o.created_at)
  into sell_order, sell_handle, sell_owner, sell_limit, sell_since from orders o
  where o.listing_ref = listing.listing_ref and o.side = 'sell' and o.status = 'resting' and o.expires_at > as_of;
  select o.limit_price, o.opening_bid, o.owner into best_limit, best_opening, best_owner
  from orders o where o.asset_key = of_lot and o.side = 'buy' and o.status = 'resting' and o.expires_at > as_of
    and o.owner <> of_owner and o.handle <> of_handle and o.owner is distinct from sell_owner
  order by o.limit_price desc, o.seq limit 1;
  if best_owner is not null then
    select o.limit_price into second_limit
    from orders o where o.asset_key = of_lot and o.side = 'buy' and o.status = 'resting' and o.expires_at > as_of
      and o.owner not in (of_owner, best_owner) and o.handle <> of_handle and o.owner is distinct from sell_owner
    order by o.limit_price desc, o.seq limit 1;
  end if;
  select o.limit_price, o.opening_bid into sibling_limit, sibling_opening
  from orders o where o.asset_key = of_lot and o.side = 'buy' and o.status = 'resting' and o.expires_at > as_of
    and o.owner = of_owner and o.handle <> of_handle
  order by o.limit_price desc, o.seq limit 1;
  return next;
end $$;

-- Whether all that an order was judged by, in a look that held nobody up, still stands, under the locks of its lot and
-- of its agent, lot first. Where the snapshot is the very one of the look, nothing at all has been committed since. Where
-- something has, all of it is read again and compared.
-- @param seen `pg_current_snapshot()` of the statement that looked
-- @param digest of what it saw
create function is_as_looked(
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
    from before_order(of_lot, of_handle, of_owner, as_of, probed_since, probes) f
  );
end $$;

-- ── determinations, registers ────────────────────────────────────────────────────────────────────────────
-- How often language models were asked on behalf of each spender a day (UTC), shared by all processes: a wallet, the
-- address that the request came from, and `all` of them together. A wallet can be made up by a stranger, an address less
-- easily, the day's sum not at all.
create table model_asks (
  day date not null,
  spender text not null check (length(spender) <= 100),
  asked integer not null check (asked > 0),
  primary key (day, spender)
);

create table register_imports (
  id bigint generated always as identity primary key,
  register text not null check (register in ('sanctions', 'known-scam', 'labels', 'stolen', 'recalled', 'comparables',
    'phishing-domains', 'known-domains', 'listed-code', 'known-code', 'token-contracts')),
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
  -- Since when it stands on its list, as far as this service saw: kept while later imports name it again, so that whoever
  -- dealt with somebody before he was listed is not told to have dealt with a listed one.
  first_seen timestamptz not null default now(),
  primary key (register, key, source)
);
-- Hundreds of addresses at a time are looked up on all of these lists: one descent each.
create index register_entries_by_address on register_entries (key)
  where register in ('sanctions', 'known-scam', 'labels');
-- Goods by their numbers, whoever is said to have made them.
create index register_entries_of_goods on register_entries (claim_key(key))
  where register in ('stolen', 'recalled') and key like 'serial:%';

-- Each list as it stands, written with the import that made it so: counting a million rows takes longer than the
-- look-up itself.
create table register_lists (
  register text not null,
  source text not null,
  as_of timestamptz not null,
  -- What the age rests on: the publisher's own date, or an operator's word that the list was complete then. Null: nobody
  -- says, `as_of` is when it was taken, and its silence about an address says nothing.
  basis text default 'attested' check (basis in ('published', 'attested')),
  rows bigint not null,
  minimum bigint not null default 1,   -- fewer rows than this are not the list that its source is known to be
  synthetic boolean not null default false, -- made up, for demonstration and tests: records say so
  root text,                           -- of the tree of its sorted keys, hex; null where none is made
  import_id bigint not null references register_imports (id),
  primary key (register, source)
);

-- The Merkle trees (RFC 6962) of lists of addresses, sixteen leaves or nodes a row, so that a proof that an address is not
-- on a list reads a handful of rows, however long the list is.
create table register_trees (
  register text not null,
  source text not null,
  level integer not null,              -- 0: leaves; each level above holds the tops of sixteen rows below
  idx integer not null,
  first_key text collate "C",          -- of level 0
  keys text[],                         -- of level 0: the leaves, in the order of their bytes
  hashes bytea,                        -- of the levels above: the nodes, 32 bytes each
  primary key (register, source, level, idx)
);
create index register_trees_by_key on register_trees (register, source, first_key) where level = 0;

-- What a list named once and names no more. It clears at once; this says that it was so, and until when.
create table register_retractions (
  register text not null,
  source text not null,
  key text not null,
  listed_at timestamptz not null,      -- as far as this service saw
  retracted_at timestamptz not null default now(),
  import_id bigint not null references register_imports (id),
  primary key (register, key, source, import_id)
);

-- What came of the latest attempt to fetch a list. A fetch that fails leaves the list as it was.
create table register_fetches (
  register text not null,
  source text not null,
  tried_at timestamptz not null,
  succeeded_at timestamptz,
  fault text,                          -- of the latest attempt; null when it succeeded
  published_at timestamptz,            -- the date that the list itself carries, of the latest success
  primary key (register, source)
);

-- Transfers of dollar tokens and of the native currency, of the chains that are followed in full. Partitioned by chain,
-- and each chain by ranges of blocks, which are made as the chain grows and dropped whole when they are too old.
create table transfers (
  chain_id bigint not null,
  block bigint not null,
  place integer not null,              -- the log's index in its block; below zero for the native currency
  tx text not null,
  token text,                          -- lower case; null for the native currency
  sender text not null,                -- lower case
  receiver text not null,
  amount numeric(78, 0) not null,      -- in the smallest unit
  at timestamptz not null,             -- of the block
  primary key (chain_id, block, place)
) partition by list (chain_id);
-- With what is summed up about an address, so that its rows, which lie apart, are not read.
create index transfers_by_sender on transfers (chain_id, sender, block) include (receiver, token, amount, at);
create index transfers_by_receiver on transfers (chain_id, receiver, block) include (sender, token, amount, at);

-- Contracts that a transaction created by itself, with who sent it, of the same blocks. Lower case.
create table contract_creations (
  chain_id bigint not null,
  contract text not null,
  block bigint not null,
  tx text not null,
  deployer text not null,
  code_hash text,                      -- keccak256 of its code in that block; null where a node keeps no state so old
  skeleton text,                       -- of the same code; null where it is too short to have one
  primary key (chain_id, contract, block)
);
create index contract_creations_by_code on contract_creations (chain_id, code_hash);
create index contract_creations_by_skeleton on contract_creations (skeleton) where skeleton is not null;
create index contract_creations_by_block on contract_creations (chain_id, block);

-- Every code that a contract had when it was read, so that one which was destroyed and created anew as something else is
-- noticed, and code that is a listed contract's but for constants.
create table code_readings (
  chain_id bigint not null,
  address text not null,               -- lower case
  hash text not null,                  -- keccak256 of its code; a listed address without code has the hash of no bytes
  skeleton text,                       -- null where it is too short to have one, or hands its calls on
  first_block bigint not null,
  last_block bigint not null,
  primary key (chain_id, address, hash)
);
create index code_readings_by_skeleton on code_readings (skeleton) where skeleton is not null;

-- What of a chain is held: every block of this range, without a gap. What was before it is not known.
create table transfer_ranges (
  chain_id bigint primary key,
  from_block bigint not null,
  to_block bigint not null
);

-- The last blocks of each chain that were read, by which a reorganisation is noticed.
create table transfer_blocks (
  chain_id bigint not null,
  block bigint not null,
  hash text not null,
  primary key (chain_id, block)
);

-- Which serial a certificate's token stands for. A token never stands for another one, so this cannot grow wrong.
create table certificates (
  token_key text primary key,          -- CAIP-19
  asset_key text not null,             -- serial:{kind}:{normalised}: the lot's key
  noted_at timestamptz not null default now()
);

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
create index batches_open on batches (batch_id) where status = 'open';

create table records (
  record_id text primary key,
  seq bigint generated always as identity unique,
  kind text not null,
  handle text,                         -- whose activity this is; null for a stranger's determination
  subject text not null,
  summary text not null,
  body bytea not null,                 -- the public record, exactly what is hashed, packed
  evidence bytea,                      -- what the verdict was judged on, packed; served with the record
  hash text not null unique,
  signature text not null,             -- EIP-712 by the service
  batch_id bigint references batches (batch_id),
  leaf_index integer,
  created_at timestamptz not null default now()
);
create index records_unbatched on records (seq) where batch_id is null;
create index records_by_batch on records (batch_id) where batch_id is not null;
create index records_by_handle on records (handle, seq desc);
-- The first page shows what agents did; determinations that strangers bought are reached by their id alone.
create index records_of_agents on records (seq) where handle is not null;

-- A record stands in the activity of `handle`, and of whomever else it names.
create table record_parties (
  handle text not null,
  seq bigint not null references records (seq),
  primary key (handle, seq)
);
create index record_parties_of on record_parties (seq);

-- An appeal against a determination: judged again on fresh evidence, both records kept. One a record.
create table appeals (
  record_id text primary key references records (record_id),
  appeal_id text not null unique references records (record_id),
  wallet text not null,                -- who signed it
  filed_at timestamptz not null,
  overturned boolean not null,         -- the appeal raised no hard flag: the first record is not held against its subject
  check (record_id <> appeal_id)
);
create index appeals_by_wallet on appeals (wallet, filed_at);

-- What turned out of a determination, as a party or the operator says. It is shown and counted, and judges nobody: no rule
-- reads it. One a signer and record, for good.
create table record_outcomes (
  record_id text not null references records (record_id),
  signer text not null,                -- a wallet in lower case, or 'operator'
  outcome text not null check (outcome in ('honest', 'fraudulent')),
  kind text,                           -- of fraud
  evidence text[] not null,            -- hashes and URLs
  verdicts jsonb not null,             -- of the record's determinations that it speaks of, by id
  filed_at timestamptz not null,
  primary key (record_id, signer),
  check ((kind is null) = (outcome = 'honest'))
);
create index record_outcomes_by_signer on record_outcomes (signer, filed_at);

-- A record that the operator took back: it stays, and counts against nobody.
create table record_retractions (
  record_id text primary key references records (record_id),
  reason text not null,                -- shown to everybody
  retracted_at timestamptz not null default now()
);

-- A dispute of a certificate, one a wallet. What state it is in follows from its times: a hold ends by itself.
create table certificate_disputes (
  dispute_id text primary key,
  token_id text not null,              -- decimal
  asset_key text not null,             -- the serial's
  wallet text not null,                -- who signed it
  grounds text not null,
  evidence text[] not null,            -- hashes and URLs
  filed_at timestamptz not null,
  reply_until timestamptz not null,
  reply text,
  replied_by text,                     -- the certificate's controller then
  replied_at timestamptz,
  cause text,                          -- why the operator holds it
  held_at timestamptz,
  held_until timestamptz,
  decision text check (decision in ('upheld', 'rejected')),
  reason text,
  decided_at timestamptz,
  record_id text references records (record_id),  -- null until it is filed
  appealed_by text,
  appeal_grounds text,
  appealed_at timestamptz,
  second_decision text check (second_decision in ('upheld', 'rejected')),
  second_reason text,
  second_decided_at timestamptz,
  second_record_id text references records (record_id),
  closed_at timestamptz,               -- the certificate of an upheld one is void, or ended in another way
  unique (token_id, wallet),
  check (held_until <= held_at + interval '72 hours'),
  check (num_nulls(reply, replied_by, replied_at) in (0, 3)),
  check (num_nulls(cause, held_at, held_until) in (0, 3)),
  check (num_nulls(decision, reason, decided_at) in (0, 3)),
  check (num_nulls(appealed_by, appealed_at) in (0, 2)),
  check (num_nulls(second_decision, second_reason, second_decided_at) in (0, 3)),
  check (appealed_at is null or record_id is not null),
  check (second_decision is null or appealed_at is not null)
);
create index certificate_disputes_in_the_way on certificate_disputes (claim_key(asset_key))
  where closed_at is null and (held_until is not null or decision is not null);
create index certificate_disputes_unconcluded on certificate_disputes (decided_at)
  where decision is not null and (record_id is null or (second_decision is not null and second_record_id is null)
    or (closed_at is null and coalesce(second_decision, decision) = 'upheld'));

-- ── payments and what they may cost ──────────────────────────────────────────────────────────────────────
-- What a payment buys stays with the payment until the money has moved: the record of an unsettled payment is no row of
-- `records`, so that nothing lists, hashes, batches, anchors or counts it. Settling files it, in one statement.
create table payments (
  payment_id text primary key,         -- network:payer:nonce
  network text not null,
  payer text not null,
  nonce text not null,
  method text not null,
  path text not null,                  -- with query string
  body_hash text not null,
  proof text not null,                 -- sha-256 of what the payer signed and the signature
  identifier text,                     -- sha-256 of what the payer calls the purchase (x402's payment-identifier): a secret
  pay_to text not null default '',
  amount bigint not null,
  asset text not null,
  status text not null check (status in ('working', 'stored', 'settling', 'settled', 'failed')),
  response bytea,                      -- status and body, packed; unreleased until settled
  record jsonb,                        -- unreleased, without what follows; null once it is filed, or where there is none
  record_body bytea,                   -- of that record, as records keep it
  evidence bytea,                      -- of that record, as records keep it
  private boolean not null default false, -- not filed: the payment alone, which the chain shows, does not bring it
  receipt jsonb,                       -- the facilitator's settle response
  valid_after timestamptz not null default 'epoch',
  valid_before timestamptz not null,
  lease_holder text,                   -- who does the work now; another takes over once the lease is over
  lease_until timestamptz,
  looked_at timestamptz,               -- when the reconciler last asked the chain about it
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- One purchase is paid for once.
create unique index payments_identifier on payments (payer, identifier) where identifier is not null;
-- What the reconciler looks for: payments that are not through.
create index payments_unsettled on payments (coalesce(looked_at, created_at)) where status <> 'settled';
create index payments_of_payer on payments (payer, status);

-- What failed settlements cost the service in gas, by a key: the class of unproven code as a whole, one code, or one
-- payer. `spent` drains evenly over the window; a key that is spent up takes no more work until it has drained.
create table gas_budgets (
  key text primary key,                -- class:unproven, code:<hash>, payer:<network>:<address>
  spent double precision not null default 0, -- gas, as of counted_at
  counted_at timestamptz not null default clock_timestamp(),
  failures bigint not null default 0,  -- ever, while the row is kept
  strikes int not null default 0,      -- failures that the payer's next block is reckoned by
  blocked_until timestamptz
);

-- Gas that payments under way may still cost: taken before the work, given back when they settle.
create table gas_reservations (
  payment_id text not null,
  key text not null,
  gas double precision not null,
  expires_at timestamptz not null,
  primary key (payment_id, key)
);
create index gas_reservations_key on gas_reservations (key);

-- What others' code has cost the keys of the service: by purpose and subject, shared by all processes. It comes back
-- within a day.
create table relay_budgets (
  purpose text not null,
  subject text not null,
  spent bigint not null check (spent >= 0),
  updated_at timestamptz not null,
  primary key (purpose, subject)
);
create index relay_budgets_age on relay_budgets (updated_at);

-- ── http: who may ask ────────────────────────────────────────────────────────────────────────────────────
-- What an owner is asked to sign is kept nowhere: its nonce says by itself what it binds. Only the nonces of signatures
-- that were used are kept, until nothing signed then can be fresh any more.
create table used_signatures (
  nonce text primary key,
  used_at timestamptz not null
);
create index used_signatures_age on used_signatures (used_at);

-- A key is made by command, or comes from the configuration. Of the configured ones one stands at a time: the key of
-- the latest start. A key that is rotated by command ends at `expires_at`, for good.
create table operator_keys (
  id text primary key,
  name text not null,
  hash text not null unique,           -- sha-256 of the key
  scopes text[] not null,
  origin text not null default 'command' check (origin in ('command', 'configuration')),
  configured boolean not null default false,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
create unique index operator_keys_one_configured on operator_keys (configured) where configured;

-- Every act of an operator, before it is done. Each entry's hash is over its text, which names the hash of the one before.
create table operator_log (
  seq bigint primary key,
  body text not null,                  -- canonical JSON: who, what, when, the hash before
  hash text not null unique            -- sha-256 of it
);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is only added to', tg_table_name;
end $$;
create trigger operator_log_append_only before update or delete or truncate on operator_log
  for each statement execute function refuse_change();
create trigger record_outcomes_append_only before update or delete or truncate on record_outcomes
  for each statement execute function refuse_change();

create table idempotency_keys (
  key text not null,
  scope text not null,                 -- method and path
  body_hash text not null,
  response jsonb,                      -- null while the first request is under way
  created_at timestamptz not null default now(),
  primary key (scope, key)
);

-- ── webhooks: what owners are told ───────────────────────────────────────────────────────────────────────
create table webhook_subscriptions (
  id text primary key,
  wallet text not null,                -- told only of what it owns on chain when it is told
  beneficial_owner text not null,                -- who stood behind the wallet then; whoever comes next signs for himself
  url text not null,
  kinds text[] not null,               -- empty: all
  secret text not null,                -- sealed
  status text not null default 'active' check (status in ('active', 'disabled')),
  failing_since timestamptz,           -- since when nothing has been taken
  reason text,
  created_at timestamptz not null
);
create index webhook_subscriptions_wallet on webhook_subscriptions (wallet);

-- Written in the transaction that makes it so; spread to the owner's subscriptions after it.
create table owner_notifications (
  seq bigint generated always as identity primary key,
  kind text not null,
  handle text not null,
  owner text,                          -- whose news it is, whoever owns the agent by now; null: whoever does
  body jsonb not null,
  at timestamptz not null default now()
);
-- An agent whose news cannot be told now is passed over: the others' are found without it.
create index owner_news_by_handle on owner_notifications (handle, seq);

create table webhook_deliveries (
  id text primary key,                 -- `webhook-id`: the same with every attempt
  seq bigint generated always as identity unique,
  subscription_id text not null references webhook_subscriptions (id) on delete cascade,
  kind text not null,
  body text not null,                  -- exactly what is sent
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  answered integer,                    -- HTTP status of the last attempt
  error text,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index webhook_deliveries_next on webhook_deliveries (subscription_id, next_attempt_at, seq) where status = 'pending';
create index webhook_deliveries_of on webhook_deliveries (subscription_id, seq);
-- What was given up is counted by whoever watches, however much was delivered.
create index webhook_deliveries_given_up on webhook_deliveries (finished_at) where status = 'failed';

-- Nobody to tell, nothing written.
create function tell_owners(kind text, handle text, body jsonb, owner text default null) returns void language sql as $$
  insert into owner_notifications (kind, handle, body, owner)
  select kind, handle, body, owner where exists (select 1 from webhook_subscriptions where status = 'active')
$$;

create function tell_deal() returns trigger language plpgsql as $$
declare
  told text := case when tg_op = 'INSERT' then 'matched' else new.state end;
  about jsonb;
  sells text;
  buys text;
begin
  if tg_op = 'UPDATE' and new.state = old.state then return null; end if;
  if told not in ('matched', 'awaiting-owner', 'settled', 'stopped', 'failed') then return null; end if;
  about := jsonb_build_object(
    'dealId', new.deal_id, 'matchId', new.match_id, 'lot', (select asset_key from matches where match_id = new.match_id),
    'price', new.price::text, 'fee', new.fee::text, 'state', new.state, 'deadline', new.deadline,
    'reason', new.reason, 'tx', new.tx);
  select s.owner, b.owner into sells, buys from matches m
    join orders s on s.order_id = m.sell_order join orders b on b.order_id = m.buy_order
    where m.match_id = new.match_id;
  perform tell_owners('deal.' || told, new.seller, about || '{"role":"seller"}', sells);
  perform tell_owners('deal.' || told, new.buyer, about || '{"role":"buyer"}', buys);
  return null;
end $$;
create trigger deals_told after insert or update on deals for each row execute function tell_deal();

create function tell_agent() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.status = old.status then return null; end if;
  perform tell_owners('agent.status', new.handle, jsonb_build_object('status', new.status));
  return null;
end $$;
create trigger agents_told after insert or update on agents for each row execute function tell_agent();

-- ── market: whom it concerns ─────────────────────────────────────────────────────────────────────────────
-- What the active agents of tier AGENT may buy, by their mandates: whom a lot concerns is found here without looking at
-- the others. Triggers write it with the agent's status and with its mandate, so that neither changes without it.
create table buying_interests (
  handle text not null references agents (handle),
  category text not null,              -- empty: any but the denied ones
  chain text not null,                 -- as mandates name it; empty: any but the denied ones
  most bigint not null,                -- the largest price that its caps can allow, micro-dollars
  denied_categories text[] not null,
  denied_chains text[] not null,
  primary key (handle, category, chain)
);
create index buying_interests_of_lot on buying_interests (category, chain, most);

-- The agent's row is locked first: a status and a mandate that change at the same time see one another.
create function index_interests(of_handle text) returns void language plpgsql as $$
begin
  perform 1 from agents where handle = of_handle for no key update;
  delete from buying_interests where handle = of_handle;
  insert into buying_interests (handle, category, chain, most, denied_categories, denied_chains)
    select a.handle, category, chain,
      floor(1000000 * least((t ->> 'cap_per_deal')::numeric, (t ->> 'cap_per_day')::numeric,
        (t ->> 'cap_per_week')::numeric, (t ->> 'cap_per_month')::numeric, (t ->> 'cap_total')::numeric,
        9000000000000))::bigint,
      array(select jsonb_array_elements_text(coalesce(t -> 'categories_deny', '[]'))),
      array(select jsonb_array_elements_text(coalesce(t -> 'chains_deny', '[]')))
    from agents a
    join mandates m on m.handle = a.handle and m.status = 'active'
    cross join lateral (select m.structured as t) terms
    cross join lateral jsonb_array_elements_text(coalesce(t -> 'categories_allow', '[""]')) as category
    cross join lateral jsonb_array_elements_text(coalesce(t -> 'chains_allow', '[""]')) as chain
    where a.handle = of_handle and a.status = 'active' and a.tier = 'AGENT' and t ->> 'side' <> 'sell'
    on conflict do nothing;
end $$;

create function index_interests_of_row() returns trigger language plpgsql as $$
begin
  perform index_interests(new.handle);
  return null;
end $$;
create trigger agents_interests after insert on agents for each row execute function index_interests_of_row();
create trigger agents_interests_changed after update on agents for each row
  when (old.status <> new.status or old.tier <> new.tier) execute function index_interests_of_row();
create trigger mandates_interests after insert on mandates for each row
  when (new.status = 'active') execute function index_interests_of_row();
create trigger mandates_interests_changed after update on mandates for each row
  when ((old.status = 'active' or new.status = 'active')
    and (old.status <> new.status or old.structured <> new.structured)) execute function index_interests_of_row();

-- What agents are yet to be told of the market. Whoever tells them deletes the rows in the same transaction: what is not
-- told stays, whichever transaction committed first.
create table market_changes (
  seq bigint generated always as identity primary key,
  kind text not null check (kind in ('listed', 'gone', 'placed', 'left', 'settled', 'freed')),
  asset_key text,                      -- null: of an agent's caps
  category text,                       -- of a sale
  handle text,                         -- whose listing, order or caps
  owner text,                          -- for whom an order was placed
  order_id text
);

-- Names are bid on by their owners' word alone: no agent is told of them.
create function note_listing() returns trigger language plpgsql as $$
declare
  was_live boolean := tg_op = 'UPDATE' and old.status = 'live';
  is_live boolean := new.status = 'live';
begin
  if new.asset_key like 'serial:name:%' or not (was_live or is_live) then return null; end if;
  if was_live and is_live
    and (new.ask, new.negotiable, new.category) = (old.ask, old.negotiable, old.category) then
    return null;
  end if;
  insert into market_changes (kind, asset_key, handle)
    values (case when is_live then 'listed' else 'gone' end, new.asset_key, new.handle);
  return null;
end $$;
create trigger listings_noted after insert or update on listings for each row execute function note_listing();

create function note_order() returns trigger language plpgsql as $$
declare
  rested boolean := tg_op = 'UPDATE' and old.status = 'resting';
  rests boolean := new.status = 'resting';
begin
  if rests = rested or new.status = 'matched' or new.asset_key like 'serial:name:%' then return null; end if;
  insert into market_changes (kind, asset_key, handle, owner, order_id)
    values (case when rests then 'placed' else 'left' end, new.asset_key, new.handle, new.owner, new.order_id);
  return null;
end $$;
create trigger orders_noted after insert or update of status on orders for each row execute function note_order();

create function note_freed() returns trigger language plpgsql as $$
begin
  insert into market_changes (kind, handle) values ('freed', new.handle);
  return null;
end $$;
create trigger reservations_freed after update on reservations for each row
  when ((new.state = 'released' and old.state <> 'released') or new.amount < old.amount) execute function note_freed();

create function note_settled() returns trigger language plpgsql as $$
begin
  insert into market_changes (kind, asset_key, category) values ('settled', new.asset_key, new.category);
  return null;
end $$;
create trigger matches_noted after update on matches for each row
  when (old.settled_at is distinct from new.settled_at) execute function note_settled();

-- One more whenever the past sales of a category are others than before. It is written last in a transaction, so that
-- its lock is held by nobody who still waits for another; a reader who sees a version sees the sales that it stands for.
create table sales_versions (
  category text primary key,
  version bigint not null
);

create function count_sales_version() returns trigger language plpgsql as $$
begin
  insert into sales_versions as v (category, version)
    select m.category, 1 from matches m
    where m.match_id = new.match_id and (m.settled_at is not null or tg_table_name = 'matches')
    on conflict (category) do update set version = v.version + 1;
  return null;
end $$;
create constraint trigger matches_settled_inserted after insert on matches deferrable initially deferred for each row
  when (new.settled_at is not null) execute function count_sales_version();
create constraint trigger matches_settled_changed after update on matches deferrable initially deferred for each row
  when (old.settled_at is distinct from new.settled_at) execute function count_sales_version();
create constraint trigger deals_sold_inserted after insert on deals deferrable initially deferred for each row
  execute function count_sales_version();
create constraint trigger deals_sold_changed after update on deals deferrable initially deferred for each row
  when (old.findings is distinct from new.findings) execute function count_sales_version();

-- ── public events: what anyone is told ───────────────────────────────────────────────────────────────────
-- Triggers write down what became public, in the transaction that makes it so; nothing can change a public row and not
-- say so. A sequencer then gives each event its number: numbers have no gaps and follow the order in which they can be
-- read, so a reader who has seen one has seen all below it, and no number tells of a transaction that was rolled back or
-- of one that changed nothing that is public.
create table event_outbox (
  seq bigint generated always as identity primary key,
  xact xid8 not null default pg_current_xact_id(),
  kind text not null check (kind in ('match', 'close-call', 'listing', 'order-book', 'activity')),
  subject text not null,               -- of one transaction only the last word on a subject is told
  body jsonb not null                  -- public columns alone; money in micro-dollars, as text
);

-- Events that were numbered together stand in one row: they are only read in their order, and forgotten by age.
create table public_events (
  first_id bigint primary key,
  last_id bigint not null check (last_id >= first_id),
  events jsonb not null,               -- in the order of their numbers: { kind, body }
  told_at timestamptz not null default now()
);
create index public_events_told on public_events (told_at);

create table event_counter (
  single boolean primary key default true check (single),
  last bigint not null
);
insert into event_counter (last) values (0);

create function tell(kind text, subject text, body jsonb) returns void language sql as
  $$ insert into event_outbox (kind, subject, body) values (kind, subject, body) $$;

-- What became of a match, told with it: `settling`, `settled`, or `stopped`, which shows no price any more.
create function match_state(settled_at timestamptz, of_deal text) returns text language sql stable as $$
  select case when settled_at is not null then 'settled'
    when exists (select from deals d where d.deal_id = of_deal and d.state in ('stopped', 'failed')) then 'stopped'
    else 'settling' end
$$;

create function tell_state_of(m matches) returns void language sql as $$
  select tell('match', m.match_id, jsonb_build_object(
    'matchId', m.match_id, 'lot', m.asset_key, 'category', m.category, 'chain', m.chain,
    'price', m.price::text, 'matchedAt', m.matched_at, 'settledAt', m.settled_at, 'tx', m.tx,
    'state', match_state(m.settled_at, m.deal_id)))
$$;

create function tell_match() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.settled_at is not distinct from old.settled_at and new.tx is not distinct from old.tx then
    return null;
  end if;
  perform tell_state_of(new);
  return null;
end $$;
create trigger matches_told after insert or update on matches for each row execute function tell_match();

-- Whoever reads events from the beginning is told of this match without its price, too: the reader asks for its state.
create function tell_stopped() returns trigger language plpgsql as $$
begin
  perform tell_state_of(m) from matches m where m.match_id = new.match_id and m.settled_at is null;
  return null;
end $$;
create trigger deals_stopped_told after update of state on deals for each row
  when (new.state in ('stopped', 'failed') and old.state not in ('stopped', 'failed')) execute function tell_stopped();

create function tell_close_call() returns trigger language plpgsql as $$
begin
  perform tell('close-call', new.close_call_id, jsonb_build_object(
    'closeCallId', new.close_call_id, 'lot', new.lot, 'category', new.category, 'chain', new.chain, 'hour', new.hour));
  return null;
end $$;
create trigger close_calls_told after insert on close_calls for each row execute function tell_close_call();

-- A lot that is not open stands in no public book: neither its number nor that it changes is told.
create function tell_lot() returns trigger language plpgsql as $$
declare was_open boolean := tg_op = 'UPDATE' and old.open;
begin
  if not new.open and not was_open then return null; end if;
  if tg_op = 'UPDATE' and new.open = old.open and new.price_to_beat = old.price_to_beat then return null; end if;
  perform tell('order-book', new.asset_key, jsonb_build_object(
    'lot', new.asset_key, 'category', new.category, 'chain', new.chain, 'open', new.open, 'updatedAt', new.updated_at)
    || case when new.open then jsonb_build_object('price', new.price_to_beat::text) else '{}' end);
  return null;
end $$;
create trigger lots_told after insert or update on lots for each row execute function tell_lot();

create function tell_listing() returns trigger language plpgsql as $$
declare
  was_live boolean := tg_op = 'UPDATE' and old.status = 'live';
  is_live boolean := new.status = 'live';
begin
  if not is_live and not was_live then return null; end if;
  if was_live and is_live
    and (new.ask, new.negotiable, new.featured, new.category, new.description)
      = (old.ask, old.negotiable, old.featured, old.category, old.description) then
    return null;
  end if;
  perform tell('listing', new.listing_ref, jsonb_build_object(
    'listingRef', new.listing_ref, 'lot', new.asset_key, 'category', new.category, 'chain', new.chain, 'live', is_live)
    || case when is_live then jsonb_build_object(
      'seller', (select account from agents where handle = new.handle), 'asset', new.asset,
      'description', new.description, 'ask', new.ask::text, 'negotiable', new.negotiable,
      'proven', new.proven, 'featured', new.featured, 'listedAt', new.listed_at) else '{}' end);
  return null;
end $$;
create trigger listings_told after insert or update on listings for each row execute function tell_listing();

-- The agents in whose activity a record stands.
create function parties_of(of_seq bigint, handle text) returns setof text language sql stable as $$
  select handle where handle is not null union select p.handle from record_parties p where p.seq = of_seq
$$;

-- An agent's activity: a record that names it, and how far that record is on its way to the chain.
create function activity_of(r records, handle text, state text, batch_id text, tx text) returns jsonb
language sql immutable as $$
  select jsonb_build_object(
    'handle', handle, 'recordId', r.record_id, 'kind', r.kind, 'at', r.created_at, 'subject', r.subject,
    'hash', r.hash, 'summary', r.summary, 'batchId', batch_id, 'tx', tx, 'state', state)
$$;

-- Whatever one statement did to records is told in one row, which names them; who numbers it tells it of each.
create function activity_told(word jsonb) returns table (seq bigint, handle text, body jsonb) language sql stable as $$
  select r.seq, p.handle, activity_of(r, p.handle, word ->> 'state', word ->> 'batchId', word ->> 'tx')
  from records r cross join lateral parties_of(r.seq, r.handle) p (handle)
  where r.seq in (select f::bigint from jsonb_array_elements_text(word -> 'filed') f)
  union all
  select r.seq, p.handle, activity_of(r, p.handle, word ->> 'state', word ->> 'batchId', word ->> 'tx')
  from records r cross join lateral parties_of(r.seq, r.handle) p (handle)
  where r.batch_id = (word ->> 'batchId')::bigint
$$;

create function tell_filed() returns trigger language plpgsql as $$
begin
  insert into event_outbox (kind, subject, body)
    select 'activity', min(f.seq)::text, jsonb_build_object('state', 'inscribing', 'filed', jsonb_agg(f.seq order by f.seq))
    from filed f having count(*) > 0;
  return null;
end $$;
create trigger records_told after insert on records
  referencing new table as filed for each statement execute function tell_filed();

create function tell_batch(b batches) returns void language sql as $$
  select tell('activity', 'batch ' || b.batch_id, jsonb_build_object('batchId', b.batch_id::text, 'tx', b.tx,
    'state', case when b.status = 'anchored' then 'anchored' else 'inscribed' end))
$$;

-- A batch is closed by one statement, with all its records.
create function tell_sealed() returns trigger language plpgsql as $$
begin
  perform tell_batch(b) from batches b where b.batch_id in (
    select s.batch_id from sealed s join unsealed u on u.record_id = s.record_id and u.batch_id is distinct from s.batch_id);
  return null;
end $$;
create trigger records_sealed_told after update on records
  referencing old table as unsealed new table as sealed for each statement execute function tell_sealed();

create function tell_anchored() returns trigger language plpgsql as $$
begin
  perform tell_batch(new);
  return null;
end $$;
create trigger batches_told after update of status, tx on batches for each row
  when (old.status is distinct from new.status or old.tx is distinct from new.tx) execute function tell_anchored();
