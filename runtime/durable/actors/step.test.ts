import { expect, it } from 'vitest';
import { initialTransition, transition } from 'xstate';
import { agentActor } from '../../machines.ts';
import { persist } from './snapshots.ts';
import { step } from './step.ts';

it('what has ended takes its mail and stays where it ended', () => {
  const [born] = initialTransition(agentActor.logic, { handle: 'ann', mandateEndsInMs: 5000 } as never);
  const [ended] = [{ type: 'RETIRE' }, { type: 'KEYS_ENDED' }].reduce(
    ([snapshot], event) => transition(agentActor.logic, snapshot, event as never) as never,
    [born] as [typeof born],
  );
  expect(ended).toMatchObject({ value: 'retired', status: 'done' });
  const messages = [{ seq: '1', eventId: 'late', event: { type: 'TRANSFERRED', epoch: 2 } }];
  const actor = {
    id: 'agent:ann',
    kind: agentActor.kind,
    version: agentActor.version,
    snapshot: persist(agentActor, ended),
    revision: 3n,
    next_batch_at: null,
    messages,
    timers: {},
  };
  const taken = step(agentActor, actor, new Date(0));
  expect(taken.snapshot).toMatchObject({ value: 'retired', status: 'done' });
  expect(taken.served).toEqual(messages);
});
