import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) =>
  readMandate(`Buy wine, 50 USDC each, until 31 March 2027. ${text}.`, '2026-12-01T00:00:00Z');

const RULES = [
  'Ask me about anything above 20 USDC',
  'Ask me before any deal above 20 USDC',
  'Check with me above 20 USDC',
  'Deals above 20 USDC need my approval',
  'The price must be clean',
  'Provenance must be clean',
  'If the price cannot be judged, stop',
  'If the price cannot be judged, ask me',
  'If the price check is inconclusive, proceed',
  'Never above 90% of market value',
  'No more than 3 deals a day',
];
const EXCEPTIONS = ['from a.eth', 'with a.eth', 'on Base', 'for travel'];

/** What stands behind a rule that is no list takes away from that rule, and from nothing else. */
describe('an exception behind a rule', () => {
  it.each(RULES)('is never taken for a refusal of its own: %s', (rule) => {
    const banned = EXCEPTIONS.flatMap((names) =>
      [
        ', except ',
        ' except ',
        ', apart from deals ',
        ' - except ',
        '. Except ',
        '; except ',
        '\nExcept ',
      ].map((sign) => rule + sign + names),
    ).filter((text) => {
      const found = read(text);
      return (
        found.decision === 'ACCEPT' && Object.keys(found.mandate).some((field) => field.endsWith('_deny'))
      );
    });
    expect(banned).toEqual([]);
  });

  it.each(RULES.slice(0, 9))('is never taken for all that is allowed: %s', (rule) => {
    const confined = EXCEPTIONS.flatMap((names) =>
      [', but only ', ' only ', ' and only ', ...(rule.startsWith('If') ? [', only '] : [])].map(
        (sign) => rule + sign + names,
      ),
    ).filter((text) => {
      const found = read(text);
      if (found.decision !== 'ACCEPT') return false;
      return 'chains_allow' in found.mandate || 'counterparties_allow' in found.mandate;
    });
    expect(confined).toEqual([]);
  });

  it.each([
    ['The price must be clean. Never on Base', { chains_deny: ['base'] }],
    ['Ask me about anything above 20 USDC, but never deal with a.eth', { counterparties_deny: ['a.eth'] }],
    ['Ask me about anything above 20 USDC. Only on Base', { chains_allow: ['base'] }],
    ['Ask me about anything above 20 USDC, only on Base', { chains_allow: ['base'] }],
    ['If the price cannot be judged, stop. Only deal with a.eth', { counterparties_allow: ['a.eth'] }],
    ['Deal with anyone, except a.eth. The price must be clean', { counterparties_deny: ['a.eth'] }],
    ['Ask me above 20 USDC, and buy only from a.eth', { counterparties_allow: ['a.eth'] }],
    ['Buy anything up to 50 USDC each. Except travel', { categories_deny: ['travel-and-perishables'] }],
    ['On any chain except Base. Ask me above 20 USDC', { chains_deny: ['base'] }],
  ])('leaves refusals and lists of their own as they are: %s', (text, mandate) => {
    expect(read(text)).toMatchObject({ mandate });
  });

  it.each([
    'At most 200 USDC per week from a.eth',
    'At most 200 USDC a day with a.eth',
    'No more than 200 USDC in total to a.eth',
  ])('nor is one to whom an amount is held: %s', (text) => {
    expect(read(text)).toMatchObject({ decision: 'REFUSE' });
  });

  it.each(['Buy from a.eth for at most 200 USDC per week', 'At most 200 USDC per week, only from a.eth'])(
    'is said of all where the sentence tells what is done: %s',
    (text) => {
      expect(read(text)).toMatchObject({ mandate: { counterparties_allow: ['a.eth'] } });
    },
  );
});
