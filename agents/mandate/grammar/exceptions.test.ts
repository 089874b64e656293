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

const LIMITS = [
  '3 deals a day',
  'Once a day',
  '200 USDC a day',
  'Daily limit: 200 USDC',
  'Cap: 3 deals a day',
  'At most 200 USDC a week',
];

/** A mandate holds its limits for every deal alike: who is to be free of one cannot be said, and is not banned instead. */
describe('an exception behind a limit', () => {
  it.each(LIMITS)('is asked about, and refuses nothing: %s', (limit) => {
    const accepted = EXCEPTIONS.flatMap((names) => [
      ...[
        ', except ',
        ' except ',
        ', apart from deals ',
        ' - other than ',
        '. Except ',
        '! Except ',
        '\nExcept ',
      ].map((sign) => limit + sign + names),
      `${limit} (except ${names})`,
      `Except ${names}, ${limit}`,
    ]).filter((text) => read(text).decision === 'ACCEPT');
    expect(accepted).toEqual([]);
  });

  it.each([
    '3 deals a day with anyone but a.eth',
    '3 deals a day with anyone except a.eth',
    '200 USDC a day from any seller except a.eth',
    '3 deals a day on any chain except Base',
  ])('is one where it says for whom the limit holds: %s', (text) => {
    expect(read(text)).toMatchObject({ decision: 'REFUSE' });
  });

  it.each([
    'At least 50 USDC each, except to a.eth',
    'Minimum 50 USDC, except on Base',
    'Lowest price 50 USDC except on Base',
    'Never below 50 USDC, except to a.eth',
  ])('is none of a lowest price, either: %s', (floor) => {
    const found = readMandate(`Sell wine until 31 March 2027. ${floor}.`, '2026-12-01T00:00:00Z');
    expect(found).toMatchObject({ decision: 'REFUSE' });
  });

  it('is told from a refusal by one question', () => {
    for (const limit of ['3 deals a day', 'No more than 3 deals a day', 'Never above 90% of market value']) {
      expect(read(`${limit}, except from a.eth`)).toEqual({
        decision: 'REFUSE',
        questions: [
          {
            reason: 'NOT_UNDERSTOOD',
            question:
              'Is "a.eth" refused, or free of the limit that stands beside "except"? The limits of a mandate hold for every deal, and refused is what stands in a sentence such as "Never deal with a.eth".',
          },
        ],
      });
    }
  });

  it.each([
    ['3 deals a day. Never deal with a.eth', { counterparties_deny: ['a.eth'] }],
    ['3 deals a day, but not from a.eth', { counterparties_deny: ['a.eth'] }],
    ['3 deals a day, with no travel', { categories_deny: ['travel-and-perishables'] }],
    ['3 deals a day, but avoid Base', { chains_deny: ['base'] }],
    ['3 deals a day, from anyone but a.eth', { counterparties_deny: ['a.eth'] }],
    ['From any seller except a.eth, 3 deals a day', { counterparties_deny: ['a.eth'] }],
  ])('is none where the words refuse: %s', (text, mandate) => {
    expect(read(text)).toMatchObject({ mandate: { ...mandate, max_deals_per_day: 3 } });
  });

  it.each([
    ['Buy anything, 50 USDC each, except travel', { categories_deny: ['travel-and-perishables'] }],
    ['Buy wine, except from a.eth, 50 USDC each', { counterparties_deny: ['a.eth'] }],
    ['Buy wine from anyone, 50 USDC each, except a.eth', { counterparties_deny: ['a.eth'] }],
  ])('takes away from all that is allowed: %s', (text, mandate) => {
    expect(readMandate(`${text}, until 31 March 2027.`, '2026-12-01T00:00:00Z')).toMatchObject({ mandate });
  });
});

const NARROWING = [
  'Buy wine. If the price cannot be judged, proceed, but not with a.eth',
  'Buy wine. If the price cannot be judged, proceed, but only on Base',
  'Buy wine. Ask me above 20 USDC, but not on Base',
  'Buy wine. Up to 100 USDC per deal, until 31 March 2027. Except from a.eth',
  'Buy wine. Provenance must be clean, except with a.eth',
  'Buy wine. Ask me above 20 USDC, but only from a.eth',
  'Buy art. Provenance must be clean; no need for wine',
  "Buy wine. Don'ts: buy music; trade on Base",
  'Buy wine. Nevr buy music',
  'Buy wine. Nix music',
  'Buy wine. Music verboten',
  'Buy wine. Music: verboten',
  'Buy wine. Only wine exceptish music',
  'Buy wine sans music',
];

describe('a question about a word that refuses or narrows', () => {
  const asked = (text: string): string => {
    const found = readMandate(`${text}. Max 100 USDC per deal, until 31 March 2027.`, '2026-12-01T00:00:00Z');
    return found.decision === 'REFUSE' ? found.questions[0].question : '';
  };

  it.each(NARROWING)('never advises to leave it out, and offers sentences that are read: %s', (text) => {
    const question = asked(text);
    expect(question).not.toMatch(/leave it out|left out/);
    const offered = [...question.matchAll(/(?:could write|, or|such as|sentence) "([^"]+)"/g)].map(
      ([, said]) => said,
    );
    expect(offered.length).toBeGreaterThan(0);
    for (const sentence of offered) {
      const found = readMandate(
        `${sentence}. Max 100 USDC per deal, until 31 March 2027.`,
        '2026-12-01T00:00:00Z',
      );
      expect([sentence, found]).toMatchObject([sentence, { decision: 'ACCEPT' }]);
      const mandate = found.decision === 'ACCEPT' ? Object.keys(found.mandate) : [];
      const field = /^Never/.test(sentence!) ? /_deny$/ : /_allow$/;
      expect(mandate.filter((name) => field.test(name))).toHaveLength(1);
    }
  });
});

describe('what a rule is said not to hold for', () => {
  const fields = (text: string): string[] => {
    const found = readMandate(
      `Buy anything. ${text}. Max 100 USDC per deal, until 31 March 2027.`,
      '2026-12-01T00:00:00Z',
    );
    return found.decision === 'ACCEPT'
      ? Object.keys(found.mandate).filter((name) => /_(?:deny|allow)$/.test(name))
      : [];
  };
  const FREE = [
    ...['. This does not apply to wine', '; not needed for wine', ', though not for wine', ', not for wine'],
    ...['. Not for wine', ', only for wine', '. This does not apply on Base', '. Not required for wine'],
    ...['. It does not hold for a.eth', ', not for a.eth', ', yet not for wine', '. But not for wine'],
    ...[', and only for wine', ' - not for wine', '\nNot for wine', '. This is not for wine'],
  ];

  it.each([...RULES, '3 deals a day', 'At most 200 USDC a week'])(
    'is neither refused nor all that is allowed: %s',
    (rule) => {
      const limit = !RULES.slice(0, 9).includes(rule);
      const texts = FREE.map((words) => rule + words).filter((text) => !(limit && /only for/.test(text)));
      expect(texts.filter((text) => fields(text).length > 0)).toEqual([]);
    },
  );

  it.each([
    ['Provenance must be clean. Never deal in wine', 'categories_deny'],
    ['Provenance must be clean, no wine', 'categories_deny'],
    ['Provenance must be clean. Wine is not for me', 'categories_deny'],
    ['Not for me: wine', 'categories_deny'],
    ['Ask me above 20 USDC, never on Base', 'chains_deny'],
  ])('is refused where the words refuse it: %s', (text, field) => {
    expect(fields(text)).toEqual([field]);
  });
});

describe('behind rules', () => {
  it.each([
    [
      'Buy wine, up to 50 USDC per deal, require clean provenance, and only on Base',
      { chains_allow: ['base'] },
    ],
    [
      'Buy wine, up to 50 USDC per deal, ask me above 20 USDC, and only from a.eth',
      { counterparties_allow: ['a.eth'] },
    ],
    [
      'Buy wine, up to 50 USDC per deal. Provenance must be clean, and only on Base',
      { chains_allow: ['base'] },
    ],
    [
      'Buy wine, up to 50 USDC per deal. The price must be clean, and only deal with a.eth',
      { counterparties_allow: ['a.eth'] },
    ],
  ])('"and only" is the last item of a list: %s', (text, mandate) => {
    expect(readMandate(`${text}, until 31 March 2027.`, '2026-12-01T00:00:00Z')).toMatchObject({ mandate });
  });

  it.each([
    'If the price cannot be judged, proceed, and only on Base',
    'Ask me above 20 USDC, but only from a.eth',
    'Ask me above 20 USDC, and only for wine',
  ])('is asked about where it may be said of the rule: %s', (text) => {
    expect(read(text)).toMatchObject({ decision: 'REFUSE' });
  });

  it.each([
    [
      'Max 50 USDC per deal. Except for music, buy anything. Until 31 March 2027.',
      { categories_deny: ['music-and-video-rights'] },
    ],
    [
      'Max 50 USDC per deal. Excluding music, buy anything, until 31 March 2027.',
      { categories_deny: ['music-and-video-rights'] },
    ],
    [
      'Provenance must be clean. Excluding music, buy anything, up to 50 USDC per deal, until 31 March 2027.',
      { categories_deny: ['music-and-video-rights'] },
    ],
    [
      'The price must be clean. Except for a.eth, buy wine from anyone, up to 50 USDC per deal, until 31 March 2027.',
      { counterparties_deny: ['a.eth'] },
    ],
    [
      'Ask me above 20 USDC. Except for travel and art, anything goes, up to 50 USDC per deal, until 31 March 2027.',
      { categories_deny: ['real-world-assets', 'travel-and-perishables'] },
    ],
  ])('an exception that begins what is bought takes away from that: %s', (text, mandate) => {
    expect(readMandate(text, '2026-12-01T00:00:00Z')).toMatchObject({ mandate });
  });

  it.each([
    'Max 50 USDC per deal. Except for music. Buy anything. Until 31 March 2027.',
    'Buy anything. Max 50 USDC per deal. Except for music, 20 USDC per deal. Until 31 March 2027.',
    'Ask me above 20 USDC. Except on Base, where you may buy anything, up to 50 USDC per deal, until 31 March 2027.',
  ])('is asked about where it does not: %s', (text) => {
    expect(readMandate(text, '2026-12-01T00:00:00Z')).toMatchObject({ decision: 'REFUSE' });
  });
});
