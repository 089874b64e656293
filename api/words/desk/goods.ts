import type { ActWords, FieldWords } from './fields.ts';

/** What the fields say that a listing has, whatever is listed. */
export const LISTING = {
  description: { label: 'Description' },
  askUsd: { label: 'Ask in dollars' },
  floorUsd: {
    label: 'Least you would take (optional)',
    hint: 'Private, always. It makes the ask negotiable.',
  },
} as const satisfies Readonly<Record<string, FieldWords>>;

/** What the acts about things say: sell, certify, pledge. */
export const GOODS = {
  list: {
    title: 'Sell a token',
    lead: 'At an ask, once control of it is proved on chain. Transfer the token to the agent’s account, or keep it and approve the Settlement contract for it.',
    button: 'List it',
    done: 'It is for sale.',
    fields: {
      gate: {
        label: 'Where the asset is',
        options: {
          deposit: 'In the agent’s account',
          'owner-signed': 'In your wallet, approved for the Settlement contract',
        },
      },
    },
  },
  certify: {
    title: 'Certify a real thing, and sell it',
    lead: 'A thing with a serial gets a certificate on chain, and is listed by it. The certificate stands on your signed word that you have the thing and may sell it; there is one live certificate a serial.',
    button: 'Certify and list it',
    done: 'It is certified, and for sale.',
    fields: {
      serial: { hint: 'As it stands on the thing.' },
      gate: {
        label: 'Who holds the certificate',
        options: { deposit: 'The agent’s account', 'owner-signed': 'Your wallet' },
      },
    },
  },
  certificateTransfer: {
    title: 'Transfer a certificate',
    lead: 'It goes to another account, by the signature of whoever controls it. You sign twice: once to ask, once what the contract checks. What was listed by it leaves the market.',
    button: 'Transfer it',
    done: 'The transfer is ready.',
    fields: { to: { label: 'To', hint: 'The account that is to hold it.' } },
    again: (tokenId: string, to: string) => `Transfer certificate ${tokenId} to ${to}.`,
  },
  feature: {
    title: 'Feature a listing',
    lead: 'It stands first in the catalogue, marked as featured. Names have a list of their own, which features none. Anybody may pay for it, by card.',
    button: 'Go on to pay',
    done: 'The placement is ready to be paid.',
    fields: { listingRef: { label: 'Listing', hint: 'As the catalogue names it.' } },
  },
  listingFee: {
    title: 'Pay the fee of a listing',
    lead: 'A listing that costs a fee shows once that is paid, by card. Unpaid, it ends after a day.',
    button: 'Go on to pay',
    done: 'The fee is ready to be paid.',
    fields: { listingRef: { label: 'Listing', hint: 'As it was named when you listed it.' } },
  },
  pledge: {
    title: 'Pledge something',
    lead: 'No second listing or pledge of it stands until it is released: by you, or by the lender alone where you name one. Control is proved on chain: your wallet holds the token or the certificate, or owns the agent that does.',
    button: 'Pledge it',
    done: 'It is pledged.',
    fields: {
      contract: { hint: 'Left empty for a serial.' },
      serial: { hint: 'In place of a token, where it has a certificate.' },
      listingRef: {
        label: 'What for',
        hint: 'The listing or the loan it is pledged to, such as loan-2027-14.',
      },
      lender: {
        label: 'Lender (optional)',
        hint: 'You cannot release it then: a lender named by a wallet does, for any other name the operator.',
      },
      until: {
        label: 'Due (optional)',
        hint: 'When the debt is due, UTC. The day ends nothing: the pledge stands until it is released.',
      },
    },
  },
  release: {
    title: 'Release a pledge',
    lead: 'A lender that is named ends it alone, by its wallet, or through the operator where it is named by none. Without a lender the wallet that made it does. The pledge of a listing ends with the listing.',
    button: 'Release it',
    done: 'The pledge has ended: the thing is free.',
    fields: {
      pledgeId: { label: 'Pledge' },
      wallet: {
        label: 'Wallet that signs (optional)',
        hint: 'The lender’s, or the one that pledged it where no lender is named.',
      },
    },
  },
} as const satisfies Readonly<Record<string, ActWords & { readonly again?: unknown }>>;
