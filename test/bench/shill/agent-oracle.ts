import { logChoose, logHits, logMean } from '../../../agents/determinations/shill/chances.ts';
import type { AgentMarket, MarketLot } from './agent-markets.ts';

/** What a simulator knows of its thieves. */
export interface Known {
  readonly size: number;
  /** The share of the sellers' lots on which each bids; null for accounts that each bid once. */
  readonly zeal: number | null;
  /** Bids on lots of others, as a share of its bids at home. */
  readonly cover?: number;
  /** The share of its lots that it wins. */
  readonly wins?: number;
  /** At how many sellers each bids, the one in question among them. */
  readonly sellers?: number;
}

/** How often an honest agent bids on a lot: how often it looks times what it likes, both spread evenly. */
const RATES = grid(0.3, 1, 12).flatMap((looks) => grid(0.1, 0.5, 12).map((likes) => looks * likes));
/** What a thing is worth to it, as a share of its value, and how much that differs from lot to lot. */
const TASTES = grid(0.8, 1.08, 20);
const MOODS = grid(0.95, 1.05, 10);
const FLOOR = 0.95;
const NEVER = 0.001;
const IMPOSSIBLE = -1_000;

/**
 * The largest likelihood ratio by bids and wins that so many bidders of a seller are the thieves whom the simulator would
 * plant, each against an honest agent as the simulator would make it. Nobody who sees no more can tell them apart better
 * (Neyman, Pearson, 1933).
 */
export function oracleScore(market: AgentMarket, seller: string, known: Known): number {
  const others = market.sellers.filter((other) => other !== seller);
  const sets = chosen(others, (known.sellers ?? 1) - 1);
  return Math.max(...sets.map((set) => scoreAt(market, [seller, ...set], known)));
}

function scoreAt({ lots }: AgentMarket, sellers: readonly string[], known: Known): number {
  const bidders = new Set(
    lots.filter((l) => l.seller === sellers[0]).flatMap((l) => l.bids.map((b) => b.bidder)),
  );
  return [...bidders]
    .map((bidder) => {
      // Nobody bids on what it sells itself.
      const open = lots.filter((l) => l.seller !== bidder);
      const here = open.filter((l) => sellers.includes(l.seller));
      const own = here.filter((l) => isOn(l, bidder));
      const elsewhere = open.filter((l) => !sellers.includes(l.seller));
      const y = elsewhere.filter((l) => isOn(l, bidder)).length;
      const seen = { x: own.length, n: here.length, y, m: elsewhere.length };
      return planted(seen, own, bidder, known) - honest(seen, own, bidder);
    })
    .sort((a, b) => b - a)
    .slice(0, known.size)
    .reduce((sum, score) => sum + Math.max(score, -50), 0);
}

interface Seen {
  readonly x: number;
  readonly n: number;
  readonly y: number;
  readonly m: number;
}

function planted({ x, n, y, m }: Seen, own: readonly MarketLot[], bidder: string, known: Known): number {
  const { zeal, cover = 0, wins = NEVER } = known;
  const at =
    zeal === null ? (x === 1 ? -Math.log(n) : IMPOSSIBLE) : x * Math.log(zeal) + (n - x) * Math.log(1 - zeal);
  // Which of the other lots it bids on is chance.
  const covering =
    cover === 0 ? y * Math.log(NEVER) : y > x ? IMPOSSIBLE : logHits(y, x, cover) - logChoose(m, y);
  return at + covering + winning(own, bidder, () => wins);
}

function honest({ x, n, y, m }: Seen, own: readonly MarketLot[], bidder: string): number {
  const [bids, missed] = [x + y, n + m - x - y];
  const rates = RATES.map((rate) => bids * Math.log(rate) + missed * Math.log(1 - rate));
  const tastes = TASTES.map((_, t) => winning(own, bidder, (crowd) => winsOf(t, crowd)));
  return logMean(rates) + logMean(tastes);
}

function winning(lots: readonly MarketLot[], bidder: string, chance: (crowd: number) => number): number {
  return lots.reduce((sum, lot) => {
    const each = chance(new Set(lot.bids.map((b) => b.bidder)).size);
    return sum + Math.log(lot.winner === bidder ? each : 1 - each);
  }, 0);
}

const won = new Map<string, number>();
/** The chance that an agent of a taste wins a lot on which so many bid. */
function winsOf(taste: number, crowd: number): number {
  const key = `${taste} ${crowd}`;
  const known = won.get(key);
  if (known !== undefined) return known;
  const chances = MOODS.map((mood) => {
    const worth = TASTES[taste]! * mood;
    return worth < FLOOR ? 0 : below(worth) ** (crowd - 1);
  });
  const found = chances.reduce((sum, chance) => sum + chance, 0) / chances.length;
  const within = Math.min(1 - NEVER, Math.max(NEVER, found));
  won.set(key, within);
  return within;
}

/** The share of honest agents to whom a thing is worth less. */
function below(worth: number): number {
  const all = TASTES.flatMap((taste) => MOODS.map((mood) => taste * mood));
  return all.filter((other) => other < worth).length / all.length;
}

function isOn(lot: MarketLot, bidder: string): boolean {
  return lot.bids.some((b) => b.bidder === bidder);
}

function chosen(from: readonly string[], many: number): string[][] {
  if (many === 0) return [[]];
  return from.flatMap((one, i) => chosen(from.slice(i + 1), many - 1).map((rest) => [one, ...rest]));
}

function grid(from: number, to: number, steps: number): number[] {
  return Array.from({ length: steps }, (_, i) => from + ((i + 0.5) / steps) * (to - from));
}
