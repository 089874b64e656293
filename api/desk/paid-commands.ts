import { DEPTHS } from '../agent/depths.ts';
import type { Form } from '../http/forms.ts';
import { type DeskCommand, type DeskField, given, wallet } from './command.ts';

export const depth = (unsaid: string): DeskField => ({
  name: 'depth',
  label: 'How deep to look (optional)',
  options: [['', unsaid], ...DEPTHS],
  optional: true,
});

export const network: DeskField = {
  name: 'network',
  label: 'It pays on',
  options: [
    ['eip155:1002', 'eip155:1002'],
    ['eip155:84532', 'eip155:84532'],
  ],
};

/** A command that the wallet pays for by signing a transfer of test USDC (x402). */
export const CHECK: DeskCommand = {
  id: 'check',
  title: 'Check a counterparty',
  lead: 'CLEAN or FLAGGED, with every check that ran. Your wallet signs a transfer of what it costs, in test USDC; nothing is charged unless the answer is delivered.',
  fields: [
    {
      name: 'address',
      label: 'Address to check',
      hint: 'EVM or Solana: which it is, is seen.',
      kind: 'code',
    },
    {
      name: 'chainId',
      label: 'Chain it is checked on',
      hint: 'Of an EVM address. A Solana address has one chain, and needs none chosen.',
      options: [
        ['1002', '1002, where agents are and deals settle'],
        ['84532', '84532, Base Sepolia'],
      ],
      optional: true,
    },
    depth('As usual: 2-of-2'),
    { ...wallet, hint: 'It pays.' },
    network,
  ],
  button: 'Check it',
  done: 'This is what was found.',
  by: 'usdc',
  waiting: 'Signed. The reviewers read the chain and vote: this takes a few seconds.',
  request: (typed) => ({
    method: 'GET',
    path: `/determination?${new URLSearchParams(given(checked(typed), 'address', 'chainId', 'depth'))}`,
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

export const BRING: DeskCommand = {
  id: 'bring',
  title: 'Make an agent, paid in USDC',
  lead: 'As you would by card, but your wallet signs a transfer of test USDC on eip155:84532. The wallet that pays owns the agent.',
  fields: [
    {
      name: 'mandate',
      label: 'What it may do',
      hint: 'What it deals in, the most it may spend, and until when.',
      kind: 'area',
    },
    { name: 'handle', label: 'Its handle', hint: 'The name that others see.', kind: 'code' },
    { ...wallet, name: 'owner' },
    {
      name: 'tier',
      label: 'What kind',
      options: [
        ['AGENT', 'AGENT: works by itself'],
        ['EXECUTOR', 'EXECUTOR: acts on your orders alone'],
      ],
    },
    depth('As usual: 2-of-2; an EXECUTOR has none'),
  ],
  button: 'Go on to pay',
  done: 'It is paid.',
  by: 'usdc',
  request: (typed) => ({
    method: 'POST',
    path: '/agent/checkout',
    body: {
      ...given(typed, 'owner', 'handle', 'mandate', 'tier', ...(typed.tier === 'EXECUTOR' ? [] : ['depth'])),
      pay: 'usdc',
    },
  }),
};
