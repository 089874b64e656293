/** The words that every page shows, in one place, so that they can be said in another language. */
export const WORDS = {
  description:
    'Know whom you deal with before value moves: a wallet or a deal is CLEAN or FLAGGED, with every check and a record that anyone can prove.',
  places: {
    check: 'Check',
    market: 'Market',
    agents: 'Agents',
    dashboard: 'Dashboard',
    developers: 'Developers',
  },
  tabs: {
    sale: 'For sale',
    book: 'Prices to beat',
    deals: 'Deals',
    near: 'Near misses',
    names: 'Names',
  },
  category: 'Category',
  allCategories: 'All',
  categories: {
    'tokenized-debt-and-finance': 'Tokenized debt and finance',
    'liquidation-and-surplus': 'Liquidation and surplus',
    'travel-and-perishables': 'Travel and perishables',
    'music-and-video-rights': 'Music and video rights',
    'digital-products': 'Digital products',
    'real-world-assets': 'Real world assets',
  },
  skip: 'Skip to the content',
  search: 'Search',
  network: 'Test networks',
  testnets: 'Test networks only: no real money moves here.',
  prices: 'Prices',
  records: 'How a record is checked',
  verdicts: 'How verdicts turned out',
  status: 'Status',
} as const;
