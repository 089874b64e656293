import { Command, InvalidArgumentError } from 'commander';
import { readMandate } from '../../agents/mandate/grammar/read.ts';
import { MAX_MANDATE_CHARACTERS } from '../../agents/mandate/screening/screening.ts';
import type { Refusal } from '../../agents/mandate/terms/schema.ts';
import { readConfig } from '../config/config.ts';
import { openModels } from '../determinations/models/open-models.ts';

/** The command's input and output; tests pass their own. */
export interface MandateStreams {
  readonly input: AsyncIterable<string | Uint8Array>;
  readonly write: (line: string) => unknown;
}

const standard: MandateStreams = {
  input: process.stdin,
  write: (line) => process.stdout.write(line),
};

const EXAMPLES = `
Examples:
  $ echo "Buy concert tickets, max 150 USDC per deal, for 7 days." | npm run -s handshake -- mandate parse --ref-date 2026-12-01T00:00:00Z
  {"decision":"ACCEPT","mandate":{"side":"buy","currency":"USDC","cap_per_deal":"150", ...}}

  $ echo "Spend up to 500 USDC per deal on travel until 04/05/2027." | npm run -s handshake -- mandate parse --ref-date 2026-12-01T00:00:00Z
  {"decision":"REFUSE","reason":"AMBIGUOUS_DATE","question":"Is 04/05/2027 the 4th of May or the 5th of April?"}

A text that is read and a text that is refused both end with exit code 0; wrong usage ends with 2.`;

/**
 * `mandate parse --ref-date <iso>`: reads one mandate in plain English from standard input and prints one line of JSON,
 * `{ decision, mandate? , reason?, question? }`. With a configured language model it adds `suggestion`, a wording that
 * the model proposes and that was checked clause by clause. Both decisions leave exit code 0. Bad usage throws
 * commander's error, which the main command turns into exit code 2.
 */
export function mandateCommand(
  streams: MandateStreams = standard,
  env: Readonly<Record<string, string | undefined>> = {},
): Command {
  const command = new Command('mandate')
    .description('Read mandates in plain English.')
    .addHelpText('after', EXAMPLES)
    .exitOverride();
  command
    .command('parse')
    .description(
      'Read one mandate on standard input and print what it says, or what it leaves open, as JSON.',
    )
    .option('--ref-date <iso>', 'the moment relative dates count from, ISO 8601 (default: now)', isoDate)
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .action(async (options: { refDate?: string }) => {
      const text = await readAll(streams.input);
      const ref = options.refDate ?? new Date().toISOString();
      const reading = readMandate(text, ref);
      const line =
        reading.decision === 'ACCEPT'
          ? reading
          : {
              decision: reading.decision,
              ...reading.questions[0],
              ...(UNASKED.includes(reading.questions[0].reason) ? {} : await suggestionFor(env, text, ref)),
            };
      streams.write(`${JSON.stringify(line)}\n`);
    });
  return command;
}

/** Refusals that are not put to a model: an attack on the reader, and a text that takes too long to read. */
const UNASKED: readonly Refusal[] = ['INJECTION_SUSPECTED', 'TOO_HARD'];

/** The wording that a model proposes to send instead, when a model is configured. */
async function suggestionFor(
  env: Readonly<Record<string, string | undefined>>,
  text: string,
  ref: string,
): Promise<object> {
  const { restater } = await openModels(readConfig(env).reasoning);
  const restated = await restater?.restate(text, new Date(ref).toISOString());
  return restated && restater ? { suggestion: { ...restated, by: restater.by } } : {};
}

function isoDate(value: string): string {
  if (
    !/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(value) ||
    Number.isNaN(Date.parse(value))
  )
    throw new InvalidArgumentError('It must be an ISO 8601 date and time such as 2026-12-01T00:00:00Z.');
  return value;
}

/** Reads all input; of a text that is too long, only as much as shows that. */
async function readAll(input: AsyncIterable<string | Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > MAX_MANDATE_CHARACTERS + LINE_END) return text;
  }
  return (text + decoder.decode()).replace(/\r?\n$/, '');
}

const LINE_END = 2;
