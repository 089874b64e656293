-- What was given up is counted by whoever watches, however much was delivered.
create index webhook_deliveries_given_up on webhook_deliveries (finished_at) where status = 'failed';
