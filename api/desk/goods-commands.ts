import { SERIAL_KINDS, type SerialKind } from '../../agents/assets.ts';
import type { Form } from '../http/forms.ts';
import {
  at,
  category,
  type DeskCommand,
  type DeskField,
  type DeskRequest,
  given,
  handle,
  thing,
  wallet,
} from './command.ts';

/** What each kind of serial identifies. Names are left out because they have a market of their own. */
const KIND_WORDS: Readonly<Record<Exclude<SerialKind, 'name'>, string>> = {
  vin: 'VIN, of a vehicle',
  imei: 'IMEI, of a telephone',
  isbn: 'ISBN, of a book',
  isrc: 'ISRC, of a recording',
  gtin: 'GTIN, of packaged goods',
  generic: 'Another',
};
const KINDS = SERIAL_KINDS.flatMap((kind) => (kind === 'name' ? [] : [[kind, KIND_WORDS[kind]] as const]));

export const contract: DeskField = { name: 'contract', label: 'Token contract', kind: 'code' };
export const tokenId: DeskField = { name: 'tokenId', label: 'Token number', kind: 'code' };
export const certificate: DeskField = {
  ...tokenId,
  label: 'Certificate',
  hint: 'Its token number, as its page shows it.',
};
export const serial: DeskField = { name: 'serial', label: 'Serial', kind: 'code' };
export const serialKind: DeskField = {
  name: 'serialKind',
  label: 'Kind of serial (optional)',
  hint: 'Most are recognised by their form and check digit.',
  options: [['', 'Recognise it'], ...KINDS],
  optional: true,
};
const terms: readonly DeskField[] = [
  { name: 'description', label: 'Description' },
  category,
  { name: 'askUsd', label: 'Ask in dollars', kind: 'money' },
  {
    name: 'floorUsd',
    label: 'Least you would take (optional)',
    hint: 'Private, always. It makes the ask negotiable.',
    kind: 'money',
    optional: true,
  },
];
const gate = (label: string, deposit: string, own: string): DeskField => ({
  name: 'gate',
  label,
  options: [
    ['deposit', deposit],
    ['owner-signed', own],
  ],
});

const listing = (typed: Form): DeskRequest => ({
  method: 'POST',
  path: `/agent/${at(typed.handle)}/assets`,
  body: {
    asset: thing(typed),
    negotiable: Boolean(typed.floorUsd),
    ...given(typed, 'description', 'askUsd', 'floorUsd', 'category', 'gate'),
  },
});

/** The commands about assets: sell, certify, pledge. */
export const GOODS_COMMANDS: readonly DeskCommand[] = [
  {
    id: 'list',
    title: 'Sell a token',
    lead: 'At an ask, once control of it is proved on chain. Transfer the token to the agent’s account, or keep it and approve the Settlement contract for it.',
    fields: [
      handle,
      contract,
      tokenId,
      ...terms,
      gate('Where the asset is', 'In the agent’s account', 'In your wallet, approved for Settlement'),
    ],
    button: 'List it',
    done: 'It is for sale.',
    request: listing,
  },
  {
    id: 'certify',
    title: 'Certify a real thing, and sell it',
    lead: 'A thing with a serial gets a certificate on chain, and is listed by it. The certificate stands on your signed word that you have the thing and may sell it; there is one live certificate a serial.',
    fields: [
      handle,
      { ...serial, hint: 'As it stands on the thing.' },
      serialKind,
      ...terms,
      gate('Who holds the certificate', 'The agent’s account', 'Your wallet'),
    ],
    button: 'Certify and list it',
    done: 'It is certified, and for sale.',
    request: listing,
  },
  {
    id: 'certificate-transfer',
    title: 'Transfer a certificate',
    lead: 'It goes to another account, by the signature of whoever controls it. You sign twice: once to ask, once what the contract checks. What was listed by it leaves the market.',
    fields: [certificate, { name: 'to', label: 'To', hint: 'The account that is to hold it.', kind: 'code' }],
    button: 'Transfer it',
    done: 'The transfer is ready.',
    request: (typed) => ({
      method: 'POST',
      path: `/certificates/${at(typed.tokenId)}/transfer`,
      body: given(typed, 'to'),
    }),
    confirm: (typed) => `/certificates/${at(typed.tokenId)}/transfer/confirm`,
    again: (typed) => `Transfer certificate ${typed.tokenId} to ${typed.to}.`,
  },
  {
    id: 'feature',
    title: 'Feature a listing',
    lead: 'It stands first in the catalogue, marked as featured. Anybody may pay for it, by card.',
    fields: [{ name: 'listingRef', label: 'Listing', hint: 'As the catalogue names it.', kind: 'code' }],
    button: 'Go on to pay',
    done: 'The placement is ready to be paid.',
    by: 'card',
    request: (typed) => ({
      method: 'POST',
      path: '/listing/checkout',
      body: { ...given(typed, 'listingRef'), featured: true },
    }),
  },
  {
    id: 'listing-fee',
    title: 'Pay the fee of a listing',
    lead: 'A listing that costs a fee shows once that is paid, by card. Unpaid, it ends after a day.',
    fields: [
      { name: 'listingRef', label: 'Listing', hint: 'As it was named when you listed it.', kind: 'code' },
    ],
    button: 'Go on to pay',
    done: 'The fee is ready to be paid.',
    by: 'card',
    request: (typed) => ({
      method: 'POST',
      path: '/listing/checkout',
      body: { ...given(typed, 'listingRef'), featured: false },
    }),
  },
  {
    id: 'pledge',
    title: 'Pledge something',
    lead: 'No second listing or pledge of it stands until you release it. Control is proved on chain: your wallet holds the token or the certificate, or owns the agent that does.',
    fields: [
      wallet,
      { ...contract, hint: 'Left empty for a serial.', optional: true },
      { ...tokenId, optional: true },
      { ...serial, hint: 'In place of a token, where it has a certificate.', optional: true },
      serialKind,
      {
        name: 'listingRef',
        label: 'What for',
        hint: 'The listing or the loan it is pledged to, such as loan-2027-14.',
      },
      {
        name: 'lender',
        label: 'Lender (optional)',
        hint: 'A wallet may release the pledge, too; a name only stands there.',
        optional: true,
      },
      {
        name: 'until',
        label: 'Last day (optional)',
        hint: 'The pledge ends with that day, UTC. Left empty: when it is released.',
        kind: 'day',
        optional: true,
      },
    ],
    button: 'Pledge it',
    done: 'It is pledged.',
    request: (typed) => ({
      method: 'POST',
      path: '/pledge',
      body: {
        asset: thing(typed),
        ...given(typed, 'wallet', 'listingRef', 'lender'),
        ...(typed.until ? { until: `${typed.until}T23:59:59Z` } : {}),
      },
    }),
  },
  {
    id: 'release',
    title: 'Release a pledge',
    lead: 'The wallet that made it ends it, or its lender. The pledge of a listing ends with the listing.',
    fields: [
      { name: 'pledgeId', label: 'Pledge', kind: 'code' },
      {
        ...wallet,
        label: 'The lender’s wallet (optional)',
        hint: 'Only where the lender releases it.',
        optional: true,
      },
    ],
    button: 'Release it',
    done: 'The pledge has ended: the thing is free.',
    request: (typed) => ({
      method: 'POST',
      path: `/pledge/${at(typed.pledgeId)}/release`,
      body: given(typed, 'wallet'),
    }),
  },
];
