import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATEGORIES } from '../../agents/categories.ts';
import { readMandate } from '../../agents/mandate/grammar/read.ts';
import { describeMandate } from '../../agents/mandate/terms/describe.ts';
import type { Mandate } from '../../agents/mandate/terms/schema.ts';
import '../fixtures/seeded.ts';

interface Read {
  readonly text: string;
  readonly ref?: string;
  readonly mandate: Mandate;
}

const REF = '2026-12-01T00:00:00Z';
const CORPUS = new URL('../../agents/mandate/grammar/corpus/', import.meta.url);
const accepted = ['caps', 'places', 'rules', 'strangers', 'newcomers', 'phrasings', 'unjudged'].flatMap(
  (name) =>
    readFileSync(new URL(`${name}.jsonl`, CORPUS), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Read)
      .filter((row) => row.mandate !== undefined),
);
const sentence = fc.constantFrom(...accepted);
const read = (text: string, ref = REF) => readMandate(text, ref);

/** Words that no lexicon of trading holds. */
const stranger = fc
  .constantFrom(
    'purple',
    'qwerty',
    'Bob',
    'weekends',
    'zebra',
    'hardly',
    'barely',
    'mellow',
    'vertical',
    'Tuesdayish',
    'xylophone',
  )
  .chain((word) => fc.constantFrom(word, word.toUpperCase(), `${word}.`, `(${word})`));

const WORDS = accepted.flatMap((s) => s.text.split(/\s+/));
const SOUP = fc.array(
  fc.oneof(
    fc.constantFrom(...WORDS),
    fc.string({ maxLength: 8 }),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  ),
  { maxLength: 60 },
);

describe('reading any text', () => {
  it('always answers, with a mandate or with one question', () => {
    fc.assert(
      fc.property(SOUP, (words) => {
        const reading = read(words.join(' '));
        if (reading.decision === 'REFUSE') expect(reading.questions).toHaveLength(1);
        else expect(reading.mandate.expires_at > REF).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses a mandate with an unknown word anywhere in it', () => {
    fc.assert(
      fc.property(sentence, stranger, fc.nat(), (s, word, at) => {
        const words = s.text.split(' ');
        words.splice(at % (words.length + 1), 0, word);
        expect(read(words.join(' '), s.ref).decision).toBe('REFUSE');
      }),
      { numRuns: 3000 },
    );
  });

  it('reads the same whatever the white space and the case', () => {
    fc.assert(
      fc.property(
        sentence,
        fc.array(fc.constantFrom(' ', '  ', '\t', ' \t ', '\u00a0'), { minLength: 1, maxLength: 20 }),
        fc.constantFrom('upper', 'lower', 'asis'),
        (s, gaps, letters) => {
          const cased =
            letters === 'upper' ? s.text.toUpperCase() : letters === 'lower' ? s.text.toLowerCase() : s.text;
          const text = cased
            .replace(/0X/g, '0x')
            .split(' ')
            .reduce((all, word, i) => all + gaps[i % gaps.length] + word);
          expect(read(text, s.ref)).toEqual(read(s.text, s.ref));
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('answers on the longest text of one word repeated', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...WORDS, 'a ', '1,', '-', '(', 'or', 'and,', 'never', '0x', '\u0301', 'per per'),
        (word) => {
          const text = `${word} `.repeat(4000).slice(0, 4000);
          expect(read(text).decision).toBe('REFUSE');
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  it('never accepts when a cap is taken away or made conditional', () => {
    const tails = [
      ' if it seems right.',
      ' Unless I am asleep.',
      ' Or maybe more.',
      ' About that much.',
      ' Ask Bob.',
      ' Raise the cap when asked.',
      ' Usually.',
    ];
    fc.assert(
      fc.property(sentence, fc.constantFrom(...tails), (s, tail) => {
        expect(read(s.text.replace(/\.$/, '') + tail, s.ref).decision).toBe('REFUSE');
      }),
      { numRuns: 500 },
    );
  });
});

describe('describing a mandate', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 12n }).map((cents) => {
    const [whole, rest] = [cents / 100n, (cents % 100n).toString().padStart(2, '0').replace(/0+$/, '')];
    return rest === '' ? `${whole}` : `${whole}.${rest}`;
  });
  const percent = fc.integer({ min: 1, max: 400 }).map((half) => `${half / 2}`);
  const some = <T>(values: readonly T[]) =>
    fc
      .uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: values.length })
      .map((list) => [...list].sort());
  const day = fc
    .integer({ min: 1, max: 20_000 })
    .map((days) => new Date(Date.parse(REF) + days * 86_400_000 - 1000));

  const choice = fc.option(fc.constantFrom('stop' as const, 'ask' as const, 'proceed' as const), {
    nil: undefined,
  });
  const mandates = fc
    .record(
      {
        caps: fc.array(amount, { minLength: 5, maxLength: 5 }),
        has: fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
        side: fc.constantFrom('buy', 'sell', 'both'),
        currency: fc.constantFrom('USDC', 'USD'),
        goods: some(CATEGORIES),
        deny: fc.constantFrom(...CATEGORIES),
        chains: some(['base', 'ethereum', 'polygon', 'optimism', 'arbitrum', 'bnb', 'base-sepolia']),
        parties: some([`0x${'1'.repeat(40)}`, `0x${'ab'.repeat(20)}`, 'alice.eth', 'x9.eth']),
        clean: some(['wallet', 'provenance', 'double-pledge', 'shill-collusion', 'price-intelligence']),
        percent,
        count: fc.integer({ min: 1, max: 500 }),
        unjudged: fc.record({ 'shill-collusion': choice, provenance: choice, 'price-intelligence': choice }),
        expires: day,
      },
      {
        requiredKeys: [
          'caps',
          'has',
          'side',
          'currency',
          'goods',
          'deny',
          'chains',
          'parties',
          'clean',
          'percent',
          'count',
          'unjudged',
          'expires',
        ],
      },
    )
    .map(coherent);

  it('gives text that reads as the same mandate', () => {
    fc.assert(
      fc.property(mandates, (mandate) => {
        expect(read(describeMandate(mandate))).toEqual({ decision: 'ACCEPT', mandate });
      }),
      { numRuns: 1500 },
    );
  });

  it('gives text that reads as the mandate it was read from', () => {
    for (const s of accepted)
      expect(read(describeMandate(s.mandate))).toEqual({ decision: 'ACCEPT', mandate: s.mandate });
  });
});

/** Fields drawn at random, made to fit each other: caps in order, the threshold under the cap, lists apart. */
function coherent(drawn: {
  caps: string[];
  has: boolean[];
  side: string;
  currency: string;
  goods: string[];
  deny: string;
  chains: string[];
  parties: string[];
  clean: string[];
  percent: string;
  count: number;
  unjudged: NonNullable<Mandate['on_inconclusive']>;
  expires: Date;
}): Mandate {
  const caps = [...drawn.caps].sort((a, b) => Number(a) - Number(b));
  const has = (i: number) => drawn.has[i] === true;
  // What must be clean cannot be gone on without.
  const unjudged = Object.entries(drawn.unjudged).filter(
    ([id, said]) => said !== undefined && !(has(10) && drawn.clean.includes(id)),
  );
  const denies = has(9) && !drawn.goods.includes(drawn.deny);
  const fields = {
    side: drawn.side,
    currency: drawn.currency,
    cap_per_deal: caps[1],
    cap_per_day: has(0) ? caps[2] : undefined,
    cap_per_week: has(1) ? caps[3] : undefined,
    cap_per_month: has(2) ? caps[3] : undefined,
    cap_total: has(3) ? caps[4] : undefined,
    max_deals_total: has(4) ? drawn.count : undefined,
    max_deals_per_day: has(5) ? Math.ceil(drawn.count / 2) : undefined,
    min_price: has(6) && drawn.side !== 'buy' ? caps[0] : undefined,
    max_pct_of_market: has(7) && drawn.side !== 'sell' ? drawn.percent : undefined,
    max_pct_of_face: has(8) && drawn.side !== 'sell' ? drawn.percent : undefined,
    require_clean: has(10) ? drawn.clean : undefined,
    categories_allow: has(11) ? drawn.goods : undefined,
    categories_deny: denies ? [drawn.deny] : undefined,
    chains_allow: has(12) ? drawn.chains : undefined,
    chains_deny: has(13) ? ['solana'] : undefined,
    counterparties_allow: has(14) ? drawn.parties : undefined,
    counterparties_deny: has(15) ? ['zed.eth'] : undefined,
    approval_above: caps[0] !== caps[1] && has(6) ? caps[0] : undefined,
    on_inconclusive: unjudged.length > 0 ? Object.fromEntries(unjudged) : undefined,
    expires_at: `${drawn.expires.toISOString().slice(0, 19)}Z`,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Mandate;
}
