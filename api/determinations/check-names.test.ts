import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkName, GROUPS, MEMBERS, NAMED } from './check-names.ts';

describe('a check', () => {
  it('has a plain name and a group, and one that is unknown here has its id in words', () => {
    expect(checkName('list-sanctions')).toEqual({ name: 'Sanctions lists', group: 'lists' });
    expect(checkName('transfers').group).toBe('money');
    expect(checkName('chain-activity:84532')).toEqual({
      name: 'What it did on Base Sepolia',
      group: 'history',
    });
    expect(checkName('mandate-cap-deal')).toEqual({ name: 'Within its limit for a deal', group: 'mandate' });
    expect(checkName('mandate-clean-wallet').name).toBe('Counterparty wallet must be clean');
    expect(checkName('chain-activity:solana').name).toBe('What it did on Solana');
    expect(checkName('something-new')).toEqual({ name: 'Something new', group: 'history' });
    for (const id of ['x', 'solana-frozen', 'list-x', '']) expect(GROUPS).toContain(checkName(id).group);
  });

  it('with a name is in a group, and in one alone', () => {
    const shown = [...NAMED].map((id) => checkName(id));
    expect(shown.every(({ group }) => GROUPS.includes(group))).toBe(true);
    expect(MEMBERS.toSorted()).toEqual([...NAMED].toSorted());
  });

  it('has a name and a group of its own, whichever judge makes it', () => {
    const folder = new URL('../../agents/determinations/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const made = files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) => [...readFileSync(new URL(file, folder), 'utf8').matchAll(MAKES)])
      .map(([, id, alone]) => id ?? alone ?? '');
    for (const id of ['bidders-money', 'flat-prices', 'custody-sanctions', 'solana-frozen', 'list-stolen'])
      expect(made).toContain(id);
    expect(new Set(made).size).toBeGreaterThan(40);
    expect([...new Set(made)].filter((id) => !NAMED.has(id) && !id.startsWith('mandate-clean-'))).toEqual([]);
  });
});

/** The id with which a check is made: the first argument of what makes checks, or a constant that it is given. */
const MAKES =
  /\b(?:check|habit|goodsCheck|heldAgainst|listCheck|unread|merged|asked)\(\s*'([a-z0-9-]+)'|const id = '([a-z0-9-]+)'/g;
