/** The six goods categories: the `{category}` path segment. */
export const CATEGORIES = [
  'tokenized-debt-and-finance',
  'liquidation-and-surplus',
  'travel-and-perishables',
  'music-and-video-rights',
  'digital-products',
  'real-world-assets',
] as const;

export type Category = (typeof CATEGORIES)[number];

export function isCategory(value: string): value is Category {
  return (CATEGORIES as readonly string[]).includes(value);
}

/** The category as a bit of the on-chain category bitmap: bit `i` is `CATEGORIES[i]`. */
export function categoryBit(category: Category): bigint {
  return 1n << BigInt(CATEGORIES.indexOf(category));
}
