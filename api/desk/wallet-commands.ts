import { CHOOSE_ONE, WALLETS } from '../words/desk/wallets.ts';
import { at, codesOf, type DeskCommand, field, given, wallet } from './command.ts';

/** The commands about a wallet itself, and what it buys. */
export const WALLET_COMMANDS: readonly DeskCommand[] = [
  {
    id: 'settings',
    ...WALLETS.settings,
    fields: [
      wallet,
      field('onFlagged', WALLETS.settings.fields.onFlagged, { optional: true }),
      field('onInconclusive', WALLETS.settings.fields.onInconclusive, { optional: true }),
    ],
    lacks: ({ onFlagged, onInconclusive }) =>
      onFlagged || onInconclusive ? [] : [{ path: 'onFlagged', message: CHOOSE_ONE }],
    request: (typed) => ({
      method: 'POST',
      path: '/settings',
      body: given(typed, 'wallet', 'onFlagged', 'onInconclusive'),
    }),
  },
  {
    id: 'membership',
    ...WALLETS.membership,
    fields: [wallet, field('kind', WALLETS.membership.fields.kind)],
    by: 'card',
    request: (typed) => ({
      method: 'POST',
      path: '/membership/checkout',
      body: given(typed, 'wallet', 'kind'),
    }),
  },
  {
    id: 'standing',
    ...WALLETS.standing,
    fields: [{ ...wallet, ...WALLETS.standing.fields.wallet }],
    by: 'nothing',
    request: (typed) => ({ method: 'GET', path: `/quote?wallet=${at(typed.wallet)}` }),
  },
  {
    id: 'covered',
    ...WALLETS.covered,
    fields: [
      wallet,
      field('add', WALLETS.covered.fields.add, { kind: 'codes', optional: true }),
      field('remove', WALLETS.covered.fields.remove, { kind: 'codes', optional: true }),
    ],
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
    ...WALLETS.appeal,
    fields: [
      field('recordId', WALLETS.appeal.fields.recordId, { kind: 'code' }),
      wallet,
      field('grounds', WALLETS.appeal.fields.grounds, { kind: 'area', optional: true }),
    ],
    request: (typed) => ({
      method: 'POST',
      path: `/records/${at(typed.recordId)}/appeal`,
      body: given(typed, 'wallet', 'grounds'),
    }),
  },
  {
    id: 'outcome',
    ...WALLETS.outcome,
    fields: [
      field('recordId', WALLETS.outcome.fields.recordId, { kind: 'code' }),
      wallet,
      field('outcome', WALLETS.outcome.fields.outcome),
      field('kind', WALLETS.outcome.fields.kind, { optional: true }),
      field('evidence', WALLETS.outcome.fields.evidence, { kind: 'codes', optional: true }),
    ],
    request: (typed) => ({
      method: 'POST',
      path: `/records/${at(typed.recordId)}/outcome`,
      body: { ...given(typed, 'wallet', 'outcome', 'kind'), evidence: codesOf(typed.evidence) },
    }),
  },
];
