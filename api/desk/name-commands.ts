import { at, type DeskCommand, type DeskField, given, handle } from './command.ts';

const name: DeskField = {
  name: 'name',
  label: 'Name',
  hint: 'Such as alice.x, or a bare top-level name.',
  kind: 'code',
};
const HOUR = 3_600;

/** The commands on the market for names. */
export const NAME_COMMANDS: readonly DeskCommand[] = [
  {
    id: 'name-sell',
    title: 'Sell a name',
    lead: 'At an ask, until you start an auction of it. The fee is two and a half percent on each side.',
    fields: [
      handle,
      name,
      { name: 'askUsd', label: 'Ask in dollars', kind: 'money' },
      {
        name: 'gate',
        label: 'Who holds the name',
        hint: 'Its provider’s token, or the certificate that stands for it.',
        options: [
          ['deposit', 'The agent’s account'],
          ['owner-signed', 'Your wallet, approved for Settlement'],
        ],
      },
    ],
    button: 'List the name',
    done: 'The name is for sale at your ask.',
    request: (typed) => ({
      method: 'POST',
      path: '/domains/listings',
      body: given(typed, 'handle', 'name', 'askUsd', 'gate'),
    }),
  },
  {
    id: 'name-auction',
    title: 'Start an auction of a name',
    lead: 'A name that your agent has listed goes to the best offer. Until the auction ends nobody buys the name at its ask.',
    fields: [
      handle,
      name,
      {
        name: 'format',
        label: 'Format',
        options: [
          ['ascending', 'Ascending: the highest bid has it'],
          ['dutch', 'Dutch: the price falls, the first who covers it has it'],
        ],
      },
      { name: 'reserveUsd', label: 'Reserve in dollars', hint: 'It does not go below that.', kind: 'money' },
      {
        name: 'startUsd',
        label: 'Start in dollars (Dutch only)',
        hint: 'Where the price begins to fall.',
        kind: 'money',
        optional: true,
      },
      {
        name: 'durationSeconds',
        label: 'For how long',
        options: [
          [String(HOUR), 'An hour'],
          [String(24 * HOUR), 'A day'],
          [String(3 * 24 * HOUR), 'Three days'],
          [String(7 * 24 * HOUR), 'A week'],
        ],
      },
    ],
    button: 'Start it',
    done: 'The auction runs.',
    request: (typed) => ({
      method: 'POST',
      path: `/domains/${at(typed.name)}/auction`,
      body: {
        ...given(typed, 'handle', 'format', 'reserveUsd', 'startUsd'),
        durationSeconds: Number(typed.durationSeconds),
      },
    }),
  },
  {
    id: 'name-bid',
    title: 'Bid for a name',
    lead: 'In an auction of it, up to the most it may cost. That figure is never shown, and the highest bidder pays an increment over the next.',
    fields: [handle, name, { name: 'bidUsd', label: 'The most it may cost, in dollars', kind: 'money' }],
    button: 'Bid',
    done: 'Your bid stands.',
    request: (typed) => ({
      method: 'POST',
      path: `/domains/${at(typed.name)}/bids`,
      body: given(typed, 'handle', 'bidUsd'),
    }),
  },
  {
    id: 'name-buy',
    title: 'Buy a name',
    lead: 'At its ask, while no auction of it runs. You pay two and a half percent on top.',
    fields: [
      handle,
      name,
      {
        name: 'priceUsd',
        label: 'Ask in dollars',
        hint: 'As you saw it: another ask is refused.',
        kind: 'money',
      },
    ],
    button: 'Buy it',
    done: 'The name is yours when the deal settles.',
    request: (typed) => ({
      method: 'POST',
      path: `/domains/${at(typed.name)}/buy`,
      body: given(typed, 'handle', 'priceUsd'),
    }),
  },
];
