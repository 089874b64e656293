-- The card processor's own id of the payment: what refunds and disputes name.
alter table checkouts add column payment_intent text;
-- Money that was taken back, or is in dispute: what it paid for rests while this is set.
alter table checkouts add column suspended_at timestamptz;
create unique index checkouts_payment_intent on checkouts (payment_intent) where payment_intent is not null;
create index checkouts_membership on checkouts (owner) where kind = 'membership' and paid_at is not null;
create index checkouts_listing on checkouts ((details ->> 'listingRef')) where kind = 'listing' and paid_at is not null;

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
