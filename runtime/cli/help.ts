import { readFileSync } from 'node:fs';
import type { Command } from 'commander';

/** What is known of a command without loading it. */
export interface CommandHelp {
  readonly text: string;
  /** Names of the commands under it. */
  readonly commands: readonly string[];
  /** Its long options, with the values that they take where those are few. */
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** By the words that call the command, such as `register import`; `''` is the program. */
export type HelpTable = Readonly<Record<string, CommandHelp>>;

export const HELP_FILE = new URL('help.json', import.meta.url);
/** How wide help is, wherever it is read. */
export const COLUMNS = 100;

/**
 * The help of every command, as `npm run docs` wrote it down. A command with all that it works with takes over a second
 * to load, and help has no need of it.
 */
export function readHelp(): HelpTable {
  return JSON.parse(readFileSync(HELP_FILE, 'utf8')) as HelpTable;
}

/** The help of a command and of all under it, from the commands themselves. */
export function helpOf(command: Command, path: readonly string[] = []): HelpTable {
  command.configureHelp({ helpWidth: COLUMNS });
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  const options = command.options.map((o) => [o.long!, o.argChoices ?? []] as const);
  const own: CommandHelp = {
    text,
    commands: command.commands.map((c) => c.name()),
    options: Object.fromEntries(options),
  };
  const children = command.commands.map((c) => helpOf(c, [...path, c.name()]));
  return Object.assign({ [path.join(' ')]: own }, ...children);
}

/** The words of a command whose help is asked for; null when none is. */
export function helpAsked(words: readonly string[], table: HelpTable): string | null {
  const end = words.indexOf('--');
  const given = end < 0 ? words : words.slice(0, end);
  const [first, ...rest] = given;
  if (first === 'help') return commandNamed(rest, table);
  return given.some((word) => word === '--help' || word === '-h') ? commandNamed(given, table) : null;
}

/** The command that these words call, by its own words; `''` for the program. */
export function commandNamed(words: readonly string[], table: HelpTable): string {
  let found = '';
  for (const word of words) {
    const next = found === '' ? word : `${found} ${word}`;
    if (!Object.hasOwn(table, next)) return found;
    found = next;
  }
  return found;
}
