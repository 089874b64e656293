import { type BidHistory, type BidLot, lotsByBidder } from './bid-history.ts';
import { logBeta, logChoose, logHits, logMean, logSum } from './chances.ts';

/** Whoever bids for a seller bids on such a share of its lots, and on such a share of everybody else's. */
const ZEALS = [0.3, 0.45, 0.6, 0.75, 0.9] as const;
const COVERS = [0.002, 0.02, 0.08] as const;
/** A customer who keeps to a seller bids on such a share of its lots; one who comes now and then, on fewer. */
const KEEPS = ZEALS.slice(1);
const NOW_AND_THEN = 0.15;
/** Whoever bids for a seller wins about so many of its lots, by accident or to buy back. */
const SELDOM = 0.1;
const SHILLS_WIN = [0.02, 0.1, 0.25] as const;
/** Some honest bidders never bid enough, and some nearly always do; half win as often as the others on a lot. */
const OTHERS_WIN = [0.02, 0.5, 0.9] as const;
/** Whoever came once may have come by chance. */
export const LEAST_LOTS = 2;
/** How often bidders bid, as if two more had been seen who bid on so many: see `RING_LIMITS`. */
const USUAL = { rate: 0.25, seen: 2, variance: 0.003 } as const;

/** A lot, with how many bid on it where that is more than its bids tell. */
type Lot = BidLot & { readonly crowd?: number };
/** Lots of one seller, or of several as if they were one. */
export type Lots = Pick<BidHistory, 'lotsOf' | 'market'> & { readonly lots: readonly Lot[] };

/** The beta distribution of how often the bidders of a market bid, over its lots. */
export type Rates = readonly [a: number, b: number];

/** How a returning bidder bids and wins, and the logarithms of how likely that is. */
export interface BidderWeight {
  readonly bidder: string;
  /** How many of the seller's lots it bid on, and what share of all its lots that is. */
  readonly lots: number;
  readonly share: number;
  readonly won: number;
  /** If it bids as everybody does. */
  readonly ordinary: number;
  /** If it bids for the seller. */
  readonly planted: number;
  /** If it is a customer who keeps to the seller, and would win as others do. */
  readonly loyal: number;
  /** Likewise, if such customers always bid too little; and if they win as the others do. */
  readonly inVain: number;
  readonly served: number;
  /** If it comes to the seller now and then, and hardly to anybody else. */
  readonly occasional: number;
}

/**
 * The returning bidders of a seller: how likely their lots here, their lots elsewhere and their wins are, if they bid
 * for the seller, and if they bid everywhere at a rate of their own (beta-binomial).
 * @param wins `equal`: all honest bidders of a lot are as likely to win it, as the rules of before had it; `by-taste`:
 * some honest bidders always bid too little, and some always enough
 * @param rates how often the bidders of the market bid. Everything is then given that the bidder came back, as most who
 * come to a seller never do. Absent by the rules of before, which took it from the bidders of this seller, who are those
 * that bid the most, and took each who came back for somebody who stands out
 */
export function weighBidders(
  { lots, lotsOf, market }: Lots,
  wins: 'equal' | 'by-taste',
  rates?: Rates,
): BidderWeight[] {
  const live = lots.filter((lot) => lot.bids.length > 0 || lot.crowd !== undefined);
  const here = live.length;
  const elsewhere = Math.max(0, market - here);
  const own = [...lotsByBidder(live)];
  const everywhere = (bidder: string, lotsHere: number) => Math.max(lotsOf[bidder] ?? 0, lotsHere);
  const ofSeller = (): Rates =>
    ratesOf(
      own.map(([bidder, at]) => everywhere(bidder, at.size) / (here + elsewhere)),
      () => USUAL.variance,
    );
  const presence = presenceAt(here, elsewhere, { rates: rates ?? ofSeller(), given: rates !== undefined });
  const crowd = live.map((lot) => lot.crowd ?? new Set(lot.bids.map((bid) => bid.bidder)).size);
  return own
    .filter(([, at]) => at.size >= LEAST_LOTS)
    .map(([bidder, at]): BidderWeight => {
      const x = at.size;
      const y = everywhere(bidder, x) - x;
      const over = [...at].filter((i) => live[i]!.winner !== null);
      const won = over.filter((i) => live[i]!.winner === bidder).length;
      const fair = over.reduce((log, i) => {
        const each = 1 / Math.max(2, crowd[i]!);
        return log + Math.log(live[i]!.winner === bidder ? each : 1 - each);
      }, 0);
      const winning = wins === 'equal' ? byChance(won, over.length, fair) : byTaste(won, over.length, fair);
      const { ordinary, planted, keeps, nowAndThen } = presence(x, y);
      return {
        ...{ bidder, lots: x, share: x / (x + y), won },
        ordinary: ordinary + winning.ordinary,
        planted: planted + winning.planted,
        loyal: keeps + winning.ordinary,
        inVain: keeps + winning.never,
        served: keeps + winning.served,
        occasional: nowAndThen + winning.ordinary,
      };
    });
}

/** How likely it is, as logarithms, to bid on so many lots here and so many elsewhere. */
function presenceAt(
  here: number,
  elsewhere: number,
  { rates: [a, b], given }: { readonly rates: Rates; readonly given: boolean },
) {
  const all = Math.max(here, LEAST_LOTS);
  const rate = (x: number): number => logChoose(all, x) + logBeta(x + a, all - x + b) - logBeta(a, b);
  const back = (): number => logSum(Array.from({ length: all - 1 }, (_, i) => rate(i + LEAST_LOTS)));
  // Whoever comes back bids on neither none nor one.
  const coming = (zeals: readonly number[]): number =>
    logMean(zeals.map((z) => Math.log(1 - (1 - z) ** all - all * z * (1 - z) ** (all - 1))));
  const off = given
    ? {
        ordinary: back(),
        ...{ planted: coming(ZEALS), keeps: coming(KEEPS), rarely: coming([NOW_AND_THEN]) },
      }
    : { ordinary: 0, planted: 0, keeps: 0, rarely: 0 };
  return (x: number, y: number) => {
    const covers = logMean(COVERS.map((c) => logHits(y, elsewhere, c)));
    const at = (zeals: readonly number[]): number => logMean(zeals.map((z) => logHits(x, here, z))) + covers;
    const ordinary =
      logChoose(here, x) +
      logChoose(elsewhere, y) +
      logBeta(x + y + a, here + elsewhere - x - y + b) -
      logBeta(a, b);
    return {
      ordinary: ordinary - off.ordinary,
      planted: at(ZEALS) - off.planted,
      // By the rules of before, whoever keeps to a seller comes as often as who bids for it.
      keeps: at(given ? KEEPS : ZEALS) - off.keeps,
      nowAndThen: at([NOW_AND_THEN]) - off.rarely,
    };
  };
}

interface Winning extends Pick<BidderWeight, 'ordinary' | 'planted' | 'served'> {
  readonly never: number;
}

function byChance(won: number, over: number, fair: number): Winning {
  const planted = won === 0 ? over * Math.log(1 - SELDOM) : Math.max(fair, logHits(won, over, SELDOM));
  return { ordinary: fair, planted, served: fair, never: fair };
}

function byTaste(won: number, over: number, fair: number): Winning {
  const at = (each: number): number => won * Math.log(each) + (over - won) * Math.log(1 - each);
  const others = OTHERS_WIN.map(at);
  const [never, ...some] = others;
  const alike = others.map(() => fair);
  return {
    ordinary: logMean([...alike, ...others]),
    planted: logMean(SHILLS_WIN.map(at)),
    ...{ never: never!, served: logMean([...alike, ...some]) },
  };
}

/**
 * How often the bidders of a market bid, from the share of its lots on which each does. Where most come once, rates differ
 * by little: what is added to how much they do is in the measure of how often they bid.
 */
export function marketRates(seen: readonly number[]): Rates {
  return ratesOf(seen, (mean) => USUAL.variance * (mean / USUAL.rate) ** 2);
}

/** The beta distribution of how often bidders bid, by the method of moments. */
function ratesOf(seen: readonly number[], more: (mean: number) => number): Rates {
  const rates = [...seen, ...Array<number>(USUAL.seen).fill(USUAL.rate)];
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const variance = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / rates.length + more(mean);
  const size = Math.max(0.5, (mean * (1 - mean)) / variance - 1);
  return [mean * size, (1 - mean) * size];
}
