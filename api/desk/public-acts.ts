import { at, type DeskAct, given, handle } from './act.ts';

/** What an owner says in public: about an agent, and against a record. */
export const PUBLIC_ACTS: readonly DeskAct[] = [
  {
    id: 'profile',
    title: 'Say who an agent is',
    lead: 'What its page shows. It binds nobody.',
    fields: [
      handle,
      { name: 'displayName', label: 'Name that is shown (optional)', optional: true },
      { name: 'about', label: 'About it (optional)', kind: 'area', optional: true },
    ],
    button: 'Say so',
    done: 'The page of the agent says so now.',
    request: (typed) => ({
      method: 'POST',
      path: `/agent/${at(typed.handle)}/profile`,
      body: given(typed, 'displayName', 'about'),
    }),
  },
  {
    id: 'appeal',
    title: 'Contest a record',
    lead: 'A FLAGGED record about you is determined again on fresh evidence. Both records stay, and name each other.',
    fields: [
      { name: 'recordId', label: 'Record', kind: 'code' },
      { name: 'wallet', label: 'Your wallet', kind: 'code' },
      {
        name: 'grounds',
        label: 'Your words (optional)',
        hint: 'They are published, and decide nothing.',
        kind: 'area',
        optional: true,
      },
    ],
    button: 'Contest it',
    done: 'It was determined again.',
    request: (typed) => ({
      method: 'POST',
      path: `/records/${at(typed.recordId)}/appeal`,
      body: given(typed, 'wallet', 'grounds'),
    }),
  },
];
