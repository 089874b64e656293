import { expect, it } from 'vitest';
import { NO_HEAD_AGE, settingsApart } from './settings-apart.ts';

const one = {
  ...{ id: 'a', host: 'h', pid: 1, confirmations: 0 },
  ...{ head_age_1002: NO_HEAD_AGE, head_age_84532: NO_HEAD_AGE },
};

it('names each setting that processes of one database take otherwise, and who takes what', () => {
  expect(settingsApart([])).toEqual([]);
  expect(settingsApart([one, { ...one, id: 'b', pid: 2 }])).toEqual([]);
  const other = { ...one, id: 'b', pid: 2, confirmations: 12, head_age_1002: 60 };
  expect(settingsApart([one, other])).toEqual([
    {
      setting: 'CONFIRMATIONS_1002',
      says: 'CONFIRMATIONS_1002 is not the same in all processes: 0 in process 1 on h; 12 in process 2 on h',
    },
    {
      setting: 'HEAD_AGE_1002',
      says: expect.stringContaining('no limit (31536000) in process 1 on h; 60 s in'),
    },
  ]);
});
