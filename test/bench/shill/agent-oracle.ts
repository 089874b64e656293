import type { AgentMarket } from './agent-markets.ts';

/** What a simulator knows of its thieves. */
export interface Known {
  readonly size: number;
  readonly zeal: number;
}

/** How often an honest agent bids on a lot: how often it looks times what it likes, both spread evenly. */
const RATES = grid(0.3, 1).flatMap((looks) => grid(0.1, 0.5).map((likes) => looks * likes));

/**
 * The largest likelihood ratio by bids and wins that so many bidders of a seller are the thieves whom the simulator would
 * plant, each against an honest agent as the simulator would make it. Nobody who sees no more can tell them apart better
 * (Neyman, Pearson, 1933).
 */
export function oracleScore({ lots }: AgentMarket, seller: string, { size, zeal }: Known): number {
  const here = lots.filter((l) => l.seller === seller);
  const there = lots.filter((l) => l.seller !== seller);
  const bidders = new Set(here.flatMap((l) => l.bids.map((b) => b.bidder)));
  const scores = [...bidders].map((bidder) => {
    const own = here.filter((l) => l.bids.some((b) => b.bidder === bidder));
    const elsewhere = there.filter((l) => l.bids.some((b) => b.bidder === bidder)).length;
    const [x, n, y, m] = [own.length, here.length, elsewhere, there.length];
    const honest =
      RATES.reduce((sum, r) => sum + r ** (x + y) * (1 - r) ** (n + m - x - y), 0) / RATES.length;
    const planted = zeal ** x * (1 - zeal) ** (n - x) * 0.001 ** y;
    const lost = own.filter((l) => l.winner !== null && l.winner !== bidder);
    const won = own.some((l) => l.winner === bidder);
    const losing = lost.reduce(
      (sum, l) => sum - Math.log(1 - 1 / new Set(l.bids.map((b) => b.bidder)).size),
      0,
    );
    return won ? Number.NEGATIVE_INFINITY : Math.log(planted) - Math.log(honest) + losing;
  });
  return scores
    .sort((a, b) => b - a)
    .slice(0, size)
    .reduce((sum, score) => sum + Math.max(score, -50), 0);
}

function grid(from: number, to: number): number[] {
  return Array.from({ length: 20 }, (_, i) => from + ((i + 0.5) / 20) * (to - from));
}
