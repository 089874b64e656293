import { CATEGORIES, type Category } from '../../categories.ts';
import { CENT, MICRO_PER_USD, type Micro, maxMicro, share, toUsd } from '../../money.ts';

/** `test` charges a cent for every evaluation; `live` charges by category. Everything else costs the same in both. */
export type PriceSetting = 'test' | 'live';

/** The prices that apply here: a setting, and what the operator charges for a standard listing. */
export interface Prices {
  readonly setting: PriceSetting;
  /** Micro-dollars; null: the price in the table. */
  readonly standardListing: Micro | null;
}

export type PriceId =
  | 'wallet-determination'
  | `tier2-${Category}`
  | `tier3-${Category}`
  | 'agent'
  | 'executor'
  | 'membership-individual'
  | 'membership-institutional'
  | 'listing-standard'
  | 'listing-featured'
  | 'deal-fee'
  | 'name-fee'
  | 'name-a-x'
  | 'name-a-crypto'
  | 'name-a-nft'
  | 'name-a-other'
  | 'name-b-second-level'
  | 'name-b-top-level'
  | 'name-b-reserved';

/** A price that depends on the setting alone. */
export type SetPriceId = Exclude<PriceId, 'listing-standard'>;

interface PriceRow {
  readonly id: PriceId;
  readonly name: string;
  /** What one charge is for. */
  readonly unit: 'call' | 'agent' | 'year' | 'listing' | 'deal' | 'side of a name sale' | 'name';
  /** What is charged; in a row with `basisPoints`, the minimum charge. */
  readonly amount: Readonly<Record<PriceSetting, Micro>>;
  /** The price in the machine-readable listing, where it differs from the charge. */
  readonly listed?: Micro;
  /** False for the price that a provider of names asks: it serves as a reference and nobody is charged it here. */
  readonly charged?: false;
  readonly category?: Category;
  readonly basisPoints?: bigint;
  /** Charges round up to the micro-dollar; fees taken out of someone's proceeds round down. */
  readonly rounding?: 'up' | 'down';
}

const usd = (dollars: number): Micro => BigInt(dollars) * MICRO_PER_USD;
const always = (amount: Micro): Record<PriceSetting, Micro> => ({ test: amount, live: amount });

/** Live prices in dollars: tier 2 from 2 to 5, tier 3 from 15 to 50, depending on how much there is to check. */
const LIVE: Readonly<Record<Category, readonly [tier2: number, tier3: number]>> = {
  'tokenized-debt-and-finance': [5, 50],
  'liquidation-and-surplus': [2, 20],
  'travel-and-perishables': [2, 15],
  'music-and-video-rights': [3, 30],
  'digital-products': [2, 15],
  'real-world-assets': [4, 40],
};

const tier = (level: 2 | 3): readonly PriceRow[] =>
  CATEGORIES.map((category) => ({
    id: `tier${level}-${category}` as const,
    name: `${level === 2 ? 'Tier 2 evaluation' : 'Tier 3 certified evaluation'}, ${category.replaceAll('-', ' ')}`,
    unit: 'call',
    amount: { test: CENT, live: usd(LIVE[category][level - 2] as number) },
    listed: CENT,
    category,
  }));

/** The one table: every charge, quote, challenge and price page reads it. */
const TABLE: readonly PriceRow[] = [
  {
    id: 'wallet-determination',
    name: 'Wallet determination (safe handshake)',
    unit: 'call',
    amount: always(CENT),
    basisPoints: 100n,
    rounding: 'up',
  },
  ...tier(2),
  ...tier(3),
  { id: 'agent', name: 'Agent assembly, AGENT', unit: 'agent', amount: always(usd(5)) },
  { id: 'executor', name: 'Agent assembly, EXECUTOR', unit: 'agent', amount: always(usd(1)) },
  { id: 'membership-individual', name: 'Membership, individual', unit: 'year', amount: always(usd(50)) },
  {
    id: 'membership-institutional',
    name: 'Membership, institutional',
    unit: 'year',
    amount: always(usd(500)),
  },
  // Free, unless the operator sets a price (LISTING_FEE_USD).
  { id: 'listing-standard', name: 'Listing, standard', unit: 'listing', amount: always(0n) },
  { id: 'listing-featured', name: 'Listing, featured placement', unit: 'listing', amount: always(usd(10)) },
  {
    id: 'deal-fee',
    name: "Platform fee, from the seller's proceeds",
    unit: 'deal',
    amount: always(0n),
    basisPoints: 200n,
    rounding: 'down',
  },
  {
    id: 'name-fee',
    name: 'Name market fee, on each side',
    unit: 'side of a name sale',
    amount: always(0n),
    basisPoints: 250n,
    rounding: 'down',
  },
  // Providers sell no names here: owners list their names at an ask. These rows are the providers' own prices, for
  // reference.
  ...(
    [
      ['name-a-x', 'Provider A, .x name', 300],
      ['name-a-crypto', 'Provider A, .crypto name', 200],
      ['name-a-nft', 'Provider A, .nft name', 150],
      ['name-a-other', 'Provider A, name under any other TLD', 100],
      ['name-b-second-level', 'Provider B, second-level name', 100],
      ['name-b-top-level', 'Provider B, top-level domain', 1500],
      ['name-b-reserved', 'Provider B, reserved ruling-house top-level domain', 50_000],
    ] as const
  ).map(
    ([id, name, dollars]): PriceRow => ({
      id,
      name,
      unit: 'name',
      amount: always(usd(dollars)),
      charged: false,
    }),
  ),
];

const BY_ID = new Map(TABLE.map((row) => [row.id, row]));

function priceRow(id: PriceId): PriceRow {
  const row = BY_ID.get(id);
  if (!row) throw new Error(`the price table has no row "${id}"`);
  return row;
}

export function priceName(id: PriceId): string {
  return priceRow(id).name;
}

/**
 * What `id` costs in micro-dollars. A row with basis points charges a share of `of` (micro-dollars: the transaction or
 * the deal), rounded as the row says and never less than the row's amount; other rows ignore `of`.
 */
export function chargeFor(prices: Prices, id: PriceId, of?: Micro): Micro;
/** Takes every price but the listing's: the operator sets that one, so a setting alone does not determine it. */
export function chargeFor(setting: PriceSetting, id: SetPriceId, of?: Micro): Micro;
export function chargeFor(by: Prices | PriceSetting, id: PriceId, of: Micro = 0n): Micro {
  const prices = typeof by === 'string' ? { setting: by, standardListing: null } : by;
  const row = priceRow(id);
  const least = leastOf(row, prices);
  if (row.basisPoints === undefined) return least;
  const part = row.rounding === 'up' ? (of * row.basisPoints + 9_999n) / 10_000n : share(of, row.basisPoints);
  return maxMicro(least, part);
}

function leastOf({ id, amount }: PriceRow, { setting, standardListing }: Prices): Micro {
  return id === 'listing-standard' ? (standardListing ?? amount[setting]) : amount[setting];
}

export interface PriceItem {
  readonly id: PriceId;
  readonly name: string;
  readonly unit: string;
  readonly amountUsd: number;
  readonly listedUsd: number;
  /** False: the price that a provider asks for such a name, for reference. Nobody is charged it here. */
  readonly charged: boolean;
  readonly category?: Category;
  readonly minUsd?: number;
  readonly basisPoints?: number;
}

export interface Pricing {
  readonly currency: 'USD';
  readonly version: string;
  readonly testnet: true;
  readonly items: readonly PriceItem[];
}

/** The body of `/pricing`. */
export function pricing(prices: Prices): Pricing {
  return {
    currency: 'USD',
    version: '2026-09-03',
    testnet: true,
    items: TABLE.map((row) => ({
      id: row.id,
      name: row.name,
      unit: row.unit,
      amountUsd: toUsd(leastOf(row, prices)),
      listedUsd: toUsd(row.listed ?? leastOf(row, prices)),
      charged: row.charged ?? true,
      ...(row.category === undefined ? {} : { category: row.category }),
      ...(row.basisPoints === undefined
        ? {}
        : { minUsd: toUsd(leastOf(row, prices)), basisPoints: Number(row.basisPoints) }),
    })),
  };
}
