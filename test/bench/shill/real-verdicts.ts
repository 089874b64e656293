import type { BidLot } from '../../../agents/determinations/shill/bid-history.ts';
import { evaluateLine } from '../../../agents/evaluation/evaluate-line.ts';
import type { BenchRow } from '../row.ts';
import type { Told } from './agent-verdicts.ts';
import { type Auction, type Dealing, dice, type Market, plant } from './shill-plant.ts';

/** Sellers of each kind that are judged in each way of planting; four of a market, so that markets differ. */
const JUDGED = 24;
const OF_A_MARKET = 4;
/** Every how many sellers have a ring: one in six, and one alone in its market. */
const DENSITIES = [
  { every: 6, name: 'at one seller in six' },
  { every: 1_000, name: 'at one seller of the market' },
] as const;
const PLANTS = [
  { size: 3, zeal: 0.7 },
  { size: 6, zeal: 0.9 },
] as const;
const START = Date.UTC(2026, 0, 1);

/**
 * What `judge shill` says where rings are planted in real auctions, asked about a seller by the plain form with the rest
 * of the same auctions as its market. Nobody's money is seen, so only bids can tell.
 */
export function realVerdicts(auctions: readonly Auction[]): BenchRow[] {
  return (['scattered', 'in a row'] as const).flatMap((dealing) =>
    DENSITIES.flatMap(({ every, name }) =>
      PLANTS.flatMap(({ size, zeal }) => {
        const told = judged(auctions, { dealing, size, zeal, every });
        const what = `judged, ${dealing}, rings of ${size} on ${zeal * 100} % of the lots ${name}`;
        return [
          ...rowsOf(`${what}: with a ring`, told.planted, { FLAGGED: 'at least' }),
          ...rowsOf(`${what}: without`, told.honest, { FLAGGED: 'at most', INCONCLUSIVE: 'at most' }),
        ];
      }),
    ),
  );
}

type Counts = Record<Told, number>;
const GOALS = {
  'at least': { FLAGGED: 0.9, INCONCLUSIVE: 0, CLEAN: 0 },
  'at most': { FLAGGED: 0.02, INCONCLUSIVE: 0.1, CLEAN: 1 },
} as const;

function rowsOf(name: string, counts: Counts, goals: Partial<Record<Told, keyof typeof GOALS>>): BenchRow[] {
  const all = counts.FLAGGED + counts.INCONCLUSIVE + counts.CLEAN;
  return (['FLAGGED', 'INCONCLUSIVE', 'CLEAN'] as const).map((verdict) => {
    const ratio = counts[verdict] / all;
    const kind = goals[verdict];
    if (kind === undefined) return { name: `${name}: ${verdict} of ${all}`, ratio };
    const limit = GOALS[kind][verdict];
    const ok = kind === 'at least' ? ratio >= limit : ratio <= limit;
    return { name: `${name}: ${verdict} of ${all}`, ratio, goal: `${kind} ${limit}`, ok };
  });
}

function judged(
  auctions: readonly Auction[],
  how: { readonly dealing: Dealing; readonly size: number; readonly zeal: number; readonly every: number },
): { readonly planted: Counts; readonly honest: Counts } {
  const planted: Counts = { FLAGGED: 0, INCONCLUSIVE: 0, CLEAN: 0 };
  const honest: Counts = { FLAGGED: 0, INCONCLUSIVE: 0, CLEAN: 0 };
  const sum = (counts: Counts): number => counts.FLAGGED + counts.INCONCLUSIVE + counts.CLEAN;
  for (let seed = 1; sum(planted) < JUDGED; seed++) {
    const market = plant(auctions, dice(seed * 1_000 + how.size), how);
    const of = (has: boolean) =>
      market.sellers.flatMap(({ planted: ring }, i) => (ring.length > 0 === has ? [i] : []));
    const asked = of(true).slice(0, OF_A_MARKET);
    for (const i of asked) planted[verdictOf(market, i)]++;
    for (const i of of(false).slice(-asked.length)) honest[verdictOf(market, i)]++;
  }
  return { planted, honest };
}

function verdictOf({ sellers }: Market, asked: number): Told {
  // Real auctions have no common calendar: one closes each day, over two months.
  let day = 0;
  const plain = (lot: BidLot) => {
    const opened = (day++ % 60) * 1_440;
    return {
      lot: lot.lot,
      category: 'digital-products',
      endedAt: at(opened + lot.minutes),
      winner: lot.winner,
      bids: lot.bids.map(({ bidder, minute }) => ({
        bidder,
        at: at(opened + Math.min(minute, lot.minutes)),
      })),
    };
  };
  const all = sellers.map(({ history }, i) => ({ seller: `seller-${i}`, lots: history.lots.map(plain) }));
  const { seller, lots } = all[asked]!;
  const market = all
    .filter((_, i) => i !== asked)
    .flatMap((other) => other.lots.map((lot) => ({ ...lot, seller: other.seller })));
  const line = JSON.stringify({ id: seller, seller, lots, market });
  const found = evaluateLine('shill-collusion', line, 1, '2-of-2');
  if ('error' in found) throw new Error(`${found.error.field}: ${found.error.message}`);
  return found.verdict as Told;
}

function at(minute: number): string {
  return new Date(START + Math.round(minute * 60_000)).toISOString();
}
