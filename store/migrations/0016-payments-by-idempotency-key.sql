-- ── payments: under which Idempotency-Key ─────────────────────────────────────────────────────────────────
-- sha-256 of the payer, the method, the path and the Idempotency-Key. One act under one key is paid for once.
alter table payments add column idempotency_key text;
create unique index payments_idempotency_key on payments (idempotency_key) where idempotency_key is not null;
