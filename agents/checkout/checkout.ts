import { assign, setup } from 'xstate';

/** The input of a new checkout actor. `expiresInMs` counts from the actor's birth by the runtime's clock. */
interface CheckoutInput {
  readonly checkoutId: string;
  readonly expiresInMs: number;
}

interface CheckoutContext {
  readonly checkoutId: string;
  readonly expiresInMs: number;
  readonly reason: string | null;
}

type CheckoutEvent =
  | { type: 'PAID' }
  /** The transaction that booked the payment also delivered what was paid for. */
  | { type: 'SERVED' }
  /** The payment came, but what it was for can no longer be delivered. */
  | { type: 'UNSERVABLE'; reason: string }
  /** Its page could not be opened, or another page for its handle was paid. */
  | { type: 'WITHDRAWN' }
  | { type: 'REFUNDED' }
  | { type: 'MINTED'; handle: string }
  | { type: 'RECORDED' }
  | { type: 'EFFECT_FAILED'; effect: string; reason: string };

/**
 * Effects and timers run outside the machine. If an action's implementation is called, the machine was started live by
 * mistake.
 */
function never(): never {
  throw new Error('a durable machine is never run live: its actions are rows in the outbox');
}

/**
 * The purchase of one thing: an agent (payment, then exactly one mint, then its public record), a membership or a
 * placement. A payment that arrives after expiry is still money taken, so it is served or returned.
 */
export const checkoutMachine = setup({
  types: {} as { context: CheckoutContext; events: CheckoutEvent; input: CheckoutInput },
  delays: { expiry: ({ context }) => context.expiresInMs },
  actions: {
    why: assign({ reason: ({ context, event }) => ('reason' in event ? event.reason : context.reason) }),
    'mint-agent': (_, _params: { checkoutId: string }) => never(),
    'record-purchase': (_, _params: { checkoutId: string }) => never(),
    'refund-payment': (_, _params: { checkoutId: string }) => never(),
  },
}).createMachine({
  id: 'checkout',
  context: ({ input }) => ({ checkoutId: input.checkoutId, expiresInMs: input.expiresInMs, reason: null }),
  initial: 'awaiting-payment',
  states: {
    'awaiting-payment': {
      after: { expiry: 'expired' },
      on: {
        PAID: 'minting',
        SERVED: 'served',
        UNSERVABLE: { target: 'refunding', actions: 'why' },
        WITHDRAWN: 'expired',
      },
    },
    expired: {
      on: { PAID: 'minting', SERVED: 'served', UNSERVABLE: { target: 'refunding', actions: 'why' } },
    },
    minting: {
      entry: { type: 'mint-agent', params: ({ context }) => ({ checkoutId: context.checkoutId }) },
      on: {
        MINTED: 'minted',
        EFFECT_FAILED: { target: 'refunding', actions: 'why' },
      },
    },
    minted: {
      entry: { type: 'record-purchase', params: ({ context }) => ({ checkoutId: context.checkoutId }) },
      on: { RECORDED: 'done' },
    },
    done: { type: 'final' },
    served: { type: 'final' },
    refunding: {
      entry: { type: 'refund-payment', params: ({ context }) => ({ checkoutId: context.checkoutId }) },
      on: { REFUNDED: 'refunded', EFFECT_FAILED: { target: 'failed', actions: 'why' } },
    },
    refunded: { type: 'final' },
    // A person looks at it, and may have the refund tried again.
    failed: { tags: 'refund-payment', on: { REFUNDED: 'refunded' } },
  },
});

export const CHECKOUT_EFFECTS = ['mint-agent', 'record-purchase', 'refund-payment'] as const;
