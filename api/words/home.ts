import { type Html, html } from '../html/html.ts';

/** What chains are called, on pages and in wallets. */
export const CHAINS = {
  names: { 1002: 'Safe Handshake test chain', 84532: 'Base Sepolia' } as Readonly<Record<number, string>>,
  /** Within a sentence, where it is not said so at length. */
  inSentence: { 1002: 'the test chain' } as Readonly<Record<number, string>>,
  unnamed: (id: number) => `Chain ${id}`,
  native: 'Ether',
} as const;

/** What the home page says. */
export const HOME = {
  title: 'Know whom you deal with',
  heading: 'Know whom you deal with before value moves',
  lead: 'Ask about a wallet and get one answer: CLEAN or FLAGGED, with every check that ran, its sources and their limits, and a record that anyone can prove.',
  check: {
    section: 'Check a wallet',
    address: 'Wallet or contract to check',
    example: '0x… or a Solana address',
    chain: 'Chain',
    button: (price: Html) => html`Check for ${price}`,
    charged:
      'Your wallet signs a transfer of one cent in test USDC. Nothing is charged unless the answer is delivered, here on this page.',
    lookedAt: 'What will be looked at',
  },
  deals: 'Deals as they happen',
  dealsTold: 'deals',
  states: { settled: 'settled', settling: 'being settled', stopped: 'stopped' },
  lot: 'A lot',
  sold: (what: Html | string, price: Html) => html`${what} for ${price}`,
  sale: 'For sale now',
  saleTold: 'what is for sale',
  allSale: 'Everything for sale',
  more: 'More to do here',
  agent: {
    heading: 'Make an agent',
    words: 'Write what it may do in plain words. The chain holds it to that, whoever holds its key.',
    button: 'Write a mandate',
  },
  record: {
    heading: 'Prove a record',
    newest: (record: Html) => html`The newest of an agent: ${record}`,
    none: 'The first deal makes a record.',
    how: html`<a href="/specs/verification-record/2026-09-06.1">How a record is checked</a>, without trusting this service.`,
  },
  program: {
    heading: 'Let a program pay',
    words: 'Any x402 client pays the cent by itself.',
    command: 'Command',
    more: 'For developers',
  },
} as const;
