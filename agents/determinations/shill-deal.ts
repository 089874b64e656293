import { components, graphOf } from './graph.ts';
import { check } from './judging.ts';
import type { Feature, Ground } from './scorecard.ts';
import type { DealHistory, Funding } from './shill-evidence.ts';
import type { Check, Source } from './types.ts';

/** Sold to each other this often, each way and this deal counted, is trade in a circle. */
const EACH_WAY = 3;
/** This many deals between two owners, being this share of all that either settled, are a market of their own. */
const CLOSED = { deals: 9, share: 0.9 } as const;
/** Who paid into more addresses than this is a faucet or an exchange, and joins nobody. */
export const FUNDER_REACH = 5;

/** What settled between two owners before: how often each way, and of all that each settled the smaller share. */
function between({ trades, seller, buyer, deals }: DealHistory): {
  forth: number;
  back: number;
  share: number;
} {
  const forth = trades.filter((t) => t.seller === seller && t.buyer === buyer).length;
  const back = trades.filter((t) => t.seller === buyer && t.buyer === seller).length;
  const most = Math.max(1, deals.seller, deals.buyer, forth + back);
  return { forth, back, share: (forth + back) / most };
}

/** The checks of a deal's history. Graphs of who sold to whom flag hard; habits of trade flag by their rule. */
export function historyChecks(history: DealHistory, at: string): Check[] {
  const sources: Source[] = [
    {
      name: "this platform's orders and settled deals",
      asOf: at,
      limit: `the last ${history.days} days here, by the agents' owners at the time; not what was traded elsewhere`,
    },
  ];
  const clean = history.complete ? 'PASS' : 'INCONCLUSIVE';
  const cut = history.complete ? '' : '; there is more than was read';
  const { forth, back, share } = between(history);
  const ring = ringOf(history);
  const bids = history.sellerSideBids;
  const both = back >= EACH_WAY && forth + 1 >= EACH_WAY;
  const closed = forth + back >= CLOSED.deals && share >= CLOSED.share;
  const pair = `${forth} deals this way and ${back} the other between these owners, ${percent(share)} of what the busier one settled`;
  return [
    bids > 0
      ? check(
          'seller-side-bids',
          'FLAG',
          `${bids} bids on this listing come from the seller's side`,
          sources,
          {
            hard: true,
          },
        )
      : check(
          'seller-side-bids',
          clean,
          `no bid on this listing comes from the seller's side${cut}`,
          sources,
        ),
    ring.length > 0
      ? check(
          'asset-returns',
          'FLAG',
          `${ring.length === 2 ? 'back and forth' : 'a ring'}: with this deal the lot comes round again among ${ring.length} owners: ${ring.join(', ')}`,
          sources,
          { hard: true },
        )
      : check('asset-returns', clean, `the lot does not return to who sold it before${cut}`, sources),
    both || closed
      ? check(
          'pair-trade',
          'FLAG',
          `${both ? `both ways at least ${EACH_WAY} times` : `at least ${CLOSED.deals} deals and ${percent(CLOSED.share)} of all`}: ${pair}`,
          sources,
        )
      : check('pair-trade', clean, `${pair}${cut}`, sources),
  ];
}

/** The owners among whom the lot goes round once this deal is done; none where it does not. */
function ringOf({ trades, lot, seller, buyer }: DealHistory): string[] {
  const edges = trades.filter((t) => t.lot === lot).map((t) => [t.seller, t.buyer] as const);
  const found = components(graphOf([...edges, [seller, buyer]]));
  return (
    found.find((members) => members.includes(seller) && members.includes(buyer) && members.length > 1) ?? []
  );
}

export function fundingCheck(
  funding: Funding | null,
  fault: string | null,
  sources: readonly Source[],
): Check {
  const id = 'money-between-sides';
  if (funding === null) {
    return check(id, 'INCONCLUSIVE', `transfers could not be read: ${fault ?? 'no reading'}`, sources);
  }
  const { returned } = funding;
  const near = nearFunders(funding);
  const says = [
    ...(returned.length > 0
      ? [`the seller's side sent money to the buyer's in ${returned.map((r) => r.tx).join(', ')}`]
      : []),
    ...near.map((f) => `${f.funder} put the first money into both sides, and into ${f.others} others`),
  ];
  if (says.length > 0) return check(id, 'FLAG', says.join('; '), sources, { hard: true });
  const reach = `in the last ${funding.blocks} blocks no money went from the seller's side to the buyer's, and nobody near put the first into both`;
  return check(id, 'PASS', reach, sources);
}

function nearFunders({ sharedFunders }: Funding): Funding['sharedFunders'] {
  return sharedFunders.filter((f) => f.others <= FUNDER_REACH);
}

/** The same by counting: holders met again, deals both ways, the share of one another's trade. */
export function dealFeatures(
  history: DealHistory | undefined,
  funding: Funding | null | undefined,
): Feature[] {
  const features: Feature[] = [];
  if (history !== undefined) {
    const { forth, back, share } = between(history);
    const before = history.trades.filter(
      (t) => t.lot === history.lot && (t.seller === history.buyer || t.buyer === history.buyer),
    ).length;
    const ways = Math.min(forth + 1, back);
    const own = forth + back >= CLOSED.deals ? share : 0;
    features.push(
      {
        name: 'seller-side-bids',
        value: history.sellerSideBids,
        weight: 100,
        meaning: `${history.sellerSideBids} bids from the seller's side`,
        hard: true,
      },
      {
        name: 'held-before',
        value: before,
        weight: 60,
        meaning: `${before} times the buyer had the lot before`,
      },
      { name: 'both-ways', value: ways, weight: 17, meaning: `${ways} deals each way` },
      {
        name: 'own-market',
        value: own,
        weight: 56,
        meaning: `${percent(own)} of all trade is with one another, at ${CLOSED.deals} deals or more`,
      },
    );
  }
  if (funding !== undefined && funding !== null) {
    const near = nearFunders(funding).length;
    features.push(
      {
        name: 'money-returned',
        value: funding.returned.length,
        weight: 100,
        meaning: `${funding.returned.length} transfers from the seller's side to the buyer's`,
        hard: true,
      },
      { name: 'shared-funders', value: near, weight: 100, meaning: `${near} who funded both`, hard: true },
    );
  }
  return features;
}

export function dealGrounds(
  history: DealHistory,
  funding: readonly (Funding | null | undefined)[],
): Ground[] {
  const { back } = between(history);
  return [
    { holds: history.sellerSideBids > 0, hard: true, says: "the seller's side bid on its own lot" },
    { holds: ringOf(history).length > 0, hard: true, says: 'the lot goes round among its owners' },
    { holds: back >= EACH_WAY, says: 'the seller keeps buying from this buyer' },
    { holds: !history.complete, unread: true, says: 'there is more history than was read' },
    {
      holds: funding.some((f) => f != null && (f.returned.length > 0 || nearFunders(f).length > 0)),
      hard: true,
      says: 'money joins the two sides',
    },
  ];
}

function percent(share: number): string {
  return `${Math.round(share * 100)} percent`;
}
