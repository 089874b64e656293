import type { ActWords } from './fields.ts';

/** What the acts about orders and deals say. */
export const TRADE = {
  deals: {
    title: 'See your deals',
    lead: 'Every deal of an agent with its findings, and those that wait for you to decide.',
    button: 'Show the deals',
    done: 'Newest first.',
  },
  decision: {
    title: 'Decide on a deal',
    lead: 'A deal waits for you when something was found and you chose to be asked, or when its price is above what your mandate lets the agent agree to alone.',
    button: 'Decide',
    next: 'It counts at once, and stands on the public record.',
    done: 'Your decision is taken. A decision about a finding stands on the public record.',
    fields: {
      dealId: { label: 'Deal' },
      decision: {
        label: 'Your decision',
        options: { stop: 'Stop it: nothing moves', proceed: 'Proceed: let it settle' },
      },
    },
  },
  decisions: {
    title: 'Decide on several deals',
    lead: 'One decision on deals of your agents that wait for you, by one signature. Each is told with what was found before you sign.',
    button: 'Decide on all of them',
    next: 'It counts at once for each of them, and stands on the public record.',
    done: 'Your decision is taken.',
    fields: {
      deals: {
        label: 'Deals',
        hint: 'The agent and the deal, such as harbour-desk/deal_…, one on each line. At most ten.',
      },
      decision: {
        label: 'Your decision',
        options: { stop: 'Stop them: nothing moves', proceed: 'Proceed: let them settle' },
      },
    },
  },
  order: {
    title: 'Buy, or change a price',
    lead: 'An offer inside the mandate. Your limit is private: when it meets the seller’s, you pay the middle between the two.',
    button: 'Place the order',
    next: 'It stands at once. When it meets the seller’s, both sides look at each other, and only then anything moves.',
    done: 'The order is on the book.',
    fields: {
      side: {
        label: 'Side',
        options: { buy: 'Buy', sell: 'Sell: change the price of what the agent has listed' },
      },
      listingRef: { label: 'Listing', hint: 'As the catalogue names it.' },
      limitUsd: { label: 'Limit in dollars', hint: 'At most two decimals.' },
      openingBidUsd: {
        label: 'Opening bid in dollars (optional)',
        hint: 'The figure that is shown while nobody else bids. Left out: your limit or half the ask, whichever is smaller.',
      },
      expiresAt: {
        label: 'Ends on (optional)',
        hint: 'At most 90 days ahead. Left out: an offer ends after seven days, and a listing keeps its end when its price changes.',
      },
    },
  },
  orders: {
    title: 'See your orders',
    lead: 'The orders of an agent with their limits, which nobody else sees.',
    button: 'Show the orders',
    done: 'Newest first.',
  },
  cancel: {
    title: 'Take an order back',
    lead: 'Two seconds after it was placed, at the earliest.',
    button: 'Take it back',
    done: 'The order is off the book.',
    fields: { orderId: { label: 'Order' } },
  },
} as const satisfies Readonly<Record<string, ActWords>>;

/** What is said of a line that does not name a deal. */
export const NOT_A_DEAL = 'must name an agent and its deal, such as harbour-desk/deal_…';
