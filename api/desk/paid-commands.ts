import type { Form } from '../http/forms.ts';
import { DEPTHS, FIELDS } from '../words/desk/fields.ts';
import { PAID, UNSAID_DEPTH } from '../words/desk/paid.ts';
import { type DeskCommand, type DeskField, field, given, wallet } from './command.ts';

/** @param unsaid what is said of leaving it open */
export const depth = (unsaid: string): DeskField =>
  field('depth', { ...FIELDS.depth, options: { '': unsaid, ...DEPTHS } }, { optional: true });

export const network = field('network', FIELDS.network);

/** A command that the wallet pays for by signing a transfer of test USDC (x402). */
export const CHECK: DeskCommand = {
  id: 'check',
  ...PAID.check,
  fields: [
    field('address', PAID.check.fields.address, { kind: 'code' }),
    field('chainId', PAID.check.fields.chainId, { optional: true, askedChain: true }),
    field('transactionUsd', PAID.check.fields.transactionUsd, { kind: 'money', optional: true }),
    depth(UNSAID_DEPTH.agent),
    { ...wallet, ...PAID.check.fields.wallet },
    network,
  ],
  by: 'usdc',
  request: (typed) => ({
    method: 'GET',
    path: `/determination?${new URLSearchParams(given(checked(typed), 'address', 'chainId', 'transactionUsd', 'depth'))}`,
  }),
};

/**
 * Drops the chain for an address that does not begin with 0x, since the choice of chain is for EVM addresses only. The
 * API refuses what is no address at all.
 */
function checked({ chainId, address = '', ...typed }: Form): Form {
  const bare = address.trim();
  const onChain = /^0x/i.test(bare) && chainId !== undefined;
  return { ...typed, address: bare, ...(onChain ? { chainId } : {}) };
}

export const NEW_AGENT: DeskCommand = {
  id: 'new-agent',
  ...PAID.newAgent,
  fields: [
    field('mandate', PAID.newAgent.fields.mandate, { kind: 'area' }),
    field('handle', PAID.newAgent.fields.handle, { kind: 'code' }),
    { ...wallet, name: 'owner' },
    field('tier', PAID.newAgent.fields.tier),
    depth(UNSAID_DEPTH.executor),
  ],
  by: 'usdc',
  dated: true,
  request: (typed) => ({
    method: 'POST',
    path: '/agent/checkout',
    body: {
      ...given(typed, 'owner', 'handle', 'mandate', 'tier', ...(typed.tier === 'EXECUTOR' ? [] : ['depth'])),
      ...given(typed, 'readAt'),
      pay: 'usdc',
    },
  }),
};
