import { CommanderError } from 'commander';
import { VERSION } from '../config/version.ts';
import { commandLoaders, programOf } from './commands.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { helpAsked, readHelp } from './help.ts';
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
  if (load === undefined) {
    process.stderr.write(name === undefined ? table['']!.text : unknown(name, Object.keys(loaders)));
    process.exitCode = EXIT_CODES.usage.code;
    return;
  }
  try {
    await (await programOf([load])).parseAsync([...argv]);
  } catch (error) {
    process.exitCode = codeOf(error);
    if (error instanceof CommanderError) return;
    const message = error instanceof Error ? error.message : String(error);
    const isJson = words.includes('--json');
    console.error(isJson ? JSON.stringify({ error: { message, exitCode: process.exitCode } }) : message);
    if (env.LOG_LEVEL === 'debug') console.error(error);
  }
}

function codeOf(error: unknown): number {
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? EXIT_CODES.done.code : EXIT_CODES.usage.code;
  const isUsage = error instanceof Error && USAGE.includes(error.name);
  return isUsage ? EXIT_CODES.usage.code : EXIT_CODES.failed.code;
}

function unknown(name: string, names: readonly string[]): string {
  const like = nearest(name, names);
  const hint = like === null ? '"--help" names them all.' : `Did you mean "${like}"?`;
  return `There is no command "${name}". ${hint}\n`;
}
