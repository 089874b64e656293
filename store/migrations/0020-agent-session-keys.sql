-- Which agents an address acts for: their accounts and owners are indexed, their session keys were not.
create index agents_session_key on agents (session_key);
