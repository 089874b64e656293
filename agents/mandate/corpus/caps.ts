import { reads, type Sentence } from './sentence.ts';

const MUSIC = 'music-and-video-rights';
const TRAVEL = 'travel-and-perishables';
const DIGITAL = 'digital-products';
const DEBT = 'tokenized-debt-and-finance';
const SURPLUS = 'liquidation-and-surplus';
const REAL = 'real-world-assets';

/** Caps in every order of their parts, amounts in every usual spelling. */
export const CAP_SENTENCES: readonly Sentence[] = [
  reads('Buy music rights, no more than 900 USDC per deal, until 31 January 2027.', '2027-01-31', {
    cap_per_deal: '900',
    categories_allow: [MUSIC],
  }),
  reads('Purchase e-books up to 25.50 USDC each until 2027-02-28.', '2027-02-28', {
    cap_per_deal: '25.5',
    categories_allow: [DIGITAL],
  }),
  reads(
    'Spend at most 2k USDC a day and 40k USDC in total on corporate bonds until 30 June 2027.',
    '2027-06-30',
    { cap_per_day: '2000', cap_total: '40000', categories_allow: [DEBT] },
  ),
  reads(
    'Weekly limit: 1,200 USDC. Monthly limit: 4,000 USDC. Goods: concert tickets. Expires 15 March 2027.',
    '2027-03-15',
    { cap_per_week: '1200', cap_per_month: '4000', categories_allow: [TRAVEL] },
  ),
  reads(
    'My agent may buy pallets of returns. Each purchase must stay under 750 USDC. Total spend must not exceed 10,000 USDC. Valid until 2027-03-31.',
    '2027-03-31',
    { cap_per_deal: '750', cap_total: '10000', categories_allow: [SURPLUS] },
  ),
  reads(
    'Buy software licences. Never spend more than 80 USDC on a single purchase or 400 USDC in any 24 hours. Ends 20 December 2026.',
    '2026-12-20',
    { cap_per_deal: '80', cap_per_day: '400', categories_allow: [DIGITAL] },
  ),
  reads(
    'Acquire paintings, five thousand USDC per item, twenty thousand USDC overall, until 1 May 2027.',
    '2027-05-01',
    { cap_per_deal: '5000', cap_total: '20000', categories_allow: [REAL] },
  ),
  reads('Invest up to $2m in private credit, $250k per transaction, until 31 December 2027.', '2027-12-31', {
    currency: 'USD',
    cap_per_deal: '250000',
    cap_total: '2000000',
    categories_allow: [DEBT],
  }),
  reads(
    'Budget of 3,000 USDC for flights and hotel nights, max 600 USDC per booking item, until 31 July 2027.',
    '2027-07-31',
    { cap_total: '3000', cap_per_deal: '600', categories_allow: [TRAVEL] },
  ),
  reads(
    'Buy game keys: 30 USDC max per deal, 90 USDC max per day, 500 USDC max in total, until 2027-01-15.',
    '2027-01-15',
    { cap_per_deal: '30', cap_per_day: '90', cap_total: '500', categories_allow: [DIGITAL] },
  ),
  reads('You may spend 100 USDC/day on streaming royalties until January 20, 2027.', '2027-01-20', {
    cap_per_day: '100',
    categories_allow: [MUSIC],
  }),
  reads(
    'Per deal: max 300 USDC; per day: max 900 USDC; per week: max 3,000 USDC; buy watches until 2027-04-01.',
    '2027-04-01',
    { cap_per_deal: '300', cap_per_day: '900', cap_per_week: '3000', categories_allow: [REAL] },
  ),
  reads(
    'Keep every deal below 1,500 US dollars and monthly spending below 6,000 US dollars. Buy treasuries until 2027-09-30.',
    '2027-09-30',
    { currency: 'USD', cap_per_deal: '1500', cap_per_month: '6000', categories_allow: [DEBT] },
  ),
  reads(
    'No single deal above 2,500 USDC. No more than 5,000 USDC per week. Art only. Expires on 14 Feb 2027.',
    '2027-02-14',
    { cap_per_deal: '2500', cap_per_week: '5000', categories_allow: [REAL] },
  ),
  reads('Buy overstock, USDC 450 per lot, USDC 1,350 daily, through 30 April 2027.', '2027-04-30', {
    cap_per_deal: '450',
    cap_per_day: '1350',
    categories_allow: [SURPLUS],
  }),
  reads('Buy anything with a cap of 75 USDC per deal until 2027-01-31.', '2027-01-31', {
    cap_per_deal: '75',
  }),
  reads(
    'Purchase invoices and receivables; deal cap 20,000 USDC; day cap 60,000 USDC; total cap 1 million USDC; valid till 30 Nov 2027.',
    '2027-11-30',
    { cap_per_deal: '20000', cap_per_day: '60000', cap_total: '1000000', categories_allow: [DEBT] },
  ),
  reads(
    'The agent is authorised to buy film rights, limited to 8,000 USDC per deal, and must stop on 2027-06-01.',
    '2027-06-01',
    { cap_per_deal: '8000', categories_allow: [MUSIC] },
  ),
  reads(
    'Spend no more than two hundred and fifty USDC per deal on theatre tickets until 5 February 2027.',
    '2027-02-05',
    { cap_per_deal: '250', categories_allow: [TRAVEL] },
  ),
  reads('Buy digital goods up to 500usdc per deal, until 31/12/2026.', '2026-12-31', {
    cap_per_deal: '500',
    categories_allow: [DIGITAL],
  }),
  reads(
    'Buy clearance stock. Spending limit per deal 350 USDC, spending limit per day 700 USDC. Runs until 12 December 2026.',
    '2026-12-12',
    { cap_per_deal: '350', cap_per_day: '700', categories_allow: [SURPLUS] },
  ),
  reads(
    'I want the agent to buy motorcycles for at most 6,000 USDC apiece and 18,000 USDC altogether by 30 June 2027.',
    '2027-06-30',
    { cap_per_deal: '6000', cap_total: '18000', categories_allow: [REAL] },
  ),
  reads('Place bids on classic cars, max 45,000 USDC per car, until 2027-08-31.', '2027-08-31', {
    cap_per_deal: '45000',
    categories_allow: [REAL],
  }),
  reads(
    'Daily budget 250 USDC, lifetime budget 5,000 USDC, music royalties, until the end of March 2027.',
    '2027-03-31',
    { cap_per_day: '250', cap_total: '5000', categories_allow: [MUSIC] },
  ),
  reads(
    'Never pay over 120 USDC for any one item; never more than 480 USDC in a week. Buy surplus stock. Good till 2027-02-10.',
    '2027-02-10',
    { cap_per_deal: '120', cap_per_week: '480', categories_allow: [SURPLUS] },
  ),
  reads('Purchase online courses, $99.99 per purchase at most, until Dec 31, 2026.', '2026-12-31', {
    currency: 'USD',
    cap_per_deal: '99.99',
    categories_allow: [DIGITAL],
  }),
  reads(
    'Up to 200 USDC per deal, up to 1,000 USDC per month, hotel stays, until 31 October 2027.',
    '2027-10-31',
    { cap_per_deal: '200', cap_per_month: '1000', categories_allow: [TRAVEL] },
  ),
  reads(
    'Buy cut flowers and fresh produce. Limits are 90 USDC per transaction and 270 USDC each day. This mandate ends on 24 December 2026.',
    '2026-12-24',
    { cap_per_deal: '90', cap_per_day: '270', categories_allow: [TRAVEL] },
  ),
  reads(
    'Buy gold bars; ceiling of 10k USDC for each deal; do not exceed 30k USDC in total; ends 2027-12-01.',
    '2027-12-01',
    { cap_per_deal: '10000', cap_total: '30000', categories_allow: [REAL] },
  ),
  reads('Bid no higher than 60 USDC per lot for liquidation pallets until 8 January 2027.', '2027-01-08', {
    cap_per_deal: '60',
    categories_allow: [SURPLUS],
  }),
  reads('Buy T-bills, 1.25m USDC in total, 125k USDC per deal, expiry 31 March 2028.', '2028-03-31', {
    cap_total: '1250000',
    cap_per_deal: '125000',
    categories_allow: [DEBT],
  }),
];
