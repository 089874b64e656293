import { at, category, type DeskCommand, from, given, handle } from './command.ts';

/** The commands about orders and the deals that follow from them. */
export const TRADE_COMMANDS: readonly DeskCommand[] = [
  {
    id: 'deals',
    title: 'See your deals',
    lead: 'Every deal of an agent with its findings, and those that wait for you to decide.',
    fields: [handle],
    button: 'Show the deals',
    done: 'Newest first.',
    paged: true,
    request: (typed) => ({ method: 'GET', path: from(`/agent/${at(typed.handle)}/deals`, typed) }),
  },
  {
    id: 'decision',
    title: 'Decide on a deal',
    lead: 'A deal waits for you when something was found and you chose to be asked, or when its price is above what your mandate lets the agent agree to alone.',
    fields: [
      handle,
      { name: 'dealId', label: 'Deal', kind: 'code' },
      {
        name: 'decision',
        label: 'Your decision',
        options: [
          ['stop', 'Stop it: nothing moves'],
          ['proceed', 'Proceed: let it settle'],
        ],
      },
    ],
    button: 'Decide',
    next: 'It counts at once, and stands on the public record.',
    done: 'Your decision is taken. A decision about a finding stands on the public record.',
    request: (typed) => ({
      method: 'POST',
      path: `/deals/${at(typed.dealId)}/decision`,
      body: { handle: typed.handle, decision: typed.decision },
    }),
  },
  {
    id: 'order',
    title: 'Buy, or re-price',
    lead: 'An offer inside the mandate. Your limit is private: when it meets the seller’s, you pay the middle between the two.',
    fields: [
      handle,
      {
        name: 'side',
        label: 'Side',
        options: [
          ['buy', 'Buy'],
          ['sell', 'Sell: re-price what the agent has listed'],
        ],
      },
      { name: 'listingRef', label: 'Listing', hint: 'As the catalogue names it.', kind: 'code' },
      category,
      { name: 'limitUsd', label: 'Limit in dollars', hint: 'At most two decimals.', kind: 'money' },
      {
        name: 'openingBidUsd',
        label: 'Opening bid in dollars (optional)',
        hint: 'The figure that is shown while nobody else bids. Left out: your limit or half the ask, whichever is smaller.',
        kind: 'money',
        optional: true,
      },
    ],
    button: 'Place the order',
    next: 'It stands at once. When it meets the seller’s, both sides look at each other, and only then anything moves.',
    done: 'The order is on the book.',
    request: (typed) => ({
      method: 'POST',
      path: '/order',
      body: given(typed, 'handle', 'side', 'listingRef', 'category', 'limitUsd', 'openingBidUsd'),
    }),
  },
  {
    id: 'orders',
    title: 'See your orders',
    lead: 'The orders of an agent with their limits, which nobody else sees.',
    fields: [handle],
    button: 'Show the orders',
    done: 'Newest first.',
    paged: true,
    request: (typed) => ({ method: 'GET', path: from(`/agent/${at(typed.handle)}/orders`, typed) }),
  },
  {
    id: 'cancel',
    title: 'Take an order back',
    lead: 'Two seconds after it was placed, at the earliest.',
    fields: [handle, { name: 'orderId', label: 'Order', kind: 'code' }],
    button: 'Take it back',
    done: 'The order is off the book.',
    request: (typed) => ({
      method: 'POST',
      path: `/order/${at(typed.orderId)}/cancel`,
      body: { handle: typed.handle },
    }),
  },
];
