import { assign, setup } from 'xstate';

interface AuctionInput {
  readonly auctionId: string;
  /** How long the auction lasts, counted from its start by the runtime's clock. */
  readonly durationMs: number;
}

interface AuctionContext {
  readonly auctionId: string;
  /** How long until the end is tried. */
  readonly waitMs: number;
  readonly dealId: string | null;
}

type AuctionEvent =
  /** A late bid moved the end, an end was put off as who had made its price may not buy, or it had not come yet. */
  | { type: 'EXTENDED'; waitMs: number }
  /** The name has a buyer: the first who took a falling price, or the highest bidder at the end. */
  | { type: 'WON'; dealId: string }
  /** The winner's deal did not settle, and others may bid now that its bid is out. */
  | { type: 'GOES_ON'; waitMs: number }
  /** The winner's deal did not settle: the next bid has the name, or nobody has. */
  | { type: 'PASSED_ON'; dealId: string | null }
  /** The auction ended without a buyer, and the name is for sale at its ask again. */
  | { type: 'UNSOLD' }
  /** The name left the market during the auction. */
  | { type: 'WITHDRAWN' }
  | { type: 'EFFECT_FAILED'; effect: string; reason: string };

function never(): never {
  throw new Error('a durable machine is never run live: its actions are rows in the outbox');
}

/** Migrates a snapshot of version 1, for which an auction was over once it was won. */
export function auctionFromV1(stored: unknown): unknown {
  const { output: _, ...snapshot } = stored as { value: unknown; status: string; output?: unknown };
  return snapshot.value === 'won' ? { ...snapshot, status: 'active' } : snapshot;
}

/** How long to wait before the end is tried again after it failed. */
const AGAIN_MS = 60_000;

/** What was not asked of the seller's order while it stood in the auction, or in the deal of its winner. */
const REVIEW = {
  type: 'review-after-auction',
  params: ({ context }: { context: AuctionContext }) => ({ auctionId: context.auctionId }),
} as const;

/**
 * The clock of one auction. Who may bid, who leads and when bidding ends is decided where the bids are stored, under
 * the lot's lock. This actor waits for the end and carries it out, even when processes die in between. How the auction
 * ended is its state, which it is told under that lock.
 */
export const auctionMachine = setup({
  types: {} as { context: AuctionContext; events: AuctionEvent; input: AuctionInput },
  delays: { end: ({ context }) => context.waitMs },
  actions: {
    'close-auction': (_, _params: { auctionId: string }) => never(),
    'review-after-auction': (_, _params: { auctionId: string }) => never(),
    'pass on': assign({
      dealId: ({ context, event }) => ('dealId' in event ? event.dealId : context.dealId),
    }),
  },
  guards: { hasNext: ({ event }) => event.type === 'PASSED_ON' && event.dealId !== null },
}).createMachine({
  id: 'auction',
  context: ({ input }) => ({ auctionId: input.auctionId, waitMs: input.durationMs, dealId: null }),
  initial: 'running',
  states: {
    running: {
      initial: 'open',
      states: {
        open: { after: { end: 'closing' } },
        closing: {
          entry: { type: 'close-auction', params: ({ context }) => ({ auctionId: context.auctionId }) },
          // Every auction must end. A failure is reported for people to look into, and the end is tried again.
          on: { EFFECT_FAILED: { target: 'open', actions: assign({ waitMs: AGAIN_MS }) } },
        },
      },
      on: {
        EXTENDED: {
          target: '.open',
          reenter: true,
          actions: assign({ waitMs: ({ event }) => event.waitMs }),
        },
        WON: { target: 'won', actions: assign({ dealId: ({ event }) => event.dealId }) },
        UNSOLD: 'unsold',
        WITHDRAWN: 'withdrawn',
      },
    },
    won: {
      on: {
        PASSED_ON: [
          { guard: 'hasNext', actions: 'pass on' },
          { target: 'unsold', actions: 'pass on' },
        ],
        GOES_ON: {
          target: 'running',
          actions: assign({ waitMs: ({ event }) => event.waitMs, dealId: null }),
        },
      },
    },
    unsold: { type: 'final', entry: REVIEW },
    // Its name may be for sale again once its fee is paid.
    withdrawn: { type: 'final', entry: REVIEW },
  },
});

export const AUCTION_EFFECTS = ['close-auction', 'review-after-auction'] as const;
