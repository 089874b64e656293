import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) =>
  readMandate(`${text}, max 10000 USDC per deal, until 31 March 2027.`, '2026-12-01T00:00:00Z');

/** A word that refuses must not be taken for a refusal of goods that stand elsewhere in the clause. */
describe('refusals beside goods', () => {
  it.each([
    ...['Buy cars, not from dealers', 'Buy cars but not from dealers', 'Buy tickets, not from traders'],
    ...[
      'Buy watches and cars, no copies',
      'Digital products, not bundles',
      'Buy digital products, no bundles',
    ],
    ...['Buy digital products, no sellers', 'Buy digital products, no accounts', 'Wine but no bottles'],
    ...[
      'Buy cars, avoid dealers',
      'Buy cars, skip copies',
      'Buy cars, dealers excluded',
      'Wine, dealers banned',
    ],
    ...[
      'Avoid dealers, buy wine',
      'No dealers, buy wine',
      'Not dealers: buy wine',
      'Dealers excluded: buy wine',
    ],
    ...['Buy cars on Base, no copies', 'Buy from alice.eth, no copies', 'Use Base, no wallets'],
  ])('are asked about where they refuse something else: %s', (text) => {
    expect(read(text)).toMatchObject({ decision: 'REFUSE', questions: [{ reason: 'NOT_UNDERSTOOD' }] });
  });

  it.each([
    ...[
      'Buy a block of flats',
      'Buy never-worn shoes',
      'Buy a bar of gold',
      'Buy refuse trucks',
      'Buy ban cars',
    ],
    ...['Buy banned cars', 'Buy excluded wine', 'Buy trusted cars', 'Buy a trusted car'],
  ])('are asked about where they describe the goods: %s', (text) => {
    expect(read(text)).toMatchObject({ decision: 'REFUSE', questions: [{ reason: 'NOT_UNDERSTOOD' }] });
  });

  it.each([
    ...['Buy anything. Travel: no', 'Buy anything, travel never', 'Buy anything. Travel may not be bought'],
    ...['Buy anything. Travel deals are excluded', 'Buy no travel', 'Buy anything but not travel'],
    ...[
      'Buy anything, never deals in travel',
      'Buy anything. Goods to avoid: travel',
      'Buy anything, skip travel',
    ],
    'Never, under any circumstances, buy travel. Buy anything else',
  ])('leave the goods out where they refuse them: %s', (text) => {
    expect(read(text)).toMatchObject({ mandate: { categories_deny: ['travel-and-perishables'] } });
    expect(read(text)).not.toHaveProperty('mandate.categories_allow');
  });
});

const SELLER = '0x1111111111111111111111111111111111111111';
const REFUSALS = [
  ...['no dealers', "don't buy from dealers", 'dealers never', 'dealers: no', 'dealers excluded'],
  ...['excluded: dealers', 'blocked: copies', 'anything except copies', 'the seller shall decline'],
];
const WANTED = {
  categories_deny: ['goods: wine', 'buy wine', 'wine', 'allowed: wine'],
  chains_deny: ['chain: Base', 'on Base', 'Base only', 'Base: yes'],
  counterparties_deny: [`sellers: ${SELLER}`, 'from a.eth', 'allowed: a.eth', 'a.eth is allowed'],
};

/** A refusal of something else and what is wanted, in each order and with each sign between. */
describe('a refusal of something else', () => {
  const cases = REFUSALS.flatMap((refusal) => Object.keys(WANTED).map((field) => ({ refusal, field })));

  it.each(cases)('never denies what is wanted: $refusal, $field', ({ refusal, field }) => {
    const denied = WANTED[field as keyof typeof WANTED].flatMap((wanted) =>
      [', ', ' - ', ': ', '\n'].flatMap((sign) =>
        [refusal + sign + wanted, wanted + sign + refusal]
          .map((text) => `Buy anything. ${text}`)
          // A label and its names: "not from dealers: a.eth".
          .filter((text) => !(field === 'counterparties_deny' && /dealers: a\./.test(text)))
          .filter((text) => {
            const found = read(text);
            return found.decision === 'ACCEPT' && Object.hasOwn(found.mandate, field);
          }),
      ),
    );
    expect(denied).toEqual([]);
  });

  it.each([
    ...["Don't buy from dealers, goods: wine", 'No dealers, goods: software', 'No dealers, buy: software'],
    ...['Dealers never, buy wine', 'Dealers: no, buy wine', 'Side: buy. No copies, goods: art'],
    ...['Buy. Not from dealers, chain: Base', `Buy wine. Not from dealers, sellers: ${SELLER}`],
    ...[`Buy anything. No dealers, counterparties: ${SELLER}`, 'Buy anything. Dealers: no. goods: wine'],
    ...['Buy anything. Wine, blocked: copies', 'Buy anything. No dealers - Base', 'Buy. No wine to dealers'],
  ])('is asked about: %s', (text) => {
    expect(read(text)).toMatchObject({ decision: 'REFUSE', questions: [{ reason: 'NOT_UNDERSTOOD' }] });
  });

  it.each([
    ['Excluded chains: Solana', { chains_deny: ['solana'] }],
    ['Chains to avoid: Solana', { chains_deny: ['solana'] }],
    ['The Solana chain is off limits', { chains_deny: ['solana'] }],
    ['No deals on Solana', { chains_deny: ['solana'] }],
    ['Counterparties: never with a.eth', { counterparties_deny: ['a.eth'] }],
    ['Excluded sellers: a.eth', { counterparties_deny: ['a.eth'] }],
    ['No deals with the seller a.eth', { counterparties_deny: ['a.eth'] }],
  ])('stands beside refusals of the names themselves: %s', (text, mandate) => {
    expect(read(`Buy anything. ${text}`)).toMatchObject({ mandate });
  });
});

const NAMED = {
  chains: { refused: 'Base', allowed: 'Solana', terms: ['base', 'solana'], at: 'on ', use: 'use ' },
  counterparties: {
    refused: 'x.eth',
    allowed: 'y.eth',
    terms: ['x.eth', 'y.eth'],
    at: 'from ',
    use: 'buy from ',
  },
  categories: {
    refused: 'wine',
    allowed: 'tickets',
    terms: ['real-world-assets', 'travel-and-perishables'],
    at: '',
    use: 'buy ',
  },
} as const;
const REFUSES = {
  before: ['never', 'no', 'avoid', 'except', 'not allowed:'],
  after: ['is off limits', 'are not allowed', 'is not', ': no', 'must not be used'],
};
const PERMITS = {
  before: ['allowed:', 'permit', 'only', 'but', 'you may use', 'you have'],
  after: [
    ...['is allowed', 'is fine', 'are okay', 'is all right', 'is fine with me'],
    ...[': yes', 'is trusted', 'may be used', '(allowed)', 'is enough'],
    ...['is in', 'is on', 'in', 'is the chain', 'is my chain', 'always', 'is there', 'it is', 'it may be'],
    ...['we trust', 'at will', 'as usual', 'is open', 'will be fine', 'is welcome'],
  ],
};
const BETWEEN = [', ', ' and ', ' or ', ' - ', '\n'];

/** One name of a kind is refused and another one is allowed, in either order. */
describe('a refusal beside a permission', () => {
  const kinds = Object.keys(NAMED) as (keyof typeof NAMED)[];
  const cases = kinds.flatMap((kind) =>
    [...REFUSES.before, ...REFUSES.after].map((refusal) => ({ kind, refusal })),
  );

  it.each(cases)('never denies the allowed name, nor allows the refused one: $kind, $refusal', (one) => {
    const { kind, refusal } = one;
    const { refused, allowed, terms, at, use } = NAMED[kind];
    const no = REFUSES.before.includes(refusal)
      ? `${refusal} ${at}${refused}`
      : `${refused} ${refusal}`.replace(' :', ':');
    const permissions = [
      ...PERMITS.before.flatMap((word) => (word === 'but' && at === '' ? [] : [`${word} ${at}${allowed}`])),
      ...PERMITS.after.map((words) => `${allowed} ${words}`.replace(' :', ':')),
      `${use}${allowed}`,
    ];
    const wrong = permissions.flatMap((yes) =>
      BETWEEN.flatMap((sign) => [no + sign + yes, yes + sign + no])
        .map((text) => `Buy anything. ${text}`)
        .filter((text) => {
          const found = read(text);
          if (found.decision !== 'ACCEPT') return false;
          const deny: readonly string[] = found.mandate[`${kind}_deny`] ?? [];
          const allow: readonly string[] | undefined = found.mandate[`${kind}_allow`];
          const may = (term: string) => !deny.includes(term) && (allow === undefined || allow.includes(term));
          return may(terms[0]) || !may(terms[1]);
        }),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['Buy anything, never on Base, Solana is allowed', 'chains_deny'],
    ['Never buy from x.eth, y.eth is allowed. Buy anything', 'counterparties_deny'],
    ['Buy anything, x.eth is fine, y.eth is off limits', 'counterparties_deny'],
    ['Buy anything, not wine, tickets are fine', 'categories_deny'],
    ['Buy anything. On Base, Solana is off limits', 'chains_deny'],
    ['Buy anything, never on Base, but on Solana', 'chains_deny'],
    ['Solana: never or use Base. Buy anything', 'chains_deny'],
    ['Buy anything. Base, Solana: no: Polygon may be used', 'chains_deny'],
  ])('is asked about, or read of the one name: %s', (text, field) => {
    const found = read(text);
    const denied = found.decision === 'ACCEPT' ? found.mandate[field as 'chains_deny'] : [];
    expect(denied?.length ?? 0).toBeLessThan(2);
  });

  it.each([
    'Base: no: Solana may be used',
    'Anything but wine and tickets is welcome',
    'Never on Base, Solana is in',
  ])('is asked about: %s', (text) => {
    expect(read(`Buy anything. ${text}`)).toMatchObject({ decision: 'REFUSE' });
  });

  it.each([
    ['Never on Base or Solana, please', { chains_deny: ['base', 'solana'] }],
    ['Never on Base and Solana either', { chains_deny: ['base', 'solana'] }],
    ['Never on Base or Solana', { chains_deny: ['base', 'solana'] }],
    ['Never on Base, and never on Solana', { chains_deny: ['base', 'solana'] }],
    ['Base and Solana are off limits', { chains_deny: ['base', 'solana'] }],
    ['Never deal with x.eth, y.eth or z.eth', { counterparties_deny: ['x.eth', 'y.eth', 'z.eth'] }],
    ['Buying from x.eth and y.eth is prohibited', { counterparties_deny: ['x.eth', 'y.eth'] }],
    ['No wine, no tickets', { categories_deny: ['real-world-assets', 'travel-and-perishables'] }],
  ])('leaves lists of refused names as they are: %s', (text, mandate) => {
    expect(read(`Buy anything. ${text}`)).toMatchObject({ mandate });
  });
});
