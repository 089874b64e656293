import { assign, cancel, not, raise, setup } from 'xstate';
import {
  type AgentContext,
  type AgentEvent,
  type AgentInput,
  DEAF,
  type DealStage,
  heldFor,
  liftedBy,
  newborn,
  noted,
  type OwnerChange,
  suspender,
  transferred,
  withHold,
  withoutHolds,
} from './agent-context.ts';

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
    isTransferred: ({ context }) => context.holds.includes('new-owner'),
    isHeld: ({ context }) => context.holds.length > 0,
    hasEnded: ({ context }) => context.keysEnded && context.deals.length === 0,
    isSigned: ({ context }) => context.ending !== null,
    isAt: ({ context }, { stage }: { stage: DealStage }) => Object.values(context.stages).includes(stage),
    isDealing: ({ context }) => context.deals.length > 0,
    isChanging: ({ context }) => context.changing !== null,
    hasResting: ({ context }) => context.resting,
    mandateRuns: ({ context }) => !context.holds.includes('mandate-end'),
    liftsHold: ({ context, event }) =>
      event.type === 'MANDATE_SET' && heldFor(context, liftedBy(context, event)),
  },
  actions: {
    'withdraw-orders': (_, _params: { handle: string }) => never(),
    'review-orders': (_, _params: { handle: string }) => never(),
    survey: (_, _params: { handle: string }) => never(),
    'relay-owner-act': (_, _params: { actId: string; key: string }) => never(),
    'record-owner': (_, _params: { handle: string } & OwnerChange) => never(),
    /** What the agent knows of itself, after any event. */
    note: assign(({ context, event }) => noted(context, event)),
    rest: assign({ resting: true }),
    end: assign(({ context }) => withHold(context, 'mandate-end')),
    endKeys: assign({ keysEnded: true }),
  },
});

/** Looks at the market now; where it looks already, once more afterwards. */
const look = agent.enqueueActions(({ context, enqueue }) => {
  if (!context.watches || context.changing !== null) return;
  if (context.surveying) return enqueue.assign({ again: true });
  enqueue.cancel('watch');
  enqueue.assign({ surveying: true, again: false });
  enqueue({ type: 'survey', params: { handle: context.handle } });
});

const lookLater = agent.enqueueActions(({ context, enqueue }) => {
  if (!context.watches || context.surveying) return;
  if (context.again) enqueue(look as never);
  else enqueue.raise({ type: 'WATCH' }, { delay: 'watchEvery', id: 'watch' });
});

/** Sets the clock of a mandate anew, whichever version of this machine set the one before. */
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

/** What leaves no transfer of the agent's own on chain is recorded as one by what was seen. */
const recordOwner = agent.enqueueActions(({ context: { handle }, event, enqueue }) => {
  if (event.type !== 'TRANSFERRED' || event.behind === undefined) return;
  enqueue({ type: 'record-owner', params: { handle, ...event.behind } });
});

/**
 * The life of a minted agent, from its mint, which its checkout carries, to its end.
 *
 * It rests orders only while `active`; whatever takes it out of there withdraws what rests. It is active exactly while
 * nothing holds it: a pause by its owner, by word or on chain, a pause by the guardian, the end of its mandate, a new
 * owner who has signed nothing yet, the operator. Each hold is lifted by what set it, and a mandate lifts the last but
 * one and the end of the one before. A deal under way is never dropped: its own actor carries it to the end, also
 * when its agent has stopped, and an agent that retires waits for it before its keys end.
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
      actions: assign(({ context, event }) => withHold(context, event.by ?? 'owner')),
    },
    RESUME: {
      guard: ({ context, event }) => heldFor(context, event.by ?? ['owner']),
      target: '.judging',
      actions: assign(({ context, event }) => withoutHolds(context, event.by ?? ['owner'])),
    },
    TRANSFERRED: {
      target: '.judging',
      actions: [assign(({ context, event }) => transferred(context, event.epoch)), recordOwner],
    },
    MANDATE_END: { guard: 'mandateRuns', target: '.judging', actions: 'end' },
    // As the first version of this machine named it: such timers may still stand.
    'xstate.after.mandateEnd.agent.active': { guard: 'mandateRuns', target: '.judging', actions: 'end' },
    MANDATE_SET: [
      { guard: 'liftsHold', target: '.judging', actions: ['note', beginTerm] },
      { actions: ['note', beginTerm] },
    ],
    SUSPEND: {
      guard: ({ context, event }) => !heldFor(context, [suspender(event)]),
      target: '.judging',
      actions: assign(({ context, event }) => withHold(context, suspender(event))),
    },
    REINSTATE: {
      guard: ({ context, event }) => heldFor(context, [suspender(event)]),
      target: '.judging',
      actions: assign(({ context, event }) => withoutHolds(context, [suspender(event)])),
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
        assign({ resting: false, again: false }),
        { type: 'withdraw-orders', params: ({ context }) => ({ handle: context.handle }) },
      ],
      on: {
        LISTED: { target: '.weighing', actions: 'rest' },
        RESTED: { target: '.weighing', actions: 'rest' },
        MATCHED: { target: '.weighing', actions: 'note' },
        DEAL_AT: { target: '.weighing', actions: 'note' },
        DEAL_CLOSED: { target: '.weighing', actions: ['note', look] },
        WATCH: { actions: look },
        MARKET: { actions: look },
        SURVEYED: { target: '.weighing', actions: ['note', lookLater] },
        EFFECT_FAILED: { target: '.weighing', actions: ['note', lookLater] },
        SIGNED: { target: '.weighing', actions: ['note', relay] },
        ACT_FAILED: { target: '.weighing', actions: ['note', look] },
        // Nothing held it: it goes on, and takes back what the new mandate does not allow.
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
            { guard: { type: 'isAt', params: { stage: 'awaiting-owner' } }, target: 'awaiting-owner' },
            { guard: { type: 'isAt', params: { stage: 'recording' } }, target: 'recording' },
            { guard: { type: 'isAt', params: { stage: 'settling' } }, target: 'settling' },
            { guard: { type: 'isAt', params: { stage: 'determining' } }, target: 'determining' },
            { guard: 'isDealing', target: 'matched' },
            { guard: 'isChanging', target: 'mandate-change' },
            { guard: 'hasResting', target: 'resting' },
            { target: 'watching' },
          ],
        },
        watching: {},
        resting: {},
        'mandate-change': {},
        matched: {},
        determining: {},
        'awaiting-owner': {},
        settling: {},
        recording: {},
      },
    },
    paused: {},
    transferred: {},
    suspended: {},
    retiring: {
      initial: 'closing',
      on: {
        ...DEAF,
        // Whatever ends the mandate, or the ownership, ends the keys with it.
        TRANSFERRED: { actions: ['endKeys', recordOwner] },
        MANDATE_END: { actions: 'endKeys' },
        'xstate.after.mandateEnd.agent.active': { actions: 'endKeys' },
        SIGNED: { actions: 'note' },
      },
      states: {
        // A key that ended now would break the deals that it is to sign.
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
  'survey',
  'relay-owner-act',
  'record-owner',
] as const;
