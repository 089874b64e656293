import type { ActWords } from './fields.ts';

/** What is said of a depth that is left open. */
export const UNSAID_DEPTH = {
  agent: 'As usual: 2-of-2',
  executor: 'As usual: 2-of-2; an EXECUTOR has none',
} as const;

/** What the acts say that a wallet pays for by a transfer. */
export const PAID = {
  check: {
    title: 'Check a counterparty',
    lead: 'CLEAN or FLAGGED, with every check that ran. Your wallet signs a transfer of what it costs, in test USDC; nothing is charged unless the answer is delivered. A member signs in instead, and is charged nothing.',
    button: 'Check it',
    done: 'This is what was found.',
    waiting: 'Signed. The reviewers read the chain and vote: this takes a few seconds.',
    fields: {
      address: { label: 'Address to check', hint: 'EVM or Solana: which it is, is seen.' },
      chainId: {
        label: 'Chain it is checked on',
        hint: 'Of an EVM address. A Solana address has one chain, and needs none chosen.',
        options: {
          1002: 'Safe Handshake test chain (1002), where agents are and deals settle',
          84532: 'Base Sepolia (84532)',
        },
      },
      transactionUsd: {
        label: 'What is at stake, in dollars (optional)',
        hint: 'The price is one percent of it, at least one cent.',
      },
      wallet: { hint: 'It pays.' },
    },
  },
  newAgent: {
    title: 'Make an agent, paid in USDC',
    lead: 'As you would by card, but your wallet signs a transfer of test USDC on Base Sepolia. The wallet that pays owns the agent.',
    button: 'Go on to pay',
    done: 'It is paid.',
    fields: {
      mandate: { label: 'What it may do', hint: 'What it deals in, the most it may spend, and until when.' },
      handle: { label: 'Its handle', hint: 'The name that others see.' },
      tier: {
        label: 'What kind',
        options: { AGENT: 'AGENT: works by itself', EXECUTOR: 'EXECUTOR: acts on your orders alone' },
      },
    },
  },
} as const satisfies Readonly<Record<string, ActWords>>;
