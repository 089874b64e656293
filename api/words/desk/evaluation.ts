import type { TIER_DETERMINATIONS } from '../../../agents/determinations/panel/types.ts';
import type { ActWords } from './fields.ts';

/** What each part of the form is for. */
export const PARTS = {
  thing: {
    title: 'The thing',
    hint: 'A token, or a serial: whether it is pledged twice and, in tier 3, where it comes from.',
  },
  sale: {
    title: 'The sale',
    hint: 'The listing with its seller: whether bids are shilled. The price: what such things sell for.',
  },
  agent: {
    title: 'Your agent',
    hint: 'With the price: whether its mandate and its caps on chain allow the deal.',
  },
} as const;

/** What each determination needs, in the words of the form. */
export const FACTS: Readonly<Record<(typeof TIER_DETERMINATIONS)[number], string>> = {
  'shill-collusion': 'a listing and its seller',
  'double-pledge': 'a token or a serial',
  provenance: 'a token or a serial',
  'mandate-compliance': 'your agent and a price',
  'price-intelligence': 'a price',
};

/** What is said before it is paid: what will be looked at, and what is missing. */
export const FORETOLD = {
  run: 'Will be looked at',
  not: 'Will not',
  needs: (determination: string, facts: string) => `${determination}: it needs ${facts}`,
  half: {
    listing: 'fill it in too: collusion is looked for in it',
    price: 'fill it in too: the mandate is held against it',
    handle: 'fill it in too: its mandate names counterparties',
  },
  any: 'Say what to look at: a token, a serial, a price, or a listing with its seller.',
} as const;

/** What is said where a deal is evaluated. */
export const EVALUATION = {
  title: 'Have a deal evaluated',
  lead: 'CLEAN or FLAGGED about a deal before value moves, from up to five determinations. Give what you know: what lacks its facts is not run, and you are told before you pay. Your wallet signs a transfer of what it costs, in test USDC; nothing is charged unless the answer is delivered.',
  button: 'Go on to what it costs',
  done: 'This is what was found.',
  waiting:
    'Signed. The reviewers read the chains and vote: a few seconds, with superconsensus up to half a minute.',
  fields: {
    tier: {
      label: 'How much to look at',
      options: {
        tier2: 'Tier 2: bids, pledges, mandate and price',
        tier3: 'Tier 3, certified: also where it comes from, and all the reasoning',
      },
    },
    contract: { label: 'Token contract (optional)' },
    tokenId: { label: 'Token number (optional)' },
    chainId: {
      label: 'Chain of the token',
      options: { 1002: 'Safe Handshake test chain (1002)', 84532: 'Base Sepolia (84532)' },
    },
    serial: { label: 'Serial (optional)', hint: 'In place of a token. As it stands on the thing.' },
    listingRef: { label: 'Listing (optional)', hint: 'As the catalogue names it.' },
    seller: { label: 'Seller (optional)', hint: 'Its handle or its address.' },
    priceUsd: { label: 'Price in dollars (optional)' },
    handle: { label: 'Agent’s handle (optional)' },
    side: { label: 'It would', options: { buy: 'Buy', sell: 'Sell' } },
    counterparty: {
      label: 'With whom (optional)',
      hint: 'Where its mandate names who it may deal with, or may not.',
    },
    wallet: { hint: 'It pays.' },
  },
} as const satisfies ActWords;
