-- ── disputes: of whom the thing was ───────────────────────────────────────────────────────────────────────
-- The block in which who disputes the certificate, or an agent of his, first held it; null where neither ever did.
alter table certificate_disputes add column held_block bigint;
