import type { Form } from '../http/forms.ts';
import { FIELDS, SERIALS } from '../words/desk/fields.ts';
import { GOODS, LISTING } from '../words/desk/goods.ts';
import {
  at,
  category,
  type DeskCommand,
  type DeskField,
  type DeskRequest,
  field,
  given,
  handle,
  thing,
  wallet,
} from './command.ts';

export const contract = field('contract', FIELDS.contract, { kind: 'code' });
export const tokenId = field('tokenId', FIELDS.tokenId, { kind: 'code' });
export const certificate = field('tokenId', FIELDS.certificate, { kind: 'code' });
export const serial = field('serial', FIELDS.serial, { kind: 'code' });
export const serialKind = field('serialKind', { ...FIELDS.serialKind, options: SERIALS }, { optional: true });
const terms: readonly DeskField[] = [
  field('description', LISTING.description),
  category,
  field('askUsd', LISTING.askUsd, { kind: 'money' }),
  field('floorUsd', LISTING.floorUsd, { kind: 'money', optional: true }),
];

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
    ...GOODS.list,
    fields: [handle, contract, tokenId, ...terms, field('gate', GOODS.list.fields.gate)],
    request: listing,
  },
  {
    id: 'certify',
    ...GOODS.certify,
    fields: [
      handle,
      { ...serial, ...GOODS.certify.fields.serial },
      serialKind,
      ...terms,
      field('gate', GOODS.certify.fields.gate),
    ],
    request: listing,
  },
  {
    id: 'certificate-transfer',
    ...GOODS.certificateTransfer,
    fields: [certificate, field('to', GOODS.certificateTransfer.fields.to, { kind: 'code' })],
    request: (typed) => ({
      method: 'POST',
      path: `/certificates/${at(typed.tokenId)}/transfer`,
      body: given(typed, 'to'),
    }),
    confirm: (typed) => `/certificates/${at(typed.tokenId)}/transfer/confirm`,
    again: (typed) => GOODS.certificateTransfer.again(typed.tokenId ?? '', typed.to ?? ''),
  },
  {
    id: 'feature',
    ...GOODS.feature,
    fields: [field('listingRef', GOODS.feature.fields.listingRef, { kind: 'code' })],
    by: 'card',
    request: (typed) => ({
      method: 'POST',
      path: '/listing/checkout',
      body: { ...given(typed, 'listingRef'), featured: true },
    }),
  },
  {
    id: 'listing-fee',
    ...GOODS.listingFee,
    fields: [field('listingRef', GOODS.listingFee.fields.listingRef, { kind: 'code' })],
    by: 'card',
    request: (typed) => ({
      method: 'POST',
      path: '/listing/checkout',
      body: { ...given(typed, 'listingRef'), featured: false },
    }),
  },
  {
    id: 'pledge',
    ...GOODS.pledge,
    fields: [
      wallet,
      { ...contract, ...GOODS.pledge.fields.contract, optional: true },
      { ...tokenId, optional: true },
      { ...serial, ...GOODS.pledge.fields.serial, optional: true },
      serialKind,
      field('listingRef', GOODS.pledge.fields.listingRef),
      field('lender', GOODS.pledge.fields.lender, { optional: true }),
      field('until', GOODS.pledge.fields.until, { kind: 'day', optional: true }),
    ],
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
    ...GOODS.release,
    fields: [
      field('pledgeId', GOODS.release.fields.pledgeId, { kind: 'code' }),
      { ...wallet, ...GOODS.release.fields.wallet, optional: true },
    ],
    request: (typed) => ({
      method: 'POST',
      path: `/pledge/${at(typed.pledgeId)}/release`,
      body: given(typed, 'wallet'),
    }),
  },
];
