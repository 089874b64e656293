import { describe, expect, it } from 'vitest';
import type { Mandate } from '../terms/schema.ts';
import { readMandate } from './read.ts';

const LIMITS = [
  '400 USDC a month',
  'At most 400 USDC a day',
  '500 USDC in total',
  'At least 20 USDC',
  '3 deals a day',
];
const OF_ALL = [
  ...[
    'for anything',
    'for everything',
    'on anything',
    'on everything',
    'in all',
    'all in all',
    'across everything',
  ],
  ...[
    'for anyone',
    'with anyone',
    'from anyone',
    'from everybody',
    'on any chain',
    'anywhere',
    'for any goods',
  ],
];
const NAMES = [
  'travel',
  'wine',
  'music and travel',
  'x.eth',
  'Base',
  'with x.eth',
  'on Base',
  'deals in music',
];
const ALLOWING: readonly (keyof Mandate)[] = ['categories_allow', 'chains_allow', 'counterparties_allow'];

/** What "but" leaves out of all that a limit is said of is refused or free of the limit, and never all that is allowed. */
describe('names behind "but"', () => {
  it.each(OF_ALL)('are never all that is allowed, behind a limit that holds %s', (all) => {
    const texts = ['Buy anything. ', 'Sell anything. ', 'Buy. ', ''].flatMap((start) =>
      LIMITS.flatMap((limit) => NAMES.map((name) => `${start}${limit} ${all} but ${name}.`)),
    );
    const inverted = texts.filter((text) => {
      const found = readMandate(
        `${text} Max 100 USDC per deal, until 31 March 2027.`,
        '2026-12-01T00:00:00Z',
      );
      return found.decision === 'ACCEPT' && ALLOWING.some((field) => field in found.mandate);
    });
    expect(inverted).toEqual([]);
  });
});
