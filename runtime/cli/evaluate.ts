import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { type BidRow, readBids } from '../../agents/determinations/shill/shill-bids.ts';
import {
  type BidFigures,
  type BidScore,
  figuresOf,
  scoreBid,
} from '../../agents/determinations/shill/shill-model.ts';
import { StartError } from '../config/start-error.ts';

interface Scored extends BidScore {
  readonly row: BidRow;
}

const EXAMPLES = `
The file has a header line, a line for each bid of one bidder in one auction, and the columns Bidder_Tendency,
Bidding_Ratio, Successive_Outbidding, Last_Bidding, Auction_Bids, Starting_Price_Average, Early_Bidding,
Winning_Ratio (0 to 1) and Auction_Duration (days). Class (1 shill, 0 normal) is the label; Record_ID names the bid.

Examples:
  npm run -s handshake -- evaluate shill bids.csv
      precision 0.98, recall 0.99 …: how the rules do on bids whose label is known
  npm run -s handshake -- evaluate shill bids.csv --json
      {"n":4105,"precision":0.9977…,"recall":0.9864…,"f1":0.9920…,"falsePositiveRate":0.0002…}
  npm run -s handshake -- evaluate shill unlabelled.csv
      without the column Class: each bid's score and the rule that holds of it

The score names bids worth a look. A determination weighs the same model beside where, how often and with whose money
somebody bids (npm run -s handshake -- judge shill); alone it decides nothing there.`;

/**
 * `evaluate shill <csv> [--json]`: scores bids with the rules of `shill-model.ts`. Prints how accurate the scores are
 * when the bids are labelled, otherwise only the scores.
 * @param write prints a line; tests pass their own
 */
export function evaluateCommand(
  write: (line: string) => unknown = (line) => process.stdout.write(line),
): Command {
  const command = new Command('evaluate')
    .description('Measure the models of this project on data of yours.')
    .addHelpText('after', EXAMPLES);
  command
    .command('shill <csv>')
    .description(
      'Score bids in the layout of the UCI Shill Bidding data, and measure the scores by its labels.',
    )
    .option('--json', 'one line of JSON: { n, precision, recall, f1, falsePositiveRate }')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .action((csv: string, options: { json?: boolean }) => {
      const scored = bidsOf(csv).map((row) => ({ row, ...scoreBid(row.features) }));
      const labelled = scored.every(({ row }) => row.shill !== null);
      const json = options.json === true;
      if (!labelled) write(json ? `${JSON.stringify(unlabelled(scored))}\n` : scoreLines(scored));
      else {
        const figures = figuresOf(scored.map((s) => ({ guess: s.shill, truth: s.row.shill === true })));
        write(json ? `${JSON.stringify(figures)}\n` : figureLines(figures, scored));
      }
    });
  return command;
}

/** @throws StartError when there is no such file, or with line, column and remedy for what cannot be read in it */
function bidsOf(csv: string): BidRow[] {
  let text: string;
  try {
    text = readFileSync(csv, 'utf8');
  } catch (error) {
    throw new StartError(`${csv} cannot be read: ${(error as Error).message}.`);
  }
  try {
    return readBids(text);
  } catch (error) {
    throw new StartError(`${csv}, ${(error as Error).message}.`);
  }
}

function unlabelled(scored: readonly Scored[]): object {
  return {
    n: scored.length,
    scores: scored.map(({ row, shill, score, rule }) => ({
      record: row.record,
      shill,
      score: rounded(score),
      rule: rule?.name ?? null,
    })),
  };
}

function scoreLines(scored: readonly Scored[]): string {
  const lines = scored.map(
    ({ row, score, rule }) =>
      `${row.record}\t${rounded(score)}\t${rule === null ? '-' : `${rule.name}: ${rule.says}`}`,
  );
  const flagged = scored.filter((s) => s.shill).length;
  return [
    'record\tscore\trule',
    ...lines,
    `${flagged} of ${scored.length} bids meet a rule. The file has no column Class, so nothing can be measured.\n`,
  ].join('\n');
}

function figureLines(figures: BidFigures, scored: readonly Scored[]): string {
  const shown = (value: number | null): string => (value === null ? 'not defined' : value.toFixed(4));
  const met = new Map<string, number>();
  for (const { rule } of scored) if (rule !== null) met.set(rule.name, (met.get(rule.name) ?? 0) + 1);
  return [
    `bids                 ${figures.n}`,
    `precision            ${shown(figures.precision)}`,
    `recall               ${shown(figures.recall)}`,
    `F1                   ${shown(figures.f1)}`,
    `false-positive rate  ${shown(figures.falsePositiveRate)}`,
    ...[...met].map(([name, count]) => `${name}: ${count} bids`),
    '',
  ].join('\n');
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}
