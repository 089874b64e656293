import { assign, setup } from 'xstate';

interface AgentInput {
  readonly handle: string;
  /** How long the mandate still runs, by the runtime's clock at birth. */
  readonly mandateEndsInMs: number;
}

interface AgentContext {
  readonly handle: string;
  readonly mandateEndsInMs: number;
  /** Deals under way: settled, stopped and failed ones leave. */
  readonly deals: readonly string[];
}

type AgentEvent =
  | { type: 'LISTED'; listingRef: string }
  | { type: 'RESTED'; orderId: string }
  | { type: 'MATCHED'; dealId: string }
  | { type: 'DEAL_CLOSED'; dealId: string }
  | { type: 'PAUSE' }
  | { type: 'RESUME' }
  | { type: 'RETIRE' }
  | { type: 'TRANSFERRED' };

function never(): never {
  throw new Error('a durable machine is never run live: its actions are rows in the outbox');
}

const closeDeal = assign<
  AgentContext,
  Extract<AgentEvent, { type: 'DEAL_CLOSED' }>,
  undefined,
  AgentEvent,
  never
>({
  deals: ({ context, event }) => context.deals.filter((d) => d !== event.dealId),
});

/**
 * The life of a minted agent. It may rest orders only while `active`; leaving `active` withdraws what rests.
 * A deal under way is never dropped: its own actor carries it to the end.
 */
export const agentMachine = setup({
  types: {} as { context: AgentContext; events: AgentEvent; input: AgentInput },
  delays: { mandateEnd: ({ context }) => context.mandateEndsInMs },
  actions: {
    'withdraw-orders': (_, _params: { handle: string }) => never(),
  },
}).createMachine({
  id: 'agent',
  context: ({ input }) => ({ handle: input.handle, mandateEndsInMs: input.mandateEndsInMs, deals: [] }),
  initial: 'active',
  on: {
    DEAL_CLOSED: { actions: closeDeal },
    RETIRE: '.retired',
  },
  states: {
    active: {
      initial: 'watching',
      after: { mandateEnd: 'paused' },
      exit: { type: 'withdraw-orders', params: ({ context }) => ({ handle: context.handle }) },
      on: {
        PAUSE: 'paused',
        TRANSFERRED: 'paused',
        MATCHED: {
          target: '.dealing',
          actions: assign({ deals: ({ context, event }) => [...context.deals, event.dealId] }),
        },
      },
      states: {
        watching: { on: { RESTED: 'resting', LISTED: 'resting' } },
        resting: {},
        dealing: {
          on: {
            DEAL_CLOSED: [
              { guard: ({ context }) => context.deals.length <= 1, target: 'watching', actions: closeDeal },
              { actions: closeDeal },
            ],
          },
        },
      },
    },
    paused: { on: { RESUME: 'active' } },
    retired: { type: 'final' },
  },
});

export const AGENT_EFFECTS = ['withdraw-orders'] as const;
