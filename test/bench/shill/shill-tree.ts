import {
  BID_FEATURES,
  type BidFeature,
  type BidRow,
} from '../../../agents/determinations/shill/shill-bids.ts';
import {
  type BidFigures,
  type BidRule,
  figuresOf,
} from '../../../agents/determinations/shill/shill-model.ts';

/** A decision tree of labelled bids; a node without `split` is a leaf. */
interface Node {
  readonly met: readonly [shill: number, normal: number];
  split: {
    readonly feature: BidFeature;
    readonly at: number;
    readonly below: Node;
    readonly above: Node;
  } | null;
}

export const GROWTH = { depth: 7, leaf: 3, prune: 0.002 } as const;

/** Grows and prunes the tree. Deterministic: of equal splits the first feature and the lowest limit win. */
export function growTree(rows: readonly BidRow[]): Node {
  const root = grow(rows, GROWTH.depth);
  for (;;) {
    const weakest = splits(root)
      .map((node) => ({ node, gain: (impurity(node) - leafImpurity(node)) / (leaves(node).length - 1) }))
      .sort((a, b) => a.gain - b.gain)[0];
    if (weakest === undefined || weakest.gain / rows.length > GROWTH.prune) return root;
    weakest.node.split = null;
  }
}

/** The leaves that say "shill" as conditions on the features, the narrowest of each kept; and what all others met. */
export function rulesOf(root: Node): { rules: Pick<BidRule, 'when' | 'met'>[]; rest: [number, number] } {
  const rules: Pick<BidRule, 'when' | 'met'>[] = [];
  const rest: [number, number] = [0, 0];
  const walk = (node: Node, when: BidRule['when']): void => {
    if (node.split !== null) {
      const { feature, at, below, above } = node.split;
      walk(below, narrowed(when, [feature, '<=', at]));
      walk(above, narrowed(when, [feature, '>', at]));
    } else if (says(node)) rules.push({ when, met: node.met });
    else {
      rest[0] += node.met[0];
      rest[1] += node.met[1];
    }
  };
  walk(root, []);
  return { rules, rest };
}

export function guess(root: Node, features: BidRow['features']): boolean {
  let node = root;
  while (node.split !== null) {
    node = features[node.split.feature] > node.split.at ? node.split.above : node.split.below;
  }
  return says(node);
}

/**
 * Every bid is judged once, by a tree that saw no bid of its bidder.
 * @param seed another way to deal the bidders into folds
 */
export function crossValidate(rows: readonly BidRow[], folds: number, seed: number): BidFigures {
  const bidders = [...new Set(rows.map((r) => r.bidder))].sort((a, b) => mixed(a, seed) - mixed(b, seed));
  const fold = new Map(bidders.map((bidder, i) => [bidder, i % folds]));
  const pairs = Array.from({ length: folds }, (_, f) => {
    const tree = growTree(rows.filter((r) => fold.get(r.bidder) !== f));
    return rows
      .filter((r) => fold.get(r.bidder) === f)
      .map((r) => ({ guess: guess(tree, r.features), truth: r.shill === true }));
  });
  return figuresOf(pairs.flat());
}

function grow(rows: readonly BidRow[], depth: number): Node {
  const shill = rows.filter((r) => r.shill === true).length;
  const node: Node = { met: [shill, rows.length - shill], split: null };
  if (depth === 0 || shill === 0 || shill === rows.length) return node;
  let best = { gain: 1e-9, feature: null as BidFeature | null, at: 0 };
  const whole = entropy(shill, rows.length - shill);
  for (const feature of BID_FEATURES) {
    const sorted = rows
      .map((r) => [r.features[feature], Number(r.shill)] as const)
      .sort((a, b) => a[0] - b[0]);
    let left = 0;
    for (let i = 1; i < sorted.length; i++) {
      left += sorted[i - 1]![1];
      if (sorted[i]![0] === sorted[i - 1]![0] || i < GROWTH.leaf || sorted.length - i < GROWTH.leaf) continue;
      const gain =
        whole - entropy(left, i - left) - entropy(shill - left, sorted.length - i - (shill - left));
      if (gain > best.gain + 1e-9) best = { gain, feature, at: (sorted[i]![0] + sorted[i - 1]![0]) / 2 };
    }
  }
  const { feature, at } = best;
  if (feature === null) return node;
  node.split = {
    feature,
    at,
    below: grow(
      rows.filter((r) => r.features[feature] <= at),
      depth - 1,
    ),
    above: grow(
      rows.filter((r) => r.features[feature] > at),
      depth - 1,
    ),
  };
  return node;
}

/** Bits to tell the classes of this many bids apart. */
function entropy(a: number, b: number): number {
  const term = (n: number): number => (n === 0 ? 0 : -n * Math.log2(n / (a + b)));
  return term(a) + term(b);
}

const impurity = ({ met: [a, b] }: Node): number => entropy(a, b);
const says = ({ met: [shill, normal] }: Node): boolean => shill > normal;

function leaves(node: Node): Node[] {
  return node.split === null ? [node] : [...leaves(node.split.below), ...leaves(node.split.above)];
}

function leafImpurity(node: Node): number {
  return leaves(node).reduce((sum, leaf) => sum + impurity(leaf), 0);
}

function splits(node: Node): Node[] {
  return node.split === null ? [] : [node, ...splits(node.split.below), ...splits(node.split.above)];
}

function narrowed(when: BidRule['when'], next: BidRule['when'][number]): BidRule['when'] {
  return [...when.filter(([feature, is]) => feature !== next[0] || is !== next[1]), next];
}

function mixed(text: string | null, seed: number): number {
  let hash = (seed * 0x9e3779b1) >>> 0;
  for (const c of text ?? '') hash = Math.imul(hash ^ c.charCodeAt(0), 0x01000193) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
  return (hash ^ (hash >>> 13)) >>> 0;
}
