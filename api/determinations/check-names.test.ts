import { describe, expect, it } from 'vitest';
import { checkName, GROUPS } from './check-names.ts';

describe('a check', () => {
  it('has a plain name and a group, and one that is unknown here has its id in words', () => {
    expect(checkName('list-sanctions')).toEqual({ name: 'Sanctions lists', group: 'Lists' });
    expect(checkName('transfers').group).toBe('Money');
    expect(checkName('chain-activity:84532')).toEqual({
      name: 'What it did on chain 84532',
      group: 'History',
    });
    expect(checkName('mandate-cap-deal')).toEqual({ name: 'Mandate cap deal', group: 'Mandate' });
    expect(checkName('something-new')).toEqual({ name: 'Something new', group: 'History' });
    for (const id of ['x', 'solana-frozen', 'list-x', '']) expect(GROUPS).toContain(checkName(id).group);
  });
});
