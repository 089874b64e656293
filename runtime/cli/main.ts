import { CommanderError } from 'commander';
import { messageOf } from '../config/start-error.ts';
import { VERSION } from '../config/version.ts';
import { commandLoaders, programOf } from './commands.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { commandNamed, helpAsked, readHelp } from './help.ts';
import { nearest } from './nearest.ts';
import type { Starters } from './starters.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Errors of this name are somebody's to mend before anything can be done. */
const USAGE = ['ConfigError', 'StartError'];

/**
 * Runs the command that `argv` names and sets the exit code, one of {@link EXIT_CODES}.
 * @param argv as `process.argv`
 */
export async function runCommandLine(argv: readonly string[], env: Env, starters: Starters): Promise<void> {
  const words = argv.slice(2);
  const [name] = words;
  if (name === '--version' || name === '-V') return console.log(VERSION);
  const table = readHelp();
  const asked = helpAsked(words, table);
  if (asked !== null) return void process.stdout.write(table[asked]!.text);
  const loaders = commandLoaders(env, starters);
  const load = Object.hasOwn(loaders, name ?? '') ? loaders[name!] : undefined;
  const isJson = words.includes('--json');
  if (load === undefined) {
    process.exitCode = EXIT_CODES.usage.code;
    if (name === undefined) return void process.stderr.write(table['']!.text);
    return tell(unknown(name, Object.keys(loaders)), isJson);
  }
  try {
    await (await programOf([load])).parseAsync([...argv]);
  } catch (error) {
    process.exitCode = codeOf(error);
    // The help of a command without one of those under it is told already.
    if (error instanceof CommanderError && error.code.startsWith('commander.help')) return;
    tell(
      error instanceof CommanderError ? misused(error, commandNamed(words, table)) : messageOf(error),
      isJson,
    );
    if (env.LOG_LEVEL === 'debug') console.error(error);
  }
}

function tell(message: string, isJson: boolean): void {
  const told = { error: { message, exitCode: process.exitCode } };
  console.error(isJson ? JSON.stringify(told) : message);
}

/** What was wrong with the words of a call, and where it is said how they go. */
function misused({ message }: CommanderError, command: string): string {
  const said = message.replace(/^error: /, '').trim();
  const sentence = `${said.charAt(0).toUpperCase()}${said.slice(1)}`.replace(/(?<![.?)])$/, '.');
  return `${sentence} "${command === '' ? '' : `${command} `}--help" says how it is called.`;
}

function codeOf(error: unknown): number {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? EXIT_CODES.done.code : EXIT_CODES.usage.code;
  const isUsage =
    (error instanceof Error && USAGE.includes(error.name)) ||
    // A field that an act of the API refuses; told by its shape, for help must not load the API's errors.
    (error instanceof Error && error.name === 'AppError' && 'status' in error && error.status === 400);
  return isUsage ? EXIT_CODES.usage.code : EXIT_CODES.failed.code;
}

function unknown(name: string, names: readonly string[]): string {
  const like = nearest(name, names);
  const hint = like === null ? '"--help" names them all.' : `Did you mean "${like}"?`;
  return `There is no command "${name}". ${hint}`;
}
