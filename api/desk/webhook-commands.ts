import { NOTIFICATION_KINDS, NOTIFICATION_WORDS } from '../webhooks/webhook-shapes.ts';
import { at, codesOf, type DeskCommand, type DeskField, from, given, wallet } from './command.ts';

const subscription: DeskField = {
  name: 'subscriptionId',
  label: 'Subscription',
  hint: 'As your list of them names it.',
  kind: 'code',
};

/** The commands about webhooks to an owner's own programs. */
export const WEBHOOK_COMMANDS: readonly DeskCommand[] = [
  {
    id: 'subscribe',
    title: 'Send news to a program',
    lead: 'Signed messages about your agents and deals go to an address of yours. The next page shows the secret by which your program knows that they are from here, once.',
    fields: [
      wallet,
      {
        name: 'url',
        label: 'Address',
        hint: 'It begins with https:// and leads to the public internet.',
        kind: 'code',
      },
      {
        name: 'events',
        label: 'What to be told',
        hint: 'Nothing chosen: everything.',
        kind: 'several',
        options: NOTIFICATION_KINDS.map((kind) => [kind, NOTIFICATION_WORDS[kind]] as const),
        optional: true,
      },
    ],
    button: 'Subscribe',
    done: 'News goes there from now on. Copy the secret: it is shown this once.',
    request: (typed) => ({
      method: 'POST',
      path: '/webhooks/subscriptions',
      body: { ...given(typed, 'wallet', 'url'), ...(typed.events ? { events: codesOf(typed.events) } : {}) },
    }),
  },
  {
    id: 'subscriptions',
    title: 'See where news goes',
    lead: 'The subscriptions of a wallet, and whether what was sent there is taken.',
    fields: [wallet],
    button: 'Show them',
    done: 'Newest first.',
    request: (typed) => ({ method: 'GET', path: `/webhooks/subscriptions?wallet=${at(typed.wallet)}` }),
  },
  {
    id: 'deliveries',
    title: 'See what was sent',
    lead: 'The latest messages to a subscription, and what they were answered.',
    fields: [subscription],
    button: 'Show them',
    done: 'Newest first.',
    paged: true,
    request: (typed) => ({
      method: 'GET',
      path: from(`/webhooks/subscriptions/${at(typed.subscriptionId)}/deliveries`, typed),
    }),
  },
  {
    id: 'unsubscribe',
    title: 'Send no more news',
    lead: 'Ends a subscription, and drops what waits for it. For a new secret, end it and subscribe again.',
    fields: [subscription],
    button: 'End it',
    done: 'Nothing more goes there.',
    request: (typed) => ({ method: 'DELETE', path: `/webhooks/subscriptions/${at(typed.subscriptionId)}` }),
  },
];
