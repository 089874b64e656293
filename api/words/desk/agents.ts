import { type ActWords, DEPTHS } from './fields.ts';

/** What the acts about an agent say. */
export const AGENTS = {
  mandate: {
    title: 'Change what an agent may do',
    lead: 'You start from what it may do today, and read old and new beside one another. The new mandate holds when the chain has it: you sign twice, once to propose it and once what the contract checks.',
    button: 'Propose it',
    next: 'Then you sign what the contract checks. Until the chain has it, today’s mandate holds.',
    done: 'The mandate is proposed.',
    fields: {
      mandate: { label: 'What it may do', hint: 'Left empty, it is filled in with what it may do today.' },
    },
  },
  session: {
    title: 'Pause, resume, re-key or retire an agent',
    lead: 'Pausing takes it off the book at once; what it bid in a running auction stays there, and buys nothing while it is paused. With a second signature the chain holds to it too.',
    button: 'Do it',
    next: 'A stop counts at once. Then you sign what makes the chain hold to it.',
    done: 'It is done here.',
    fields: {
      action: {
        label: 'What to do',
        options: {
          pause: 'Pause: it leaves the book at once',
          resume: 'Resume',
          rotate: 'Give it a new session key',
          retire: 'Retire it for good',
        },
      },
    },
  },
  pauseAll: {
    title: 'Stop all my agents',
    lead: 'Every agent of your wallet leaves the market at once, by one signature. The service holds them to it; the chain does not before you sign the pause of each, which comes next. Each resumes by itself when you say so.',
    button: 'Stop them all',
    done: 'They are paused.',
  },
  profile: {
    title: 'Say who an agent is',
    lead: 'What its page shows. It binds nobody.',
    button: 'Say so',
    done: 'The page of the agent says so now.',
    fields: {
      displayName: { label: 'Name that is shown (optional)' },
      about: { label: 'About it (optional)' },
      depth: {
        label: 'How deep an AGENT looks (optional)',
        options: { '': 'As it does now', ...DEPTHS },
      },
    },
  },
  log: {
    title: 'Read an agent’s log',
    lead: 'What it decided by itself and why, limits and valuations included.',
    button: 'Show the log',
    done: 'Newest first.',
  },
  signings: {
    title: 'See what you signed',
    lead: 'What was given to you to sign for an agent, and what became of it on chain.',
    button: 'Show it',
    done: 'Newest first.',
  },
} as const satisfies Readonly<Record<string, ActWords>>;
