import { CATEGORIES, type Category } from '../categories.ts';
import { CENT, MICRO_PER_USD, type Micro, maxMicro, share, toUsd } from '../money.ts';

/** `test` charges a cent for every evaluation; `live` charges by category. Everything else costs the same in both. */
export type PriceSetting = 'test' | 'live';

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

interface PriceRow {
  readonly id: PriceId;
  readonly name: string;
  /** What one charge is for. */
  readonly unit: 'call' | 'agent' | 'year' | 'listing' | 'deal' | 'side of a name sale' | 'name';
  /** What is charged; of a row with `basisPoints`, the least that is charged. */
  readonly amount: Readonly<Record<PriceSetting, Micro>>;
  /** What the machine-readable listing says, where it differs from the charge. */
  readonly listed?: Micro;
  readonly category?: Category;
  readonly basisPoints?: bigint;
  /** Charges round up to the micro-dollar; fees taken out of someone's proceeds round down. */
  readonly rounding?: 'up' | 'down';
}

const usd = (dollars: number): Micro => BigInt(dollars) * MICRO_PER_USD;
const always = (amount: Micro): Record<PriceSetting, Micro> => ({ test: amount, live: amount });

/** Live prices in dollars: tier 2 from 2 to 5, tier 3 from 15 to 50, by how much there is to look at. */
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
  { id: 'name-a-x', name: 'Provider A, .x name', unit: 'name', amount: always(usd(300)) },
  { id: 'name-a-crypto', name: 'Provider A, .crypto name', unit: 'name', amount: always(usd(200)) },
  { id: 'name-a-nft', name: 'Provider A, .nft name', unit: 'name', amount: always(usd(150)) },
  {
    id: 'name-a-other',
    name: 'Provider A, name under any other TLD',
    unit: 'name',
    amount: always(usd(100)),
  },
  {
    id: 'name-b-second-level',
    name: 'Provider B, second-level name',
    unit: 'name',
    amount: always(usd(100)),
  },
  { id: 'name-b-top-level', name: 'Provider B, top-level domain', unit: 'name', amount: always(usd(1500)) },
  {
    id: 'name-b-reserved',
    name: 'Provider B, reserved ruling-house top-level domain',
    unit: 'name',
    amount: always(usd(50_000)),
  },
];

const BY_ID = new Map(TABLE.map((row) => [row.id, row]));

function priceRow(id: PriceId): PriceRow {
  const row = BY_ID.get(id);
  if (!row) throw new Error(`the price table has no row "${id}"`);
  return row;
}

/** What a row of the table is called. */
export function priceName(id: PriceId): string {
  return priceRow(id).name;
}

/**
 * What `id` costs in micro-dollars. A row with basis points is a share of `of` (micro-dollars: the transaction, the
 * deal), rounded as the row says and never less than the row's amount; other rows do not look at `of`.
 */
export function chargeFor(setting: PriceSetting, id: PriceId, of: Micro = 0n): Micro {
  const row = priceRow(id);
  const least = row.amount[setting];
  if (row.basisPoints === undefined) return least;
  const part = row.rounding === 'up' ? (of * row.basisPoints + 9_999n) / 10_000n : share(of, row.basisPoints);
  return maxMicro(least, part);
}

export interface PriceItem {
  readonly id: PriceId;
  readonly name: string;
  readonly unit: string;
  readonly amountUsd: number;
  readonly listedUsd: number;
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
export function pricing(setting: PriceSetting): Pricing {
  return {
    currency: 'USD',
    version: '2026-09-03',
    testnet: true,
    items: TABLE.map((row) => ({
      id: row.id,
      name: row.name,
      unit: row.unit,
      amountUsd: toUsd(row.amount[setting]),
      listedUsd: toUsd(row.listed ?? row.amount[setting]),
      ...(row.category === undefined ? {} : { category: row.category }),
      ...(row.basisPoints === undefined
        ? {}
        : { minUsd: toUsd(row.amount[setting]), basisPoints: Number(row.basisPoints) }),
    })),
  };
}
