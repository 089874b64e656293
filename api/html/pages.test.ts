import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pricing } from '../../agents/market/pricing/prices.ts';
import { transactionPage } from '../agent/account-transaction-page.ts';
import { agentPage } from '../agent/agent-page.ts';
import { activityPage, directoryPage } from '../agent/agents-page.ts';
import { checkoutPage } from '../checkout/checkout-page.ts';
import { newAgentPage, reviewPage } from '../checkout/new-agent-page.ts';
import { dashboardPage, welcomePage } from '../dashboard/dashboard-page.ts';
import { ownView } from '../dashboard/own-view.ts';
import { deskCommand } from '../desk/commands.ts';
import { againPage, commandPage, donePage } from '../desk/pages/desk.ts';
import { answerShown } from '../desk/pages/desk-answers.ts';
import { dealsWithDecisions, orderTable } from '../desk/pages/desk-lists.ts';
import { signPage } from '../desk/pages/desk-sign.ts';
import { cataloguePage, matchesPage, ordersPage } from '../market/catalogue-page.ts';
import { lotPage } from '../market/lot-page.ts';
import { namesPage } from '../names/names-page.ts';
import { operatorPage } from '../operator/operator-page.ts';
import { recordPage } from '../records/record-page.ts';
import { verificationRecordPage } from '../records/verification-record.ts';
import { healthPage } from '../service/health-page.ts';
import { homePage } from '../service/home-page.ts';
import { pricingPage } from '../service/pricing-page.ts';
import type { CatalogueRow, MatchRow, RecordDocument } from '../shapes.ts';
import { errorPage } from './error-page.ts';
import { type Html, html, sentence } from './html.ts';
import { page } from './layout.ts';

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;\u202e`;
const hash = `0x${'ab'.repeat(32)}`;
const address = `0x${'cd'.repeat(20)}`;
const at = '2026-11-21T07:00:00.000Z';
const listOf = <T>(...items: T[]) => ({ items, limit: 20, offset: 20, hasMore: true });

const listing: CatalogueRow = {
  listingRef: HOSTILE,
  seller: address,
  contract: address,
  tokenId: '1',
  lot: HOSTILE,
  description: HOSTILE,
  askUsd: 1250.5,
  negotiable: true,
  category: 'digital-products',
  chain: 'eip155:1002',
  featured: true,
  control: "seller's claim, unproven",
  listedAt: at,
};
const match = {
  matchId: HOSTILE,
  lot: HOSTILE,
  category: 'digital-products' as const,
  chain: 'eip155:1002',
  state: 'settling' as const,
  clearingPriceUsd: 1,
  matchedAt: at,
  tx: hash,
};
const agentRow = {
  handle: HOSTILE,
  tier: 'AGENT' as const,
  depth: '2-of-2' as const,
  status: 'active' as const,
  owner: address,
  account: address,
  chainId: 1002,
  contract: address,
  tokenId: '1',
  categories: [],
  since: at,
};
const record: RecordDocument = {
  recordId: 'rec_1',
  state: 'anchored',
  record: {
    recordId: 'rec_1',
    kind: 'determination',
    issuedAt: at,
    subject: HOSTILE,
    parties: [HOSTILE],
    summary: HOSTILE,
    content: {
      verdict: 'FLAGGED',
      determinations: [
        {
          id: 'double-pledge',
          verdict: 'INCONCLUSIVE',
          confidence: 0,
          reasons: [HOSTILE],
          checks: [
            {
              id: 'c',
              outcome: 'INCONCLUSIVE',
              detail: HOSTILE,
              sources: [{ name: HOSTILE, asOf: at, limit: HOSTILE }],
            },
          ],
          panel: {
            depth: '2-of-2',
            seats: 2,
            quorum: 2,
            block: { [HOSTILE]: { number: HOSTILE } },
            latencyMs: 34,
            votes: [{ seat: 's', method: 'rules', source: 'viem', vote: 'FLAGGED', reasons: [HOSTILE] }],
            dissent: [HOSTILE],
          },
        },
      ],
    },
  },
  hash,
  signature: { signer: address, value: hash, typedData: {} },
  evidence: { a: HOSTILE },
  proof: { leaf: hash, index: 0, siblings: [hash], root: hash, size: 2 },
  ledger: { chainId: 1002, contract: address, tx: hash, batch: '1' },
  recordUrl: '/records/rec_1',
  appeal: null,
  appealOf: null,
  spec: '/specs/verification-record/2026-09-06.1',
};

const agent = {
  ...agentRow,
  displayName: HOSTILE,
  about: HOSTILE,
  mandate: { text: HOSTILE, structured: { x: HOSTILE }, hash, version: 2 },
  caps: {
    asOfBlock: '12',
    remaining: [
      {
        token: address,
        perDealUsd: 10,
        perDayUsd: null,
        perWeekUsd: null,
        perMonthUsd: null,
        totalUsd: 20,
        balanceUsd: 20,
        spendableUsd: 10,
      },
    ],
  },
  issued: { mintTx: hash, accountTx: hash, mandateHashOnChain: hash, orders: 1, matches: 0 },
};

const activityRow = {
  recordId: HOSTILE,
  kind: 'deal-settled' as const,
  state: 'inscribed' as const,
  at,
  subject: HOSTILE,
  hash,
  summary: HOSTILE,
  recordUrl: HOSTILE,
};
const typed = { handle: HOSTILE, dealId: HOSTILE, decision: HOSTILE };
const wrong = [{ path: 'dealId', message: HOSTILE }];
const place = {
  baseUrl: 'http://h',
  explorer: 'https://explorer.test',
  activity: [activityRow],
  holdings: {
    asOfBlock: '7',
    tokens: [
      {
        key: HOSTILE,
        asset: { kind: 'serial' as const, serialKind: 'isbn' as const, serial: HOSTILE },
        description: HOSTILE,
        listingRef: HOSTILE,
      },
    ],
  },
  settlement: address,
  usdc: address,
  chains: [],
};
const draft = { mandate: HOSTILE, handle: HOSTILE, owner: HOSTILE, tier: HOSTILE, depth: HOSTILE };
const part = { status: 'ok' as const, latencyMs: 1 };
const openDispute = { disputeId: HOSTILE, tokenId: HOSTILE, wallet: HOSTILE, filedAt: at };
const deal = {
  dealId: HOSTILE,
  lot: HOSTILE,
  role: 'buyer',
  priceUsd: 1,
  paysUsd: 1,
  getsUsd: 0.98,
  state: 'awaiting-owner',
  waitsForYou: true,
  deadline: at,
  findings: [{ determination: HOSTILE, verdict: 'FLAGGED', reasons: [HOSTILE] }],
  openDisputes: [openDispute],
  reason: HOSTILE,
  tx: null,
  updatedAt: at,
};
const order = {
  orderId: HOSTILE,
  side: 'buy',
  lot: HOSTILE,
  limitUsd: 1,
  status: 'resting',
  createdAt: at,
  expiresAt: at,
};

const subscription = {
  subscriptionId: HOSTILE,
  wallet: HOSTILE,
  url: HOSTILE,
  events: [HOSTILE],
  status: 'disabled',
  failingSince: at,
  reason: HOSTILE,
  createdAt: at,
};
const act = { kind: HOSTILE, version: 2, status: 'failed', reason: HOSTILE, tx: HOSTILE, updatedAt: at };
/** A tier 3 determination that is INCONCLUSIVE. */
const unsure = {
  id: 'provenance',
  verdict: 'INCONCLUSIVE',
  confidence: 0,
  reasons: [HOSTILE],
  checks: [
    {
      id: 'custody',
      outcome: 'INCONCLUSIVE',
      detail: HOSTILE,
      sources: [{ name: HOSTILE, asOf: at, limit: HOSTILE }],
    },
  ],
  panel: {
    depth: 'superconsensus',
    seats: 5,
    quorum: 4,
    votes: [
      { seat: 'rules/viem', method: 'rules', source: HOSTILE, vote: 'INCONCLUSIVE', reasons: [HOSTILE] },
      { seat: 'adversarial/all', method: 'adversarial', source: HOSTILE, vote: 'FLAGGED', reasons: [] },
    ],
    dissent: [HOSTILE],
    block: {},
    latencyMs: 34,
  },
  trace: [
    { step: 1, seat: 'rules/viem', claim: HOSTILE, rule: HOSTILE, input: HOSTILE, outcome: 'INCONCLUSIVE' },
  ],
};
/** Possible answers of the API, by command. */
const ANSWERS: Record<string, object> = {
  check: {
    verdict: 'FLAGGED',
    address: HOSTILE,
    confidence: 99,
    reasons: [HOSTILE],
    evidence: { checks: [{ id: HOSTILE, outcome: 'FLAG', detail: HOSTILE }] },
    recorded: { filed: true, recordId: HOSTILE },
  },
  evaluate: {
    tier: 'tier3',
    category: HOSTILE,
    priceUsd: 15,
    verdict: 'FLAGGED',
    flagged: [],
    inconclusive: ['provenance', `provenance/${HOSTILE}`, HOSTILE],
    determinations: [unsure],
    determinationsNotRun: ['price-intelligence', HOSTILE],
    note: HOSTILE,
    recorded: { filed: true, recordId: HOSTILE },
  },
  mandate: act,
  certify: { listingRef: HOSTILE, certificate: { tokenId: HOSTILE, serial: HOSTILE, limit: HOSTILE } },
  'certificate-transfer': { tokenId: HOSTILE, from: HOSTILE, to: HOSTILE, tx: HOSTILE, recordUrl: HOSTILE },
  pledge: { pledgeId: HOSTILE, asset: HOSTILE, listingRef: HOSTILE, wallet: HOSTILE, until: at },
  release: { pledgeId: HOSTILE },
  subscribe: { ...subscription, secret: HOSTILE },
  subscriptions: { items: [subscription] },
  deliveries: {
    items: [
      {
        webhookId: HOSTILE,
        kind: HOSTILE,
        status: 'pending',
        attempts: 2,
        answered: 500,
        error: HOSTILE,
        createdAt: at,
        nextAttemptAt: at,
      },
    ],
  },
  standing: { membership: { kind: HOSTILE, until: at } },
  covered: { wallet: HOSTILE, until: at, wallets: [HOSTILE], limit: 100 },
  log: { items: [{ at, action: HOSTILE, says: HOSTILE, lot: HOSTILE }], next: HOSTILE },
  acts: { items: [act] },
};
const answered = Object.entries(ANSWERS).map(([id, body]): [string, Html] => [
  `answer to ${id}`,
  donePage(deskCommand(id)!, { wallet: HOSTILE }, body, answerShown(id, body as never, { wallet: HOSTILE })),
]);

const PAGES: Record<string, Html> = {
  ...Object.fromEntries(answered),
  home: homePage({
    baseUrl: 'http://h',
    chains: [1002, 84532],
    listings: [listing],
    matches: [match],
    latestRecord: { recordId: HOSTILE, summary: HOSTILE },
  }),
  catalogue: cataloguePage(listOf(listing), { category: 'digital-products', q: HOSTILE }),
  lot: lotPage(
    {
      ...listing,
      attributes: { make: HOSTILE, year: 2018 },
      willNotBeJudged: ['provenance'],
      yourSettingsThen: null,
      openDisputes: [openDispute],
    },
    HOSTILE,
    {
      baseUrl: 'http://h',
      seller: HOSTILE,
      explorer: 'https://explorer.test',
      priceToBeatUsd: 3,
      deals: [match],
      custody: {
        moves: [{ from: HOSTILE, to: HOSTILE, handle: HOSTILE, tx: HOSTILE, block: '7' }],
        more: true,
      },
      sales: [{ ...match, state: 'settled', settledAt: at }],
    },
  ),
  orders: ordersPage(
    listOf({
      lot: HOSTILE,
      category: 'digital-products',
      chain: 'eip155:1002',
      priceToBeatUsd: 3,
      updatedAt: at,
    }),
  ),
  matches: matchesPage(listOf(match)),
  directory: directoryPage(listOf(agentRow)),
  agent: agentPage(agent, place),
  'transaction of a wallet elsewhere': transactionPage('deposit', {
    ...{
      handle: HOSTILE,
      chainId: 1002,
      from: HOSTILE,
      says: HOSTILE,
      to: HOSTILE,
      data: HOSTILE,
      value: HOSTILE,
    },
  }),
  'agent whose chain is away': agentPage({ ...agent, caps: { unavailable: HOSTILE } }, place),
  activity: activityPage(HOSTILE, listOf(activityRow)),
  record: recordPage(record),
  'record of another form': recordPage({
    ...record,
    record: { content: HOSTILE },
    evidence: null,
    proof: null,
    ledger: null,
  }),
  pricing: pricingPage(pricing({ setting: 'live', standardListing: null }), 'real'),
  error: errorPage({
    type: 't',
    title: HOSTILE,
    status: 402,
    detail: HOSTILE,
    code: 'payment-required',
    requestId: HOSTILE,
    accepts: [HOSTILE],
  }),
  specification: verificationRecordPage(),
  'new agent': newAgentPage(
    draft,
    { agentUsd: 5, executorUsd: 1 },
    {
      fields: [{ path: 'handle', message: HOSTILE }],
      questions: [{ reason: 'NO_EXPIRY', question: HOSTILE }],
      suggestion: HOSTILE,
      detail: HOSTILE,
    },
  ),
  'mandate read back': reviewPage(draft, {
    mandate: { side: 'buy', currency: 'USDC', counterparties_deny: [HOSTILE], expires_at: at },
    hash: HOSTILE,
    readAt: HOSTILE,
    priceUsd: 5,
    open: { question: HOSTILE, offers: [HOSTILE] },
  }),
  checkout: checkoutPage({
    checkoutId: HOSTILE,
    pay: 'card',
    kind: 'agent',
    what: HOSTILE,
    status: 'awaiting-payment',
    amountUsd: 5,
    expiresAt: at,
    payUrl: HOSTILE,
    cards: 'real',
    handle: HOSTILE,
    owner: HOSTILE,
    takenBack: false,
    path: HOSTILE,
  }),
  'dashboard of nobody': welcomePage(),
  'dashboard of no wallet': welcomePage(HOSTILE),
  dashboard: dashboardPage({
    wallet: address,
    agents: [{ ...agentRow, waiting: { deals: 2, until: at } }],
    activity: [{ ...activityRow, handle: HOSTILE }],
  }),
  'what is the owner’s own': page(
    'Own',
    html`<h1>Own</h1>${ownView([{ handle: HOSTILE, deals: [deal], orders: [order], funds: undefined }], HOSTILE)}`,
  ),
  command: commandPage(deskCommand('decision')!, typed, { title: HOSTILE, fields: wrong }),
  'act with several to choose': commandPage(
    deskCommand('subscribe')!,
    { wallet: HOSTILE, events: HOSTILE },
    { title: HOSTILE, fields: [{ path: 'events', message: HOSTILE }] },
  ),
  'act in parts': commandPage(
    deskCommand('evaluate')!,
    { contract: HOSTILE, serial: HOSTILE },
    { title: HOSTILE, fields: [{ path: 'serial', message: HOSTILE }] },
    pricing({ setting: 'live', standardListing: null }),
  ),
  'paid act that is not answered': againPage(deskCommand('evaluate')!, { payment: HOSTILE }, HOSTILE),
  'signed act': donePage(deskCommand('decision')!, typed, { said: HOSTILE }, null),
  deals: donePage(deskCommand('deals')!, typed, {}, dealsWithDecisions(HOSTILE, [deal])),
  'own orders': donePage(deskCommand('orders')!, typed, {}, orderTable(HOSTILE, [order])),
  signature: signPage(deskCommand('decision')!, {
    wallet: HOSTILE,
    until: at,
    carried: typed,
    texts: [
      { field: 'signature', label: 'One', message: HOSTILE },
      { field: 'keySignature', label: 'Two', typed: { said: HOSTILE } },
    ],
    said: HOSTILE,
    wrong: true,
  }),
  health: healthPage({
    status: 'degraded',
    version: HOSTILE,
    uptimeSeconds: 1,
    checks: {
      database: { ...part, detail: HOSTILE },
      queue: part,
      facilitator: part,
      chains: { [HOSTILE]: part },
    },
  }),
};

/** The only script of a page: a file of this service, by its hash. */
const SCRIPT = /<script type="module" src="\/assets\/page-[A-Z0-9]{8}\.js"><\/script>/;

describe.each(Object.entries(PAGES))('the %s page', (_name, { text }) => {
  it('lets no hostile text become markup', () => {
    expect(text.replace(SCRIPT, '')).not.toMatch(/<script|<style|style="|<img src=x|\u202e/);
    expect(text).not.toMatch(/\son\w+=['"]/);
    // Every attribute value is closed before the next markup begins.
    expect(text.match(/="[^"]*</g)).toBeNull();
  });

  it('has one heading, its landmarks, a language, a title and a skip link', () => {
    expect(text.match(/<h1>/g)).toHaveLength(1);
    for (const mark of [
      '<main id="main"',
      '<header ',
      '<nav aria-label="Main"',
      '<footer>',
      'href="#main"',
      'lang="en"',
    ]) {
      expect(text).toContain(mark);
    }
    expect(text).toMatch(/<title>[^<]+<\/title>/);
  });

  it('closes what it opens', () => {
    for (const tag of [
      'div',
      'table',
      'tr',
      'td',
      'th',
      'ul',
      'li',
      'dl',
      'p',
      'section',
      'details',
      'pre',
      'main',
      'form',
    ]) {
      const opened = text.match(new RegExp(`<${tag}[ >]`, 'g'))?.length ?? 0;
      expect([tag, text.match(new RegExp(`</${tag}>`, 'g'))?.length ?? 0]).toEqual([tag, opened]);
    }
  });

  it('gives every table a caption and scoped headings', () => {
    expect(text.match(/<caption>/g)?.length ?? 0).toBe(text.match(/<table[ >]/g)?.length ?? 0);
    expect(text.replaceAll('<thead>', '')).not.toMatch(/<th(?! scope)/);
  });
});

describe('the page of an agent whose chain is away', () => {
  it('has the wallet send the money of the deployment, and to nobody else', () => {
    const away = PAGES['agent whose chain is away']!.text;
    expect(away).toContain(`<wallet-act kind="fund" account="${agent.account}" token="${place.usdc}"`);
    expect(away).not.toContain('token=""');
  });
});

describe('the template', () => {
  it('leaves no text able to open a tag or leave an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (a, b) => {
        const { text } = html`<p title="${a}">${b}</p>`;
        expect(text.match(/</g)).toHaveLength(2);
        expect(text.match(/"/g)).toHaveLength(2);
        expect(text).not.toContain("'");
      }),
    );
  });

  it('shows nothing for what is absent, and a zero for zero', () => {
    expect(html`${null}${undefined}${false}${0}${['a', html`<b>`]}`.text).toBe('0a<b>');
  });
});

describe('a sentence', () => {
  it('sets names of code apart, and leaves a lone backtick and hostile text as they are', () => {
    expect(sentence('sign one of `accepts`, <b>').text).toBe('sign one of <code>accepts</code>, &lt;b&gt;');
    expect(sentence('a ` alone').text).toBe('a ` alone');
  });
});

describe('the page of a payment that is due', () => {
  it('shows each way to pay, in dollars', () => {
    const accepts = [{ network: 'eip155:1002', amount: '10000', asset: address, payTo: address }];
    const problem = { type: 't', title: 'Payment is required', status: 402, detail: 'Pay.', requestId: 'r' };
    const resource = { url: 'http://h/determination?address=0xab&chainId=1002' };
    const { text } = errorPage({ ...problem, code: 'payment-required', accepts, resource });
    expect(text).toContain('href="/desk/check?address=0xab&amp;chainId=1002"');
    const other = { url: 'http://h/determinations/tier2/real-world-assets' };
    expect(errorPage({ ...problem, code: 'payment-required', resource: other }).text).toContain(
      'href="/desk/evaluate?tier=tier2&amp;category=real-world-assets"',
    );
    const elsewhere = { url: 'http://h/agent/checkout' };
    expect(errorPage({ ...problem, code: 'payment-required', resource: elsewhere }).text).not.toContain(
      'href="/desk/',
    );
    expect(text).toContain('eip155:1002');
    expect(text).toContain('$0.01');
  });
});

describe('the answer to an evaluation', () => {
  const text = PAGES['answer to evaluate']!.text;

  it('says that what could not be established is no pass, and what was not looked at and why', () => {
    expect(text).toContain('Nothing was found against it, but not all could be established.');
    expect(text).toContain('It could not be established either way. That is not a pass');
    expect(text).toContain('<dt>Found against it</dt><dd>nothing</dd>');
    expect(text).toContain('Provenance and stolen goods: <code class="hex">');
    expect(text).toContain('Price intelligence: it needs a price<br>');
  });

  it('shows who sat and how, and in tier 3 the reasoning', () => {
    expect(text).toMatch(
      /superconsensus: 1 of 5 reviewers found a flag; 1 of 5 reviewers could not establish it; CLEAN needs 4/,
    );
    expect(text).toContain('fixed rules');
    expect(text).toContain('argues only for FLAGGED');
    expect(text).toContain('<caption>Reasoning: Provenance and stolen goods</caption>');
  });
});

describe('what needs an owner', () => {
  const now = new Date('2026-11-21T07:00:00.000Z');
  const order = {
    ...{ orderId: 'ord_1', side: 'buy', lot: 'eip155:1002/erc721:0x00/1', limitUsd: 40, status: 'resting' },
    ...{ createdAt: now.toISOString(), expiresAt: '2026-11-22T06:00:00.000Z' },
  };
  it('are orders that end within a day, and orders without money, each with what to do', () => {
    const later = { ...order, expiresAt: '2026-11-23T07:00:00.000Z' };
    const view = (orders: (typeof order)[]) =>
      ownView([{ handle: 'quay', deals: [], orders, funds: undefined }], address, now).text;
    expect(view([later])).toContain('Nothing needs you now.');
    expect(view([order, later]).match(/ends soon/g)).toHaveLength(1);
    expect(view([{ ...later, status: 'unfunded' }])).toContain('<a href="/agent/quay#act">Fund it</a>');
  });

  const findings = [{ determination: 'wallet', verdict: 'FLAGGED', reasons: ['list-known-scam: on a list'] }];
  const lately = {
    ...deal,
    waitsForYou: false,
    lot: 'a lot',
    reason: null,
    findings,
    updatedAt: '2026-11-20T07:00:00.000Z',
  };
  const told = (deals: (typeof lately)[]) =>
    ownView([{ handle: 'quay', deals, orders: [], funds: undefined }], address, now).text.split(
      'What you should know',
    )[2];
  const words = 'Found: Counterparty wallet FLAGGED: Lists of known scams: on a list.';

  it('are what was found in a deal that was stopped within a week, and in one that went on', () => {
    for (const state of ['stopped', 'settled', 'recorded'])
      expect([state, told([{ ...lately, state }])?.includes(words)]).toEqual([state, true]);
    expect(told([{ ...lately, state: 'stopped' }])).toContain('was stopped');
    expect(told([{ ...lately, state: 'settled' }])).toContain('although something was found');
  });

  it('are not deals without a finding, nor those that ended longer ago', () => {
    expect(told([{ ...lately, state: 'settled', findings: [] }])).toBeUndefined();
    expect(told([{ ...lately, state: 'stopped', updatedAt: '2026-11-13T07:00:00.000Z' }])).toBeUndefined();
  });
});

describe('the deals that wait', () => {
  const one = { ...deal, lot: 'a lot', reason: null, openDisputes: [] };
  const own = (handle: string, ...ids: string[]) => ({
    ...{ handle, orders: [], funds: undefined },
    deals: ids.map((dealId) => ({ ...one, dealId })),
  });
  it('stand in one row, of all agents, each with its findings beside its decision', () => {
    const { text } = ownView([own('quay', 'deal_1', 'deal_2'), own('desk', 'deal_3')], address, new Date(at));
    const [, queue = ''] = /<section class="queue"([\s\S]*?)<h2>Earnings/.exec(text) ?? [];
    expect(queue).toContain('3 deals to decide');
    expect(queue.match(/<div id="deal_\d">/g)).toEqual([
      '<div id="deal_1">',
      '<div id="deal_2">',
      '<div id="deal_3">',
    ]);
    expect(queue.match(/Proceed: let it settle/g)).toHaveLength(3);
    expect(queue.match(/<li>.*?<\/li>/g)).toHaveLength(3);
    expect(ownView([own('quay')], address, new Date(at)).text).not.toContain('class="queue"');
  });

  it('can be ticked, to be decided alike by one signature, where there are several', () => {
    const several = ownView([own('quay', 'deal_1'), own('desk', 'deal_3')], address, new Date(at)).text;
    expect(several.match(/form="several" name="deals" value="[^"]+"/g)).toEqual([
      'form="several" name="deals" value="quay/deal_1"',
      'form="several" name="deals" value="desk/deal_3"',
    ]);
    expect(several).not.toContain('checked');
    expect(several).toContain(`<input type="hidden" name="wallet" value="${address}">`);
    expect(ownView([own('quay', 'deal_1')], address, new Date(at)).text).not.toContain('several');
  });

  it('are not those that wait for the other side’s owner', () => {
    const other = { ...own('quay', 'deal_1'), deals: [{ ...one, waitsForYou: false }] };
    const { text } = ownView([other], address, new Date(at));
    expect(text).not.toContain('class="queue"');
    expect(text).toContain('waits for the other side');
  });
});

it('the row of an agent on the dashboard offers to resume what is paused, and to pause what is not', () => {
  const shown = (status: 'paused' | 'active') => {
    const agents = [{ ...agentRow, status, waiting: { deals: 0, until: null } }];
    return /action=\w+">\w+/.exec(dashboardPage({ wallet: address, agents, activity: [] }).text)?.[0];
  };
  expect([shown('paused'), shown('active')]).toEqual(['action=resume">Resume', 'action=pause">Pause']);
});

describe('the page of a lot', () => {
  it('tells of its own sales, in the plot by their shape, beside those of its kind', () => {
    const sale = { ...match, state: 'settled' as const, lot: 'its own', matchId: 'm1', clearingPriceUsd: 75 };
    const past = { seller: 'quay', baseUrl: 'http://x', explorer: null, priceToBeatUsd: null, custody: null };
    const lot = { ...listing, lot: 'its own', willNotBeJudged: [], yourSettingsThen: null, openDisputes: [] };
    const { text } = lotPage(lot, null, {
      ...past,
      deals: [sale, { ...sale, matchId: 'm2', state: 'stopped' as const }],
      sales: [{ ...sale, matchId: 'm3', lot: 'another', clearingPriceUsd: 90 }, sale],
    });
    expect(text.match(/<path class="own"/g)).toHaveLength(1);
    expect(text.match(/<circle class="sale"/g)).toHaveLength(1);
    expect(text).toContain('This very lot was sold here once, last for <span class="num">$75.00</span>');
    expect(lotPage(lot, null, { ...past, deals: [], sales: [] }).text).toContain('Nothing of this category');
  });

  it('says that the thing is disputed, with the way to what is said of it, before the offer and where its deal waits', () => {
    const openDisputes = [{ ...openDispute, disputeId: 'dsp_1', tokenId: '17' }];
    const lot = { ...listing, willNotBeJudged: [], yourSettingsThen: null, openDisputes };
    const past = { seller: 'quay', baseUrl: 'http://x', explorer: null, custody: null, deals: [], sales: [] };
    const { text } = lotPage(lot, null, { ...past, priceToBeatUsd: 300 });
    expect(text.indexOf('publicly disputed')).toBeGreaterThan(0);
    expect(text.indexOf('href="/certificates/17"')).toBeLessThan(text.indexOf('action="/desk/order"'));
    const clean = [{ determination: 'provenance', verdict: 'CLEAN', reasons: [] }];
    const waits = { ...deal, findings: clean, reason: null, openDisputes };
    expect(dealsWithDecisions('quay', [waits]).text).toMatch(
      /What was found(?:(?!<form)[\s\S])*\/certificates\/17/,
    );
    expect(dealsWithDecisions('quay', [{ ...waits, openDisputes: [] }]).text).not.toContain('disputed');
  });

  it('never says that an offer below the price to beat comes to nothing: the limit that it must meet is private', () => {
    const lot = {
      ...listing,
      negotiable: true,
      willNotBeJudged: [],
      yourSettingsThen: null,
      openDisputes: [],
    };
    const past = { seller: 'quay', baseUrl: 'http://x', explorer: null, custody: null, deals: [], sales: [] };
    const shown = lotPage(lot, null, { ...past, priceToBeatUsd: 100 }).text;
    expect(shown).toContain('price to beat: an offer below it may still meet the seller’s private limit');
    for (const text of [shown, PAGES.orders!.text]) expect(text).not.toContain('must exceed');
    expect(PAGES.orders!.text).toContain('buys it');
  });

  it('of one price says so, and of no price to beat', () => {
    const lot = {
      ...listing,
      negotiable: false,
      willNotBeJudged: [],
      yourSettingsThen: null,
      openDisputes: [],
    };
    const past = { seller: 'quay', baseUrl: 'http://x', explorer: null, custody: null, deals: [], sales: [] };
    const { text } = lotPage(lot, null, { ...past, priceToBeatUsd: 300 });
    expect(text).toContain('It has one price.');
    expect(text).not.toContain('price to beat');
    expect(text).not.toContain('the middle between');
  });

  it('shows the picture before the name and the offer, where a narrow screen puts them under each other', () => {
    const text = PAGES.lot!.text;
    const places = ['class="lot-picture"', '<h1>', 'id="offer"', 'What is known'].map((w) => text.indexOf(w));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });
});

describe('what is about a lot', () => {
  const key = `eip155:1002/erc721:0x${'a1'.repeat(20)}/17`;
  const titles = new Map([[key, { description: 'Fjord at Dusk', listingRef: 'lst_1' }]]);
  const sold = { ...activityRow, subject: key, summary: `quay sold ${key} to a-b for 105 USD.` };

  it('is called by its title in what an agent did, and by its token where it has none', () => {
    expect(activityPage('quay', listOf(sold), {}, titles).text).toContain('quay sold “Fjord at Dusk” to a-b');
    expect(activityPage('quay', listOf(sold)).text).toContain('quay sold token 17 of 0xa1a1a1…a1a1a1 to a-b');
    const determined = { ...sold, summary: 'Determination on a deal: FLAGGED' };
    const activity = [{ ...determined, handle: 'quay' }];
    expect(dashboardPage({ wallet: address, agents: [], activity, titles }).text).toContain(
      'Determination on a deal: FLAGGED, of “Fjord at Dusk”',
    );
    expect(activityPage('quay', listOf(determined), {}, titles).text).toContain(
      '<a href="/lots/lst_1">Fjord at Dusk</a>',
    );
  });

  it('is told without the end of the sentence before it', () => {
    const refused = { ...activityRow, subject: key, summary: 'refused by its mandate (mandate-cap-deal).' };
    const activity = [{ ...refused, handle: 'quay' }];
    expect(dashboardPage({ wallet: address, agents: [], activity, titles }).text).toContain(
      '(mandate-cap-deal), of “Fjord at Dusk”',
    );
  });

  it('keeps a hostile title within its place', () => {
    const hostile = new Map([[key, { description: HOSTILE, listingRef: HOSTILE }]]);
    expect(activityPage('quay', listOf(sold), {}, hostile).text).not.toContain('<script>alert');
  });

  it('of a name is told with the agent that sells it, and with a sum of whole cents that covers its fee', () => {
    const name = {
      ...{ name: 'fog.nft', askUsd: 499.77, format: 'buy-now' as const, listingRef: 'lst_2' },
      ...{ seller: address, control: 'proven' as const, listedAt: at },
    };
    const { text } = namesPage(listOf(name), {}, new Map([[address, 'quay']]));
    expect(text).toContain('<a href="/agent/quay">quay</a>');
    expect(text).toContain('$512.27');
    expect(namesPage(listOf(name)).text).toContain(`address-chip value="${address}"`);
  });
});

describe('the head of a page', () => {
  it('names the picture that readers of links show, with its size, where the page has one', () => {
    const pictures = ['home', 'lot', 'agent', 'record'].map(
      (name) => /<meta property="og:image" content="([^"]+)">/.exec(PAGES[name]!.text)?.[1],
    );
    for (const picture of pictures) expect(picture).toMatch(/\/share\.png$/);
    expect(PAGES.home!.text).toContain('<meta name="twitter:card" content="summary_large_image">');
    expect(PAGES.orders!.text).not.toContain('og:image');
  });
});

describe('the page of the operator', () => {
  it('tells the gas that signers hold in whole coins, and how many settlements it pays', () => {
    const nothing = { throughput: null, deadLetters: null, workers: null, lists: null, backlog: null };
    const { text } = operatorPage({
      ...{ ...nothing, webhooks: null, quarantine: null, gas: null, relays: null },
      signers: [{ chain: '1002', role: 'operator', balance: 0.5 }],
    });
    expect(text).toContain('<div>0.5000</div>');
    expect(text).toContain('<div>1,250</div>');
  });
});

describe('the page of the health', () => {
  it('shows what waits for a person and what is down in their colours, and never in that of INCONCLUSIVE', () => {
    const shown = (status: 'ok' | 'degraded' | 'down') =>
      healthPage({
        status,
        version: '1',
        uptimeSeconds: 1,
        checks: { database: part, queue: part, facilitator: part, chains: {} },
      }).text;
    const toneOf = (s: 'ok' | 'degraded' | 'down') =>
      /<p class="lead"><span class="badge (\w+)"/.exec(shown(s))?.[1];
    expect([toneOf('ok'), toneOf('degraded'), toneOf('down')]).toEqual(['clean', 'waiting', 'flagged']);
  });

  it('tells what an empty register leaves INCONCLUSIVE', () => {
    const inconclusive = 'stolen is empty: whether goods were stolen is INCONCLUSIVE';
    const registers = { ...part, empty: ['stolen'], inconclusive, lists: [] };
    const checks = { database: part, queue: part, facilitator: part, chains: {}, registers };
    const { text } = healthPage({ status: 'ok', version: '1', uptimeSeconds: 1, checks });
    expect(text).toMatch(new RegExp(`>(?:[^<]*; )?${inconclusive}`));
  });
});

describe('a long page', () => {
  it('leads to each of its parts', () => {
    for (const name of ['agent', 'record']) {
      const { text } = PAGES[name]!;
      const nav = /<nav class="tabs" aria-label="On this page">.*?<\/nav>/s.exec(text)?.[0] ?? '';
      const ids = [...nav.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
      expect(ids.length).toBeGreaterThan(1);
      for (const id of ids) expect([id, text.includes(`id="${id}"`)]).toEqual([id, true]);
    }
  });
});

describe('a record page', () => {
  it('sums its checks up at one glance, and leads to each that did not pass', () => {
    const outcomes = ['PASS', 'PASS', 'FLAG', 'INCONCLUSIVE'];
    const ids = ['address-form', 'principals', 'list-known-scam', 'transfers'];
    const checks = ids.map((id, i) => ({ id, outcome: outcomes[i], detail: '', sources: [] }));
    const content = { verdict: 'FLAGGED', determinations: [{ id: 'wallet', verdict: 'FLAGGED', checks }] };
    const { text } = recordPage({ ...record, record: { ...record.record, content }, evidence: null });
    expect(text).toContain('<strong>2 of 4 checks passed</strong>');
    const named = [...text.matchAll(/<li><verdict-badge[^\n]*?<a href="#([^"]+)">([^<]+)<\/a>/g)];
    expect(named.map(([, to, name]) => [to, name])).toEqual([
      ['wallet-list-known-scam', 'Lists of known scams'],
      ['wallet-transfers', 'Where its money came from and went'],
    ]);
    for (const [, to] of named) expect(text).toContain(`<li id="${to}">`);
    const none = { ...record.record, content: { verdict: 'FLAGGED', determinations: [] } };
    expect(recordPage({ ...record, record: none, evidence: null }).text).not.toContain('passed');
  });

  it('shows in place of a verdict that counts no more that it was retracted or overturned', () => {
    const checks = [{ id: 'list-sanctions', outcome: 'PASS', detail: 'passed', sources: [] }];
    const panel = { votes: [{ seat: 'rules:viem', vote: 'CLEAN', reasons: [] }] };
    const wallet = { id: 'wallet', verdict: 'CLEAN', coverage: { asFarAs: 'the lists' }, checks, panel };
    const content = { verdict: 'CLEAN', determinations: [wallet, { ...wallet, id: 'provenance' }] };
    const clean = {
      ...record,
      record: { ...record.record, summary: 'It is CLEAN', content },
      evidence: null,
    };
    const retracted = { reason: 'by mistake', at };
    expect(recordPage(clean).text).toMatch(/class="badge clean big">.*CLEAN/);
    for (const [how, withdrawn] of [
      ['retracted', { ...clean, retracted }],
      ['overturned', { ...clean, overturned: true }],
      ['retracted', { ...clean, retracted, overturned: true }],
    ] as const) {
      const { text } = recordPage(withdrawn);
      expect(text).not.toMatch(/badge clean big/);
      expect(text).toContain(`<strong><span class="badge waiting big">${how}</span></strong>`);
      const summary = `${how.toUpperCase()}: It is CLEAN`;
      expect(text).toContain(`content="${summary}"`);
      expect(text).toContain(`<h1>${summary}</h1>`);
      const [shown = ''] = text.split('<h2 id="proof">');
      expect(shown).toContain('CLEAN, as far as: the lists');
      const unfolded = shown.replace(/<details><summary>What was found[\s\S]*?<\/details>\n<\/section>/g, '');
      expect(unfolded.replaceAll(summary, '')).not.toMatch(/CLEAN|PASS|passed/);
    }
    expect(recordPage({ ...record, appeal: null }).text).toContain('/desk/appeal?');
    expect(recordPage({ ...record, appeal: null, retracted }).text).not.toContain('/desk/appeal?');
  });

  it('is told as withdrawn in what an agent did, in place of how far it has come', () => {
    const row = { ...activityRow, state: 'anchored' as const, summary: 'Determination: CLEAN' };
    const listed = (withdrawn?: 'retracted' | 'overturned') => {
      const activity = [withdrawn === undefined ? row : { ...row, withdrawn }];
      return [
        activityPage('quay', listOf(...activity)).text,
        agentPage(agent, { ...place, activity }).text,
        dashboardPage({
          wallet: address,
          agents: [],
          activity: activity.map((a) => ({ ...a, handle: 'quay' })),
        }).text,
      ];
    };
    for (const text of listed()) expect(text).toContain('>Determination: CLEAN');
    for (const how of ['retracted', 'overturned'] as const) {
      const [activity, ofAgent, ...all] = listed(how);
      for (const text of [activity, ofAgent]) {
        expect(text).toContain(`<span class="badge waiting">${how}</span>`);
        expect(text).not.toContain('<span class="badge clean">anchored</span>');
        expect(text).not.toContain('<li class="done">');
      }
      for (const text of [activity, ofAgent, ...all])
        expect(text).toContain(`>${how.toUpperCase()}: Determination: CLEAN`);
    }
  });

  it('says once how a check was passed, and writes times as pages do', () => {
    const check = {
      id: 'list-sanctions',
      outcome: 'PASS',
      sources: [],
      detail: 'not on x as of 2026-11-25T23:00:11.034Z',
    };
    const reasons = [`list-sanctions: ${check.detail}`, 'rules: something else'];
    const determinations = [{ id: 'wallet', verdict: 'CLEAN', checks: [check], reasons }];
    const { text } = recordPage({
      ...record,
      record: { ...record.record, content: { verdict: 'CLEAN', determinations } },
      evidence: null,
    });
    const [, shown = ''] = /<main[^>]*>([\s\S]*?)<details><summary>The record/.exec(text) ?? [];
    expect(shown.match(/not on x as of 2026-11-25 23:00 UTC/g)).toHaveLength(1);
    expect(shown).toContain('<li>rules: something else</li>');
  });

  it('tells what happened, leads to agents and determinations, and says how to check it', () => {
    const content = { priceUsd: 105, feeUsd: 2.1, buyer: address, determinations: ['rec_9'] };
    const summary = `quay sold eip155:1002/erc721:${address}/1 to desk`;
    const settled = { ...record.record, kind: 'deal-settled', parties: ['desk', 'quay'], summary, content };
    const { text } = recordPage({ ...record, record: settled });
    expect(text).toContain('<dt>Price</dt><dd><span class="num">$105.00</span></dd>');
    expect(text).toContain('<a href="/records/rec_9">');
    expect(text).toContain('<a href="/agent/quay">quay</a>');
    expect(text).toContain('record verify rec_1');
    expect(text).toContain('<h1>quay sold token 1 of 0xcdcdcd…cdcdcd to desk</h1>');
  });

  it('tells how many reviewers of a panel voted what, what CLEAN needs, and how long it took', () => {
    expect(recordPage(record).text).toContain('2-of-2: 1 of 2 reviewers found a flag');
    expect(recordPage(record).text).not.toContain('make it CLEAN');
    expect(recordPage(record).text).toContain('; CLEAN needs 2; read');
    expect(recordPage(record).text).toContain('; in 34 ms');
  });

  it('leads from an appeal to what it is against, and back', () => {
    const link = { recordId: 'rec_2', recordUrl: 'http://x.test/records/rec_2', filedAt: at };
    const against = recordPage({ ...record, appeal: link }).text;
    expect(against).toContain('Judged again on fresh evidence: <a href="http://x.test/records/rec_2">');
    expect(recordPage({ ...record, appealOf: link }).text).toContain(
      '<a href="http://x.test/records/rec_2">',
    );
    expect(recordPage(record).text).not.toContain('rec_2');
  });

  it('says an outcome in words, and that a record without an anchor has none', () => {
    expect(PAGES.record?.text).toMatch(/class="badge flagged big">.*FLAGGED/);
    expect(PAGES.record?.text).toContain('INCONCLUSIVE');
    expect(PAGES['record of another form']?.text).toContain('not yet');
  });
});

describe('the page of matches', () => {
  const { clearingPriceUsd: _, tx: __, ...gone } = match;
  const shown = (row: MatchRow) => matchesPage(listOf({ ...row, lot: 'a lot' })).text;

  it('says of a stopped match that it stopped', () => {
    const text = shown({ ...gone, state: 'stopped' });
    expect(text).toContain('stopped');
    expect(text).not.toContain('not yet');
  });

  it('says of one that is being settled that it has not settled yet', () => {
    const text = shown(match);
    expect(text).toContain('not yet');
  });
});
