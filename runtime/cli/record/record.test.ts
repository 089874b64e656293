import { describe, expect, it } from 'vitest';
import { conclusion } from './record.ts';

describe('the last line of `record verify`', () => {
  it('says that a record holds, and of one whose verdict counts no more why', () => {
    const checked = { ok: true, recordId: 'rec_1', withdrawn: null };
    expect(conclusion(checked)).toBe('rec_1 holds.');
    expect(conclusion({ ...checked, ok: false, withdrawn: 'retracted' })).toBe('rec_1 does NOT hold.');
    for (const withdrawn of ['retracted', 'overturned'] as const)
      expect(conclusion({ ...checked, withdrawn })).toContain(`it was ${withdrawn.toUpperCase()} since`);
  });
});
