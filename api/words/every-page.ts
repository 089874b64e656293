import { type Html, html } from '../html/html.ts';

/** The words that every page shows, in one place, so that they can be said in another language. */
export const WORDS = {
  name: 'Safe Handshake',
  main: 'Main',
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
  chain: 'Chain',
  any: 'any',
  narrow: 'Narrow it down',
  show: 'Show',
  everything: 'Everything',
  categories: {
    'tokenized-debt-and-finance': 'Tokenized debt and finance',
    'liquidation-and-surplus': 'Liquidation and surplus',
    'travel-and-perishables': 'Travel and perishables',
    'music-and-video-rights': 'Music and video rights',
    'digital-products': 'Digital products',
    'real-world-assets': 'Real world assets',
  },
  /** Where there is nothing yet: what it would be, and where to go, as path and words. */
  empty: {
    agents: ['Nobody has made an agent yet.', ['/agents/new', 'Make the first']],
    narrowedAgents: ['No agent is like that.', ['/agents/directory', 'See all agents']],
    ownAgents: ['This wallet owns no agent yet.', ['/agents/new', 'Make one']],
    sale: [
      'Nothing is for sale yet.',
      ['/desk/list', 'Sell a token'],
      ['/desk/certify', 'Certify a thing and sell it'],
    ],
    narrowed: ['Nothing like that is for sale now.', ['/catalogue', 'See everything']],
    book: ['Nobody offers or asks anything now.', ['/catalogue', 'See what is for sale']],
    deals: ['No deal has been made yet.', ['/catalogue', 'See what is for sale']],
    near: ['No two limits have nearly met yet.', ['/orders', 'See the prices to beat']],
    name: ['This name is not for sale at the moment.', ['/names', 'See all names']],
    names: ['No name is for sale at the moment.', ['/desk/name-sell', 'Sell one']],
    happened: ['Nothing is on the record yet.', ['/catalogue', 'See what is for sale']],
    ownDeals: ['This agent has made no deal yet.', ['/catalogue', 'Find something to buy']],
    ownOrders: ['This agent has placed no order yet.', ['/catalogue', 'Find something to buy']],
    notifications: ['News of this wallet goes nowhere yet.', ['/desk/subscribe', 'Send it to a program']],
    deliveries: ['Nothing was sent there yet.', ['/desk/subscriptions', 'See where news goes']],
    log: ['It has decided nothing by itself yet.', ['/catalogue', 'See what is for sale']],
    acts: ['Nothing was given to you to sign yet.', ['/dashboard', 'See your agents']],
    outcomes: [
      'Nobody has said yet what turned out of a determination.',
      ['/developers', 'See how to say it'],
    ],
  },
  /** A token by its number, short, with its whole key to be read on it. */
  token: (lot: string, number: string, contract: Html) =>
    html`<span title="${lot}">Token ${number}</span> of ${contract}`,
  /** What a seller calls a lot, within a sentence. */
  titled: (description: string) => `“${description}”`,
  /** Kinds of serials, before the serial. */
  serials: {
    vin: 'VIN',
    imei: 'IMEI',
    isbn: 'ISBN',
    isrc: 'ISRC',
    gtin: 'GTIN',
    generic: 'Serial',
    name: 'Name',
  },
  tokenInSentence: (number: string, contract: string) => `token ${number} of ${contract}`,
  utc: (minute: string) => `${minute} UTC`,
  explorer: (value: string) => html`Explorer<span class="hidden">: ${value}</span>`,
  pages: 'Pages',
  newest: '← Newest',
  newer: '← Newer',
  older: 'Older →',
  parts: 'On this page',
  skip: 'Skip to the content',
  search: 'Search',
  network: 'Test networks',
  testnets: 'Deals settle on test networks.',
  /** Where money is asked: whether a card that pays it is charged real dollars. */
  cards: {
    real: 'Deals settle on test networks; cards are charged real dollars.',
    test: 'Test networks and test cards: no real money moves here.',
  },
  prices: 'Prices',
  records: 'How a record is checked',
  verdicts: 'How verdicts turned out',
  status: 'Status',
} as const;
