import { describe, expect, it } from 'vitest';
import { type Bid, clearingPrice, defaultOpeningBid, overlapping, priceToBeat } from './book.ts';

const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 100)) * 10_000n;
const bid = (seq: number, limit: number, opening = limit, owner = `0x${seq}`): Bid => ({
  orderId: `o${seq}`,
  seq: BigInt(seq),
  owner,
  limit: usd(limit),
  openingBid: usd(opening),
});
const offer = (limit: number, owner = '0xseller') => ({ orderId: 's', owner, limit: usd(limit) });

describe('the price to beat', () => {
  it.each([
    ['the ask without a buyer', [], 100],
    ['the opening bid of one buyer', [bid(1, 80, 40)], 40],
    ['one tick over the second limit with two', [bid(1, 80, 40), bid(2, 60, 30)], 60.01],
    ['never above the best limit', [bid(1, 60, 30), bid(2, 60, 30)], 60],
    ['the best opening bid where that is more', [bid(1, 80, 70), bid(2, 60, 30)], 70],
    ['untouched by the opening bids of others', [bid(1, 80, 40), bid(2, 60, 60)], 60.01],
    ['one tick over the second of many', [bid(1, 50), bid(2, 75), bid(3, 90, 10), bid(4, 60)], 75.01],
  ])('is %s', (_, bids, expected) => {
    expect(priceToBeat(usd(100), bids, '0xseller')).toBe(usd(expected));
  });

  it('takes the earlier of two equal limits for the best', () => {
    expect(priceToBeat(usd(100), [bid(2, 60, 60), bid(1, 60, 30)], null)).toBe(usd(60));
    expect(priceToBeat(usd(100), [bid(2, 60, 30), bid(1, 60, 45)], null)).toBe(usd(60));
  });

  it('is not moved by what the seller’s own owner bids, however its address is written', () => {
    const own = [bid(1, 99, 99, '0xSeller'), bid(4, 70, 70, '0xseller')];
    const [best, second] = [bid(2, 80, 40), bid(3, 60, 30)];
    expect(priceToBeat(usd(100), own, '0xseLLer')).toBe(usd(100));
    expect(priceToBeat(usd(100), [...own, best], '0xseLLer')).toBe(usd(40));
    expect(priceToBeat(usd(100), [...own, best, second], '0xseLLer')).toBe(usd(60.01));
    expect(priceToBeat(usd(100), [...own, best, second], null)).toBe(usd(99));
  });
});

describe('an opening bid that nobody named', () => {
  it.each([
    [80, 100, 50],
    [40, 100, 40],
    [80, 100.01, 50],
    [80, 100.03, 50.02],
    [1, 0.01, 0.01],
    [0.01, 0.03, 0.01],
  ])('under a limit of %d and an ask of %d is %d', (limit, ask, expected) => {
    expect(defaultOpeningBid(usd(limit), usd(ask))).toBe(usd(expected));
  });
});

describe('a match', () => {
  it('goes by price first, then by time', () => {
    const bids = [bid(3, 90), bid(2, 90), bid(1, 85), bid(4, 95), bid(5, 79)];
    expect(overlapping(offer(80), bids).map((b) => b.orderId)).toEqual(['o4', 'o2', 'o3', 'o1']);
  });

  it('is never made between orders of one owner, however the address is written', () => {
    const bids = [bid(1, 95, 95, '0xAbC'), bid(2, 90, 90, '0xdef')];
    expect(overlapping(offer(80, '0xaBc'), bids).map((b) => b.orderId)).toEqual(['o2']);
  });

  it.each([
    [80, 90, true, 85],
    [80, 80.01, true, 80],
    [80.01, 80.02, true, 80.02],
    [80, 90, false, 80],
  ])(
    'of a floor of %d and a limit of %d, negotiable %s, clears at %d',
    (floor, limit, negotiable, expected) => {
      const lot = { ask: usd(negotiable ? 100 : floor), negotiable };
      expect(clearingPrice(lot, offer(floor), bid(1, limit))).toBe(usd(expected));
    },
  );
});
