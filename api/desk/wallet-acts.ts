import type { MembershipKind } from '../../agents/market/membership.ts';
import { at, codesOf, type DeskAct, type DeskField, given, wallet } from './act.ts';

const KIND_WORDS: Readonly<Record<MembershipKind, string>> = {
  individual: 'Individual: for this wallet',
  institutional: 'Institutional: for this wallet, and others that you name',
};
const wallets = (name: string, label: string): DeskField => ({
  name,
  label,
  hint: 'One on each line.',
  kind: 'codes',
  optional: true,
});

/** What a wallet decides for itself, and what it pays for. */
export const WALLET_ACTS: readonly DeskAct[] = [
  {
    id: 'settings',
    title: 'Choose what a finding causes',
    lead: 'When a determination is FLAGGED, the deal stops, or you are shown the findings and decide. Until you choose, it stops.',
    fields: [
      wallet,
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
  {
    id: 'membership',
    title: 'Buy a membership',
    lead: 'A year of checks of wallets, paid once by card. A year that is bought early begins when the last one ends.',
    fields: [wallet, { name: 'kind', label: 'Kind', options: Object.entries(KIND_WORDS) }],
    button: 'Go on to pay',
    done: 'The membership is ready to be paid.',
    by: 'card',
    request: (typed) => ({
      method: 'POST',
      path: '/membership/checkout',
      body: given(typed, 'wallet', 'kind'),
    }),
  },
  {
    id: 'standing',
    title: 'See whether a membership covers a wallet',
    lead: 'Its own, or one of an institution that names it.',
    fields: [{ ...wallet, label: 'Wallet' }],
    button: 'Show it',
    done: 'As it is now.',
    by: 'nothing',
    request: (typed) => ({ method: 'GET', path: `/quote?wallet=${at(typed.wallet)}` }),
  },
  {
    id: 'covered',
    title: 'Name the wallets that your membership covers',
    lead: 'An institutional membership covers other wallets beside the one that pays.',
    fields: [
      wallet,
      wallets('add', 'To cover (optional)'),
      wallets('remove', 'To cover no longer (optional)'),
    ],
    button: 'Change them',
    done: 'These are covered now.',
    request: (typed) => ({
      method: 'POST',
      path: '/membership/wallets',
      body: {
        ...given(typed, 'wallet'),
        ...(typed.add ? { add: codesOf(typed.add) } : {}),
        ...(typed.remove ? { remove: codesOf(typed.remove) } : {}),
      },
    }),
  },
  {
    id: 'appeal',
    title: 'Contest a record',
    lead: 'A FLAGGED record about you is determined again on fresh evidence. Both records stay, and name each other.',
    fields: [
      { name: 'recordId', label: 'Record', kind: 'code' },
      wallet,
      {
        name: 'grounds',
        label: 'Your words (optional)',
        hint: 'They are published, and decide nothing.',
        kind: 'area',
        optional: true,
      },
    ],
    button: 'Contest it',
    done: 'It was determined again.',
    request: (typed) => ({
      method: 'POST',
      path: `/records/${at(typed.recordId)}/appeal`,
      body: given(typed, 'wallet', 'grounds'),
    }),
  },
];
