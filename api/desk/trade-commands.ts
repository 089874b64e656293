import { NOT_A_DEAL, TRADE } from '../words/desk/trade.ts';
import { at, category, codesOf, type DeskCommand, field, from, given, handle, wallet } from './command.ts';

/** An agent's handle and the id of its deal. */
const PAIR = /^[^/]+\/[^/]+$/;

function dealOf(pair: string): { readonly handle: string; readonly dealId: string } {
  const [handle = '', dealId = ''] = pair.split('/');
  return { handle, dealId };
}

/** The commands about orders and the deals that follow from them. */
export const TRADE_COMMANDS: readonly DeskCommand[] = [
  {
    id: 'deals',
    ...TRADE.deals,
    fields: [handle],
    paged: true,
    request: (typed) => ({ method: 'GET', path: from(`/agent/${at(typed.handle)}/deals`, typed) }),
  },
  {
    id: 'decision',
    ...TRADE.decision,
    fields: [
      handle,
      field('dealId', TRADE.decision.fields.dealId, { kind: 'code' }),
      field('decision', TRADE.decision.fields.decision),
    ],
    request: (typed) => ({
      method: 'POST',
      path: `/deals/${at(typed.dealId)}/decision`,
      body: { handle: typed.handle, decision: typed.decision },
    }),
  },
  {
    id: 'decisions',
    ...TRADE.decisions,
    fields: [
      wallet,
      field('deals', TRADE.decisions.fields.deals, { kind: 'codes' }),
      field('decision', TRADE.decisions.fields.decision),
    ],
    lacks: ({ deals }) =>
      codesOf(deals).every((pair) => PAIR.test(pair)) ? [] : [{ path: 'deals', message: NOT_A_DEAL }],
    request: ({ wallet: owner, decision, deals }) => ({
      method: 'POST',
      path: '/deals/decisions',
      body: { wallet: owner, decision, deals: codesOf(deals).map(dealOf) },
    }),
  },
  {
    id: 'order',
    ...TRADE.order,
    fields: [
      handle,
      field('side', TRADE.order.fields.side),
      field('listingRef', TRADE.order.fields.listingRef, { kind: 'code' }),
      category,
      field('limitUsd', TRADE.order.fields.limitUsd, { kind: 'money' }),
      field('openingBidUsd', TRADE.order.fields.openingBidUsd, { kind: 'money', optional: true }),
      field('expiresAt', TRADE.order.fields.expiresAt, { kind: 'day', optional: true }),
    ],
    request: (typed) => ({
      method: 'POST',
      path: '/order',
      body: {
        ...given(typed, 'handle', 'side', 'listingRef', 'category', 'limitUsd', 'openingBidUsd'),
        ...(typed.expiresAt ? { expiresAt: `${typed.expiresAt}T23:59:59Z` } : {}),
      },
    }),
  },
  {
    id: 'orders',
    ...TRADE.orders,
    fields: [handle],
    paged: true,
    request: (typed) => ({ method: 'GET', path: from(`/agent/${at(typed.handle)}/orders`, typed) }),
  },
  {
    id: 'cancel',
    ...TRADE.cancel,
    fields: [handle, field('orderId', TRADE.cancel.fields.orderId, { kind: 'code' })],
    request: (typed) => ({
      method: 'POST',
      path: `/order/${at(typed.orderId)}/cancel`,
      body: { handle: typed.handle },
    }),
  },
];
