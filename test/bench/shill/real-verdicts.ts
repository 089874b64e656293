import type { BidLot } from '../../../agents/determinations/shill/bid-history.ts';
import type { BenchRow } from '../row.ts';
import { type Counts, honestRow, none, plantedRow } from './agent-rows.ts';
import { answerOf, plainLot, type Told } from './agent-verdicts.ts';
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
/** Nobody's money is seen, so that this share is to be found of what an oracle finds: all of them. */
const FOUND = { least: 0.9, says: 'FLAGGED at least 0.9' };

/**
 * What `judge shill` says where rings are planted in real auctions, asked about a seller by the plain form with the rest
 * of the same auctions as its market. Nobody's money is seen, so only bids can tell.
 */
export function realVerdicts(auctions: readonly Auction[]): BenchRow[] {
  return (['scattered', 'in a row'] as const).flatMap((dealing) =>
    DENSITIES.flatMap(({ every, name }) =>
      PLANTS.flatMap(({ size, zeal }) => {
        const { planted, honest } = judged(auctions, { dealing, size, zeal, every });
        const what = `judged, ${dealing}, rings of ${size} on ${zeal * 100} % of the lots ${name}`;
        return [plantedRow(`${what}, with a ring`, planted, FOUND), honestRow(`${what}, without`, honest)];
      }),
    ),
  );
}

function judged(
  auctions: readonly Auction[],
  how: { readonly dealing: Dealing; readonly size: number; readonly zeal: number; readonly every: number },
): { readonly planted: Counts; readonly honest: Counts } {
  const [planted, honest] = [none(), none()];
  for (let seed = 1, asked = 0; asked < JUDGED; seed++) {
    const market = plant(auctions, dice(seed * 1_000 + how.size), how);
    const numbered = market.sellers.map(({ planted: ring }, i) => ({ has: ring.length > 0, i }));
    const rings = numbered.filter(({ has }) => has).slice(0, OF_A_MARKET);
    for (const { i } of rings) planted[verdictOf(market, i)] += 1;
    for (const { i } of numbered.filter(({ has }) => !has).slice(-rings.length))
      honest[verdictOf(market, i)] += 1;
    asked += rings.length;
  }
  return { planted, honest };
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
