import { REF, reads, type Sentence } from './sentence.ts';

const MUSIC = 'music-and-video-rights';
const TRAVEL = 'travel-and-perishables';
const DIGITAL = 'digital-products';
const DEBT = 'tokenized-debt-and-finance';
const SURPLUS = 'liquidation-and-surplus';
const REAL = 'real-world-assets';

/** Approval, price rules, counts of deals, and dates. */
export const RULE_SENTENCES: readonly Sentence[] = [
  reads(
    'Buy vans up to 20,000 USDC per deal until 2027-01-20. Check with me above 5,000 USDC.',
    '2027-01-20',
    { cap_per_deal: '20000', approval_above: '5000', categories_allow: [REAL] },
  ),
  reads(
    'Buy royalties, 4,000 USDC per deal, and anything over 1,000 USDC needs my approval, until 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '4000', approval_above: '1000', categories_allow: [MUSIC] },
  ),
  reads(
    'Purchases over 250 USDC require my sign-off. Cap 600 USDC per deal. Buy pallets. Until 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '600', approval_above: '250', categories_allow: [SURPLUS] },
  ),
  reads(
    'Daily cap 5,000 USDC; never spend more than 1,000 USDC without asking me; bonds; until 2027-01-20.',
    '2027-01-20',
    { cap_per_day: '5000', approval_above: '1000', categories_allow: [DEBT] },
  ),
  reads(
    'Get my approval for deals above 300 USDC. 900 USDC per deal. Music. Expires 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '900', approval_above: '300', categories_allow: [MUSIC] },
  ),
  reads(
    'I must approve any purchase exceeding 2,000 USDC. Buy art, 9,000 USDC per deal, until 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '9000', approval_above: '2000', categories_allow: [REAL] },
  ),
  reads(
    'Approval above: 400 USDC. Per-deal cap: 1,000 USDC. Categories: travel. Expiry: 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '1000', approval_above: '400', categories_allow: [TRAVEL] },
  ),
  reads('Buy sports cars, at most 5% over market, 60,000 USDC per deal, until 2027-01-20.', '2027-01-20', {
    cap_per_deal: '60000',
    max_pct_of_market: '105',
    categories_allow: [REAL],
  }),
  reads(
    'Buy watches for no more than the market price, 5,000 USDC per deal, until 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '5000', max_pct_of_market: '100', categories_allow: [REAL] },
  ),
  reads(
    'Never pay more than 110 percent of the market median. Buy art, 7,000 USDC per deal, until 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '7000', max_pct_of_market: '110', categories_allow: [REAL] },
  ),
  reads('Buy invoices at or below 95% of face value, 10,000 USDC per deal, until 2027-01-20.', '2027-01-20', {
    cap_per_deal: '10000',
    max_pct_of_face: '95',
    categories_allow: [DEBT],
  }),
  reads(
    'Buy receivables at no more than 97.5% of par, 10,000 USDC per deal, until 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '10000', max_pct_of_face: '97.5', categories_allow: [DEBT] },
  ),
  reads('Buy bonds, never above par, 10,000 USDC per deal, until 2027-01-20.', '2027-01-20', {
    cap_per_deal: '10000',
    max_pct_of_face: '100',
    categories_allow: [DEBT],
  }),
  reads('Buy surplus lots at least 20% below market, 500 USDC per deal, until 2027-01-20.', '2027-01-20', {
    cap_per_deal: '500',
    max_pct_of_market: '80',
    categories_allow: [SURPLUS],
  }),
  reads('Buy boats, 30,000 USDC per deal, a single deal only, until 2027-01-20.', '2027-01-20', {
    cap_per_deal: '30000',
    max_deals_total: 1,
    categories_allow: [REAL],
  }),
  reads('Buy e-books, 10 USDC per deal, no more than three deals a day, until 2027-01-20.', '2027-01-20', {
    cap_per_deal: '10',
    max_deals_per_day: 3,
    categories_allow: [DIGITAL],
  }),
  reads('Buy tickets, 90 USDC per deal, at most 10 purchases, until 2027-01-20.', '2027-01-20', {
    cap_per_deal: '90',
    max_deals_total: 10,
    categories_allow: [TRAVEL],
  }),
  reads('Max deals per day: 4. Max deals: 20. Per-deal limit 50 USDC. Until 2027-01-20.', '2027-01-20', {
    cap_per_deal: '50',
    max_deals_per_day: 4,
    max_deals_total: 20,
  }),
  reads(
    'Buy flights, 400 USDC per deal, up to 2 transactions per day and 12 transactions in total, until 2027-01-20.',
    '2027-01-20',
    { cap_per_deal: '400', max_deals_per_day: 2, max_deals_total: 12, categories_allow: [TRAVEL] },
  ),
  reads('Buy hotel nights, 300 USDC per deal, starting 1 March 2027 until 31 March 2027.', '2027-03-31', {
    cap_per_deal: '300',
    not_before: '2027-03-01T00:00:00Z',
    categories_allow: [TRAVEL],
  }),
  reads('From 2027-01-01 to 2027-06-30 buy music rights up to 700 USDC per deal.', '2027-06-30', {
    cap_per_deal: '700',
    not_before: '2027-01-01T00:00:00Z',
    categories_allow: [MUSIC],
  }),
  reads('Not before 15 January 2027. Buy art, 100 USDC per deal. Expires 15 February 2027.', '2027-02-15', {
    cap_per_deal: '100',
    not_before: '2027-01-15T00:00:00Z',
    categories_allow: [REAL],
  }),
  reads('Buy art, 100 USDC per deal, between 1 Feb 2027 and 28 Feb 2027.', '2027-02-28', {
    cap_per_deal: '100',
    not_before: '2027-02-01T00:00:00Z',
    categories_allow: [REAL],
  }),
  reads('Buy art, 100 USDC per deal, for 3 months.', '2027-03-01T00:00:00Z', {
    cap_per_deal: '100',
    categories_allow: [REAL],
  }),
  reads('Buy art, 100 USDC per deal, within 30 days.', '2026-12-31T00:00:00Z', {
    cap_per_deal: '100',
    categories_allow: [REAL],
  }),
  reads('Buy art, 100 USDC per deal, for the next 48 hours.', '2026-12-03T00:00:00Z', {
    cap_per_deal: '100',
    categories_allow: [REAL],
  }),
  reads('Buy art, 100 USDC per deal. Expires in 10 days.', '2026-12-11T00:00:00Z', {
    cap_per_deal: '100',
    categories_allow: [REAL],
  }),
  reads(
    'Buy art, 100 USDC per deal, valid for one month.',
    '2027-02-28T12:30:00Z',
    { cap_per_deal: '100', categories_allow: [REAL] },
    '2027-01-31T12:30:00Z',
  ),
  reads('Buy art, 100 USDC per deal, until the end of the year.', '2026-12-31', {
    cap_per_deal: '100',
    categories_allow: [REAL],
  }),
  reads('Buy art, 100 USDC per deal, until the end of 2027.', '2027-12-31', {
    cap_per_deal: '100',
    categories_allow: [REAL],
  }),
  reads('Buy art, 100 USDC per deal, until 2027-01-31T12:00Z.', '2027-01-31T12:00:00Z', {
    cap_per_deal: '100',
    categories_allow: [REAL],
  }),
  reads('Buy art, 100 USDC per deal, until 18:00 UTC on 5 January 2027.', '2027-01-05T18:00:00Z', {
    cap_per_deal: '100',
    categories_allow: [REAL],
  }),
  reads('Buy art, 100 USDC per deal, until 5 January 2027 at 6pm UTC.', '2027-01-05T18:00:00Z', {
    cap_per_deal: '100',
    categories_allow: [REAL],
  }),
  reads(
    'Buy art, 100 USDC per deal, until tomorrow.',
    '2026-12-02',
    { cap_per_deal: '100', categories_allow: [REAL] },
    REF,
  ),
  reads('Buy art, 100 USDC per deal, until this Friday.', '2026-12-04', {
    cap_per_deal: '100',
    categories_allow: [REAL],
  }),
  reads('Buy art, 100 USDC per deal, until the 31st of January, 2027.', '2027-01-31', {
    cap_per_deal: '100',
    categories_allow: [REAL],
  }),
  reads('Buy art, 100 USDC per deal, until Friday, 15 January 2027.', '2027-01-15', {
    cap_per_deal: '100',
    categories_allow: [REAL],
  }),
  reads('Buy art, 100 USDC per deal, until 29 February 2028.', '2028-02-29', {
    cap_per_deal: '100',
    categories_allow: [REAL],
  }),
];
