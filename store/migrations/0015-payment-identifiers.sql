-- What a payer calls one purchase (x402's extension payment-identifier): one payment goes by it.
alter table payments add column identifier text;
create unique index payments_identifier on payments (payer, identifier) where identifier is not null;
