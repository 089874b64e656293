import { at, category, type DeskAct, given, handle } from './act.ts';
import { NAME_ACTS } from './name-acts.ts';
import { PUBLIC_ACTS } from './public-acts.ts';

/** What an owner can do from a page, in the order of a day's work. */
export const DESK_ACTS: readonly DeskAct[] = [
  {
    id: 'deals',
    title: 'See your deals',
    lead: 'Every deal of an agent with its findings, and those that wait for you to decide.',
    fields: [handle],
    button: 'Show the deals',
    done: 'Newest first.',
    request: (typed) => ({ method: 'GET', path: `/agent/${at(typed.handle)}/deals` }),
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
    lead: 'Rests an order inside the mandate. Your limit is private; a match clears at the midpoint of the two limits.',
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
    request: (typed) => ({ method: 'GET', path: `/agent/${at(typed.handle)}/orders` }),
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
  {
    id: 'list',
    title: 'Sell something',
    lead: 'Control is proved on chain first: transfer the token to the agent’s account, or keep it and approve the Settlement contract for it. A real thing is listed by its serial, and certified on your signed word.',
    fields: [
      handle,
      {
        name: 'contract',
        label: 'Token contract',
        hint: 'Left empty for a serial.',
        kind: 'code',
        optional: true,
      },
      { name: 'tokenId', label: 'Token number', kind: 'code', optional: true },
      {
        name: 'serial',
        label: 'Serial',
        hint: 'VIN, IMEI, ISBN, ISRC, GTIN or another, in place of a token.',
        kind: 'code',
        optional: true,
      },
      { name: 'description', label: 'Description' },
      category,
      { name: 'askUsd', label: 'Ask in dollars', kind: 'money' },
      {
        name: 'floorUsd',
        label: 'Least you would take (optional)',
        hint: 'Private, always. It makes the ask negotiable.',
        kind: 'money',
        optional: true,
      },
      {
        name: 'gate',
        label: 'Where the asset is',
        options: [
          ['deposit', 'In the agent’s account'],
          ['owner-signed', 'In your wallet, approved for Settlement'],
        ],
      },
    ],
    button: 'List it',
    done: 'It is listed, and its sell order rests.',
    request: (typed) => ({
      method: 'POST',
      path: `/agent/${at(typed.handle)}/assets`,
      body: {
        asset: typed.serial
          ? { serial: typed.serial }
          : { chainId: 1002, ...given(typed, 'contract', 'tokenId') },
        negotiable: Boolean(typed.floorUsd),
        ...given(typed, 'description', 'askUsd', 'floorUsd', 'category', 'gate'),
      },
    }),
  },
  {
    id: 'mandate',
    title: 'Change what an agent may do',
    lead: 'A new mandate in plain words. It holds when the chain has it: you sign twice, once to propose it and once what the contract checks.',
    fields: [handle, { name: 'mandate', label: 'What it may do', kind: 'area' }],
    button: 'Propose it',
    done: 'The mandate is on its way to the chain.',
    request: (typed) => ({
      method: 'POST',
      path: `/agent/${at(typed.handle)}/mandate`,
      body: { mandate: typed.mandate },
    }),
  },
  {
    id: 'session',
    title: 'Pause, resume, re-key or retire an agent',
    lead: 'Pausing takes it off the book at once. With a second signature the chain holds to it too.',
    fields: [
      handle,
      {
        name: 'action',
        label: 'What to do',
        options: [
          ['pause', 'Pause: it leaves the book at once'],
          ['resume', 'Resume'],
          ['rotate', 'Give it a new session key'],
          ['retire', 'Retire it for good'],
        ],
      },
    ],
    button: 'Do it',
    done: 'It is done here.',
    request: (typed) => ({
      method: 'POST',
      path: `/agent/${at(typed.handle)}/session`,
      body: { action: typed.action },
    }),
  },
  {
    id: 'settings',
    title: 'Choose what a finding causes',
    lead: 'When a determination is FLAGGED, the deal stops, or you are shown the findings and decide. Until you choose, it stops.',
    fields: [
      { name: 'wallet', label: 'Your wallet', kind: 'code' },
      {
        name: 'onFlagged',
        label: 'A deal that is FLAGGED',
        options: [
          ['stop', 'Stop it'],
          ['ask', 'Show me the findings and let me decide'],
        ],
      },
    ],
    button: 'Choose',
    done: 'Your choice holds for every agent that this wallet owns.',
    request: (typed) => ({
      method: 'POST',
      path: '/settings',
      body: { wallet: typed.wallet, onFlagged: typed.onFlagged },
    }),
  },
  ...NAME_ACTS,
  ...PUBLIC_ACTS,
];

export function deskAct(id: string): DeskAct | null {
  return DESK_ACTS.find((act) => act.id === id) ?? null;
}
