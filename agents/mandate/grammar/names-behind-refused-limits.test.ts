import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (text: string) =>
  readMandate(`${text} At most 900 USDC a day, until 31 March 2027.`, '2026-12-01T00:00:00Z');

/** What is accepted, of texts that are to be asked about. */
function accepted(texts: readonly string[]): string[] {
  return texts.filter((text) => read(text).decision === 'ACCEPT');
}

const REFUSING = [
  'Refuse',
  'Avoid',
  'Steer clear of',
  'Off limits are',
  "I don't want",
  'No',
  'Never accept',
];
const REFUSED = [
  ...['deals above 50 USDC each', 'deals worth more than 50 USDC', 'deals above 90% of market value'],
  ...['deals above the market median', 'deals without clean provenance'],
];
const CLOSED = ['Deals above 50 USDC are off limits', 'Everything above 50 USDC is excluded', 'No selling'];
const NAMES = {
  bare: ['travel', 'music', 'travel or music', 'in music', 'deals in music'],
  led: ['deals with x.eth', 'deals on Base', 'anything from x.eth', 'everything from x.eth'],
  joined: ['x.eth', 'with x.eth', 'from x.eth', 'on Base', 'Base', 'buying from x.eth'],
};
const JOINTS = [' and ', ' or ', ', and ', ', or '];

/** A refusal may begin with what is beyond a limit, and refuses the names behind it as well. */
describe('names behind a refused limit', () => {
  it.each(
    REFUSING.flatMap((refusing) => REFUSED.map((refused) => `${refusing} ${refused}`))
      .concat(CLOSED)
      .map((head) => ({ head, alone: read(`Buy anything. ${head}.`).decision === 'ACCEPT' }))
      .filter(({ alone }) => alone),
  )('are never all that is allowed: $head', ({ head }) => {
    const joined = [
      ...[...NAMES.bare, ...NAMES.led].flatMap((name) =>
        [', ', ...JOINTS].map((sign) => `${head}${sign}${name}`),
      ),
      ...NAMES.joined.flatMap((name) => JOINTS.map((sign) => `${head}${sign}${name}`)),
    ].filter((text) => !/^(?:No|Never) .*, in music$/.test(text));
    const apart = NAMES.led.flatMap((name) => [
      `${head}; ${name}`,
      `${head}. ${name[0]!.toUpperCase()}${name.slice(1)}`,
    ]);
    expect(accepted(joined.map((text) => `Buy anything. ${text}.`))).toEqual([]);
    // Behind a main clause that permits, a preposition or a sentence of its own may go on with that.
    expect(
      accepted(joined.filter((text) => !/, in music$/.test(text)).map((text) => `Buy anything, ${text}.`)),
    ).toEqual([]);
    if (head !== 'No selling') expect(accepted(apart.map((text) => `Buy anything. ${text}.`))).toEqual([]);
  });

  it.each([
    ['Sell art, nothing under 30 USDC, on Base.', { side: 'sell', chains_allow: ['base'], min_price: '30' }],
    ['Buy wine, nothing above 50 USDC, from x.eth.', { counterparties_allow: ['x.eth'], cap_per_deal: '50' }],
    ['Buy wine, nothing else, on Base.', { chains_allow: ['base'] }],
    ['Buy wine, never sell, on Base.', { chains_allow: ['base'] }],
    ['Buy wine, no deals above 50 USDC and only from x.eth.', { counterparties_allow: ['x.eth'] }],
    ['Refuse deals above 50 USDC and buy wine from x.eth.', { counterparties_allow: ['x.eth'] }],
    ['Refuse deals above 50 USDC. Buy wine on Base.', { chains_allow: ['base'] }],
    ['Never pay more than 50 USDC for a deal. Wine on Base.', { chains_allow: ['base'] }],
  ])('are allowed where the main clause goes on with them: %s', (text, mandate) => {
    expect(read(text)).toMatchObject({ mandate });
  });
});
