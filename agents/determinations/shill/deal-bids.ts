import { check } from '../panel/judging.ts';
import type { Feature, Ground } from '../panel/scorecard.ts';
import type { Check, Source } from '../panel/types.ts';
import type { BidHistory } from './bid-history.ts';
import {
  likelihoodChecks,
  likelihoodDoubts,
  likelihoodFeatures,
  likelihoodGrounds,
} from './likelihood-findings.ts';
import { ringsAtChance, ringsAtPresence, ringText } from './ring-findings.ts';

/**
 * What the bids on the lots of a deal's seller tell, by the model that judges a lot. A history too short to show a habit
 * leaves a lot open, and lets a deal pass: otherwise nobody could sell a first thing. What stands out does neither.
 * @param bids undefined in evidence from before deals read them, null where the deal is not known
 */
export function dealBidChecks(bids: BidHistory | null | undefined, at: string): Check[] {
  if (bids === undefined) return [];
  const sources = sourcesOf(bids, at);
  if (bids === null) return [check('bid-ring', 'INCONCLUSIVE', 'no bids are known of this deal', sources)];
  const { flagged, unjudged } = ringsAtPresence(bids);
  const passed =
    unjudged.length > 0
      ? unjudged.join('; ')
      : `no three bidders keep together on the ${bids.lots.length} lots of this seller`;
  return [
    flagged.length > 0
      ? check('bid-ring', 'FLAG', flagged.map(ringText).join('; '), sources)
      : bids.complete
        ? check('bid-ring', 'PASS', passed, sources)
        : check('bid-ring', 'INCONCLUSIVE', `there is more than was read; ${passed}`, sources),
    ...likelihoodChecks(bids, 'deal', sources),
  ];
}

/** Points where bids decide. */
export function dealBidFeatures(bids: BidHistory | null | undefined): Feature[] {
  if (bids == null) return [];
  const { flagged } = ringsAtChance(bids);
  const meaning = `${flagged.length} rings: ${flagged.map(ringText).join('; ')}`;
  return [{ name: 'rings', value: flagged.length, weight: 60, meaning }, ...likelihoodFeatures(bids)];
}

/** What keeps a deal from CLEAN. */
export function dealBidDoubts(bids: BidHistory | null | undefined): string[] {
  if (bids === undefined) return [];
  if (bids === null) return ['no bids are known of this deal'];
  return [
    ...likelihoodDoubts(bids, 'deal'),
    ...(bids.complete ? [] : ['there are more bids than were read']),
  ];
}

export function dealBidGrounds(bids: BidHistory | null | undefined): Ground[] {
  if (bids == null) return [];
  return [
    {
      holds: ringsAtPresence(bids).flagged.length + ringsAtChance(bids).flagged.length > 0,
      says: 'three or more bidders keep together on what this seller sells, and on nothing else',
    },
    ...likelihoodGrounds(bids, 'deal'),
    { holds: !bids.complete, unread: true, says: 'there are more bids than were read' },
  ];
}

function sourcesOf(bids: BidHistory | null, at: string): Source[] {
  const days = bids === null ? '' : ` in the last ${bids.days} days`;
  const limit = `bids on what this seller sold here${days}, by owners at the time; bidders stand under labels, and amounts are left out; in a short history no habit can be seen`;
  return [{ name: "this platform's book", asOf: at, limit }];
}
