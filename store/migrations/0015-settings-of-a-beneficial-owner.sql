-- ── owners: whose settings they are ───────────────────────────────────────────────────────────────────────
-- Who stood behind the wallet as it chose. The token of an account may be sold, and its buyer has chosen nothing.
alter table owner_settings add column beneficial_owner text;
-- Of an account that was last seen to change hands after it chose, nobody knows whose choice it was: it names the account
-- itself, behind which another one stands, and so counts as unset.
update owner_settings s set beneficial_owner = coalesce((
  select b.beneficial_owner from beneficial_owners b where b.owner = s.wallet and b.seen_at <= s.updated_at), s.wallet);
alter table owner_settings alter column beneficial_owner set not null;
