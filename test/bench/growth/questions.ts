import { createHash } from 'node:crypto';
import { CATEGORIES } from '../../../agents/categories.ts';
import type { OPERATIONS } from '../../../client/operations.ts';

type Operation = keyof typeof OPERATIONS;

/** What the questions are asked about. */
export interface Asked {
  /** Listings of the history. */
  readonly size: number;
  readonly agents: number;
  /** An agent that the chain knows, with a record of its own. */
  readonly real: { readonly handle: string; readonly tokenId: string; readonly recordId: string };
  /** A real checkout. */
  readonly checkoutId: string;
  /** The book's first `next`: the marks of the lots that its first page showed. */
  readonly bookNext: string;
  readonly contract: string;
}

export interface Question {
  readonly operation: Operation;
  /** What is asked, in words. */
  readonly what: string;
  /** The path of one asking; another one with every number. */
  readonly path: (n: number) => string;
}

/** A chain that nothing of the history is on. */
const NOWHERE = 'eip155:8453';
/** Pages that both histories have. */
const OFFSETS = {
  catalogue: 200,
  orders: 200,
  matches: 200,
  'close-calls': 20,
  'agents-directory': 20,
} as const;
const NAMES_OFFSET = 2;

const category = (n: number): string => CATEGORIES[n % CATEGORIES.length]!;
const owner = (n: number): string => `0xaa${n.toString(16).padStart(38, '0')}`;

/** Every free question of the interface, with its filters, words, offsets and cursors. */
export function freeQuestions(asked: Asked): readonly Question[] {
  const { size, agents, real, contract } = asked;
  /** Even numbers all over the history, the same ones in each run: what is live. */
  const even = (n: number): number => 2 + 2 * ((n * 7_919) % (size / 2 - 1));
  const one = (n: number): number => 1 + ((n * 31) % (agents - 1));
  const key = (n: number): string => `eip155:1002/erc721:${contract}/${1_000_000_000 + n}`;
  const lot = (n: number): string => encodeURIComponent(key(n));
  const deep = (n: number): string =>
    encodeURIComponent(`${asked.bookNext.split('.')[0]}.${Buffer.from(key(even(n))).toString('base64url')}`);
  const list = (
    operation: Operation,
    path: string,
    ...queries: readonly (readonly [string, (n: number) => string])[]
  ): Question[] => {
    const offset = OFFSETS[operation as keyof typeof OFFSETS] ?? NAMES_OFFSET;
    return [
      { operation, what: 'first page', path: () => path },
      { operation, what: 'a page by offset', path: (n) => `${path}?offset=${offset + (n % 20)}` },
      ...queries.map(([what, query]) => ({ operation, what, path: (n: number) => `${path}?${query(n)}` })),
    ];
  };
  const byLot = [
    ['by category', (n: number) => `category=${category(n)}`],
    ['by a chain', () => 'chain=eip155:1002'],
    ['by a chain that has none', () => `chain=${NOWHERE}`],
  ] as const;
  const single = (operation: Operation, path: (n: number) => string, what = ''): Question => ({
    operation,
    what,
    path,
  });
  const names = (operation: Operation, path: string): Question[] =>
    list(
      operation,
      path,
      ['by name', (n) => `name=label-${20 * (1 + (n % Math.max(1, Math.floor(size / 20))))}.example`],
      ['by top-level domain', () => 'tld=example'],
      ['by one that has none', () => 'tld=nowhere'],
      ['to buy now', () => 'format=buy-now'],
      ['in auction', () => 'format=ascending'],
      ['by cursor', (n) => `cursor=lst_n${20 * (1 + ((n * 7_919) % Math.floor(size / 20)))}`],
    );
  return [
    ...list(
      'catalogue',
      '/catalogue',
      ...byLot,
      ['by price', () => 'maxUsd=2000'],
      ['by a price that none has', () => 'maxUsd=1'],
      ['negotiable', () => 'negotiable=true'],
      ['by a word that all have', () => 'q=house'],
      ['by the beginning of a word', () => 'q=paint'],
      ['by a word that one has', (n) => `q=${1_000_000_000 + even(n)}`],
      ['by a word that none has', () => 'q=zeppelin'],
      ['by words and category', (n) => `q=painting&category=${category(n)}`],
      ['by cursor', (n) => `cursor=listed:lst_x${even(n)}`],
    ),
    ...list(
      'orders',
      '/orders',
      ...byLot,
      ['by lot', (n) => `lot=${lot(even(n))}`],
      ['by cursor', (n) => `cursor=${deep(n)}`],
    ),
    ...list(
      'matches',
      '/matches',
      ...byLot,
      ['by lot', (n) => `lot=${lot(even(n) - 1)}`],
      ['by cursor', (n) => `cursor=mat_x${even(n) - 1}`],
    ),
    ...list(
      'close-calls',
      '/close-calls',
      ...byLot,
      ['by lot', (n) => `lot=${lot(10 * (1 + (n % 50)))}`],
      ['by cursor', (n) => `cursor=clc_x${10 * (1 + ((n * 7_919) % Math.floor(size / 10)))}`],
    ),
    single('lot', (n) => `/lots/lst_x${even(n)}`),
    ...list(
      'agents-directory',
      '/agents/directory',
      ['by tier', () => 'tier=EXECUTOR'],
      ['by a tier that few have', () => 'tier=AGENT'],
      ['by a status that none has', () => 'status=suspended'],
      ['by category', (n) => `category=${category(n)}`],
      ['by owner', (n) => `owner=${owner(one(n))}`],
      ['by cursor', (n) => `cursor=x-${one(n)}`],
    ),
    single('agent', () => `/agent/${real.handle}`),
    single('agent-activity', (n) => `/agent/x-${one(n)}/activity`, 'first page'),
    single('agent-activity', (n) => `/agent/x-${one(n)}/activity?offset=5`, 'a page by offset'),
    single('agent-activity', (n) => `/agent/x-${one(n)}/activity?cursor=rec_x${one(n)}`, 'by cursor'),
    single('agent-metadata', () => `/metadata/1002/${real.tokenId}`),
    single('record', () => `/records/${real.recordId}`),
    single('verdicts', () => '/verdicts'),
    ...names('domains-listings', '/domains/listings'),
    ...names('names', '/names').slice(0, 1),
    single('settings-read', (n) => `/settings/${owner(one(n))}`),
    single('agent-checkout-state', () => `/agent/checkout/${asked.checkoutId}`),
    single('health', () => '/health'),
    single('home', () => '/'),
    single('pricing', () => '/pricing'),
    single('checkOrigin', () => '/origin?url=https://shop.example'),
  ];
}

/** Free reads that no history of deals can slow, or that show one caller his own rows alone, and why. */
export const NOT_ASKED: Readonly<Partial<Record<Operation, string>>> = {
  quote: 'reckons with what the request says',
  'domains-price': 'reckons with what the request says',
  'domains-policy': 'the configuration',
  paymentManifest: 'the routes themselves',
  paymentManifestJson: 'the routes themselves',
  'agent-registrations':
    'as long as the list of all agents, which is read at most once a minute, and then from its end',
  jwks: 'the configuration',
  did: 'the configuration',
  'jwt-vc-issuer': 'the configuration',
  'verdict-type': 'a constant',
  errorDocument: 'a constant',
  verificationRecordSpec: 'a constant',
  openapi: 'the routes themselves',
  listSnapshot: 'as large as the lists',
  facilitatorSupported: 'the configuration',
  certificate: 'reads the chain and the disputes of one token',
  'membership-checkout-state': 'one row by its key',
  'listing-checkout-state': 'one row by its key',
  'webhook-subscriptions': 'the rows of one wallet',
  'webhook-deliveries': 'the rows of one subscription',
  'agent-orders': 'the rows of one agent',
  'agent-fund': 'one row by its key',
  'agent-withdraw': 'one row by its key',
  'agent-deposit': 'one row by its key',
  'agent-approve': 'one row by its key',
  'agent-deals': 'the rows of one agent',
  'agent-log': 'the rows of one agent',
  'agent-acts': 'the rows of one agent',
};

/** A paid determination with every fact that its price covers. */
export interface PaidQuestion {
  readonly operation: Operation;
  readonly path: (n: number) => string;
  /** Null: a GET. */
  readonly body: (n: number) => object | null;
}

/** Every paid determination: of a wallet, of a transaction, and of deals in both tiers of each category. */
export function paidQuestions({ size, agents, contract }: Asked): readonly PaidQuestion[] {
  const some = (n: number): number => 2 + 2 * ((n * 7_919) % (size / 2 - 1));
  const one = (n: number): number => 1 + ((n * 31) % (agents - 1));
  const tiers = (['tier2', 'tier3'] as const).flatMap((tier) =>
    CATEGORIES.map(
      (name): PaidQuestion => ({
        operation: `${tier}-${name}`,
        path: () => `/determinations/${tier}/${name}`,
        body: (n) => {
          const asset = { chainId: 1002, contract, tokenId: String(1_000_000_000 + some(n)) };
          return {
            lotRef: `lst_x${some(n)}`,
            seller: `x-${1 + (some(n) % agents)}`,
            listingRef: `lst_x${some(n)}`,
            asset,
            handle: `x-${one(n)}`,
            proposal: { side: 'buy', asset, category: name, priceUsd: 110 },
            priceUsd: 110,
            ...(tier === 'tier3' ? { subject: asset } : {}),
          };
        },
      }),
    ),
  );
  const to = owner(7);
  return [
    {
      operation: 'safeHandshakeDetermination',
      path: (n) => `/determination?chainId=1002&address=${owner(one(n))}`,
      body: () => null,
    },
    {
      operation: 'safeHandshakeTransaction',
      path: () => '/determination',
      body: (n) => ({
        address: owner(one(n)),
        chainId: 1002,
        transaction: { to, value: '0', from: to },
        origin: `https://shop${createHash('sha256').update(String(n)).digest('hex').slice(0, 6)}.example`,
      }),
    },
    ...tiers,
  ];
}
