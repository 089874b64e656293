import { Command, Option } from 'commander';
import type { Depth } from '../../agents/determinations/panel/types.ts';
import { ASKED, evaluateLine } from '../../agents/evaluation/evaluate-line.ts';
import { StartError } from '../config/start-error.ts';
import { endsFailed } from './exit-codes.ts';
import { type LineStreams, linesOf, standardLines } from './json-lines.ts';
import { withProgress } from './progress.ts';

const EXAMPLES = `
Each line of evidence is one JSON object, in the form in which records keep it, or for shill and price in a plain form;
docs/verdicts.md describes them. A line that cannot be read gets { id, line, error: { field, message } } and no verdict,
and the exit code is then 1.

Examples:
  npm run -s handshake -- judge wallet --depth superconsensus < evidence.jsonl
      {"id":"case 1","verdict":"FLAGGED","confidence":99,"checks":[…],"votes":[…]}
  npm run -s handshake -- judge price --evidence prices.jsonl`;

/**
 * `judge <determination> [--depth <d>] [--evidence <file>]`: a verdict for each line of evidence, by the rules that the
 * service itself applies. Reads no chain, register or clock.
 */
export function judgeCommand(streams: LineStreams = standardLines): Command {
  return new Command('judge')
    .argument('<determination>', Object.keys(ASKED).join(', '))
    .description('Judge lines of evidence by the rules of the service, to measure it or to check it.')
    .addOption(
      new Option('--depth <depth>', "the panel; left out: the evidence's own, or 2-of-2").choices([
        ...['1-of-1', '2-of-2', 'superconsensus'],
      ]),
    )
    .option('--evidence <file>', 'the lines; left out: standard input')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .action(async (determination: string, options: { depth?: Depth; evidence?: string }) => {
      const id = Object.hasOwn(ASKED, determination) ? ASKED[determination] : undefined;
      if (id === undefined)
        throw new StartError(`"${determination}" is no determination: ${Object.keys(ASKED).join(', ')}.`);
      await withProgress('judging', async (say) => {
        for await (const [text, number] of linesOf(streams, options.evidence)) {
          const line = evaluateLine(id, text, number, options.depth);
          if ('error' in line) endsFailed();
          streams.write(`${JSON.stringify(line)}\n`);
          say(`judging: ${number} lines`);
        }
      });
    });
}
