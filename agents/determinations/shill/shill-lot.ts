import { check, type Opinion } from '../panel/judging.ts';
import { type Feature, type Ground, scorecard } from '../panel/scorecard.ts';
import type { Check, Source } from '../panel/types.ts';
import type { BidLot } from './bid-history.ts';
import { isComparable } from './bid-likelihood.ts';
import { ENOUGH_LOTS } from './bid-rings.ts';
import { commonTail } from './chances.ts';
import { flatPrices } from './flat-prices.ts';
import {
  likelihoodChecks,
  likelihoodDoubts,
  likelihoodFeatures,
  likelihoodGrounds,
} from './likelihood-findings.ts';
import { ringsAtChance, ringsAtPresence, ringText } from './ring-findings.ts';
import type { LotBook } from './shill-evidence.ts';
import { isUntied, moneyCheck, moneyDoubts, moneyFeatures, moneyGrounds } from './shill-money.ts';
import { type ShillScore, shillScores } from './shill-score.ts';

/**
 * A loyal loser bids very often on what one seller sells, bids on little else, and wins none of it. A shill does so,
 * and so does an honest bidder who always bids at one house and never enough. It is reported and left unjudged.
 */
const LOYAL = { lots: 4, attached: 0.7, participation: 0.6 } as const;

/** The bidders who meet the rule "loyal loser", with their shill scores; no score flags by itself. */
export function loyalLosers(scores: readonly ShillScore[]): ShillScore[] {
  return scores.filter(
    (s) =>
      s.lots >= LOYAL.lots &&
      s.won === 0 &&
      s.lots >= LOYAL.attached * s.everywhere &&
      s.participation >= LOYAL.participation,
  );
}

export function lotChecks(book: LotBook, seller: string, at: string): Check[] {
  const { history, listingRef } = book;
  const sources: Source[] = [
    {
      name: "this platform's book",
      asOf: at,
      limit: `bids here in the last ${history.days} days, by owners at the time; bidders stand under labels and amounts are left out, for both are private; nothing of other markets or of relations off chain`,
    },
  ];
  const live = liveLots(book).length;
  const enough = live >= ENOUGH_LOTS && history.complete;
  const why = history.complete
    ? `only ${live} lots of this seller were bid on`
    : 'there is more than was read';
  const scores = shillScores(history);
  const top = scores[0];
  const figures = top === undefined ? 'nobody bid' : `the highest shill score is ${scoreText(top)}`;
  const { flagged, unjudged } = ringsAtPresence(history);
  const loyal = loyalLosers(scores);
  const flat = flatPrices(history.lots);
  const answered = isAnswered(book);
  const habit = (id: string, suspected: string | null, passed: string): Check => {
    if (answered)
      return check(id, 'PASS', suspected === null ? passed : `${suspected}; ${ANSWERED}`, sources);
    if (suspected !== null) return check(id, 'INCONCLUSIVE', suspected, sources);
    return enough
      ? check(id, 'PASS', passed, sources)
      : check(id, 'INCONCLUSIVE', `${why}: ${passed}`, sources);
  };
  return [
    book.sellerListed
      ? check('seller-of-lot', 'PASS', `${seller} listed ${listingRef}`, sources)
      : check('seller-of-lot', 'INCONCLUSIVE', `${seller} is not who listed ${listingRef}`, sources),
    book.sellerSide.length > 0
      ? check('seller-side-bids', 'FLAG', `self-dealing: ${sellerSideText(book)}`, sources, { hard: true })
      : check(
          'seller-side-bids',
          history.complete ? 'PASS' : 'INCONCLUSIVE',
          'no bid comes from the seller itself',
          sources,
        ),
    flagged.length > 0
      ? check('bid-ring', 'FLAG', flagged.map(ringText).join('; '), sources)
      : habit(
          'bid-ring',
          unjudged.length > 0 ? unjudged.join('; ') : null,
          'no three bidders keep together here',
        ),
    habit(
      'loyal-loser',
      loyal.length > 0
        ? `a shill, or one who always bids here and never enough: bids on at least ${LOYAL.lots} lots and ${LOYAL.participation * 100} percent of what this seller sells, on little else, and wins none: ${loyal.map(scoreText).join('; ')}`
        : null,
      `nobody keeps bidding here without winning; ${figures}`,
    ),
    ...(flat === null ? [] : [habit('flat-prices', flat.flagged ? flat.says : null, flat.says)]),
    ...likelihoodChecks(history, 'lot', sources),
    ...moneyCheck(book, at),
  ];
}

const ANSWERED = 'nothing joins them to the seller, by their money or by how others bid in this market';

/** Whether money or the habits of the market tell what a habit means, so that it need not be left open. */
function isAnswered(book: LotBook): boolean {
  return book.history.complete && (isUntied(book) || isComparable(book.history));
}

/**
 * The same by chance: compares meetings with those of independent bidders. Loyalty and even prices beyond chance only
 * prevent CLEAN: a habit is no accident, but no crime either.
 */
export function lotStatistics(book: LotBook): Opinion {
  const { history } = book;
  const live = liveLots(book).length;
  const { flagged, unjudged } = ringsAtChance(history);
  const devoted = shillScores(history).filter(
    (s) =>
      s.won === 0 &&
      s.lots >= LOYAL.lots &&
      s.participation >= LOYAL.participation &&
      commonTail(s.lots, Math.max(history.market, live), live, s.everywhere) *
        Object.keys(history.lotsOf).length <
        0.01,
  );
  const flat = flatPrices(history.lots);
  const features: Feature[] = [
    {
      name: 'seller-side-bids',
      value: book.sellerSide.length,
      weight: 100,
      meaning: `${book.sellerSide.length} bidders are the seller itself`,
      hard: true,
    },
    {
      name: 'rings',
      value: flagged.length,
      weight: 60,
      meaning: `${flagged.length} rings: ${flagged.map(ringText).join('; ')}`,
    },
    ...likelihoodFeatures(history),
    ...moneyFeatures(book),
  ];
  const answered = isAnswered(book);
  const habits = [
    ...unjudged,
    ...devoted.map((s) => `bids here beyond chance and wins nothing: ${scoreText(s)}`),
    ...(flat?.flagged === true ? [flat.says] : []),
  ];
  const doubts = [
    ...(book.sellerListed && history.complete && (answered || live >= ENOUGH_LOTS)
      ? []
      : [`${live} lots of this seller were bid on`]),
    ...(answered ? [] : habits),
    ...likelihoodDoubts(history, 'lot'),
    ...moneyDoubts(book),
  ];
  return scorecard(features, doubts.length === 0 ? 1 : 0.5, doubts);
}

export function lotGrounds(book: LotBook): Ground[] {
  const { history } = book;
  const presence = ringsAtPresence(history);
  const chance = ringsAtChance(history);
  const answered = isAnswered(book);
  return [
    { holds: book.sellerSide.length > 0, hard: true, says: 'the seller bids on its own lots' },
    {
      holds: presence.flagged.length + chance.flagged.length > 0,
      says: 'three or more bidders keep together on what this seller sells, and on nothing else',
    },
    ...likelihoodGrounds(history, 'lot'),
    ...moneyGrounds(book),
    {
      holds: !answered && presence.unjudged.length + chance.unjudged.length > 0,
      unread: true,
      says: 'three or more bidders keep together here, as customers would',
    },
    {
      holds: !answered && loyalLosers(shillScores(history)).length > 0,
      unread: true,
      says: 'somebody keeps bidding here and never wins',
    },
    {
      holds: !answered && flatPrices(history.lots)?.flagged === true,
      unread: true,
      says: 'its prices hardly differ',
    },
    {
      holds: (!answered && liveLots(book).length < ENOUGH_LOTS) || !history.complete || !book.sellerListed,
      unread: true,
      says: 'the history is too short, cut off, or of another seller',
    },
  ];
}

function liveLots({ history }: LotBook): BidLot[] {
  return history.lots.filter((lot) => lot.bids.length > 0);
}

function sellerSideText({ sellerSide }: LotBook): string {
  return [...sellerSide]
    .map((s) => `${s.bidder} has the seller's ${s.by}`)
    .sort()
    .join(', ');
}

function scoreText(s: ShillScore): string {
  const two = (value: number | null): string => (value === null ? 'unknown' : value.toFixed(2));
  return `${s.bidder} ${s.score.toFixed(1)} of 10 (lots ${s.lots} of ${s.everywhere}, won ${s.won}; participation ${two(s.participation)}, frequency ${two(s.frequency)}, losses ${two(s.losses)}, haste ${two(s.haste)}, small raises ${two(s.smallness)}, earliness ${two(s.earliness)})`;
}
