import { describe, expect, it } from 'vitest';
import type { Mandate } from '../terms/schema.ts';
import { readMandate } from './read.ts';

const END = ' At most 100 USDC per deal, until 31 March 2027.';
const read = (text: string) => readMandate(text + END, '2026-12-01T00:00:00Z');

/** What is accepted and holds one of the fields; a question holds none. */
function holding(texts: readonly string[], fields: readonly (keyof Mandate)[]): string[] {
  return texts.filter((text) => {
    const found = read(text);
    return found.decision === 'ACCEPT' && fields.some((field) => field in found.mandate);
  });
}

const PERMITTING = {
  categories: [
    ...[
      'Buy anything except music',
      'Sell everything except music',
      'Buy wine, never music',
      'Buy wine, no music',
    ],
    ...[
      'Buy any goods but music',
      'Anything goes except music',
      'Buy wine but not music',
      'Buy wine (no music)',
    ],
    ...['Buy everything apart from music and travel', 'Buy wine, without any music'],
  ],
  chains: ['Buy wine on any chain except Base', 'Buy wine, never on Base', 'Buy wine, no deals on Base'],
  counterparties: [
    ...['Buy wine from anyone but x.eth', 'Buy wine from anyone except x.eth', 'Buy wine, never from x.eth'],
    ...['Buy wine, nothing from x.eth', 'Buy wine, avoid x.eth'],
  ],
} as const;
const LISTS = {
  categories: ['in art or watches', 'in art, in watches or in cars'],
  chains: ['on Ethereum or Polygon', 'on chain 1002 or chain 84532', 'on Ethereum, on Polygon or on Solana'],
  counterparties: [
    'from a.eth or b.eth',
    'from dealers a.eth or b.eth',
    'from a.eth, from b.eth or from c.eth',
  ],
} as const;
const KINDS = ['categories', 'chains', 'counterparties'] as const;

/** Where the main clause permits, an exception takes away what it names, and a list of another kind tells where or whom. */
describe('a list behind an exception', () => {
  const cases = KINDS.flatMap((kind) => PERMITTING[kind].map((head) => ({ kind, head })));

  it.each(cases)('is never refused with it: $head', ({ kind, head }) => {
    for (const other of KINDS.filter((one) => one !== kind)) {
      const texts = LISTS[other].flatMap((list) => [
        `${head}, ${list}.`,
        `${head} - ${list}.`,
        `${head}; ${list}.`,
      ]);
      expect(holding(texts, [`${other}_deny`])).toEqual([]);
    }
  });

  it.each([
    ['Buy anything except music, from a.eth or b.eth.', { counterparties_allow: ['a.eth', 'b.eth'] }],
    [
      'Sell everything except wine, to a.eth or b.eth, for at least 20 USDC each.',
      { counterparties_allow: ['a.eth', 'b.eth'] },
    ],
    [
      'Buy digital products, never wine, on chain 1002 or chain 84532.',
      { chains_allow: ['base-sepolia', 'eip155:1002'] },
    ],
    ['We buy everything except tickets, on Base or Polygon.', { chains_allow: ['base', 'polygon'] }],
    ['Buy any goods except cars, from dealers a.eth or b.eth.', { counterparties_allow: ['a.eth', 'b.eth'] }],
  ])('is what is allowed: %s', (text, mandate) => {
    expect(read(text)).toMatchObject({ mandate });
  });

  it('goes on with names that are refused only behind the same preposition', () => {
    expect(read('Buy wine from anyone except from a.eth, from b.eth or from c.eth.')).toMatchObject({
      mandate: { counterparties_deny: ['a.eth', 'b.eth', 'c.eth'] },
    });
    expect(holding(['Buy anything except wine, in music or travel.'], ['categories_deny'])).toEqual([]);
    expect(holding(['Never deal with x.eth, from a.eth or b.eth.'], ['counterparties_deny'])).toEqual([]);
  });
});
