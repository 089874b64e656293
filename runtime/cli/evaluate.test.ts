import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { featuresOf, patternWeights } from '../../agents/determinations/shill/bid-patterns.ts';
import { evaluateCommand } from './evaluate.ts';

const HEADER =
  'Record_ID,Auction_ID,Bidder_ID,Bidder_Tendency,Bidding_Ratio,Successive_Outbidding,Last_Bidding,Auction_Bids,Starting_Price_Average,Early_Bidding,Winning_Ratio,Auction_Duration,Class';
const SHILL = '7,1,s***1,0.5,0.4,1,0.9,0.2,0.9,0.6,0.9,7,1';
const HONEST = '8,1,h***1,0.1,0.1,0,0.2,0.2,0,0.1,0.3,7,0';

const folder = mkdtempSync(join(tmpdir(), 'evaluate-'));
let files = 0;
const file = (...lines: string[]): string => {
  const path = join(folder, `${++files}.csv`);
  writeFileSync(path, lines.join('\n'));
  return path;
};

async function evaluate(...args: string[]): Promise<string> {
  let out = '';
  await evaluateCommand((line) => (out += line)).parseAsync(['shill', ...args], { from: 'user' });
  return out;
}

describe('evaluate shill', () => {
  it('prints precision, recall, F1 and false positives against the labels, and one line of JSON', async () => {
    const lines = [HEADER, SHILL, SHILL, HONEST, HONEST, HONEST];
    const missed = HONEST.replace(/0$/, '1');
    const wronged = SHILL.replace(/1$/, '0');
    const path = file(...lines, missed, missed, wronged, '');
    expect(JSON.parse(await evaluate(path, '--json'))).toEqual({
      n: 8,
      precision: 2 / 3,
      recall: 0.5,
      f1: 4 / 7,
      falsePositiveRate: 0.25,
    });
    expect(await evaluate(path)).toMatch(
      /^bids +8\nprecision +0\.6667\nrecall +0\.5000\nF1 +0\.5714\nfalse-positive rate +0\.2500\nalways-outbids-itself: 3 bids\n$/,
    );
  });

  it('claims no precision where nothing was guessed', async () => {
    const figures = JSON.parse(await evaluate(file(HEADER, HONEST), '--json'));
    expect(figures).toEqual({ n: 1, precision: null, recall: null, f1: null, falsePositiveRate: 0 });
  });

  it('prints each score and its rule where the file has no labels', async () => {
    const bare = [HEADER, SHILL, HONEST].map((line) => line.slice(0, line.lastIndexOf(',')));
    const path = file(...bare);
    expect(await evaluate(path)).toMatch(
      /^record\tscore\trule\n7\t0\.99\d+\talways-outbids-itself: .+\n8\t0\.00\d+\t-\n1 of 2/,
    );
    expect(JSON.parse(await evaluate(path, '--json')).scores).toMatchObject([
      { record: '7', shill: true, rule: 'always-outbids-itself' },
      { record: '8', shill: false, rule: null },
    ]);
  });

  it('reads columns in any order, a byte order mark, quotes and line ends of both kinds', async () => {
    const turned = [HEADER, SHILL].map((line) => line.split(',').reverse());
    turned[1]![10] = '"s,""1"';
    const path = file(`\uFEFF${turned.map((cells) => cells.join(',')).join('\r\n')}\r\n`);
    expect(JSON.parse(await evaluate(path, '--json'))).toMatchObject({ n: 1, precision: 1, recall: 1 });
  });

  it.each<[string, string[], RegExp]>([
    ['a column is missing', ['Record_ID,Class', '1,0'], /line 1: column Bidder_Tendency, .*give a header/],
    ['a column stands twice', [`${HEADER},Class`, `${SHILL},1`], /line 1: column Class stands twice/],
    [
      'a value is no number',
      [HEADER, HONEST, SHILL.replace('0.4', 'much')],
      /line 3, column Bidding_Ratio: "much".*correct it/,
    ],
    ['a value is missing', [HEADER, SHILL.replace('0.4', '')], /line 2, column Bidding_Ratio: ""/],
    [
      'a share is above one',
      [HEADER, SHILL.replace('0.9,7', '1.9,7')],
      /line 2, column Winning_Ratio: "1.9".*from 0 to 1/,
    ],
    [
      'a label is neither',
      [HEADER, SHILL.replace(/1$/, '2')],
      /line 2, column Class: "2".*leave the whole column out/,
    ],
    ['a line is short', [HEADER, '1,2,3'], /line 2: has 3 columns where the header has 13/],
    ['a quote does not end', [HEADER, `"${SHILL}`], /line 2, column 1: a quote does not end/],
    ['there is no bid', [HEADER, ''], /line 2: there is no bid/],
  ])('names line, column and remedy when %s', async (_, lines, message) => {
    await expect(evaluate(file(...lines))).rejects.toThrow(message);
  });

  it('scores a bid as the determination does, which weighs the same model', async () => {
    const week = { lot: 'a', minutes: 10_080, winner: 'ben', priceToAsk: null };
    const bids = ['ann', 'ben', 'ann', 'ann', 'ann'].map((bidder, i) => ({
      ...{ bidder, minute: 100 * i, amount: null },
    }));
    const lots = Array.from({ length: 6 }, (_, n) => ({ ...week, lot: `lot-${n}`, bids }));
    const rows = ['ann', 'ben'].map((bidder, i) => {
      const features = featuresOf(bidder, lots[0]!, { on: lots, lotsOf: {} });
      const names = HEADER.split(',').slice(3, -1) as (keyof typeof features)[];
      return [i, 1, bidder, ...names.map((name) => features[name])].join(',');
    });
    const bare = HEADER.slice(0, HEADER.lastIndexOf(','));
    const { scores } = JSON.parse(await evaluate(file(bare, ...rows), '--json'));
    expect(scores.map((s: { shill: boolean }) => s.shill)).toEqual([true, false]);
    const weigh = patternWeights({ lots, lotsOf: {} });
    expect([weigh('ann') > 0, weigh('ben') > 0]).toEqual([true, false]);
  });

  it('says which file cannot be read', async () => {
    await expect(evaluate(join(folder, 'none.csv'))).rejects.toThrow(/none\.csv cannot be read/);
  });
});
