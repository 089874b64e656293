import { sessionWords } from '../../agents/agent/agent-words.ts';
import { DEPTHS } from '../agent/depths.ts';
import { at, type DeskCommand, from, given, handle, wallet } from './command.ts';

/** What an owner decides about an agent, and may read about it. */
export const AGENT_COMMANDS: readonly DeskCommand[] = [
  {
    id: 'mandate',
    title: 'Change what an agent may do',
    lead: 'You start from what it may do today, and read old and new beside one another. The new mandate holds when the chain has it: you sign twice, once to propose it and once what the contract checks.',
    fields: [
      handle,
      {
        name: 'mandate',
        label: 'What it may do',
        hint: 'Left empty, it is filled in with what it may do today.',
        kind: 'area',
        optional: true,
      },
    ],
    button: 'Propose it',
    next: 'Then you sign what the contract checks. Until the chain has it, today’s mandate holds.',
    done: 'The mandate is proposed.',
    request: (typed) => ({
      method: 'POST',
      path: `/agent/${at(typed.handle)}/mandate`,
      body: { mandate: typed.mandate },
    }),
    confirm: (typed, version) => `/agent/${at(typed.handle)}/mandate/${at(version)}/confirm`,
  },
  {
    id: 'session',
    title: 'Pause, resume, re-key or retire an agent',
    lead: 'Pausing takes it off the book at once. With a second signature the chain holds to it too.',
    fields: [
      handle,
      {
        name: 'action',
        label: 'What to do',
        options: [
          ['pause', 'Pause: it leaves the book at once'],
          ['resume', 'Resume'],
          ['rotate', 'Give it a new session key'],
          ['retire', 'Retire it for good'],
        ],
      },
    ],
    button: 'Do it',
    next: 'A stop counts at once. Then you sign what makes the chain hold to it.',
    done: 'It is done here.',
    request: (typed) => ({
      method: 'POST',
      path: `/agent/${at(typed.handle)}/session`,
      body: { action: typed.action },
    }),
    confirm: (typed) => `/agent/${at(typed.handle)}/session/confirm`,
    again: (typed) => sessionWords(typed.action as 'pause', typed.handle ?? ''),
  },
  {
    id: 'pause-all',
    title: 'Stop all my agents',
    lead: 'Every agent of your wallet leaves the market at once, by one signature. Each resumes by itself when you say so.',
    fields: [wallet],
    button: 'Stop them all',
    done: 'They are paused.',
    request: (typed) => ({ method: 'POST', path: '/agents/pause', body: given(typed, 'wallet') }),
  },
  {
    id: 'profile',
    title: 'Say who an agent is',
    lead: 'What its page shows. It binds nobody.',
    fields: [
      handle,
      { name: 'displayName', label: 'Name that is shown (optional)', optional: true },
      { name: 'about', label: 'About it (optional)', kind: 'area', optional: true },
      {
        name: 'depth',
        label: 'How deep an AGENT looks (optional)',
        options: [['', 'As it does now'], ...DEPTHS],
        optional: true,
      },
    ],
    button: 'Say so',
    done: 'The page of the agent says so now.',
    request: (typed) => ({
      method: 'POST',
      path: `/agent/${at(typed.handle)}/profile`,
      body: given(typed, 'displayName', 'about', 'depth'),
    }),
  },
  {
    id: 'log',
    title: 'Read an agent’s log',
    lead: 'What it decided by itself and why, limits and valuations included.',
    fields: [handle],
    button: 'Show the log',
    done: 'Newest first.',
    paged: true,
    request: (typed) => ({ method: 'GET', path: from(`/agent/${at(typed.handle)}/log`, typed) }),
  },
  {
    id: 'acts',
    title: 'See what you signed',
    lead: 'What was given to you to sign for an agent, and what became of it on chain.',
    fields: [handle],
    button: 'Show it',
    done: 'Newest first.',
    paged: true,
    request: (typed) => ({ method: 'GET', path: from(`/agent/${at(typed.handle)}/acts`, typed) }),
  },
];
