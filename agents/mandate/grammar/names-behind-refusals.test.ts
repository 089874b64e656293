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

const REFUSING = {
  chains: [
    ...[
      'Never on Base',
      'No deals on Base',
      'Nothing on Base',
      "Don't trade on Base",
      'Avoid Base',
      'Exclude Base',
    ],
    ...['Stay away from Base', 'Refuse deals on Base', 'Base is off limits', 'Excluded: Base', 'Skip Base'],
    ...[
      'Off-limits are deals on Base',
      'Excluded chains: Base',
      'Avoid trading on Base',
      'The agent may not: deal on Base',
    ],
    ...[
      'Except on Base',
      'I refuse to: trade on Base',
      "Don't: trade on Base",
      'Never: buy on Base',
      'Not on Base',
    ],
  ],
  counterparties: [
    ...[
      'Never with x.eth',
      'No deals with x.eth',
      'Nothing from x.eth',
      "Don't buy from x.eth",
      'Avoid x.eth',
    ],
    ...[
      'Refuse deals with x.eth',
      'x.eth is banned',
      'Excluded: x.eth',
      'Blocked sellers: x.eth',
      'Skip x.eth',
    ],
    ...[
      'Avoid buying from x.eth',
      'I refuse to: buy from x.eth',
      'You must not: buy from x.eth',
      'Never: buy from x.eth',
    ],
  ],
  categories: [
    ...[
      'Never travel',
      'No travel',
      'Never deal in travel',
      "Don't buy travel",
      'Avoid travel',
      'Refuse travel',
    ],
    ...[
      'Travel is off limits',
      'Excluded: travel',
      'Excluded goods: travel',
      'Off-limits are travel',
      'Skip travel',
    ],
    ...[
      'Avoid buying travel',
      'Banned: travel',
      'You may not: buy travel',
      'Never: buy travel',
      'I refuse travel',
    ],
  ],
} as const;
/** By kind, names that may go on with any refusal; those that begin with a verb may do so with one of a verb. */
const GOING_ON = {
  chains: {
    names: [
      'on Polygon',
      'Polygon',
      'deals on Polygon',
      'anything on Polygon',
      'trading on Polygon',
      'trades on Polygon',
    ],
    deeds: ['trade on Polygon', 'buy on Polygon', 'deal on Polygon'],
  },
  counterparties: {
    names: [
      'from y.eth',
      'with y.eth',
      'y.eth',
      'deals with y.eth',
      'sellers y.eth',
      'anything from y.eth',
      'buying from y.eth',
    ],
    deeds: ['buy from y.eth', 'deal with y.eth', 'trade with y.eth'],
  },
  categories: {
    names: ['in music', 'music', 'deals in music', 'buying music', 'anything in music', 'purchases of music'],
    deeds: ['buy music', 'deal in music'],
  },
} as const;
const JOINTS = [' and ', ' or ', ', and ', ', or ', ' nor '];
const SIGNS = [', ', '; ', ' - ', '\n', ', also '];
/** Words that add to what stands before, also at the start of a sentence. */
const ADDING = ['and', 'or', 'also', 'plus', 'as well as', 'and also', 'in addition'];
const COMMANDING = /^(?:Don't|.*: (?:buy|trade|deal) )/;

/** A name that stands behind a refusal is refused with it or asked about, unless a word of its own permits it. */
describe('names behind a refusal', () => {
  const cases = KINDS.flatMap((kind) => REFUSING[kind].map((head) => ({ kind, head })));

  it.each(cases)('are never all that is allowed: $head', ({ head }) => {
    for (const kind of KINDS) {
      const { names, deeds } = GOING_ON[kind];
      const texts = [
        ...names.flatMap((name) =>
          [...JOINTS, ...SIGNS].map((sign) => `Buy anything. ${head}${sign}${name}.`),
        ),
        ...deeds.flatMap((deed) =>
          (COMMANDING.test(head) ? [' and ', ' or ', ', or '] : []).map(
            (sign) => `Buy anything. ${head}${sign}${deed}.`,
          ),
        ),
        ...(/: /.test(head) ? deeds : []).flatMap((deed) =>
          [', ', '; ', '\n'].map((sign) => `Buy anything. ${head}${sign}${deed}.`),
        ),
        ...names
          .filter((name) => /^(?:deals|anything|trades)/.test(name))
          .map((name) => `Buy anything. ${head}. ${name[0]!.toUpperCase()}${name.slice(1)}.`),
      ];
      expect(holding(texts, [`${kind}_allow`])).toEqual([]);
    }
  });

  it.each(cases)('are never all that is allowed behind a word that adds them: $head', ({ head }) => {
    for (const kind of KINDS) {
      const main = kind === 'categories' ? 'Buy only from bob.eth' : 'Buy wine';
      const texts = GOING_ON[kind].names.flatMap((name) =>
        ADDING.flatMap((word) => [` ${word} `, `, ${word} `, `; ${word} `, `. ${capital(word)} `]).flatMap(
          (sign) => [`Buy anything. ${head}${sign}${name}.`, `${main}, ${small(head)}${sign}${name}.`],
        ),
      );
      expect(holding(texts, [`${kind}_allow`])).toEqual([]);
    }
  });

  it.each(KINDS)(
    'are asked about where "deals" stands before refused ones of their kind, too: %s',
    (kind) => {
      const main = kind === 'categories' ? 'Buy only from bob.eth' : 'Buy wine';
      const texts = REFUSING[kind].flatMap((head) =>
        GOING_ON[kind].names
          .filter((name) => /^deals/.test(name))
          .flatMap((name) => [
            `${main}, ${small(head)}; ${name}.`,
            `${main}, ${small(head)}. ${capital(name)}.`,
            `${main}, ${small(head)}\n${capital(name)}.`,
          ]),
      );
      expect(holding(texts, [`${kind}_allow`])).toEqual([]);
    },
  );

  const PERMITTED = [
    ...[
      ' (art is fine), ',
      ', bob.eth okay, ',
      ', Solana only, ',
      ', only on Solana, and ',
      ' (you may buy art), ',
    ],
    ...[' (buy art only), ', ' (Solana is okay) and ', ', only with bob.eth, or '],
  ];
  it.each(PERMITTED)('are never all that is allowed behind what is permitted between them: %s', (between) => {
    const texts = [
      'Avoid music',
      'No music',
      'Never with alice.eth',
      'Never on Ethereum',
      'Exclude music',
    ].flatMap((head) =>
      ['travel', 'deals with x.eth', 'deals on Base', 'x.eth', 'Base'].map(
        (name) => `Buy anything. ${head}${between}${name}.`,
      ),
    );
    const allowed = texts.filter((text) => {
      // These belong to the names that "only" permits.
      if (/only (?:on Solana, and Base|with bob\.eth, or x\.eth)\.$/.test(text)) return false;
      const found = read(text);
      return found.decision === 'ACCEPT' && /"(?:travel\S*|x\.eth|base)"/.test(allows(found.mandate));
    });
    expect(allowed).toEqual([]);
  });

  it.each([
    ['Never on Base, only with x.eth.', { chains_deny: ['base'], counterparties_allow: ['x.eth'] }],
    ['Never on Base, but with x.eth.', { chains_deny: ['base'], counterparties_allow: ['x.eth'] }],
    ['Never with x.eth; use Base.', { counterparties_deny: ['x.eth'], chains_allow: ['base'] }],
    ['Never with x.eth. On Base.', { counterparties_deny: ['x.eth'], chains_allow: ['base'] }],
    ['Never with x.eth; Base is fine.', { counterparties_deny: ['x.eth'], chains_allow: ['base'] }],
    ['Never with x.eth, Base is okay.', { counterparties_deny: ['x.eth'], chains_allow: ['base'] }],
    ['No deals on Base. Polygon is okay.', { chains_deny: ['base'], chains_allow: ['polygon'] }],
    ['Buy wine. All chains but Base. Solana is fine.', { chains_deny: ['base'], chains_allow: ['solana'] }],
    [
      'Never buy from x.eth. y.eth is fine.',
      { counterparties_deny: ['x.eth'], counterparties_allow: ['y.eth'] },
    ],
    ['Buy anything except travel. Art is fine.', { categories_allow: ['real-world-assets'] }],
    [
      'Buy wine, never on Base. And buy art from bob.eth.',
      { chains_deny: ['base'], counterparties_allow: ['bob.eth'] },
    ],
    ['Never on Base. Also buy wine.', { categories_allow: ['real-world-assets'], chains_deny: ['base'] }],
    ['Never on Base. And only with x.eth.', { chains_deny: ['base'], counterparties_allow: ['x.eth'] }],
    ['No travel, and Base is allowed.', { chains_allow: ['base'] }],
    ['Never on Base; buy from x.eth.', { chains_deny: ['base'], counterparties_allow: ['x.eth'] }],
    [
      'Avoid Base and buy wine from x.eth.',
      { categories_allow: ['real-world-assets'], counterparties_allow: ['x.eth'] },
    ],
    ['Do not purchase music, purchase wine and art.', { categories_allow: ['real-world-assets'] }],
    ['Excluded: music\nChains: Base', { chains_allow: ['base'] }],
    ['Excluded: music, travel. Sellers: x.eth.', { counterparties_allow: ['x.eth'] }],
    ['Except for music, buy anything, on Base.', { chains_allow: ['base'] }],
    ['Buy wine, not from x.eth, on Base.', { chains_allow: ['base'], counterparties_deny: ['x.eth'] }],
    ['Not on Base: wine.', { categories_allow: ['real-world-assets'], chains_deny: ['base'] }],
  ])('are allowed where a word of their own permits them: %s', (text, mandate) => {
    expect(read(text)).toMatchObject({ mandate });
  });

  it.each([
    ["I don't want to deal with x.eth. Nor with y.eth.", { counterparties_deny: ['x.eth', 'y.eth'] }],
    ['Never on Base. Nor on Polygon.', { chains_deny: ['base', 'polygon'] }],
    ['No travel. Nor music.', { categories_deny: ['music-and-video-rights', 'travel-and-perishables'] }],
    [
      'Never on Base. Nor with x.eth or y.eth.',
      { chains_deny: ['base'], counterparties_deny: ['x.eth', 'y.eth'] },
    ],
    ['No travel.\nNor music.', { categories_deny: ['music-and-video-rights', 'travel-and-perishables'] }],
    ['Never on Base; nor from x.eth.', { chains_deny: ['base'], counterparties_deny: ['x.eth'] }],
  ])('are refused behind "nor": %s', (text, mandate) => {
    expect(read(text)).toMatchObject({ mandate });
  });

  it.each([
    ...[
      'Buy wine',
      'Buy anything',
      'Deal only with bob.eth',
      'Buy wine only on Base',
      'Sell art to bob.eth',
    ].flatMap((start) =>
      [
        'travel',
        'on Polygon',
        'Polygon',
        'with x.eth',
        'x.eth',
        'deals with x.eth',
        'deals on Polygon',
      ].flatMap((name) =>
        [' nor ', ', nor ', '; nor ', '. Nor ', '\nNor '].map((sign) => `${start}${sign}${name}.`),
      ),
    ),
    'Buy wine, never on Base, from x.eth, nor y.eth.',
    ...['will do the buying', 'will do the deals', 'you may know', 'you can ask', 'will do badly'].map(
      (words) => `Buy wine. Never deal with x.eth. y.eth ${words}.`,
    ),
    'Never on Base, buy wine nor music.',
    'Buy wine, never on Base and from x.eth.',
    'Buy wine, never from x.eth, Base.',
    'Buy wine on Ethereum, never from x.eth, on Base.',
    'Buy wine, never from x.eth, in music.',
    'Buy wine, never on Base, never from x.eth, on Polygon.',
    'Not allowed: chains: Base; sellers: x.eth.',
    'Buy wine. Excluded: goods: music; chains: Base.',
  ])('are asked about where the main clause may go on with them or not: %s', (text) => {
    expect(read(text)).toMatchObject({ decision: 'REFUSE' });
  });

  it.each([
    ['Exclusions:\nBase', 'Never on Base'],
    ['Verboten\nBase', 'Never on Base'],
    ['Verboten\nx.eth', 'Never deal with x.eth'],
    ['Deals on Base, nope', 'Never on Base'],
    ['Deals with x.eth, nope', 'Never deal with x.eth'],
    ['Ideally not from x.eth', 'Never deal with x.eth'],
  ])(
    'are never offered as all that is allowed by leaving out the word that may refuse them: %s',
    (text, no) => {
      const found = read(`Buy wine. ${text}.`);
      const question = found.decision === 'ACCEPT' ? '' : found.questions[0].question;
      expect(question).toContain(no);
      expect(question).not.toMatch(/left out|leave it out/);
    },
  );

  it.each(cases.filter(({ head }) => read(`Buy anything. ${head}.`).decision === 'ACCEPT'))(
    'are offered as a sentence that refuses them and one that permits them, each read in their place: $head',
    ({ head }) => {
      for (const kind of KINDS)
        for (const text of GOING_ON[kind].names.flatMap((name) =>
          [', ', '; ', ' and '].map((sign) => `Buy anything. ${head}${sign}${name}.`),
        )) {
          const found = read(text);
          const question = found.decision === 'ACCEPT' ? '' : found.questions[0].question;
          if (!question.startsWith('Is "')) continue;
          const [, no, yes] = OFFERED.exec(question) ?? [];
          expect([text, said(`${head}. ${no}`, `${kind}_deny`)]).toEqual([text, true]);
          expect([text, said(`${head}. ${yes}`, `${kind}_allow`)]).toEqual([text, true]);
          expect([text, said(`${head}. ${no}`, `${kind}_allow`)]).toEqual([text, false]);
        }
    },
  );
});

const OFFERED =
  /^Is ".+" refused like what stands before it, or .+\? You could write "([^"]+)", or "([^"]+)"\.$/;

function capital(words: string): string {
  return words[0]!.toUpperCase() + words.slice(1);
}

/** The words as they stand within a sentence; a name is spelled as it is. */
function small(words: string): string {
  return /^(?:Base|Travel)\b/.test(words) ? words : words[0]!.toLowerCase() + words.slice(1);
}

/** All that a mandate allows. */
function allows({ categories_allow, chains_allow, counterparties_allow }: Mandate): string {
  return JSON.stringify([categories_allow, chains_allow, counterparties_allow]);
}

/** True where a sentence is accepted and fills a field. */
function said(sentence: string, field: keyof Mandate): boolean {
  return holding([`Buy anything. ${sentence}.`], [field]).length === 1;
}

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
    const sold = read('Sell art, not to x.eth, to a.eth or b.eth, at least 20 USDC each.');
    expect(sold).not.toMatchObject({ mandate: { counterparties_deny: ['a.eth', 'b.eth', 'x.eth'] } });
    expect(holding(['Never deal with x.eth, from a.eth or b.eth.'], ['counterparties_deny'])).toEqual([]);
  });
});
