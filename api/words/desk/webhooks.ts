import type { NotificationKind } from '../../../runtime/webhooks/messages.ts';
import type { ActWords, FieldWords } from './fields.ts';

/** What an owner can be notified of. */
export const NOTIFICATIONS = {
  'deal.matched': 'A deal was matched',
  'deal.awaiting-owner': 'A deal waits for you',
  'deal.settled': 'A deal settled',
  'deal.stopped': 'A deal was stopped',
  'deal.failed': 'A deal failed',
  'agent.status': 'An agent was paused, resumed or suspended',
} as const satisfies Readonly<Record<NotificationKind, string>>;

/** The field that most of them have. */
export const SUBSCRIPTION: FieldWords = { label: 'Subscription', hint: 'As your list of them names it.' };

/** What the acts about webhooks say. */
export const WEBHOOKS = {
  subscribe: {
    title: 'Send news to a program',
    lead: 'Signed messages about your agents and deals go to an address of yours. The next page shows the secret by which your program knows that they are from here, once.',
    button: 'Subscribe',
    done: 'News goes there from now on. Copy the secret: it is shown this once.',
    fields: {
      url: { label: 'Address', hint: 'It begins with https:// and leads to the public internet.' },
      events: { label: 'What to be told', hint: 'Nothing chosen: everything.', options: NOTIFICATIONS },
    },
  },
  subscriptions: {
    title: 'See where news goes',
    lead: 'The subscriptions of a wallet, and whether what was sent there is taken.',
    button: 'Show them',
    done: 'Newest first.',
  },
  deliveries: {
    title: 'See what was sent',
    lead: 'The latest messages to a subscription, and what they were answered.',
    button: 'Show them',
    done: 'Newest first.',
  },
  unsubscribe: {
    title: 'Send no more news',
    lead: 'Ends a subscription, and drops what waits for it. For a new secret, end it and subscribe again.',
    button: 'End it',
    done: 'Nothing more goes there.',
  },
} as const satisfies Readonly<Record<string, ActWords>>;
