import type { BidLot } from './bid-history.ts';

/**
 * Settled prices that vary so little, most of them paid by the same few, may be agreed, or may be the list prices of a
 * shop with few customers. A screen shows where to look (Abrantes-Metz et al., "A Variance Screen for Collusion", 2006)
 * and proves nothing.
 */
const FLAT = { sales: 8, winners: 3, share: 0.8, variation: 0.02 } as const;

/** The variance screen; null when there are too few settled prices of negotiable lots. */
export function flatPrices(lots: readonly BidLot[]): { flagged: boolean; says: string } | null {
  const sales = lots.filter((l) => l.priceToAsk !== null && l.winner !== null);
  if (sales.length < FLAT.sales) return null;
  const ratios = sales.map((l) => l.priceToAsk ?? 0);
  const mean = ratios.reduce((sum, r) => sum + r, 0) / ratios.length;
  const variance = ratios.reduce((sum, r) => sum + (r - mean) ** 2, 0) / ratios.length;
  const variation = mean > 0 ? Math.sqrt(variance) / mean : 0;
  const wins = new Map<string, number>();
  for (const { winner } of sales) wins.set(winner ?? '', (wins.get(winner ?? '') ?? 0) + 1);
  const few = [...wins.values()].sort((a, b) => b - a).slice(0, FLAT.winners);
  const share = few.reduce((sum, n) => sum + n, 0) / sales.length;
  return {
    flagged: variation <= FLAT.variation && share >= FLAT.share,
    says: `over ${sales.length} sales prices vary by ${(variation * 100).toFixed(1)} percent of the ask, and ${FLAT.winners} buyers got ${Math.round(share * 100)} percent`,
  };
}
