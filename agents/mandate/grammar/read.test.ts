import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../errors.ts';
import { Mandate } from '../terms/schema.ts';
import { readMandate } from './read.ts';

interface Sentence {
  readonly text: string;
  readonly ref?: string;
  readonly mandate?: Mandate;
  readonly reason?: string;
}

/** When sentences are read, unless they say otherwise: a Tuesday. */
const REF = '2026-12-01T00:00:00Z';
const CORPUS = new URL('corpus/', import.meta.url);
const SENTENCES: readonly Sentence[] = readdirSync(CORPUS).flatMap((file) =>
  readFileSync(new URL(file, CORPUS), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sentence),
);
const readable = SENTENCES.filter((sentence) => sentence.mandate !== undefined);
const refused = SENTENCES.filter((sentence) => sentence.reason !== undefined);
const EXAMPLES = '../shared/data/mandates.jsonl';

describe('reading a mandate', () => {
  it('has a corpus worth the name', () => {
    expect(new Set(SENTENCES.map((sentence) => sentence.text)).size).toBeGreaterThanOrEqual(400);
  });

  it.each(readable.map((s) => [s.text, s] as const))('reads: %s', (_, sentence) => {
    const reading = readMandate(sentence.text, sentence.ref ?? REF);
    expect(reading).toEqual({ decision: 'ACCEPT', mandate: sentence.mandate });
    expect(Value.Check(Mandate, sentence.mandate)).toBe(true);
  });

  it.each(refused.map((s) => [s.reason, s.text, s] as const))('asks %s: %s', (reason, _, sentence) => {
    const reading = readMandate(sentence.text, sentence.ref ?? REF);
    if (reading.decision !== 'REFUSE') throw new Error('was accepted');
    expect(reading.questions[0].reason).toBe(reason);
    for (const { question } of reading.questions) expect(question).toMatch(/[?.]$/);
  });

  it('asks one question after another, the gravest first, until nothing is open', () => {
    const answers = [
      ['NO_CURRENCY', 'Buy purple travel up to 500 per deal.'],
      ['NO_EXPIRY', 'Buy purple travel up to 500 USDC per deal.'],
      ['NOT_UNDERSTOOD', 'Buy purple travel up to 500 USDC per deal until 2027-01-31.'],
      [null, 'Buy travel up to 500 USDC per deal until 2027-01-31.'],
    ] as const;
    for (const [reason, text] of answers) {
      const reading = readMandate(text, REF);
      if (reason === null) expect(reading.decision).toBe('ACCEPT');
      else expect(reading).toMatchObject({ decision: 'REFUSE', questions: [{ reason }] });
      expect(reading).not.toHaveProperty('questions.1');
    }
  });

  it.each([
    [
      'Sell art. Nothing passes under 75 USDC. Up to 900 USDC per deal. Until 2027-01-31.',
      'What limit does "Nothing passes under 75 USDC" set: a cap (per deal, day, week or month, or in total), a number of deals, or a lowest price?',
    ],
    [
      'Buy art, 200 USDC per deal or 300 if nice, until 2027-01-31.',
      'Which per-deal cap applies: 200 or 300?',
    ],
    [
      'Buy art for 9 USDC each, no more than 4 per day, until 2027-01-31.',
      'Is 4 an amount of money or a number of deals?',
    ],
    [
      'Buy art, 90 USDC per deal, until 2027-01-31. Bob must approve anything above 50 USDC.',
      'What is meant by "Bob" in "Bob must approve anything above 50 USDC"? It cannot be read as a limit, goods, a chain, a counterparty or a date.',
    ],
    [
      'Buy art, 1.000 USDC per deal, until 2027-01-31.',
      "The amount '1.000' cannot be read. What is the per-deal cap?",
    ],
    [
      'Buy art, 90 USDC per deal, until early March.',
      'Which date exactly is meant by "until early March", and does the mandate begin or expire on it?',
    ],
  ])('asks about %s the one thing that settles most', (text, question) => {
    const reading = readMandate(text, REF);
    expect(reading.decision === 'REFUSE' && reading.questions).toMatchObject([
      { question: expect.stringContaining(question) },
    ]);
  });

  it('offers a sentence that is read, and leaves no limit out of it', () => {
    const asked = (text: string): string => {
      const reading = readMandate(text, REF);
      return reading.decision === 'REFUSE' ? reading.questions[0].question : '';
    };
    const question = asked('Buy digital products, 100 USDC per deal, gladly so, until 2027-03-31.');
    const [, offered = ''] = /If it may be left out, you could write: (.+)$/.exec(question) ?? [];
    expect(readMandate(offered, REF)).toMatchObject({ mandate: { cap_per_deal: '100' } });
    expect(asked('Buy snarks, 100 USDC per deal, until 2027-03-31.')).not.toContain('Buy anything');
    expect(asked('Buy art, 90 USDC per deal, 20 USDC per snark, until 2027-01-31.')).toContain(
      'You could write "At most 20 USDC per deal"',
    );
    expect(asked('Buy art, snark, 90 USDC per deal. Boojum. Until 2027-01-31.')).toContain(
      'Not understood either',
    );
  });

  it.each([
    ['Kaufe digitale Produkte, höchstens 100 USDC pro Geschäft, bis 31. März 2027.', /nur auf Englisch/],
    [
      "Achète des produits numériques, 100 USDC maximum par transaction, jusqu'au 31 mars 2027.",
      /qu’en anglais/,
    ],
    ['Compra productos digitales, máximo 100 USDC por operación, hasta el 31 de marzo de 2027.', /en inglés/],
    ['Compra prodotti digitali, massimo 100 USDC per operazione, fino al 31 marzo 2027.', /in inglese/],
    ['Compre produtos digitais, no máximo 100 USDC por negócio, até 31 de março de 2027.', /em inglês/],
    ['Koop digitale producten, hoogstens 100 USDC per transactie, tot 31 maart 2027.', /in het Engels/],
    ['Kupuj produkty cyfrowe, maksymalnie 100 USDC za transakcję, do 31 marca 2027.', /po angielsku/],
    ['Vásárolj digitális termékeket, legfeljebb 100 USDC ügyletenként, 2027. március 31-ig.', /angolul/],
    ['Kjøp digitale produkter, høyst 100 USDC per handel, inntil 31. mars 2027.', /på engelsk/],
    ['Kupuj digitalne proizvode, najviše 100 USDC po transakciji, do 31. ožujka 2027.', /na engleskom/],
    ['Kupuj digitálne produkty, najviac 100 USDC za obchod, do 31. marca 2027.', /v angličtine/],
    ['Kaufe nur digitale Produkte.', /nur auf Englisch/],
    ['Achète des billets.', /qu’en anglais/],
    ['Покупай цифровые товары, не больше 100 USDC за сделку, до 31 марта 2027 года.', /на английском/],
    ['Купуй цифрові товари, не більше 100 USDC за угоду, до 31 березня 2027 року.', /англійською/],
    ['购买数字产品，每笔交易最多100 USDC，有效期至2027年3月31日。', /英文/],
    ['デジタル製品を購入してください。1件あたり最大100 USDC、2027年3月31日まで。', /英語/],
    ['디지털 제품을 구매하세요. 거래당 최대 100 USDC, 2027년 3월 31일까지.', /영어/],
    ['اشترِ منتجات رقمية، بحد أقصى 100 USDC لكل صفقة، حتى 31 مارس 2027.', /بالإنجليزية/],
    ['डिजिटल उत्पाद खरीदें, प्रति सौदा अधिकतम 100 USDC, 31 मार्च 2027 तक।', /अंग्रेज़ी/],
  ])('answers %s in its language', (text, answer) => {
    const reading = readMandate(text, REF);
    expect(reading.decision === 'REFUSE' && reading.questions).toEqual([
      { reason: 'NOT_UNDERSTOOD', question: expect.stringMatching(answer) },
    ]);
  });

  it.each(['Total maximum.', 'Tickets, maximum 100.', 'Buy digital art.'])(
    'takes %s for English, though other languages have its words',
    (text) => {
      const reading = readMandate(text, REF);
      expect(JSON.stringify(reading)).not.toMatch(
        /engelsk|engleză|anglais|inglés|inglese|inglês|Englisch|angolul/,
      );
    },
  );

  it('names both days that a date may mean', () => {
    const reading = readMandate('Spend up to 500 USDC per deal on travel until 04/05/2027.', REF);
    expect(reading).toMatchObject({
      questions: [{ question: 'Is 04/05/2027 the 4th of May or the 5th of April?' }],
    });
  });

  it('reads no more than 4,000 characters', () => {
    const text = 'Buy travel, 50 USDC per deal, until 2027-01-31.';
    expect(readMandate(text.padEnd(4000), REF).decision).toBe('ACCEPT');
    expect(readMandate(text.padEnd(4001), REF).decision).toBe('REFUSE');
  });

  it('refuses a moment of reading that is no date', () => {
    expect(() => readMandate('Buy travel.', 'yesterday')).toThrow(AppError);
  });
});

describe.runIf(present(EXAMPLES))('the examples given', () => {
  const rows = present(EXAMPLES) ? readFileSync(EXAMPLES, 'utf8').trim().split('\n') : [];
  it.each(rows.map((row) => JSON.parse(row)).map((row) => [row.id, row] as const))('%s', (_, row) => {
    const reading = readMandate(row.text, row.ref_date);
    const { question: _asked, ...expected } = row.expect;
    if (reading.decision === 'ACCEPT') expect(reading).toEqual(expected);
    else expect({ decision: 'REFUSE', reason: reading.questions[0].reason }).toEqual(expected);
  });
});

function present(path: string): boolean {
  const there = existsSync(path);
  if (!there) process.stdout.write(`the examples at ${path} are absent: they are not read\n`);
  return there;
}
