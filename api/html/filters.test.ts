import { describe, expect, it } from 'vitest';
import { chainChoice, filterForm, isNarrowed } from './filters.ts';

const STATE = { name: 'status', label: 'State', options: [['active', 'active'] as const] };

describe('the filters of a list', () => {
  it('keep the other filters, never the place in the list, and mark what is chosen', () => {
    const { text } = filterForm('/agents/directory', { status: 'active', owner: '0xab', cursor: 'c' }, [
      STATE,
    ]);
    expect(text).toContain('<input type="hidden" name="owner" value="0xab">');
    expect(text).not.toContain('cursor');
    expect(text).toContain('<option value="active" selected>');
    expect(text).toContain('<a href="/agents/directory">Everything</a>');
    expect(isNarrowed({ cursor: 'c', status: undefined })).toBe(false);
  });

  it('offer the chains of the rows where there are several, and always the chosen one', () => {
    const [a, b] = [{ chain: 'eip155:1' }, { chain: 'eip155:2' }];
    expect(chainChoice([a, a], {})).toEqual([]);
    expect(chainChoice([a, b, { chain: null }], {})[0]?.options.map(([c]) => c)).toEqual([
      'eip155:1',
      'eip155:2',
    ]);
    expect(chainChoice([], { chain: 'eip155:9' })[0]?.options).toEqual([['eip155:9', 'eip155:9']]);
  });
});
