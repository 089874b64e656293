-- The live book as it is read: newest first.
create index lots_front on lots (updated_at desc, asset_key) where open;
