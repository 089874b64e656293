import { NAME, NAMES } from '../words/desk/names.ts';
import { at, type DeskCommand, field, given, handle } from './command.ts';

const name = field('name', NAME, { kind: 'code' });

/** The commands on the market for names. */
export const NAME_COMMANDS: readonly DeskCommand[] = [
  {
    id: 'name-sell',
    ...NAMES.nameSell,
    fields: [
      handle,
      name,
      field('askUsd', NAMES.nameSell.fields.askUsd, { kind: 'money' }),
      field('gate', NAMES.nameSell.fields.gate),
    ],
    request: (typed) => ({
      method: 'POST',
      path: '/domains/listings',
      body: given(typed, 'handle', 'name', 'askUsd', 'gate'),
    }),
  },
  {
    id: 'name-auction',
    ...NAMES.nameAuction,
    fields: [
      handle,
      name,
      field('format', NAMES.nameAuction.fields.format),
      field('reserveUsd', NAMES.nameAuction.fields.reserveUsd, { kind: 'money' }),
      field('startUsd', NAMES.nameAuction.fields.startUsd, { kind: 'money', optional: true }),
      field('durationSeconds', NAMES.nameAuction.fields.durationSeconds),
    ],
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
    ...NAMES.nameBid,
    fields: [handle, name, field('bidUsd', NAMES.nameBid.fields.bidUsd, { kind: 'money' })],
    request: (typed) => ({
      method: 'POST',
      path: `/domains/${at(typed.name)}/bids`,
      body: given(typed, 'handle', 'bidUsd'),
    }),
  },
  {
    id: 'name-buy',
    ...NAMES.nameBuy,
    fields: [handle, name, field('priceUsd', NAMES.nameBuy.fields.priceUsd, { kind: 'money' })],
    request: (typed) => ({
      method: 'POST',
      path: `/domains/${at(typed.name)}/buy`,
      body: given(typed, 'handle', 'priceUsd'),
    }),
  },
];
