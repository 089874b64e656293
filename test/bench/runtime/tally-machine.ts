import { assign, setup } from 'xstate';
import type { DurableMachine } from '../../../runtime/durable/actors/durable-machine.ts';

/** An actor with about 300 bytes of state, all rewritten by each event, which asks for one effect. */
interface TallyContext {
  readonly count: number;
  readonly last: string;
  readonly note: string;
}

type TallyEvent = { type: 'ADD'; id: string; burnMs?: number } | { type: 'DONE' };

export const NOTE = 'n'.repeat(220);

const machine = setup({
  types: {} as { context: TallyContext; events: TallyEvent },
  actions: {
    tell: (_, _params: { id: string }) => {
      throw new Error('never run live');
    },
  },
}).createMachine({
  id: 'tally',
  context: { count: 0, last: '', note: NOTE },
  on: {
    DONE: {},
    ADD: {
      actions: [
        assign(({ context, event }) => {
          burn(event.burnMs ?? 0);
          return { count: context.count + 1, last: event.id };
        }),
        { type: 'tell', params: ({ event }) => ({ id: event.id }) },
      ],
    },
  },
});

/** A machine that thinks: it costs a processor, and nothing else. */
function burn(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

export const tally: DurableMachine = {
  kind: 'tally',
  version: 1,
  logic: machine,
  effects: ['tell'],
  validate: () => {},
  migrate: {},
};
