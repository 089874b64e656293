import { assign, setup } from 'xstate';

type Side = 'buyer' | 'seller';

/** The result of one side's determinations under its owner's signed settings at that moment. */
type Outcome = 'pass' | 'ask' | 'stop';

interface DealInput {
  readonly dealId: string;
  /** How long an owner may take over a decision before the deal is unwound. */
  readonly decisionMs: number;
}

interface DealContext {
  readonly dealId: string;
  readonly decisionMs: number;
  readonly buyer: Outcome | null;
  readonly seller: Outcome | null;
  /** The settlement's transaction, and its block in decimal. */
  readonly tx: string | null;
  readonly block: string | null;
  readonly reason: string | null;
}

type DealEvent =
  | { type: 'DETERMINED'; outcomes: Readonly<Partial<Record<Side, Outcome>>>; reason?: string }
  /** As version 2 asked for it, each side by itself. */
  | { type: 'DETERMINED'; side: Side; outcome: Outcome; reason?: string }
  | { type: 'DECIDED'; side: Side; decision: 'proceed' | 'stop' }
  | { type: 'SETTLED'; tx: string; block?: string }
  /** After a reorg the settlement stands in another transaction or block. */
  | { type: 'MOVED'; tx: string; block: string }
  /** After a reorg the settlement is gone, and the chain refuses it now. */
  | { type: 'TAKEN_BACK'; reason: string }
  | { type: 'RECORDED' }
  | { type: 'UNWOUND' }
  | { type: 'EFFECT_FAILED'; effect: string; reason: string };

function never(): never {
  throw new Error('a durable machine is never run live: its actions are rows in the outbox');
}

function determined(context: DealContext, event: DealEvent): DealContext {
  if (event.type !== 'DETERMINED') return context;
  const outcomes = 'outcomes' in event ? event.outcomes : { [event.side]: event.outcome };
  const passed = Object.values(outcomes).every((outcome) => outcome === 'pass');
  return { ...context, ...outcomes, reason: passed ? context.reason : (event.reason ?? context.reason) };
}

function settledIn(context: DealContext, event: DealEvent): DealContext {
  return 'tx' in event ? { ...context, tx: event.tx, block: event.block ?? null } : context;
}

function takenBack(context: DealContext, event: DealEvent): DealContext {
  return event.type === 'TAKEN_BACK' ? { ...context, tx: null, block: null, reason: event.reason } : context;
}

/** What a reorg does to a settlement. */
const REORG = {
  MOVED: { actions: 'place' },
  TAKEN_BACK: { target: 'failed', actions: 'take back' },
} as const;

/**
 * Migrates a snapshot of version 1, which did not know its block, and for which a deal was over once it was recorded.
 */
export function dealFromV1(stored: unknown): unknown {
  const { output: _, ...snapshot } = stored as {
    readonly value: string;
    readonly status: string;
    readonly output?: unknown;
    readonly context: DealContext;
  };
  const status = snapshot.value === 'recorded' ? 'active' : snapshot.status;
  return { ...snapshot, status, context: { ...snapshot.context, block: null } };
}

/**
 * One deal from the match to the public record. Each side determines on the other, and each side's owner decides by its
 * settings what a finding causes. Settlement is one transaction on chain; every other way out releases what was
 * reserved. A reorg may move a settlement or take it back, also when it is recorded already.
 */
export const dealMachine = setup({
  types: {} as { context: DealContext; events: DealEvent; input: DealInput },
  delays: { decision: ({ context }) => context.decisionMs },
  actions: {
    determine: (_, _params: { dealId: string }) => never(),
    settle: (_, _params: { dealId: string }) => never(),
    'record-deal': (_, _params: { dealId: string }) => never(),
    unwind: (_, _params: { dealId: string; reason: string }) => never(),
    determined: assign(({ context, event }) => determined(context, event)),
    place: assign(({ context, event }) => settledIn(context, event)),
    'take back': assign(({ context, event }) => takenBack(context, event)),
  },
  guards: {
    pending: ({ context }) => context.buyer === null || context.seller === null,
    stopped: ({ context }) => context.buyer === 'stop' || context.seller === 'stop',
    asking: ({ context }) => context.buyer === 'ask' || context.seller === 'ask',
  },
}).createMachine({
  id: 'deal',
  context: ({ input }) => ({ ...input, buyer: null, seller: null, tx: null, block: null, reason: null }),
  initial: 'determining',
  states: {
    determining: {
      entry: { type: 'determine', params: ({ context }) => ({ dealId: context.dealId }) },
      on: {
        DETERMINED: { target: 'weighing', actions: 'determined' },
        EFFECT_FAILED: { target: 'unwinding', actions: assign({ reason: ({ event }) => event.reason }) },
      },
    },
    // One stop is enough to unwind, and a pass waits for the other side.
    weighing: {
      always: [
        { guard: 'stopped', target: 'unwinding' },
        { guard: 'pending', target: 'waiting' },
        { guard: 'asking', target: 'awaiting-owner' },
        { target: 'settling' },
      ],
    },
    waiting: {
      on: {
        DETERMINED: { target: 'weighing', actions: 'determined' },
        EFFECT_FAILED: { target: 'unwinding', actions: assign({ reason: ({ event }) => event.reason }) },
      },
    },
    'awaiting-owner': {
      after: {
        decision: { target: 'unwinding', actions: assign({ reason: 'the owner did not decide in time' }) },
      },
      on: {
        DECIDED: [
          {
            guard: ({ event }) => event.decision === 'stop',
            target: 'unwinding',
            actions: assign({ reason: ({ event }) => `the ${event.side}'s owner stopped the deal` }),
          },
          {
            guard: ({ context, event }) => context[event.side] === 'ask',
            target: 'weighing',
            actions: assign(({ context, event }) => ({ ...context, [event.side]: 'pass' })),
          },
        ],
      },
    },
    settling: {
      entry: { type: 'settle', params: ({ context }) => ({ dealId: context.dealId }) },
      on: {
        SETTLED: { target: 'settled', actions: 'place' },
        EFFECT_FAILED: { target: 'unwinding', actions: assign({ reason: ({ event }) => event.reason }) },
      },
    },
    settled: {
      entry: { type: 'record-deal', params: ({ context }) => ({ dealId: context.dealId }) },
      on: { RECORDED: 'recorded', ...REORG },
    },
    recorded: { on: REORG },
    failed: { type: 'final' },
    unwinding: {
      entry: [
        assign({ reason: ({ context }) => context.reason ?? 'a determination was not CLEAN' }),
        {
          type: 'unwind',
          params: ({ context }) => ({ dealId: context.dealId, reason: String(context.reason) }),
        },
      ],
      on: { UNWOUND: 'stopped' },
    },
    stopped: { type: 'final' },
  },
});

export const DEAL_EFFECTS = ['determine', 'settle', 'record-deal', 'unwind'] as const;
