import { assign, cancel, not, raise, setup } from 'xstate';
import {
  type AgentContext,
  type AgentEvent,
  type AgentInput,
  DEAF,
  heldFor,
  liftedBy,
  lookFor,
  newborn,
  noted,
  type OwnerChange,
  RETRY_MS,
  retryAfter,
  suspender,
  transferred,
  withoutReasons,
  withReason,
} from './agent-context.ts';

/** What one evaluation reads: some lots, or a page of the whole market. */
interface Page {
  readonly handle: string;
  /** Null: of the whole market. */
  readonly lots: readonly string[] | null;
  /** The page after this place; null: the first. */
  readonly after: string | null;
  /** Whether other pages follow. */
  readonly pages: boolean;
}

/** How long it waits before the next page of the market, so that the pages of many agents take turns. */
const NEXT_PAGE_MS = 2_000;
/** After so long a page that was asked for is asked for again. */
const UNREPORTED_MS = 600_000;

function never(): never {
  throw new Error('a durable machine is never run live: its actions are rows in the outbox');
}

const agent = setup({
  types: {} as { context: AgentContext; events: AgentEvent; input: AgentInput },
  delays: {
    mandateEnd: ({ context }) => context.mandateEndsInMs,
    watchEvery: ({ context }) => context.watchEveryMs,
  },
  guards: {
    isSuspended: ({ context }) => heldFor(context, ['operator', 'money']),
    isTransferred: ({ context }) => context.suspensionReasons.includes('new-owner'),
    isHeld: ({ context }) => context.suspensionReasons.length > 0,
    hasEnded: ({ context }) => context.keysEnded && context.deals.length === 0,
    isSigned: ({ context }) => context.ending !== null,
    isDealing: ({ context }) => context.deals.length > 0,
    isChanging: ({ context }) => context.changing !== null,
    hasResting: ({ context }) => context.resting,
    mandateRuns: ({ context }) => !context.suspensionReasons.includes('mandate-end'),
    liftsHold: ({ context, event }) =>
      event.type === 'MANDATE_SET' && heldFor(context, liftedBy(context, event)),
  },
  actions: {
    'withdraw-orders': (_, _params: { handle: string }) => never(),
    'review-orders': (_, _params: { handle: string }) => never(),
    'evaluate-market': (_, _params: Page) => never(),
    'relay-owner-act': (_, _params: { actId: string; key: string }) => never(),
    'record-owner': (_, _params: { handle: string } & OwnerChange) => never(),
    /** Updates the context after any event. */
    note: assign(({ context, event }) => noted(context, event)),
    rest: assign({ resting: true }),
    end: assign(({ context }) => withReason(context, 'mandate-end')),
    endKeys: assign({ keysEnded: true }),
  },
});

/** Begins the evaluation that is asked for. One of the whole market takes the place of whichever is set for later. */
const begin = agent.enqueueActions(({ context: { handle, again }, enqueue }) => {
  if (again === 'all') {
    enqueue.cancel('watch');
    enqueue.cancel('soon');
    enqueue.cancel('next');
    enqueue.assign({ sweeps: false, cursor: null, soon: null });
  }
  enqueue.assign({ evaluating: true, again: null });
  const lots = again === 'all' || again === 'newest' ? null : again;
  enqueue({ type: 'evaluate-market', params: { handle, lots, after: null, pages: again === 'all' } });
});

/**
 * Evaluates the next page of the market; what has moved meanwhile comes first. While there is a next page, the timer that
 * asks for it stands: a page that nobody reports is evaluated again.
 */
const goOn = agent.enqueueActions(({ context, enqueue }) => {
  const { handle, watches, watchEveryMs, cursor, changing, evaluating } = context;
  if (cursor === null) return;
  if (!watches || watchEveryMs === 0) {
    enqueue.assign({ cursor: null });
    return;
  }
  const waits = evaluating || changing !== null;
  enqueue.raise({ type: 'GO_ON' }, { delay: waits ? NEXT_PAGE_MS : UNREPORTED_MS, id: 'next' });
  if (waits) return;
  enqueue.assign({ evaluating: true });
  enqueue({ type: 'evaluate-market', params: { handle, lots: null, after: cursor, pages: true } });
});

/** Evaluates now what the event is about. While an evaluation is under way, another one follows it. */
const look = agent.enqueueActions(({ context, event, enqueue }) => {
  if (!context.watches || context.watchEveryMs === 0 || context.changing !== null) return;
  enqueue.assign({ again: lookFor(event, context) });
  if (!context.evaluating) enqueue(begin);
});

/** After how long the next page is evaluated, or the same again where nothing was read; null: when it was to be. */
function nextPageIn(event: AgentEvent, { cursor }: AgentContext): number | null {
  if (event.type !== 'SURVEYED') return null;
  if (typeof event.next === 'string') return NEXT_PAGE_MS;
  return event.unread && cursor !== null ? RETRY_MS : null;
}

/**
 * After an evaluation: the next one, of what has moved meanwhile, the timer of the next page of the whole market, and after
 * the last page that of the next evaluation of the whole market. The
 * evaluation of single lots does not move that timer, however many are told.
 */
const lookLater = agent.enqueueActions(({ context, event, enqueue }) => {
  if (!context.watches || context.evaluating || context.watchEveryMs === 0) return;
  const soon = retryAfter(event, context);
  if (soon !== null) {
    enqueue.raise({ type: 'WATCH' }, { delay: soon, id: 'soon' });
    enqueue.assign({ soon: null });
  }
  if (event.type === 'SURVEYED' && event.next === null) enqueue.cancel('next');
  const delay = nextPageIn(event, context);
  if (delay !== null && context.again !== 'all') enqueue.raise({ type: 'GO_ON' }, { delay, id: 'next' });
  if (context.again !== 'all' && !context.sweeps && context.cursor === null) {
    enqueue.raise({ type: 'WATCH' }, { delay: 'watchEvery', id: 'watch' });
    enqueue.assign({ sweeps: true });
  }
  if (context.again !== null && context.changing === null) enqueue(begin);
});

/** Sets the timer of the mandate's end again, whichever version of this machine set it before. */
const beginTerm = agent.enqueueActions(({ enqueue }) => {
  enqueue.cancel('xstate.after.mandateEnd.agent.active');
  enqueue.raise({ type: 'MANDATE_END' }, { delay: 'mandateEnd', id: 'mandate-end' });
});

const relay = agent.enqueueActions(({ event, enqueue }) => {
  if (event.type !== 'SIGNED') return;
  const { actId } = event;
  enqueue({ type: 'relay-owner-act', params: { actId, key: `owner-act:${actId}` } });
});

const relayEnd = agent.enqueueActions(({ context: { ending }, enqueue }) => {
  if (ending !== null)
    enqueue({ type: 'relay-owner-act', params: { actId: ending, key: `owner-act:${ending}` } });
});

/** A change of owner without a transfer of the agent's own token is recorded from what was seen. */
const recordOwner = agent.enqueueActions(({ context: { handle }, event, enqueue }) => {
  if (event.type !== 'TRANSFERRED' || event.ownerChange === undefined) return;
  enqueue({ type: 'record-owner', params: { handle, ...event.ownerChange } });
});

/**
 * The life of an agent, from its mint to its end. The checkout actor does the mint.
 *
 * The agent has resting orders only while it is `active`; whatever makes it inactive withdraws them. It is active exactly
 * while there is no reason to suspend it: a pause by its owner at the service or on chain, a pause by the guardian, the
 * end of its mandate, a new owner who has signed no mandate yet, or a suspension by the operator. Whoever set a reason
 * lifts it. A new mandate lifts the end of the old one, and the reason that a new owner had none. A deal under way is
 * never dropped: its own actor finishes it even when the agent has stopped, and an agent that retires waits for its
 * deals before its keys end.
 */
export const agentMachine = agent.createMachine({
  id: 'agent',
  context: ({ input }) => newborn(input),
  initial: 'active',
  entry: raise({ type: 'MANDATE_END' }, { delay: 'mandateEnd', id: 'mandate-end' }),
  on: {
    '*': { actions: 'note' },
    SIGNED: { actions: ['note', relay] },
    PAUSE: {
      guard: ({ context, event }) => !heldFor(context, [event.by ?? 'owner']),
      target: '.judging',
      actions: assign(({ context, event }) => withReason(context, event.by ?? 'owner')),
    },
    RESUME: {
      guard: ({ context, event }) => heldFor(context, event.by ?? ['owner']),
      target: '.judging',
      actions: assign(({ context, event }) => withoutReasons(context, event.by ?? ['owner'])),
    },
    TRANSFERRED: {
      target: '.judging',
      actions: [assign(({ context, event }) => transferred(context, event.epoch)), recordOwner],
    },
    MANDATE_END: { guard: 'mandateRuns', target: '.judging', actions: 'end' },
    // The name that version 1 of this machine gave the timer: such timers may still be set.
    'xstate.after.mandateEnd.agent.active': { guard: 'mandateRuns', target: '.judging', actions: 'end' },
    MANDATE_SET: [
      { guard: 'liftsHold', target: '.judging', actions: ['note', beginTerm] },
      { actions: ['note', beginTerm] },
    ],
    SUSPEND: {
      guard: ({ context, event }) => !heldFor(context, [suspender(event)]),
      target: '.judging',
      actions: assign(({ context, event }) => withReason(context, suspender(event))),
    },
    REINSTATE: {
      guard: ({ context, event }) => heldFor(context, [suspender(event)]),
      target: '.judging',
      actions: assign(({ context, event }) => withoutReasons(context, [suspender(event)])),
    },
    RETIRE: '.retiring',
  },
  states: {
    judging: {
      always: [
        { guard: 'isSuspended', target: 'suspended' },
        { guard: 'isTransferred', target: 'transferred' },
        { guard: 'isHeld', target: 'paused' },
        { target: 'active' },
      ],
    },
    active: {
      initial: 'weighing',
      entry: look,
      exit: [
        cancel('watch'),
        cancel('soon'),
        cancel('next'),
        assign({ resting: false, again: null, cursor: null, soon: null, sweeps: false }),
        { type: 'withdraw-orders', params: ({ context }) => ({ handle: context.handle }) },
      ],
      on: {
        LISTED: { target: '.weighing', actions: 'rest' },
        RESTED: { target: '.weighing', actions: 'rest' },
        MATCHED: { target: '.weighing', actions: 'note' },
        DEAL_CLOSED: { target: '.weighing', actions: ['note', look] },
        WATCH: { actions: look },
        GO_ON: { actions: goOn },
        MARKET: { actions: ['note', look] },
        SURVEYED: { target: '.weighing', actions: ['note', lookLater] },
        EFFECT_FAILED: { target: '.weighing', actions: ['note', lookLater] },
        SIGNED: { target: '.weighing', actions: ['note', relay] },
        ACT_FAILED: { target: '.weighing', actions: ['note', look] },
        // It was not suspended: it goes on, and withdraws the orders that the new mandate does not allow.
        MANDATE_SET: {
          target: '.weighing',
          actions: [
            'note',
            beginTerm,
            { type: 'review-orders', params: ({ context }) => ({ handle: context.handle }) },
            look,
          ],
        },
      },
      states: {
        weighing: {
          always: [
            { guard: 'isDealing', target: 'dealing' },
            { guard: 'isChanging', target: 'mandate-change' },
            { guard: 'hasResting', target: 'resting' },
            { target: 'watching' },
          ],
        },
        watching: {},
        resting: {},
        'mandate-change': {},
        // How far each deal has come is the state of the deal's own machine.
        dealing: {},
      },
    },
    paused: {},
    transferred: {},
    suspended: {},
    retiring: {
      initial: 'closing',
      on: {
        ...DEAF,
        // The end of the mandate and a transfer also end the keys.
        TRANSFERRED: { actions: ['endKeys', recordOwner] },
        MANDATE_END: { actions: 'endKeys' },
        'xstate.after.mandateEnd.agent.active': { actions: 'endKeys' },
        SIGNED: { actions: 'note' },
      },
      states: {
        // The keys end only after the deals that they still have to sign.
        closing: { always: { guard: not('isDealing'), target: 'ending' } },
        ending: {
          always: [
            { guard: 'isDealing', target: 'closing' },
            { guard: 'hasEnded', target: '#agent.retired' },
            { guard: 'isSigned', target: 'revoking' },
          ],
        },
        revoking: {
          entry: relayEnd,
          always: [
            { guard: 'hasEnded', target: '#agent.retired' },
            { guard: not('isSigned'), target: 'ending' },
          ],
        },
      },
    },
    retired: { type: 'final' },
  },
});

export const AGENT_EFFECTS = [
  'withdraw-orders',
  'review-orders',
  'evaluate-market',
  'relay-owner-act',
  'record-owner',
] as const;
