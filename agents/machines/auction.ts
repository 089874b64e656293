import { assign, setup } from 'xstate';

interface AuctionInput {
  readonly auctionId: string;
  /** How long it lasts, counted from its start by the runtime's clock. */
  readonly durationMs: number;
}

interface AuctionContext {
  readonly auctionId: string;
  /** How long until it is looked at again. */
  readonly waitMs: number;
  readonly dealId: string | null;
}

type AuctionEvent =
  /** A bid in the last stretch moved the end, or it was looked at before it came. */
  | { type: 'EXTENDED'; waitMs: number }
  /** A name has its buyer: by the first who took a falling price, or by the highest bid at the end. */
  | { type: 'WON'; dealId: string }
  /** The end came without a buyer: the name is at its ask again. */
  | { type: 'UNSOLD' }
  /** The name has left the market meanwhile. */
  | { type: 'WITHDRAWN' }
  | { type: 'EFFECT_FAILED'; effect: string; reason: string };

function never(): never {
  throw new Error('a durable machine is never run live: its actions are rows in the outbox');
}

/** After an end that could not be carried out, it is tried again so much later. */
const AGAIN_MS = 60_000;

/**
 * The time of one auction. Who may bid, who leads and when bids end is decided under the lot's lock, where the bids
 * are; this keeps the clock and sees the auction through to its end, whatever dies meanwhile.
 */
export const auctionMachine = setup({
  types: {} as { context: AuctionContext; events: AuctionEvent; input: AuctionInput },
  delays: { end: ({ context }) => context.waitMs },
  actions: { 'close-auction': (_, _params: { auctionId: string }) => never() },
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
          // An auction has an end: what kept it from its end is looked into by people, and it goes on trying.
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
    won: { type: 'final' },
    unsold: { type: 'final' },
    withdrawn: { type: 'final' },
  },
});

export const AUCTION_EFFECTS = ['close-auction'] as const;
