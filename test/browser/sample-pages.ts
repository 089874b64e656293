import { pricing } from '../../agents/market/pricing/prices.ts';
import { errorRate, TOO_FEW } from '../../agents/records/outcome.ts';
import { transactionPage } from '../../api/agent/account-transaction-page.ts';
import { agentPage } from '../../api/agent/agent-page.ts';
import { activityPage, directoryPage } from '../../api/agent/agents-page.ts';
import { type AgentDraft, EMPTY_DRAFT, newAgentPage, reviewPage } from '../../api/checkout/new-agent-page.ts';
import { dashboardPage, welcomePage } from '../../api/dashboard/dashboard-page.ts';
import { ownView } from '../../api/dashboard/own-view.ts';
import { deskCommand } from '../../api/desk/commands.ts';
import { againPage, commandPage, donePage } from '../../api/desk/pages/desk.ts';
import { evaluated } from '../../api/desk/pages/desk-determined.ts';
import { dealsWithDecisions } from '../../api/desk/pages/desk-lists.ts';
import { verdictsPage } from '../../api/determinations/verdicts-page.ts';
import { developersPage } from '../../api/developers/developers-page.ts';
import { type Html, html } from '../../api/html/html.ts';
import { page } from '../../api/html/layout.ts';
import { cataloguePage, matchesPage, ordersPage } from '../../api/market/catalogue-page.ts';
import { lotPage } from '../../api/market/lot-page.ts';
import type { NameListingRow } from '../../api/names/name-shapes.ts';
import { namesPage } from '../../api/names/names-page.ts';
import { operatorPage } from '../../api/operator/operator-page.ts';
import { recordPage } from '../../api/records/record-page.ts';
import { homePage } from '../../api/service/home-page.ts';
import { pricingPage } from '../../api/service/pricing-page.ts';
import type {
  ActivityRow,
  AgentDocument,
  CatalogueRow,
  DirectoryRow,
  MatchRow,
  OrderBookRow,
  RecordDocument,
} from '../../api/shapes.ts';

const hash = (n: number): string => `0x${n.toString(16).padStart(2, '0').repeat(32)}`;
const address = (n: number): string => `0x${n.toString(16).padStart(2, '0').repeat(20)}`;
const at = '2026-11-21T07:00:00.000Z';
const list = <T>(items: T[], hasMore = false) => ({ items, limit: 20, offset: hasMore ? 20 : 0, hasMore });
const contract = address(0xa1);
const lot = `eip155:1002/erc721:${contract}/17`;

const listing: CatalogueRow = {
  listingRef: 'lst_01k6n5q3w8',
  seller: address(0x5e),
  contract,
  tokenId: '17',
  lot,
  description: 'Pallet of forty refurbished laptops, graded B, from one office clearance',
  askUsd: 4_800,
  negotiable: true,
  category: 'liquidation-and-surplus',
  chain: 'eip155:1002',
  featured: true,
  control: 'proven',
  listedAt: at,
};
const atAsk: NameListingRow = {
  name: 'café☕.crypto',
  askUsd: 300,
  format: 'buy-now',
  listingRef: 'lst_01k6n5q3w9',
  seller: address(0x5e),
  control: "seller's claim, unproven",
  listedAt: at,
};
const rising: NameListingRow = {
  ...atAsk,
  name: `${'long'.repeat(15)}.x`,
  format: 'ascending',
  openingBidUsd: 20,
  priceToBeatUsd: 99.23,
  reserveUsd: 20,
  startsAt: at,
  endsAt: '2026-11-21T08:00:00.000Z',
};
const falling: NameListingRow = {
  ...rising,
  name: 'windsor',
  format: 'dutch',
  openingBidUsd: 50_000,
  priceToBeatUsd: 12_345.67,
  reserveUsd: 1_500,
};
const order: OrderBookRow = {
  lot,
  category: 'liquidation-and-surplus',
  chain: 'eip155:1002',
  priceToBeatUsd: 4_200.01,
  updatedAt: at,
};
const match: MatchRow = {
  matchId: 'mat_01k6n5q3w8',
  lot,
  category: 'liquidation-and-surplus',
  chain: 'eip155:1002',
  state: 'settled',
  clearingPriceUsd: 4_500,
  matchedAt: at,
  settledAt: at,
  tx: hash(0x7a),
};
const row: DirectoryRow = {
  handle: 'harbour-desk',
  tier: 'AGENT',
  depth: '2-of-2',
  status: 'active',
  owner: address(0x0e),
  account: address(0x5e),
  chainId: 1002,
  contract: address(0xa9),
  tokenId: '3',
  categories: ['liquidation-and-surplus'],
  since: at,
};
const agent: AgentDocument = {
  ...row,
  displayName: 'Harbour desk',
  about: 'Buys office surplus for three repair shops.',
  mandate: {
    text: 'Buy liquidation lots up to 5000 USDC each and 20000 USDC in all until 31 December 2026.',
    structured: {
      side: 'buy',
      currency: 'USDC',
      cap_per_deal: '5000',
      cap_total: '20000',
      expires_at: '2026-12-31T23:59:59Z',
    },
    hash: hash(0x3a),
    version: 1,
  },
  caps: {
    asOfBlock: '412',
    remaining: [
      {
        token: address(0xcc),
        perDealUsd: 5_000,
        perDayUsd: null,
        perWeekUsd: null,
        perMonthUsd: null,
        totalUsd: 15_500,
        balanceUsd: 5_000,
        spendableUsd: 5_000,
      },
    ],
  },
  issued: { mintTx: hash(1), accountTx: hash(1), mandateHashOnChain: hash(0x3a), orders: 4, matches: 1 },
};
const activity: ActivityRow = {
  recordId: 'rec_01k6n5q3w8',
  kind: 'deal-settled',
  state: 'anchored',
  at,
  subject: lot,
  hash: hash(0x44),
  summary: 'Deal settled at $4,500.00 between harbour-desk and quay-clearance',
  ledger: { chainId: 1002, contract: address(0x1e), tx: hash(0x99), batch: '12' },
  recordUrl: '/records/rec_01k6n5q3w8',
};
const place = {
  baseUrl: 'http://handshake.test',
  explorer: 'https://explorer.test',
  activity: [activity],
  holdings: {
    asOfBlock: '412',
    tokens: [
      {
        key: lot,
        asset: { kind: 'token' as const, chainId: 1002, contract: contract as `0x${string}`, tokenId: '17' },
        description: listing.description,
        listingRef: listing.listingRef,
      },
    ],
  },
  settlement: address(0x5f),
  usdc: address(0x60),
  chains: [],
};
const source = { name: 'viem over 127.0.0.1:8545', asOf: at, limit: 'one RPC endpoint, pinned to block 412' };
const record: RecordDocument = {
  recordId: 'rec_01k6n5q3w8',
  state: 'anchored',
  record: {
    recordId: 'rec_01k6n5q3w8',
    kind: 'determination',
    issuedAt: '2026-11-21T07:00:00Z',
    subject: lot,
    parties: ['harbour-desk'],
    summary: `FLAGGED: ${lot}`,
    content: {
      verdict: 'FLAGGED',
      determinations: [
        {
          id: 'double-pledge',
          verdict: 'FLAGGED',
          confidence: 99,
          reasons: [`The asset ${lot} is pledged in another live listing.`],
          checks: [
            {
              id: 'live-pledge',
              outcome: 'FLAG',
              detail: 'Pledged as lst_01k6n4 since yesterday.',
              sources: [source],
            },
            { id: 'control', outcome: 'PASS', detail: 'The seller account holds it.', sources: [source] },
            {
              id: 'stolen-register',
              outcome: 'INCONCLUSIVE',
              detail: 'The register is empty.',
              sources: [source],
            },
          ],
          panel: {
            votes: [
              {
                seat: 'rules-viem',
                method: 'rules',
                source: source.name,
                vote: 'FLAGGED',
                reasons: ['Two live pledges.'],
              },
              {
                seat: 'statistics-ethers',
                method: 'statistics',
                source: 'ethers over 127.0.0.1:8546',
                vote: 'CLEAN',
                reasons: [],
              },
            ],
            dissent: ['statistics-ethers voted CLEAN.'],
          },
        },
      ],
    },
    evidenceHash: hash(0x55),
  },
  hash: hash(0x44),
  signature: { signer: address(0x51), value: `0x${'9f'.repeat(65)}`, typedData: {} },
  evidence: { kind: 'tier2', determinations: [] },
  proof: { leaf: hash(0x45), index: 1, siblings: [hash(0x46), hash(0x47)], root: hash(0x48), size: 4 },
  ledger: activity.ledger!,
  recordUrl: '/records/rec_01k6n5q3w8',
  appeal: {
    recordId: 'rec_01k6n5q3w9',
    recordUrl: 'http://127.0.0.1:4021/records/rec_01k6n5q3w9',
    filedAt: '2026-09-06T13:00:00.000Z',
  },
  appealOf: null,
  spec: '/specs/verification-record/2026-09-06.1',
};

const evaluation: Parameters<typeof evaluated>[0] = {
  tier: 'tier3',
  category: 'real-world-assets',
  priceUsd: 40,
  verdict: 'FLAGGED',
  flagged: [],
  inconclusive: ['provenance', 'provenance/stolen-register'],
  determinations: [
    {
      id: 'provenance',
      verdict: 'INCONCLUSIVE',
      confidence: 0,
      reasons: ['stolen-register: The register is empty.'],
      checks: [
        {
          id: 'stolen-register',
          outcome: 'INCONCLUSIVE',
          detail: 'The register is empty.',
          sources: [source],
        },
      ],
      panel: {
        depth: '2-of-2',
        seats: 2,
        quorum: 2,
        votes: [
          {
            seat: 'rules/viem',
            method: 'rules',
            source: source.name,
            vote: 'INCONCLUSIVE',
            reasons: ['Nothing to compare with.'],
          },
          {
            seat: 'statistics/ethers',
            method: 'statistics',
            source: 'ethers over 127.0.0.1:8546',
            vote: 'CLEAN',
            reasons: [],
          },
        ],
        dissent: ['statistics/ethers voted CLEAN.'],
        block: { 'eip155:1002': { number: '412' } },
        latencyMs: 34,
      },
      trace: [
        {
          step: 1,
          seat: 'rules/viem',
          claim: 'The serial is on no register of stolen things.',
          rule: 'stolen-register',
          input: 'register stolen: 0 rows',
          outcome: 'INCONCLUSIVE',
        },
      ],
    },
  ],
  determinationsNotRun: ['shill-collusion', 'mandate-compliance'],
  note: 'What FLAGGED causes is the setting that the owner signed; unset, the transaction stops.',
  recorded: { recordId: 'rec_01k6n5q3w8' },
};

const draft: AgentDraft = {
  mandate: 'Buy digital products, max 150 USDC per deal, until 31 March 2027.',
  handle: 'harbour-desk',
  owner: address(0x0e),
  tier: 'AGENT',
  depth: '2-of-2',
};
const prices = { agentUsd: 5, executorUsd: 1 };
const refused = {
  fields: [{ path: 'owner', message: 'must be a wallet address: 0x and 40 hex digits' }],
  questions: [{ reason: 'NO_EXPIRY', question: 'On which date does the mandate expire?' }],
  suggestion: 'Buy digital products. At most 150 USDC per deal. Until 2027-03-31T23:59:59Z.',
  detail: 'On which date does the mandate expire?',
} as const;
const read: Parameters<typeof reviewPage>[1] = {
  readAt: at,
  mandate: {
    side: 'buy',
    currency: 'USDC',
    cap_per_deal: '150',
    categories_allow: ['digital-products'],
    counterparties_deny: [address(0xbad)],
    expires_at: '2027-03-31T23:59:59Z',
  },
  hash: hash(0x3a),
  priceUsd: 5,
  open: {
    question: 'When the price of a deal could not be judged, shall it stop, ask you, or go on?',
    offers: ['If the price check is inconclusive, ask me.'],
  },
};

const disputed = { disputeId: 'dsp_01k6n5q3w8', tokenId: '17', wallet: address(0xd1), filedAt: at };
const waiting = {
  dealId: 'deal_01k6n5q3w8',
  lot,
  role: 'buyer',
  priceUsd: 4_500,
  paysUsd: 4_500,
  getsUsd: 4_410,
  state: 'awaiting-owner',
  waitsForYou: true,
  deadline: at,
  findings: [{ determination: 'wallet', verdict: 'FLAGGED', reasons: ['list-known-scam: on known-scam'] }],
  openDisputes: [disputed],
  reason: null,
  tx: null,
  updatedAt: at,
};
const sold = {
  ...waiting,
  waitsForYou: false,
  dealId: 'deal_01k6n5q3w9',
  role: 'seller',
  state: 'recorded',
  deadline: null,
  findings: [],
};
const stopped = {
  ...waiting,
  waitsForYou: false,
  dealId: 'deal_01k6n5q3wa',
  state: 'stopped',
  deadline: null,
};
const resting = {
  orderId: 'ord_01k6n5q3w801k6n5q3w8',
  side: 'buy',
  lot,
  limitUsd: 4_400,
  status: 'unfunded',
  needUsd: 4_400,
  haveUsd: 12.5,
  createdAt: at,
  expiresAt: at,
};
const wrongOrder = {
  title: 'The request is not valid',
  fields: [{ path: 'limitUsd', message: 'limitUsd: must carry at most 2 decimals' }],
};

/** Every page at its path, filled as a running market would fill it. */
export function samplePages(baseUrl: string): Record<string, Html> {
  return {
    '/': homePage({
      baseUrl,
      chains: [1002, 84532, 8453],
      listings: [listing],
      matches: [match],
      latestRecord: { recordId: activity.recordId, summary: activity.summary },
    }),
    '/catalogue': cataloguePage(
      list(
        Array.from({ length: 20 }, () => listing),
        true,
      ),
      { category: 'liquidation-and-surplus', maxUsd: '5000', chain: 'eip155:1002' },
    ),
    '/lots/lst_01k6n5q3w8': lotPage(
      {
        ...listing,
        ...{ willNotBeJudged: ['provenance', 'price-intelligence'], yourSettingsThen: 'stop' },
        openDisputes: [disputed],
      },
      'harbour-desk',
      {
        baseUrl,
        explorer: 'https://explorer.test',
        seller: 'quay-clearance',
        priceToBeatUsd: 4_200.01,
        deals: [match],
        custody: {
          moves: [
            { from: address(1), to: address(0x5e), handle: 'harbour-desk', tx: hash(0x7a), block: '41' },
            { from: address(2), to: address(1), handle: null, tx: hash(0x7b), block: '22' },
            { from: address(0), to: address(2), handle: null, tx: hash(0x7c), block: '9' },
          ],
          more: false,
        },
        sales: [match, { ...match, settledAt: '2026-11-20T07:00:00.000Z', clearingPriceUsd: 3_900 }],
      },
    ),
    '/orders': ordersPage(list([order])),
    '/matches': matchesPage(list([match])),
    '/agents/directory': directoryPage(list([row])),
    '/agent/harbour-desk': agentPage(agent, place),
    '/agent/harbour-desk/transactions/withdraw': transactionPage('withdraw', {
      ...{ handle: 'harbour-desk', chainId: 1002, from: address(0x0e), to: address(0xac) },
      ...{ says: 'Take 12.50 dollars out.', value: '0', data: `0x${'a9059cbb'.repeat(60)}` },
    }),
    '/agent/harbour-desk/activity': activityPage('harbour-desk', list([activity])),
    '/records/rec_01k6n5q3w8': recordPage(record),
    '/dashboard-empty': welcomePage(),
    '/dashboard': dashboardPage({
      wallet: address(0x0e),
      agents: [{ ...row, waiting: { deals: 1, until: at } }],
      activity: [{ ...activity, handle: 'harbour-desk' }],
    }),
    '/dashboard-own': page(
      'Own',
      html`<h1>Yours alone</h1>${ownView([{ handle: 'harbour-desk', deals: [waiting, { ...waiting, dealId: 'deal_01k6n5q3wb' }, stopped, sold, { ...sold, priceUsd: 1_200, updatedAt: '2026-11-12T07:00:00.000Z' }, { ...sold, state: 'settled', updatedAt: '2026-11-02T07:00:00.000Z' }], orders: [resting], funds: { asOfBlock: '7', balanceUsd: 1, inFlightUsd: 1, spendableUsd: 0 } }], address(0x0e), new Date(at))}`,
    ),
    '/developers': developersPage(
      {
        paths: {
          '/determination': {
            get: {
              operationId: 'd',
              tags: ['determinations'],
              summary: 'A wallet',
              description: 'Asks about `address`.',
              security: [{ x402: [] }],
              parameters: [{ name: 'address', in: 'query', required: true, schema: { description: 'whom' } }],
              responses: { 200: { description: 'The verdict' } },
            },
          },
        },
      },
      baseUrl,
    ),
    '/operator': operatorPage({
      throughput: { matched: 4, settled: 3, stopped: 1, waitForOwners: 2, openDisputes: 0 },
      deadLetters: [
        {
          id: 'event-12',
          actorId: 'deal:deal_01k6n5q3w8',
          kind: 'SETTLED',
          name: 'x',
          reason: 'it threw',
          since: new Date(at),
          content: {},
        },
      ],
      workers: [],
      lists: [{ list: 'OFAC', register: 'sanctions', rows: 700, asOf: at, state: 'stale', maxAgeDays: 7 }],
      backlog: null,
      webhooks: { waiting: 0, oldest: null, givenUp: 0 },
      quarantine: [],
      gas: {
        classes: [{ kind: 'key', failed: 1, spentGas: 90_000, leftGas: null, inFlight: 0, exhausted: false }],
        exhaustedCodes: [],
      },
      relays: { spent: 1n, limit: 2n },
      signers: [{ chain: '1002', role: 'operator', balance: 2 }],
    }),
    '/names': namesPage(list([falling, rising, atAsk], true), { tld: 'x' }),
    '/names-empty': namesPage(list<NameListingRow>([]), { name: 'alice.x' }),
    '/empty': cataloguePage(list<CatalogueRow>([])),
    '/verdicts': verdictsPage({
      tooFewBelow: TOO_FEW,
      items: (['CLEAN', 'FLAGGED', 'INCONCLUSIVE'] as const).map((verdict, i) =>
        errorRate({
          ...{ determination: 'wallet', by: 'parties', contested: 2 },
          ...{ verdict, honest: 40 * i, fraudulent: 3 },
        }),
      ),
    }),
    '/verdicts-empty': verdictsPage({ tooFewBelow: TOO_FEW, items: [] }),
    '/pricing': pricingPage(pricing({ setting: 'live', standardListing: null }), 'real'),
    '/agents/new': newAgentPage(EMPTY_DRAFT, prices),
    '/agents/new-refused': newAgentPage(draft, prices, refused),
    '/agents/new-read': reviewPage(draft, read),
    '/desk-order': commandPage(
      deskCommand('order')!,
      { handle: 'harbour-desk', limitUsd: '1.005' },
      wrongOrder,
    ),
    '/desk-subscribe': commandPage(
      deskCommand('subscribe')!,
      { wallet: address(0x0e), events: 'deal.settled' },
      { title: 'The request is not valid', fields: [{ path: 'events', message: 'choose fewer' }] },
    ),
    '/desk-evaluate': commandPage(
      deskCommand('evaluate')!,
      { tier: 'tier3', category: 'real-world-assets', handle: 'harbour-desk', serial: '!' },
      {
        title: 'The request is not valid',
        fields: [
          { path: 'serial', message: 'must be 3 to 64 letters and digits' },
          { path: 'priceUsd', message: 'fill it in too: the mandate is held against it' },
        ],
      },
      pricing({ setting: 'live', standardListing: null }),
    ),
    '/desk-evaluated': donePage(
      deskCommand('evaluate')!,
      { tier: 'tier3', category: 'real-world-assets' },
      {},
      evaluated(evaluation),
    ),
    '/desk-again': againPage(deskCommand('evaluate')!, { tier: 'tier3' }, null),
    '/desk-deals': donePage(
      deskCommand('deals')!,
      { handle: 'harbour-desk', cursor: 'x' },
      { next: 'y' },
      dealsWithDecisions('harbour-desk', [waiting]),
    ),
  };
}
