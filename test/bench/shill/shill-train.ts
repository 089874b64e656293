import { readFileSync } from 'node:fs';
import { readBids } from '../../../agents/determinations/shill/shill-bids.ts';
import { crossValidate, GROWTH, growTree, rulesOf } from './shill-tree.ts';

/**
 * `npm run train:shill -- <csv>`: grows the tree behind `agents/determinations/shill/shill-model.ts` from labelled bids and
 * prints its rules, and how trees of this kind do on bidders they never saw. It writes nothing.
 */
const path = process.argv[2];
if (path === undefined) {
  console.error('Give the path of a csv with labels: npm run train:shill -- bids.csv');
  process.exitCode = 2;
} else {
  const rows = readBids(readFileSync(path, 'utf8'));
  const { rules, rest } = rulesOf(growTree(rows));
  console.log(`${rows.length} bids; ${JSON.stringify(GROWTH)}`);
  for (const rule of rules) {
    console.log(
      `shill when ${rule.when.map((c) => c.join(' ')).join(' and ')}: met ${rule.met.join(' and ')}`,
    );
  }
  console.log(`otherwise not: met ${rest.join(' and ')}`);
  for (let seed = 1; seed <= 5; seed++) {
    const f = crossValidate(rows, 5, seed);
    const shown = [f.precision, f.recall, f.f1, f.falsePositiveRate].map((v) => v?.toFixed(4)).join(' ');
    console.log(`5 folds by bidder, seed ${seed}: precision, recall, F1, false positives ${shown}`);
  }
}
