import { SUBSCRIPTION, WEBHOOKS } from '../words/desk/webhooks.ts';
import { at, codesOf, type DeskCommand, field, from, given, wallet } from './command.ts';

const subscription = field('subscriptionId', SUBSCRIPTION, { kind: 'code' });

/** The commands about webhooks to an owner's own programs. */
export const WEBHOOK_COMMANDS: readonly DeskCommand[] = [
  {
    id: 'subscribe',
    ...WEBHOOKS.subscribe,
    fields: [
      wallet,
      field('url', WEBHOOKS.subscribe.fields.url, { kind: 'code' }),
      field('events', WEBHOOKS.subscribe.fields.events, { kind: 'several', optional: true }),
    ],
    request: (typed) => ({
      method: 'POST',
      path: '/webhooks/subscriptions',
      body: { ...given(typed, 'wallet', 'url'), ...(typed.events ? { events: codesOf(typed.events) } : {}) },
    }),
  },
  {
    id: 'subscriptions',
    ...WEBHOOKS.subscriptions,
    fields: [wallet],
    request: (typed) => ({ method: 'GET', path: `/webhooks/subscriptions?wallet=${at(typed.wallet)}` }),
  },
  {
    id: 'deliveries',
    ...WEBHOOKS.deliveries,
    fields: [subscription],
    paged: true,
    request: (typed) => ({
      method: 'GET',
      path: from(`/webhooks/subscriptions/${at(typed.subscriptionId)}/deliveries`, typed),
    }),
  },
  {
    id: 'unsubscribe',
    ...WEBHOOKS.unsubscribe,
    fields: [subscription],
    request: (typed) => ({ method: 'DELETE', path: `/webhooks/subscriptions/${at(typed.subscriptionId)}` }),
  },
];
