import type { MembershipKind } from '../../../agents/market/membership.ts';
import type { FraudKind } from '../../../agents/records/outcome.ts';
import type { ActWords } from './fields.ts';

const MEMBERSHIPS = {
  individual: 'Individual: for this wallet',
  institutional: 'Institutional: for this wallet, and others that you name',
} as const satisfies Readonly<Record<MembershipKind, string>>;

const FRAUDS = {
  '': 'None',
  counterparty: 'By the counterparty itself',
  'shill-bidding': 'Bids in collusion',
  'pledged-twice': 'Pledged or sold twice',
  'stolen-or-forged': 'Stolen or forged',
  'outside-mandate': 'Outside its mandate',
  'false-price': 'A false price',
} as const satisfies Readonly<Record<FraudKind | '', string>>;

const ONE_ON_EACH = 'One on each line.';

/** What the acts about a wallet say, and about what it buys. */
export const WALLETS = {
  settings: {
    title: 'Choose what a finding causes',
    lead: 'When a determination is FLAGGED, the deal stops, or you are shown the findings and decide. When price, provenance or bidding could not be judged, you may also let it go on. Until you choose, both stop. A wallet, a double pledge or a mandate that could not be judged is never gone on without, unless you chose to be shown findings and say so yourself, deal by deal.',
    button: 'Choose',
    done: 'Your choice holds for every agent that this wallet owns.',
    fields: {
      onFlagged: {
        label: 'A deal that is FLAGGED',
        options: { '': 'As it is', stop: 'Stop it', ask: 'Show me the findings and let me decide' },
      },
      onInconclusive: {
        label: 'A deal whose price, provenance or bidding could not be judged',
        options: {
          '': 'As it is, or as a FLAGGED one',
          stop: 'Stop it',
          ask: 'Show me what is missing and let me decide',
          proceed: 'Go on',
        },
      },
    },
  },
  membership: {
    title: 'Buy a membership',
    lead: 'A year of checks of wallets, paid once by card. A year that is bought early begins when the last one ends.',
    button: 'Go on to pay',
    done: 'The membership is ready to be paid.',
    fields: { kind: { label: 'Kind', options: MEMBERSHIPS } },
  },
  standing: {
    title: 'See whether a membership covers a wallet',
    lead: 'Its own, or one of an institution that names it.',
    button: 'Show it',
    done: 'As it is now.',
    fields: { wallet: { label: 'Wallet' } },
  },
  covered: {
    title: 'Name the wallets that your membership covers',
    lead: 'An institutional membership covers other wallets beside the one that pays.',
    button: 'Change them',
    done: 'These are covered now.',
    fields: {
      add: { label: 'To cover (optional)', hint: ONE_ON_EACH },
      remove: { label: 'To cover no longer (optional)', hint: ONE_ON_EACH },
    },
  },
  appeal: {
    title: 'Contest a record',
    lead: 'A FLAGGED record about you is judged again on fresh evidence. Both records stay, and name each other.',
    button: 'Contest it',
    done: 'It was judged again.',
    fields: {
      recordId: { label: 'Record' },
      grounds: { label: 'Your words (optional)', hint: 'They are published, and decide nothing.' },
    },
  },
  outcome: {
    title: 'Say what turned out',
    lead: 'A party of a determination says, once and for good, whether it was right. It is published, counted in how often verdicts are wrong, and judges nobody.',
    button: 'Say it',
    done: 'It stands with the record, and is counted.',
    fields: {
      recordId: { label: 'Record' },
      outcome: { label: 'What turned out', options: { honest: 'It was honest', fraudulent: 'It was fraud' } },
      kind: { label: 'Which fraud', options: FRAUDS },
      evidence: {
        label: 'Evidence',
        hint: 'Of fraud: hashes or web addresses, one on each line. Published.',
      },
    },
  },
} as const satisfies Readonly<Record<string, ActWords>>;

/** What is said where neither of the two was chosen. */
export const CHOOSE_ONE = 'choose one of the two, or both';
