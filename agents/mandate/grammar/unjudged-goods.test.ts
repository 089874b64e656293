import { describe, expect, it } from 'vitest';
import { readMandate } from './read.ts';

const read = (goods: string, text: string) =>
  readMandate(`Buy ${goods}, 50 USDC each, until 31 March 2027. ${text}.`, '2026-12-01T00:00:00Z');

/** A mandate chooses for all of its goods alike: "go on" for some of them must not go on for the others. */
describe('a choice that is said of some goods', () => {
  it.each([
    ['anything', 'If the price of travel cannot be judged, proceed'],
    ['anything', 'Proceed when the provenance of travel is inconclusive'],
    ['wine and travel', 'If the price of travel cannot be judged, proceed'],
    ['wine and travel', 'When the price for wine is inconclusive, ask me'],
    ['paintings and watches', 'If the provenance of a painting cannot be judged, proceed'],
  ])('is asked about where others may be bought, too: %s. %s', (goods, text) => {
    expect(read(goods, text)).toMatchObject({ decision: 'REFUSE' });
  });

  it.each([
    ['travel', 'If the price of travel cannot be judged, proceed'],
    ['watches', 'If the price of a watch cannot be judged, proceed'],
    ['watches', 'If the price of an item cannot be judged, proceed'],
    ['wine and travel', 'If the price of goods cannot be judged, proceed'],
  ])('is read where nothing else is bought, and of all: %s. %s', (goods, text) => {
    expect(read(goods, text)).toMatchObject({
      mandate: { on_inconclusive: { 'price-intelligence': 'proceed' } },
    });
  });

  it('stops for all where it stops for some', () => {
    const text = 'When the provenance of a painting cannot be judged, stop';
    expect(read('paintings and watches', text)).toMatchObject({
      mandate: { on_inconclusive: { provenance: 'stop' } },
    });
  });
});
