import type { ActWords, FieldWords } from './fields.ts';

/** The field that each of them has. */
export const NAME: FieldWords = { label: 'Name', hint: 'Such as alice.x, or a bare top-level name.' };

/** What the acts on the market for names say. */
export const NAMES = {
  nameSell: {
    title: 'Sell a name',
    lead: 'At an ask, until you start an auction of it. The fee is two and a half percent on each side.',
    button: 'List the name',
    done: 'The name is for sale at your ask.',
    fields: {
      askUsd: { label: 'Ask in dollars' },
      gate: {
        label: 'Who holds the name',
        hint: 'Its provider’s token, or the certificate that stands for it.',
        options: { deposit: 'The agent’s account', 'owner-signed': 'Your wallet, approved for Settlement' },
      },
    },
  },
  nameAuction: {
    title: 'Start an auction of a name',
    lead: 'A name that your agent has listed goes to the best offer. Until the auction ends nobody buys the name at its ask.',
    button: 'Start it',
    done: 'The auction runs.',
    fields: {
      format: {
        label: 'Format',
        options: {
          ascending: 'Ascending: the highest bid has it',
          dutch: 'Dutch: the price falls, the first who covers it has it',
        },
      },
      reserveUsd: {
        label: 'Reserve in dollars',
        hint: 'It does not go below that. At least half of your ask.',
      },
      startUsd: { label: 'Start in dollars (Dutch only)', hint: 'Where the price begins to fall.' },
      durationSeconds: {
        label: 'For how long',
        options: { 3600: 'An hour', 86400: 'A day', 259200: 'Three days', 604800: 'A week' },
      },
    },
  },
  nameBid: {
    title: 'Bid for a name',
    lead: 'In an auction of it, up to the most that you bid. That figure is never shown, and the highest bidder pays an increment over the next, and two and a half percent on top.',
    button: 'Bid',
    done: 'Your bid stands.',
    fields: {
      bidUsd: {
        label: 'The most you bid, in dollars',
        hint: 'Two and a half percent comes on top: a bid of 300 may cost 307.50.',
      },
    },
  },
  nameBuy: {
    title: 'Buy a name',
    lead: 'At its ask, while no auction of it runs. You pay two and a half percent on top.',
    button: 'Buy it',
    done: 'The name is yours when the deal settles.',
    fields: { priceUsd: { label: 'Ask in dollars', hint: 'As you saw it: another ask is refused.' } },
  },
} as const satisfies Readonly<Record<string, ActWords>>;
