import { check } from '../panel/judging.ts';
import type { Feature, Ground } from '../panel/scorecard.ts';
import type { Check, Source } from '../panel/types.ts';
import { comesBack, goesOn, roundsOf } from './rounds.ts';
import type { DealHistory } from './shill-evidence.ts';

/**
 * Two owners who sold to each other this often each way, including this deal, or who dealt this often and with hardly
 * anybody else, may create a market of their own. Every steady customer does the same, and no share of trade tells them
 * apart, so it is left unjudged.
 */
const EACH_WAY = { deals: 3, share: 1 / 3 } as const;
const CLOSED = { deals: 9, share: 0.9 } as const;

/** The settled deals between two owners: how often each way, and their share in the deals of the busier owner. */
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

/** The checks of a deal's history. Circulation that goes on is a hard flag; habits of trade are left unjudged. */
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
  const bids = history.sellerSideBids;
  const { both, closed } = habits(history);
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
    returns(history, clean, cut, sources),
    both || closed
      ? check(
          'pair-trade',
          'INCONCLUSIVE',
          `${both ? `both ways at least ${EACH_WAY.deals} times` : `at least ${CLOSED.deals} deals and ${percent(CLOSED.share)} of all`}: ${pair}; steady partners do so, and so do two who only seem to trade`,
          sources,
        )
      : check('pair-trade', clean, `${pair}${cut}`, sources),
  ];
}

/**
 * Checks whether the lot returns to an earlier seller, also outside of deals here. A single return proves nothing: the lot
 * may be taken back, bought back or resold by a dealer. Wash trade is looked for in closed cycles, and confirmed when they go on or by the
 * money behind them (von Wachter, Jensen, Regner and Ross, "NFT Wash Trading", 2022; La Morgia, Mei, Mongardini and
 * Nemmi, "A Game of NFTs", ICDCS 2023). It is a hard flag when the lot goes the same way again, or lot after lot
 * circulates among the same owners, and they trade little else.
 */
function returns(history: DealHistory, clean: Check['outcome'], cut: string, sources: Source[]): Check {
  const id = 'asset-returns';
  const rounds = roundsOf(history);
  const { owners, laps, lots, share, hidden, again } = rounds;
  if (again)
    return check(
      id,
      'INCONCLUSIVE',
      `${history.seller} sold this lot before, and no deal here shows how it came back: it may have been given back`,
      sources,
    );
  if (owners.length === 0)
    return check(id, clean, `the lot does not return to who sold it before${cut}`, sources);
  const among = `${owners.length === 2 ? 'back and forth' : 'a ring'}: with this deal the lot comes round again among ${owners.length} owners: ${owners.join(', ')}`;
  const unseen = hidden ? '; no deal here shows how it came back' : '';
  const how = `${among}${unseen}; it went this very way ${laps} times before, ${lots} lots went round among them, and that is ${percent(share)} of what the busier side settled`;
  if (goesOn(rounds)) return check(id, 'FLAG', how, sources, { hard: true });
  return check(id, 'INCONCLUSIVE', `${how}: it may have been taken back, or sold on by a dealer`, sources);
}

function habits(history: DealHistory): { both: boolean; closed: boolean } {
  const { forth, back, share } = between(history);
  return {
    both: back >= EACH_WAY.deals && forth + 1 >= EACH_WAY.deals && share >= EACH_WAY.share,
    closed: forth + back >= CLOSED.deals && share >= CLOSED.share,
  };
}

/** The same by counting: how often the lot went this way, and how many lots circulated. */
export function historyFeatures(history: DealHistory | undefined): Feature[] {
  if (history === undefined) return [];
  const rounds = roundsOf(history);
  const { owners, laps, lots } = rounds;
  const going = goesOn(rounds);
  return [
    {
      name: 'seller-side-bids',
      value: history.sellerSideBids,
      weight: 100,
      meaning: `${history.sellerSideBids} bids from the seller's side`,
      hard: true,
    },
    {
      name: 'same-way-again',
      value: going ? laps : 0,
      weight: 60,
      meaning: `${laps} times the lot went from this seller to this buyer before, and came back`,
    },
    {
      name: 'lots-going-round',
      value: going ? lots - 1 : 0,
      weight: 60,
      meaning: `${lots} lots went round among the same ${owners.length} owners`,
    },
  ];
}

/** What may be honest but prevents CLEAN, because nothing here can tell the two apart. */
export function historyDoubts(history: DealHistory | undefined): string[] {
  if (history === undefined) return [];
  const { forth, back, share } = between(history);
  const { both, closed } = habits(history);
  const rounds = roundsOf(history);
  return [
    ...(comesBack(rounds) && !goesOn(rounds) ? ['the lot comes back to who sold it'] : []),
    ...(both ? [`${Math.min(forth + 1, back)} deals each way between these owners`] : []),
    ...(closed ? [`${percent(share)} of all trade is with one another`] : []),
  ];
}

export function historyGrounds(history: DealHistory): Ground[] {
  const { both, closed } = habits(history);
  const rounds = roundsOf(history);
  return [
    { holds: history.sellerSideBids > 0, hard: true, says: "the seller's side bid on its own lot" },
    { holds: goesOn(rounds), hard: true, says: 'lots go round and round among their owners' },
    {
      holds: comesBack(rounds) && !goesOn(rounds),
      unread: true,
      says: 'the lot comes back to who sold it',
    },
    { holds: both, unread: true, says: 'the seller keeps buying from this buyer' },
    { holds: closed, unread: true, says: 'the two deal with hardly anybody else' },
    { holds: !history.complete, unread: true, says: 'there is more history than was read' },
  ];
}

function percent(share: number): string {
  return `${Math.round(share * 100)} percent`;
}
