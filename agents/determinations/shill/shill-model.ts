import type { BidFeature, BidRow } from './shill-bids.ts';

/** One condition: the feature is above, or not above, the number. */
type Condition = readonly [feature: BidFeature, is: '>' | '<=', limit: number];

export interface BidRule {
  readonly name: string;
  /** The rule in words. */
  readonly says: string;
  readonly when: readonly Condition[];
  /** How many training bids met the rule: shills, and others. */
  readonly met: readonly [shill: number, normal: number];
}

/**
 * A bid is taken for a shill's if any one of these rules holds. They are the leaves that say "shill" in a decision tree
 * (entropy, depth at most 7, leaves of at least 3 bids, cost-complexity pruning at 0.002) that
 * `test/bench/shill/shill-train.ts` grew on 4,105 labelled bids of 687 bidders, a part of the UCI Shill Bidding data
 * set (Alzahrani and Sadaoui, CC BY 4.0); the data is not kept here. The figures for unseen bidders come from folds
 * that share no bidder: over five assignments of bidders to folds F1 was 0.971 to 0.982, with 0.22 to 0.55 percent
 * false positives.
 *
 * What it is worth: the labels of that data came from clustering these very features. So the model reproduces that
 * clustering, including its odd use of the auction's duration. It names suspicious bids in a file, and in a determination
 * supports what the rest of the bids tells of a bidder (`bid-patterns.ts`); alone it decides nothing.
 */
export const BID_RULES: readonly BidRule[] = [
  {
    name: 'always-outbids-itself',
    says: 'in an auction of at most 8 days it outbids its own standing bid again and again, and loses more than a sixth of its auctions',
    when: [
      ['Successive_Outbidding', '>', 0.75],
      ['Winning_Ratio', '>', 0.166667],
      ['Auction_Duration', '<=', 8.5],
    ],
    met: [300, 0],
  },
  {
    name: 'outbids-itself-in-a-week',
    says: 'in an auction of 7 or 8 days it outbids itself now and then, and places more than 9.4 percent of the bids',
    when: [
      ['Successive_Outbidding', '>', 0.25],
      ['Successive_Outbidding', '<=', 0.75],
      ['Bidding_Ratio', '>', 0.094494],
      ['Auction_Duration', '>', 6],
      ['Auction_Duration', '<=', 8.5],
    ],
    met: [80, 1],
  },
  {
    name: 'outbids-itself-in-a-day',
    says: 'in an auction of a day or two it outbids itself now and then, and places more than 9.4 percent of the bids',
    when: [
      ['Successive_Outbidding', '>', 0.25],
      ['Successive_Outbidding', '<=', 0.75],
      ['Bidding_Ratio', '>', 0.094494],
      ['Auction_Duration', '<=', 2],
    ],
    met: [41, 0],
  },
  {
    name: 'outbids-itself-late',
    says: 'in an auction of 5 or 6 days it outbids itself now and then, places more than 9.4 percent of the bids, and bids last in the second half',
    when: [
      ['Successive_Outbidding', '>', 0.25],
      ['Successive_Outbidding', '<=', 0.75],
      ['Bidding_Ratio', '>', 0.094494],
      ['Auction_Duration', '>', 4],
      ['Auction_Duration', '<=', 6],
      ['Last_Bidding', '>', 0.53055],
    ],
    met: [15, 0],
  },
];

/** How many training bids met none of the rules: shills, and others. */
const ELSE_MET: BidRule['met'] = [6, 3662];

export interface BidScore {
  readonly shill: boolean;
  /** 0 to 1: the share of shills among the training bids that met the same rule, by Laplace's rule of succession. */
  readonly score: number;
  /** The rule that holds; null when none does. */
  readonly rule: BidRule | null;
}

export function scoreBid(features: BidRow['features']): BidScore {
  const rule =
    BID_RULES.find(({ when }) =>
      when.every(([name, is, limit]) => (is === '>' ? features[name] > limit : features[name] <= limit)),
    ) ?? null;
  const [shill, normal] = rule?.met ?? ELSE_MET;
  return { shill: rule !== null, score: (shill + 1) / (shill + normal + 2), rule };
}

/** How well guesses agree with labels. A figure is null when it is undefined: no guess, or no bid of the class. */
export interface BidFigures {
  readonly n: number;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  readonly falsePositiveRate: number | null;
}

/** @param pairs the guess and the truth for each bid */
export function figuresOf(
  pairs: readonly { readonly guess: boolean; readonly truth: boolean }[],
): BidFigures {
  const count = (guess: boolean, truth: boolean): number =>
    pairs.filter((p) => p.guess === guess && p.truth === truth).length;
  const [hit, miss, alarm, quiet] = [
    count(true, true),
    count(false, true),
    count(true, false),
    count(false, false),
  ];
  const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
  return {
    n: pairs.length,
    precision: share(hit, hit + alarm),
    recall: share(hit, hit + miss),
    f1: share(2 * hit, 2 * hit + miss + alarm),
    falsePositiveRate: share(alarm, alarm + quiet),
  };
}
