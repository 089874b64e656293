import type { BidLot } from '../../../agents/determinations/shill/bid-history.ts';
import type { BenchRow } from '../row.ts';
import { type Counts, foundAt, goalOfOracle, honestRow, none, plantedRow } from './agent-rows.ts';
import { answerOf, plainLot, type Told } from './agent-verdicts.ts';
import { type Oracle, realOracle } from './real-oracle.ts';
import { type Auction, dice, type Market, plant, type RingPlan } from './shill-plant.ts';

/** Sellers of each kind that are judged in each way of planting; four of a market, so that markets differ. */
const JUDGED = 48;
const OF_A_MARKET = 4;
/** The limits were chosen on what is dealt and planted before this one. */
const FROM = 301;
/** The auctions make at least so many sellers; no two of a few seeds have a ring at the same one. */
const SELLERS = 45;
const STRIDE = 11;
/** Every how many sellers have a ring: one in six, and one alone in its market. */
const DENSITIES = [
  { every: 6, name: 'at one seller in six' },
  { every: 1_000, name: 'at one seller of the market' },
] as const;
const PLANTS = [
  { size: 3, zeal: 0.7 },
  { size: 6, zeal: 0.9 },
] as const;

/**
 * What `judge shill` says where rings are planted in real auctions, asked about a seller by the plain form with the rest
 * of the same auctions as its market. Nobody's money is seen, so only bids can tell, and as much is to be found of what an
 * oracle finds that knows how they were planted and dealt, at the rate at which the determination accuses the honest.
 */
export function realVerdicts(auctions: readonly Auction[]): BenchRow[] {
  return (['scattered', 'in a row'] as const).flatMap((dealing) => {
    const oracle = realOracle(auctions, dealing);
    return DENSITIES.flatMap(({ every, name }) =>
      PLANTS.flatMap(({ size, zeal }) => {
        const { planted, honest, found } = judged(auctions, { dealing, size, zeal, every }, oracle);
        const what = `judged, ${dealing}, rings of ${size} on ${zeal * 100} % of the lots ${name}`;
        return [
          plantedRow(`${what}, with a ring`, planted, goalOfOracle(found)),
          honestRow(`${what}, without`, honest),
        ];
      }),
    );
  });
}

function judged(
  auctions: readonly Auction[],
  how: RingPlan,
  oracle: Oracle,
): { readonly planted: Counts; readonly honest: Counts; readonly found: number } {
  const [planted, honest] = [none(), none()];
  const scores: { readonly planted: number[]; readonly honest: number[] } = { planted: [], honest: [] };
  for (let seed = FROM; scores.planted.length < JUDGED; seed++) {
    // Sellers of all kinds of things have one in their turn.
    const first = (seed * STRIDE) % Math.min(how.every, SELLERS);
    const market = plant(auctions, dice(seed * 1_000 + how.size), { ...how, first });
    const numbered = market.sellers.map(({ planted: ring }, i) => ({ has: ring.length > 0, i }));
    const rings = numbered.filter(({ has }) => has).slice(0, OF_A_MARKET);
    for (const { i } of rings) {
      planted[verdictOf(market, i)] += 1;
      scores.planted.push(oracle(market, i, how));
    }
    const without = spread(
      numbered.filter(({ has }) => !has),
      rings.length,
    );
    for (const { i } of without) {
      honest[verdictOf(market, i)] += 1;
      scores.honest.push(oracle(market, i, how));
    }
  }
  return { planted, honest, found: foundAt(scores, honest.FLAGGED) };
}

function verdictOf({ sellers }: Market, asked: number): Told {
  // Real auctions have no common calendar: one opens each day, over two months.
  let day = 0;
  const plain = ({ lot, winner, bids, minutes }: BidLot) => {
    const opened = (day++ % 60) * 1_440;
    const at = (minute: number): number => opened + Math.min(minute, minutes);
    return plainLot({ lot, winner, bids: bids.map((b) => ({ ...b, minute: at(b.minute) })) }, at(minutes));
  };
  const all = sellers.map(({ history }, i) => ({ seller: `seller-${i}`, lots: history.lots.map(plain) }));
  const { seller, lots } = all[asked]!;
  const others = all.filter((_, i) => i !== asked);
  const market = others.flatMap((other) => other.lots.map((lot) => ({ ...lot, seller: other.seller })));
  return answerOf({ id: seller, seller, lots, market }).verdict;
}

/** So many of them, from the first to the last: auctions in a row are of one kind, and of another later. */
function spread<T>(all: readonly T[], many: number): T[] {
  return Array.from({ length: many }, (_, i) => all[Math.floor(((i + 0.5) * all.length) / many)]!);
}
