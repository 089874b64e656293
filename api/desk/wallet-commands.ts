import type { MembershipKind } from '../../agents/market/membership.ts';
import type { FraudKind } from '../../agents/records/outcome.ts';
import { at, codesOf, type DeskCommand, type DeskField, given, wallet } from './command.ts';

const KIND_WORDS: Readonly<Record<MembershipKind, string>> = {
  individual: 'Individual: for this wallet',
  institutional: 'Institutional: for this wallet, and others that you name',
};
const FRAUD_WORDS: Readonly<Record<FraudKind, string>> = {
  counterparty: 'By the counterparty itself',
  'shill-bidding': 'Bids in collusion',
  'pledged-twice': 'Pledged or sold twice',
  'stolen-or-forged': 'Stolen or forged',
  'outside-mandate': 'Outside its mandate',
  'false-price': 'A false price',
};
const wallets = (name: string, label: string): DeskField => ({
  name,
  label,
  hint: 'One on each line.',
  kind: 'codes',
  optional: true,
});

/** The commands about a wallet itself, and what it buys. */
export const WALLET_COMMANDS: readonly DeskCommand[] = [
  {
    id: 'settings',
    title: 'Choose what a finding causes',
    lead: 'When a determination is FLAGGED, the deal stops, or you are shown the findings and decide. When price, provenance or bidding could not be judged, you may also let it go on. Until you choose, both stop. A wallet, a double pledge or a mandate that could not be judged is never gone on without.',
    fields: [
      wallet,
      {
        name: 'onFlagged',
        label: 'A deal that is FLAGGED',
        optional: true,
        options: [
          ['', 'As it is'],
          ['stop', 'Stop it'],
          ['ask', 'Show me the findings and let me decide'],
        ],
      },
      {
        name: 'onInconclusive',
        label: 'A deal whose price, provenance or bidding could not be judged',
        optional: true,
        options: [
          ['', 'As it is, or as a FLAGGED one'],
          ['stop', 'Stop it'],
          ['ask', 'Show me what is missing and let me decide'],
          ['proceed', 'Go on'],
        ],
      },
    ],
    lacks: ({ onFlagged, onInconclusive }) =>
      onFlagged || onInconclusive ? [] : [{ path: 'onFlagged', message: 'choose one of the two, or both' }],
    button: 'Choose',
    done: 'Your choice holds for every agent that this wallet owns.',
    request: (typed) => ({
      method: 'POST',
      path: '/settings',
      body: given(typed, 'wallet', 'onFlagged', 'onInconclusive'),
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
  {
    id: 'outcome',
    title: 'Say what turned out',
    lead: 'A party of a determination says, once and for good, whether it was right. It is published, counted in how often verdicts are wrong, and judges nobody.',
    fields: [
      { name: 'recordId', label: 'Record', kind: 'code' },
      wallet,
      {
        name: 'outcome',
        label: 'What turned out',
        options: [
          ['honest', 'It was honest'],
          ['fraudulent', 'It was fraud'],
        ],
      },
      {
        name: 'kind',
        label: 'Which fraud',
        optional: true,
        options: [['', 'None'], ...Object.entries(FRAUD_WORDS)],
      },
      {
        name: 'evidence',
        label: 'Evidence',
        hint: 'Of fraud: hashes or web addresses, one on each line. Published.',
        kind: 'codes',
        optional: true,
      },
    ],
    button: 'Say it',
    done: 'It stands with the record, and is counted.',
    request: (typed) => ({
      method: 'POST',
      path: `/records/${at(typed.recordId)}/outcome`,
      body: { ...given(typed, 'wallet', 'outcome', 'kind'), evidence: codesOf(typed.evidence) },
    }),
  },
];
