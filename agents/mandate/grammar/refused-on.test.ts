import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) =>
  readMandate(`${text}, max 10000 USDC per deal, until 31 March 2027.`, '2026-12-01T00:00:00Z');

const REFUSING = {
  chains: ['Excluded chains: Base', 'Never on Base', 'No deals on Base', 'Base is off limits', 'Avoid Base'],
  counterparties: ['Never deal with x.eth', 'Blocked: x.eth', 'Stay away from x.eth', 'x.eth is banned'],
  categories: [
    'Excluded goods: travel',
    'No travel',
    "I don't want travel",
    'Travel is excluded',
    'Skip travel',
  ],
} as const;
const GOING_ON = {
  chains: [
    'Polygon',
    'on Polygon',
    'also on Polygon',
    'and, of course, on Polygon',
    'Polygon too',
    'Polygon, Solana',
  ],
  counterparties: ['y.eth', 'with y.eth', 'also with y.eth', 'from y.eth or from z.eth', 'y.eth as well'],
  categories: ['music', 'music; wine', 'nor music', 'or music', 'also music', 'music too', 'and music'],
} as const;

/** A list of refused names goes on behind a sign, or turns to what is wanted: without a word for that nobody can tell. */
describe('names behind refused ones', () => {
  const kinds = Object.keys(REFUSING) as (keyof typeof REFUSING)[];
  const cases = kinds.flatMap((kind) => REFUSING[kind].map((refusal) => ({ kind, refusal })));

  it.each(cases)('are never taken for what is wanted: $refusal', ({ kind, refusal }) => {
    const wanted = GOING_ON[kind].flatMap((more) =>
      [', ', '; ', '. ', ' - ', '\n', ' and '].flatMap((sign) =>
        [`Buy anything. ${refusal}${sign}${more}. Up to 90 USDC per deal, until 31 March 2027.`].filter(
          (text) => {
            const found = readMandate(text, '2026-12-01T00:00:00Z');
            return found.decision === 'ACCEPT' && Object.hasOwn(found.mandate, `${kind}_allow`);
          },
        ),
      ),
    );
    expect(wanted).toEqual([]);
  });

  it.each([
    ['Never deal with a.eth, with b.eth or with c.eth', { counterparties_deny: ['a.eth', 'b.eth', 'c.eth'] }],
    ['Never trade on Base, on Polygon, or on Solana', { chains_deny: ['base', 'polygon', 'solana'] }],
    ['Neither on Base, on Polygon nor on Solana', { chains_deny: ['base', 'polygon', 'solana'] }],
    [
      'Do not deal in travel, in music rights or in bonds',
      { categories_deny: ['music-and-video-rights', 'tokenized-debt-and-finance', 'travel-and-perishables'] },
    ],
    ['Never on Base, but on Polygon', { chains_deny: ['base'], chains_allow: ['polygon'] }],
    ['Not on Base, only on Polygon', { chains_deny: ['base'], chains_allow: ['polygon'] }],
    [
      'Never from a.eth, only from b.eth',
      { counterparties_deny: ['a.eth'], counterparties_allow: ['b.eth'] },
    ],
    ['Never on Base. Use Polygon', { chains_deny: ['base'], chains_allow: ['polygon'] }],
    ['No music; everything on Base', { chains_allow: ['base'] }],
    ['Never deal with x.eth. Everything on Base', { counterparties_deny: ['x.eth'], chains_allow: ['base'] }],
    ['Never on Base, always from x.eth', { chains_deny: ['base'], counterparties_allow: ['x.eth'] }],
    [
      'No solana, wine max 3 deals a day',
      { chains_deny: ['solana'], categories_allow: ['real-world-assets'] },
    ],
    ['No base, wine at 90% of market or less', { chains_deny: ['base'], max_pct_of_market: '90' }],
    ['Forbidden: music; permitted: wine, Base', { chains_allow: ['base'] }],
    [
      'Buy wine; never with x.eth; bonds',
      {
        counterparties_deny: ['x.eth'],
        categories_allow: ['real-world-assets', 'tokenized-debt-and-finance'],
      },
    ],
  ])(
    'are refused where they repeat its preposition, and wanted where a word says so: %s',
    (text, mandate) => {
      expect(read(`Buy anything. ${text}`)).toMatchObject({ mandate });
    },
  );

  it.each([
    'Chains: Ethereum, not Base, Polygon',
    'Chains: Ethereum, not Base, Polygon, Solana',
    'Use Ethereum, not Base, Polygon',
    'Sellers: a.eth, not b.eth, c.eth',
    'Goods: wine, not travel, music',
    'On Ethereum, not on Base, Polygon',
    'On Ethereum, not on Base, Polygon, Solana',
    'On the chain Ethereum, not on the chains Base, Polygon',
    'From a.eth, not from b.eth, c.eth',
    'From a.eth, not from the sellers b.eth, c.eth',
  ])('are asked about where they may go on with what is wanted: %s', (text) => {
    expect(read(`Buy. ${text}`)).toMatchObject({
      decision: 'REFUSE',
      questions: [{ reason: 'NOT_UNDERSTOOD' }],
    });
  });

  it.each([
    ['Chains: Ethereum, not Base or Polygon', ['base', 'polygon']],
    ['Chains: Ethereum, not Base, Polygon or Solana', ['base', 'polygon', 'solana']],
    ['Chains: Ethereum, not Base, not Polygon', ['base', 'polygon']],
    ['Chains: Ethereum, not Base, nor Polygon', ['base', 'polygon']],
    ['Only on Ethereum. Never on Base, Polygon', ['base', 'polygon']],
    ['Chains: Ethereum, not Base', ['base']],
    ['On Ethereum, not on Base', ['base']],
    ['On Ethereum, not on Base or Polygon', ['base', 'polygon']],
    ['On Ethereum, not on Base, not on Polygon', ['base', 'polygon']],
    ['On Ethereum only, not on Base, Polygon', ['base', 'polygon']],
    ['Only on Ethereum, not Base, Polygon', ['base', 'polygon']],
    ['On Ethereum, never on Base, Polygon', ['base', 'polygon']],
    ['On Ethereum. Not on Base, Polygon', ['base', 'polygon']],
  ])('are refused where a word joins them, or keeps them from what is wanted: %s', (text, chains) => {
    expect(read(`Buy anything. ${text}`)).toMatchObject({
      mandate: { chains_allow: ['ethereum'], chains_deny: chains },
    });
  });

  it('are wanted where a numbered list goes on with them, and refused where a head stands over it', () => {
    const numbered =
      '1. Buy wine\n2. Never on Base\n3. From bob.eth\n4. 100 USDC each\n5. Until 31 March 2027';
    expect(readMandate(numbered, '2026-12-01T00:00:00Z')).toMatchObject({
      mandate: { chains_deny: ['base'], counterparties_allow: ['bob.eth'] },
    });
    for (const list of [
      'Never:\n1. on Base\n2. with x.eth',
      'Excluded:\n1. Base\n2. x.eth',
      '1. Avoid: music\n2. travel',
    ])
      for (const start of ['', 'Buy anything. ']) {
        const found = readMandate(
          `${start}${list}\nMax 100 USDC per deal, until 31 March 2027.`,
          '2026-12-01T00:00:00Z',
        );
        const mandate = found.decision === 'ACCEPT' ? found.mandate : {};
        expect([list, Object.keys(mandate).filter((field) => /_allow$/.test(field))]).toEqual([list, []]);
      }
  });

  it.each([
    'Avoid Solana and cameras at 90% of market or less',
    'No deals on Base, wine above 50 USDC',
    'No deals on Base, Polygon and Solana are fine',
    'Never with a.eth, b.eth and c.eth are okay',
    'Skip everything on Base. Everything from x.eth',
  ])('are asked about where they may be refused: %s', (text) => {
    expect(read(`Buy anything. ${text}`)).toMatchObject({ decision: 'REFUSE' });
  });
});
