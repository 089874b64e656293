-- Which serial a certificate's token stands for. A token never stands for another one, so this cannot grow wrong.
create table certificates (
  token_key text primary key,          -- CAIP-19
  asset_key text not null,             -- serial:{kind}:{normalised}: the lot's key
  noted_at timestamptz not null default now()
);

-- One thing, however it was written down: a serial's kind, an ISBN of ten digits or thirteen, and leading zeros of a
-- number do not make another thing of it.
create function claim_key(asset_key text) returns text
language plpgsql immutable strict parallel safe as $$
declare
  bare text := split_part(asset_key, ':', 3);
  sum integer := 0;
begin
  if asset_key not like 'serial:%' then return asset_key; end if;
  if bare ~ '^[0-9]{9}[0-9X]$' then
    for i in 1..10 loop
      sum := sum + (11 - i) * (case substr(bare, i, 1) when 'X' then 10 else substr(bare, i, 1)::integer end);
    end loop;
    if sum % 11 = 0 then
      bare := '978' || left(bare, 9);
      sum := 0;
      for i in 1..12 loop
        sum := sum + substr(bare, i, 1)::integer * (case when i % 2 = 1 then 1 else 3 end);
      end loop;
      bare := bare || ((10 - sum % 10) % 10)::text;
    end if;
  end if;
  if bare ~ '^[0-9]+$' then bare := ltrim(bare, '0'); end if;
  return 'serial:' || bare;
end
$$;

-- The rules "one live pledge an asset" and "one live listing an asset" hold for the thing, not for its spelling.
drop index pledges_live_asset;
drop index listings_live_asset;
create unique index pledges_live_claim on pledges (claim_key(asset_key)) where released_at is null;
create unique index listings_live_claim on listings (claim_key(asset_key)) where status in ('live', 'dealing');
-- And by the spelling they carry, for whoever reads them so.
create index pledges_live_asset on pledges (asset_key) where released_at is null;
create index listings_live_asset on listings (asset_key) where status in ('live', 'dealing');
