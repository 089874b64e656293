import { describe, expect, it } from 'vitest';
import { inPlainWords, plainReason } from './record-sentence.ts';

describe('a sentence of a record', () => {
  it.each([
    ['nobody stands behind it on eip155:1002', 'nobody stands behind it on the test chain'],
    ['no code on eip155:84532; no code on eip155:8453', 'no code on Base Sepolia; no code on chain 8453'],
    ['nonce 1, balance 0 wei', 'it sent 1 transaction, and holds none of the chain’s coin'],
    [
      'never sent a transaction, balance 12345999677598714792714 wei',
      'never sent a transaction, and holds 12,345.999677 of the chain’s coin',
    ],
    ['nonce 8, balance 1 wei', 'it sent 8 transactions, and holds less than 0.000001 of the chain’s coin'],
    [
      'the lists sanctions/OFAC (SYNTHETIC, 1 rows, 0 days old), for it and 1 behind it',
      'the list of sanctions OFAC (made up for tests, 1 row, of today), for it and 1 behind it',
    ],
    ['the register stolen is empty', 'the list of stolen goods is empty'],
    ['none of its 3 holders is on known-scam', 'none of its 3 holders is on a list of known scams'],
    ['The price is 1500000.5. The limit: 150.', 'The price is $1,500,000.50. The limit: $150.'],
    ['The price is 180; 255 is left. The limit: 400.', 'The price is $180; $255 is left. The limit: $400.'],
    [
      'The goods are digital-products. The limit: only digital-products, music-and-video-rights.',
      'The goods are digital products. The limit: only digital products, music and video rights.',
    ],
    ['1 sale of its category, from 105 to 105, half of them below 105', '1 sale of its category, at $105'],
    ['no list names any of 1 counterparties in 1 dealings', 'no list names the one whom it dealt with'],
    ['2 limits exceeded', '2 limits exceeded'],
    ['21 lots, 1,1 lots, 6.1 lots', '21 lots, 1,1 lots, 6.1 lots'],
    [
      'sold by digital-products-desk on sanctions-free ground',
      'sold by digital-products-desk on sanctions-free ground',
    ],
  ])('is said for people: %s', (kept, said) => {
    expect(inPlainWords(kept)).toBe(said);
  });

  it('names the reviewer and each check where a reason begins with their ids', () => {
    expect(plainReason('statistics/ethers: score 100 of 50; 1 list hits on the address (100 points)')).toBe(
      'By points: 100 points, and 50 make a flag; 1 list hit on the address (100 points)',
    );
    expect(
      plainReason(
        'rules/viem could not say: list-stolen: the register stolen is empty; solana-curve: unread',
      ),
    ).toBe(
      'By fixed rules could not say: Lists of stolen goods: the list of stolen goods is empty; Whether a key can sign for it: unread',
    );
    expect(plainReason('something-new: it is so')).toBe('something-new: it is so');
  });
});
