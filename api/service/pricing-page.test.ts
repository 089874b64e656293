import { expect, it } from 'vitest';
import { pricing } from '../../agents/market/pricing/prices.ts';
import { pricingPage } from './pricing-page.ts';

it('the page of prices says whether cards are charged real dollars', () => {
  const told = (cards: 'real' | 'test') =>
    pricingPage(pricing({ setting: 'live', standardListing: null }), cards).text;
  expect(told('real')).toContain('cards are charged real dollars');
  expect(told('real')).not.toContain('no real money');
  expect(told('test')).toContain('no real money moves here');
});
