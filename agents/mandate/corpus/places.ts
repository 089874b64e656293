import { reads, type Sentence } from './sentence.ts';

const MUSIC = 'music-and-video-rights';
const TRAVEL = 'travel-and-perishables';
const DIGITAL = 'digital-products';
const DEBT = 'tokenized-debt-and-finance';
const SURPLUS = 'liquidation-and-surplus';
const REAL = 'real-world-assets';
const A = '0x1111111111111111111111111111111111111111';
const B = '0xabcdefabcdefabcdefabcdefabcdefabcdefabcd';

/** Sides, goods, chains, counterparties and required checks. */
export const PLACE_SENTENCES: readonly Sentence[] = [
  reads('Sell watches, never below 40 USDC, max 2,000 USDC per deal, until 2027-01-31.', '2027-01-31', {
    side: 'sell',
    min_price: '40',
    cap_per_deal: '2000',
    categories_allow: [REAL],
  }),
  reads(
    'Offload overstock and customer returns for at least 15 USDC each, no more than 1,000 USDC per day, until 31 March 2027.',
    '2027-03-31',
    { side: 'sell', min_price: '15', cap_per_day: '1000', categories_allow: [SURPLUS] },
  ),
  reads(
    'List my song rights for sale. Minimum price 500 USDC. At most 5,000 USDC per deal. Expires 2027-05-01.',
    '2027-05-01',
    { side: 'sell', min_price: '500', cap_per_deal: '5000', categories_allow: [MUSIC] },
  ),
  reads('Sell e-books at no less than 5 USDC until 2027-02-01.', '2027-02-01', {
    side: 'sell',
    min_price: '5',
    categories_allow: [DIGITAL],
  }),
  reads(
    'Trade digital products on Base, 100 USDC per deal, 500 USDC per day, for two weeks.',
    '2026-12-15T00:00:00Z',
    {
      side: 'both',
      cap_per_deal: '100',
      cap_per_day: '500',
      categories_allow: [DIGITAL],
      chains_allow: ['base'],
    },
  ),
  reads(
    'Buy and sell bonds with a cap of 5,000 USDC per deal; do not sell under 100 USDC; until 31 Dec 2027.',
    '2027-12-31',
    { side: 'both', cap_per_deal: '5000', min_price: '100', categories_allow: [DEBT] },
  ),
  reads('Buy anything but travel, up to 80 USDC per deal, until 2027-03-15.', '2027-03-15', {
    cap_per_deal: '80',
    categories_deny: [TRAVEL],
  }),
  reads(
    'Buy everything except real-world assets, digital products and music rights; 60 USDC per deal; ends 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '60', categories_deny: [DIGITAL, MUSIC, REAL] },
  ),
  reads('Buy surplus goods but never concert tickets, 300 USDC per deal, until 2027-01-20.', '2027-01-20', {
    cap_per_deal: '300',
    categories_allow: [SURPLUS],
    categories_deny: [TRAVEL],
  }),
  reads(
    'Purchase bonds on Ethereum or Base, not on Solana, max 900 USDC per deal, until 2027-01-20.',
    '2027-01-20',
    {
      cap_per_deal: '900',
      categories_allow: [DEBT],
      chains_allow: ['base', 'ethereum'],
      chains_deny: ['solana'],
    },
  ),
  reads('Only on Polygon. Buy game keys. 20 USDC per deal. Until 2027-01-20.', '2027-01-20', {
    cap_per_deal: '20',
    categories_allow: [DIGITAL],
    chains_allow: ['polygon'],
  }),
  reads(
    'Buy software keys on any chain except BNB Chain and Avalanche, 45 USDC per deal, until 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '45', categories_allow: [DIGITAL], chains_deny: ['avalanche', 'bnb'] },
  ),
  reads('Arbitrum only; vehicles; 12,000 USDC per deal; until 2027-01-20.', '2027-01-20', {
    cap_per_deal: '12000',
    categories_allow: [REAL],
    chains_allow: ['arbitrum'],
  }),
  reads(
    'Avoid travel and digital products. Cap 400 USDC per deal. Stick to Optimism. Expires 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '400', categories_deny: [DIGITAL, TRAVEL], chains_allow: ['optimism'] },
  ),
  reads(
    `Buy film rights, 3,000 USDC per deal, only from ${A} and studio.eth, until 2027-01-20.`,
    '2027-01-20',
    { cap_per_deal: '3000', categories_allow: [MUSIC], counterparties_allow: [A, 'studio.eth'] },
  ),
  reads(
    `Deal only with ${B.toUpperCase().replace('0X', '0x')}. Up to 50 USDC per deal until 2027-01-20.`,
    '2027-01-20',
    { cap_per_deal: '50', counterparties_allow: [B] },
  ),
  reads('Buy watches, 800 USDC per deal, never from fakes.eth, until 2027-01-20.', '2027-01-20', {
    cap_per_deal: '800',
    categories_allow: [REAL],
    counterparties_deny: ['fakes.eth'],
  }),
  reads(
    `Do not trade with ${A} or badguy.eth. Buy e-books up to 10 USDC per deal until 2027-01-20.`,
    '2027-01-20',
    { cap_per_deal: '10', categories_allow: [DIGITAL], counterparties_deny: [A, 'badguy.eth'] },
  ),
  reads(
    'Buy art up to 900 USDC per deal until 2027-01-20. Only deal with wallets that pass the wallet check.',
    '2027-01-20',
    { cap_per_deal: '900', categories_allow: [REAL], require_clean: ['wallet'] },
  ),
  reads(
    'Require a clean provenance check. Buy bicycles, 700 USDC per deal, until 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '700', categories_allow: [REAL], require_clean: ['provenance'] },
  ),
  reads(
    'Never buy anything flagged by the stolen-goods check or the double pledge check. Buy cars, 9,000 USDC per deal, until 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '9000', categories_allow: [REAL], require_clean: ['double-pledge', 'provenance'] },
  ),
  reads(
    'Sellers must pass the wallet check. Buy travel, 200 USDC per deal, until 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '200', categories_allow: [TRAVEL], require_clean: ['wallet'] },
  ),
  reads(
    'Categories: travel and perishables. Chains: Ethereum, Polygon. Blocked counterparties: rug.eth. Max per deal: 150 USDC. Max per day: 450 USDC. Expiry date: 2027-01-20.',
    '2027-01-20',
    {
      cap_per_deal: '150',
      cap_per_day: '450',
      categories_allow: [TRAVEL],
      chains_allow: ['ethereum', 'polygon'],
      counterparties_deny: ['rug.eth'],
    },
  ),
  reads(
    'Side: sell. Goods: music and video rights. Minimum price: 1,000 USDC. Per-deal cap: 20,000 USDC. Expires: 2027-01-20.',
    '2027-01-20',
    { side: 'sell', min_price: '1000', cap_per_deal: '20000', categories_allow: [MUSIC] },
  ),
  reads(
    'Excluded categories: travel. Excluded chains: Solana. Limit 100 USDC per deal. End date 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '100', categories_deny: [TRAVEL], chains_deny: ['solana'] },
  ),
  reads('Solana is off limits. Buy music catalogues, 5,000 USDC per deal, until 2027-01-20.', '2027-01-20', {
    cap_per_deal: '5000',
    categories_allow: [MUSIC],
    chains_deny: ['solana'],
  }),
  reads('No deals on Solana. No travel. 100 USDC per deal. Until 2027-01-20.', '2027-01-20', {
    cap_per_deal: '100',
    categories_deny: [TRAVEL],
    chains_deny: ['solana'],
  }),
  reads(
    'Only buy real estate and machinery on Ethereum, 100,000 USDC per deal, until 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '100000', categories_allow: [REAL], chains_allow: ['ethereum'] },
  ),
];
