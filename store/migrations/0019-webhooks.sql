-- What owners are told about their agents and deals, over signed webhooks.
create table webhook_subscriptions (
  id text primary key,
  wallet text not null,                -- lower case: told only of what it owns on chain when it is told
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
create table owner_news (
  seq bigint generated always as identity primary key,
  kind text not null,
  handle text not null,
  body jsonb not null,
  at timestamptz not null default now()
);

create table webhook_deliveries (
  id text primary key,                 -- `webhook-id`: the same with every attempt
  seq bigint generated always as identity unique,
  subscription_id text not null references webhook_subscriptions (id) on delete cascade,
  kind text not null,
  body text not null,                  -- exactly what is sent
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  lease_until timestamptz,
  answered integer,                    -- HTTP status of the last attempt
  error text,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'pending';
create index webhook_deliveries_next on webhook_deliveries (subscription_id, next_attempt_at, seq) where status = 'pending';
create index webhook_deliveries_of on webhook_deliveries (subscription_id, seq);

-- Nobody to tell, nothing written.
create function tell_owners(kind text, handle text, body jsonb) returns void language sql as $$
  insert into owner_news (kind, handle, body)
  select kind, handle, body where exists (select 1 from webhook_subscriptions where status = 'active')
$$;

create function tell_deal() returns trigger language plpgsql as $$
declare
  told text := case when tg_op = 'INSERT' then 'matched' else new.state end;
  about jsonb;
begin
  if tg_op = 'UPDATE' and new.state = old.state then return null; end if;
  if told not in ('matched', 'awaiting-owner', 'settled', 'stopped', 'failed') then return null; end if;
  about := jsonb_build_object(
    'dealId', new.deal_id, 'matchId', new.match_id, 'lot', (select asset_key from matches where match_id = new.match_id),
    'price', new.price::text, 'fee', new.fee::text, 'state', new.state, 'deadline', new.deadline,
    'reason', new.reason, 'tx', new.tx);
  perform tell_owners('deal.' || told, new.seller, about || '{"role":"seller"}');
  perform tell_owners('deal.' || told, new.buyer, about || '{"role":"buyer"}');
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
