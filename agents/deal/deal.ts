import { assign, setup } from 'xstate';
import { type Asked, asksOnlyWhatWasKnown, isAgreed, type Side } from './asked.ts';

/** How often a deal is determined at most: what never settles while its determinations hold is unwound. */
export const MOST_ROUNDS = 10;

/** The result of one side's determinations under its owner's signed settings at that moment. */
type Outcome = 'pass' | 'ask' | 'stop';

interface DealInput {
  readonly dealId: string;
  /** How long an owner may take over a decision before the deal is unwound. */
  readonly decisionMs: number;
  /** How long the buyer's owner may keep the lot from others who has nothing to decide but what was known before. */
  readonly approvalMs: number;
}

interface DealContext extends DealInput {
  readonly buyer: Outcome | null;
  readonly seller: Outcome | null;
  /** How often both sides have determined; 0 before the first time. */
  readonly round: number;
  /** When that was, in milliseconds; null where it is not known. */
  readonly at: number | null;
  /** What each side's owner is asked about, and what it agreed to. It is asked again about nothing that it agreed to. */
  readonly asked: Asked;
  readonly agreed: Asked;
  /** The settlement's transaction, and its block in decimal. */
  readonly tx: string | null;
  readonly block: string | null;
  readonly reason: string | null;
}

interface Determined {
  readonly outcomes: Readonly<Partial<Record<Side, Outcome>>>;
  readonly reason?: string;
  /** Absent in what an earlier release determined, as are the next two. */
  readonly round?: number;
  /** When the evidence was gathered, in milliseconds. */
  readonly at?: number;
  readonly asked?: Asked;
}

type DealEvent =
  | ({ type: 'DETERMINED' } & Determined)
  /** As version 2 asked for it, each side by itself. */
  | { type: 'DETERMINED'; side: Side; outcome: Outcome; reason?: string }
  | { type: 'DECIDED'; side: Side; decision: 'proceed' | 'stop' }
  | { type: 'SETTLED'; tx: string; block?: string }
  /** Nothing was settled: what was determined is too old for that. */
  | { type: 'OUTDATED' }
  /** After a reorg the settlement stands in another transaction or block. */
  | { type: 'MOVED'; tx: string; block: string }
  /** After a reorg the settlement is gone, and it is not settled again. */
  | { type: 'TAKEN_BACK'; reason: string }
  | { type: 'RECORDED' }
  | { type: 'UNWOUND' }
  | { type: 'EFFECT_FAILED'; effect: string; reason: string };

function never(): never {
  throw new Error('a durable machine is never run live: its actions are rows in the outbox');
}

function determined(context: DealContext, event: DealEvent): DealContext {
  if (event.type !== 'DETERMINED') return context;
  const told: Determined = 'outcomes' in event ? event : { outcomes: { [event.side]: event.outcome } };
  const { asked = {}, round = 1, at = null } = told;
  const outcomes = Object.fromEntries(
    Object.entries(told.outcomes).map(([side, outcome]) => [
      side,
      outcome === 'ask' && isAgreed(context.agreed[side as Side], asked[side as Side]) ? 'pass' : outcome,
    ]),
  );
  const passed = Object.values(outcomes).every((outcome) => outcome === 'pass');
  const reason = passed ? context.reason : (event.reason ?? context.reason);
  return { ...context, ...outcomes, reason, round, at, asked };
}

function isAsked(context: DealContext, event: DealEvent): boolean {
  return event.type === 'DECIDED' && context[event.side] === 'ask';
}

/** Whether the lot is kept only until the buyer's owner agrees to what was known when the order was placed. */
export function holdsLot({ buyer, asked }: Pick<DealContext, 'buyer' | 'asked'>): boolean {
  return buyer === 'ask' && asksOnlyWhatWasKnown(asked.buyer);
}

function proceeding(context: DealContext, event: DealEvent): DealContext {
  if (event.type !== 'DECIDED') return context;
  const { side } = event;
  return {
    ...context,
    [side]: 'pass',
    agreed: { ...context.agreed, [side]: context.asked[side] ?? [] },
  };
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

/** Migrates a snapshot of version 3, which did not know when its sides had determined, nor what they asked about. */
export function dealFromV3(stored: unknown): unknown {
  const snapshot = stored as { readonly context: DealContext };
  return { ...snapshot, context: { ...snapshot.context, round: 1, at: null, asked: {}, agreed: {} } };
}

/** Migrates a snapshot of version 4, which gave the buyer's owner as long as the seller's whatever was asked. */
export function dealFromV4(stored: unknown): unknown {
  const snapshot = stored as { readonly context: DealContext };
  const { decisionMs } = snapshot.context;
  return { ...snapshot, context: { ...snapshot.context, approvalMs: decisionMs } };
}

/**
 * One deal from the match to the public record. Each side determines on the other, and each side's owner decides by its
 * settings what a finding causes. Settlement is one transaction on chain; every other way out releases what was
 * reserved. Where the determinations are too old when it would settle, both sides determine once more, and an owner is
 * asked again only about what was not there when it agreed. A reorg may move a settlement or take it back, also when it is
 * recorded already.
 */
export const dealMachine = setup({
  types: {} as { context: DealContext; events: DealEvent; input: DealInput },
  delays: {
    decision: ({ context }) => context.decisionMs,
    approval: ({ context }) => context.approvalMs,
  },
  actions: {
    determine: (_, _params: { dealId: string; round: number }) => never(),
    settle: (_, _params: { dealId: string; determinedAt: number | null }) => never(),
    'record-deal': (_, _params: { dealId: string; round: number }) => never(),
    unwind: (_, _params: { dealId: string; reason: string }) => never(),
    // What was determined counts no more.
    outdate: assign({ buyer: null, seller: null }),
    determined: assign(({ context, event }) => determined(context, event)),
    late: assign({ reason: 'the owner did not decide in time' }),
    place: assign(({ context, event }) => settledIn(context, event)),
    proceed: assign(({ context, event }) => proceeding(context, event)),
    'take back': assign(({ context, event }) => takenBack(context, event)),
  },
  guards: {
    pending: ({ context }) => context.buyer === null || context.seller === null,
    stopped: ({ context }) => context.buyer === 'stop' || context.seller === 'stop',
    asks: ({ context, event }) => isAsked(context, event),
    'other asks': ({ context, event }) =>
      isAsked(context, event) && context.buyer === 'ask' && context.seller === 'ask',
    'holds the lot': ({ context }) => holdsLot(context),
    'too often': ({ context }) => context.round >= MOST_ROUNDS,
    asking: ({ context }) => context.buyer === 'ask' || context.seller === 'ask',
  },
}).createMachine({
  id: 'deal',
  context: ({ input }) => ({
    ...input,
    ...{ buyer: null, seller: null, tx: null, block: null, reason: null },
    ...{ round: 0, at: null, asked: {}, agreed: {} },
  }),
  initial: 'determining',
  states: {
    determining: {
      entry: {
        type: 'determine',
        params: ({ context }) => ({ dealId: context.dealId, round: context.round + 1 }),
      },
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
        decision: { target: 'unwinding', actions: 'late' },
        // An order costs nothing: the lot is not kept from others for longer by a buyer who only asks himself.
        approval: { guard: 'holds the lot', target: 'unwinding', actions: 'late' },
      },
      on: {
        DECIDED: [
          {
            guard: ({ event }) => event.decision === 'stop',
            target: 'unwinding',
            actions: assign({ reason: ({ event }) => `the ${event.side}'s owner stopped the deal` }),
          },
          // The other one has what is left of the time that both were given: its deadline never moves.
          { guard: 'other asks', actions: 'proceed' },
          { guard: 'asks', target: 'weighing', actions: 'proceed' },
        ],
      },
    },
    settling: {
      entry: {
        type: 'settle',
        params: ({ context }) => ({ dealId: context.dealId, determinedAt: context.at }),
      },
      on: {
        SETTLED: { target: 'settled', actions: 'place' },
        OUTDATED: [
          {
            guard: 'too often',
            target: 'unwinding',
            actions: [
              'outdate',
              assign({ reason: 'the determinations were too old each time it would settle' }),
            ],
          },
          { target: 'determining', actions: 'outdate' },
        ],
        EFFECT_FAILED: { target: 'unwinding', actions: assign({ reason: ({ event }) => event.reason }) },
      },
    },
    settled: {
      entry: {
        type: 'record-deal',
        params: ({ context }) => ({ dealId: context.dealId, round: Math.max(1, context.round) }),
      },
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
      on: {
        UNWOUND: 'stopped',
        // What is to be undone was settled all the same, as a database that was set back in time finds out.
        SETTLED: { target: 'settled', actions: ['place', assign({ reason: null })] },
      },
    },
    stopped: { type: 'final' },
  },
});

export const DEAL_EFFECTS = ['determine', 'settle', 'record-deal', 'unwind'] as const;
