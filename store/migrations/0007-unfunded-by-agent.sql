-- Orders that wait for money, agent by agent: one reading of an account serves all that its agent has, and many orders of one
-- agent do not keep those of another waiting.
create index orders_unfunded_of_agent on orders (handle, seq) include (limit_price) where status = 'unfunded';
