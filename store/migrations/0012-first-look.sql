-- Agents that were minted before agents looked at the market by themselves take their first look. An EXECUTOR never does.
insert into mailbox (actor_id, event_id, event)
select actors.id, 'first-look', '{"type":"WATCH"}'::jsonb
from actors join agents on actors.id = 'agent:' || agents.handle
where agents.tier = 'AGENT' and agents.status = 'active' and actors.status = 'active'
on conflict (actor_id, event_id) do nothing;
