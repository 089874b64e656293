import { sessionWords } from '../../agents/agent/agent-words.ts';
import { AGENTS } from '../words/desk/agents.ts';
import { at, type DeskCommand, field, from, given, handle, wallet } from './command.ts';

/** What an owner decides about an agent, and may read about it. */
export const AGENT_COMMANDS: readonly DeskCommand[] = [
  {
    id: 'mandate',
    ...AGENTS.mandate,
    fields: [handle, field('mandate', AGENTS.mandate.fields.mandate, { kind: 'area', optional: true })],
    request: (typed) => ({
      method: 'POST',
      path: `/agent/${at(typed.handle)}/mandate`,
      body: { mandate: typed.mandate },
    }),
    confirm: (typed, version) => `/agent/${at(typed.handle)}/mandate/${at(version)}/confirm`,
  },
  {
    id: 'session',
    ...AGENTS.session,
    fields: [handle, field('action', AGENTS.session.fields.action)],
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
    ...AGENTS.pauseAll,
    fields: [wallet],
    request: (typed) => ({ method: 'POST', path: '/agents/pause', body: given(typed, 'wallet') }),
  },
  {
    id: 'profile',
    ...AGENTS.profile,
    fields: [
      handle,
      field('displayName', AGENTS.profile.fields.displayName, { optional: true }),
      field('about', AGENTS.profile.fields.about, { kind: 'area', optional: true }),
      field('depth', AGENTS.profile.fields.depth, { optional: true }),
    ],
    request: (typed) => ({
      method: 'POST',
      path: `/agent/${at(typed.handle)}/profile`,
      body: given(typed, 'displayName', 'about', 'depth'),
    }),
  },
  {
    id: 'log',
    ...AGENTS.log,
    fields: [handle],
    paged: true,
    request: (typed) => ({ method: 'GET', path: from(`/agent/${at(typed.handle)}/log`, typed) }),
  },
  {
    id: 'acts',
    ...AGENTS.signings,
    fields: [handle],
    paged: true,
    request: (typed) => ({ method: 'GET', path: from(`/agent/${at(typed.handle)}/acts`, typed) }),
  },
];
