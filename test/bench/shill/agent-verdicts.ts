import type { Bid, BidLot } from '../../../agents/determinations/shill/bid-history.ts';
import { evaluateLine } from '../../../agents/evaluation/evaluate-line.ts';
import type { AgentMarket } from './agent-markets.ts';

export type Told = 'FLAGGED' | 'INCONCLUSIVE' | 'CLEAN';
interface Answer {
  readonly verdict: Told;
  readonly why: readonly string[];
}
const START = Date.UTC(2026, 0, 1);

/** What `judge shill` says of a seller, asked about the lot that closed last, by the plain form. */
export function verdictOf({ lots, payments }: AgentMarket, seller: string): Answer {
  const plain = (lot: AgentMarket['lots'][number]) =>
    plainLot(lot, Math.max(lot.at, ...lot.bids.map((b) => b.minute)) + 60);
  const own = lots.filter((lot) => lot.seller === seller).sort((a, b) => b.at - a.at);
  return answerOf({
    id: seller,
    seller,
    lots: own.map(plain),
    market: lots.filter((lot) => lot.seller !== seller).map((lot) => ({ ...plain(lot), seller: lot.seller })),
    transfers: payments.map(({ from, to, usd }) => ({ from, to, usd: Number(usd.toFixed(2)), at: at(0) })),
  });
}

/** A lot in the plain form. Its bids and its end are told in minutes of the market. */
export function plainLot(
  {
    lot,
    winner,
    bids,
  }: Pick<BidLot, 'lot' | 'winner'> & { readonly bids: readonly Pick<Bid, 'bidder' | 'minute'>[] },
  ended: number,
) {
  return {
    lot,
    category: 'digital-products',
    endedAt: at(ended),
    winner,
    bids: bids.map(({ bidder, minute }) => ({ bidder, at: at(minute) })),
  };
}

/** What `judge shill` answers to a line of the plain form. @throws Error naming the field that it cannot read */
export function answerOf(line: object): Answer {
  const found = evaluateLine('shill-collusion', JSON.stringify(line), 1, '2-of-2');
  if ('error' in found) throw new Error(`${found.error.field}: ${found.error.message}`);
  const against = found.checks.filter((c) => c.outcome !== 'PASS').map((c) => `${c.id} ${c.outcome}`);
  return {
    verdict: found.verdict as Told,
    why: against.length > 0 ? against : found.votes.map((v) => `${v.seat} ${v.vote}`),
  };
}

function at(minute: number): string {
  return new Date(START + minute * 60_000).toISOString();
}
