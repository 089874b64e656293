import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { countOf } from '../../agents/figures.ts';
import { readable } from '../../agents/readable.ts';
import { findByName } from '../../store/registers/named-entries.ts';
import { readConfig } from '../config/config.ts';
import { StartError } from '../config/start-error.ts';
import { listInFile } from '../registers/fetch-list.ts';
import type { KindCounts } from '../registers/list-content.ts';
import { type Refreshed, refreshList } from '../registers/refresh.ts';
import { LIST_FORMATS, type ListSource, listNamed } from '../registers/settings.ts';
import { type ListStatus, registerStatus } from '../registers/status.ts';
import { withDatabase } from './database.ts';
import { endsFailed } from './exit-codes.ts';
import { withOperatorAct } from './operator-act.ts';
import { withProgress } from './progress.ts';

type Env = Readonly<Record<string, string | undefined>>;

const MOST_FOUND = 50;

/** @param print prints a line */
export function registerCommand(env: Env, print: (line: string) => void = console.log): Command {
  const command = new Command('register').description('The lists that determinations look things up on.');
  command
    .command('status')
    .description('Every list: how many rows, of when, and whether it is too old to say "not listed".')
    .option('--json', 'one line of JSON for each list')
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig(env);
      const all = await withDatabase(config, (db) =>
        registerStatus(db, config.registers.sources, new Date()),
      );
      if (all.length === 0) print('No list is held, and none is to be fetched.');
      for (const list of all) print(json === true ? JSON.stringify(list) : statusLine(list));
    });
  command
    .command('find <words...>')
    .description('The addresses of persons and companies whom the held lists name by all of these words.')
    .option('--json', 'one line of JSON for each entry: { list, key, name, detail }')
    .addHelpText(
      'after',
      `
It searches what is held: of OFAC's list those with an address of a chain that can be asked about. Nobody found means no
more than that.

Example:
  npm run -s handshake -- register find lazarus group`,
    )
    .action(async (words: string[], { json }: { json?: boolean }) => {
      const asked = words.flatMap((word) => word.split(/\s+/)).filter((word) => word !== '');
      const found = await withDatabase(readConfig(env), (db) => findByName(db, asked, MOST_FOUND));
      if (found.length === 0 && json !== true) print(`No held list names anybody by "${asked.join(' ')}".`);
      for (const entry of found)
        print(
          json === true
            ? JSON.stringify(entry)
            : `${entry.key}  ${readable(entry.name, 120)} (${entry.list})`,
        );
      if (found.length === MOST_FOUND && json !== true) print(`The first ${MOST_FOUND}; there may be more.`);
    });
  command
    .command('refresh [list]')
    .description('Fetch the lists of REGISTER_SOURCES now, or one of them, each whole or not at all.')
    .option('--accept-shrunk', 'also take a list that has lost more of its rows than it may')
    .option('--complete-as-of <date>', 'as of when you vouch for it, where it carries no date of its own')
    .option('--json', 'one line of JSON for each list')
    .addHelpText(
      'after',
      `
Example:
  REGISTER_SOURCES="sanctions/ofac=ofac-sdn+https://…/SDN.XML" npm run -s handshake -- register refresh sanctions/ofac`,
    )
    .action(async (name: string | undefined, options: RefreshOptions) => {
      const config = readConfig(env);
      const sources = chosen(config.registers.sources, name);
      await withOperatorAct(
        config,
        { act: 'register refresh', subject: name ?? null, detail: { ...vouching(options) } },
        async (db) => {
          for (const source of sources) {
            const done = await withProgress(`fetching ${source.register}/${source.name}`, () =>
              refreshList({ db, now: () => new Date() }, source, vouched(options)),
            );
            print(options.json === true ? JSON.stringify(done) : refreshedLine(done));
            if (!done.ok) endsFailed();
          }
        },
      );
    });
  command
    .command('import <list> <file>')
    .description('Take a list from a file in the place of what is held under its name, whole or not at all.')
    .requiredOption('--format <format>', LIST_FORMATS.join(', '))
    .option('--complete-as-of <date>', 'as of when you vouch for it, where it carries no date of its own')
    .option('--minimum <rows>', 'with fewer rows it is not taken; by register when left out')
    .option('--largest-shrink <percent>', 'of its rows that it may have lost; 50 when left out')
    .option('--accept-shrunk', 'also take a list that has lost more of its rows than it may')
    .option('--json', 'one line of JSON')
    .addHelpText(
      'after',
      `
Example:
  npm run -s handshake -- register import sanctions/ofac SDN.XML --format ofac-sdn`,
    )
    .action(async (list: string, file: string, options: ImportOptions) => {
      const source = listNamed(list, options.format);
      if (source === null)
        throw new StartError(
          `"${list}" as ${options.format} is none: name a register and a list, such as sanctions/ofac, in one of ${LIST_FORMATS.join(', ')}.`,
        );
      if (!existsSync(file)) throw new StartError(`There is no file "${file}".`);
      const declared = {
        ...numberIn('minimum', options.minimum, 999_999_999),
        ...numberIn('largestShrink', options.largestShrink, 100),
      };
      const logged = {
        act: 'register import',
        subject: list,
        detail: { file, format: options.format, ...vouching(options) },
      };
      await withOperatorAct(readConfig(env), logged, async (db, by) => {
        const body = createHash('sha256');
        const deps = {
          ...{ db, now: () => new Date() },
          fetchList: (s: ListSource) => listInFile(s, file, body),
          act: () => ({
            ...{ by, act: 'list taken', subject: list },
            detail: { file, body: body.digest('hex') },
          }),
        };
        const done = await withProgress(`importing ${list}`, () =>
          refreshList(deps, { ...source, ...declared, url: '' }, { ...vouched(options), byHand: true }),
        );
        print(options.json === true ? JSON.stringify(done) : refreshedLine(done, 'imported'));
        if (!done.ok) endsFailed();
      });
    });
  return command;
}

interface RefreshOptions {
  readonly completeAsOf?: string;
  readonly acceptShrunk?: boolean;
  readonly json?: boolean;
}

interface ImportOptions extends RefreshOptions {
  readonly format: string;
  readonly minimum?: string;
  readonly largestShrink?: string;
}

/** What whoever imports vouches for, as the operators' log keeps it. */
function vouching({ completeAsOf, acceptShrunk = false }: RefreshOptions) {
  return { completeAsOf: completeAsOf ?? null, acceptShrunk };
}

/** @throws StartError for a date that is malformed or in the future */
function vouched({ completeAsOf: given, acceptShrunk }: RefreshOptions): {
  completeAsOf?: Date;
  acceptShrunk?: boolean;
} {
  const accept = acceptShrunk === undefined ? {} : { acceptShrunk };
  if (given === undefined) return accept;
  const completeAsOf = new Date(given);
  if (!(completeAsOf.getTime() <= Date.now()))
    throw new StartError(`--complete-as-of "${given}" is no day up to now: write it such as 2026-11-18.`);
  return { ...accept, completeAsOf };
}

/** @throws StartError when the text is not a whole number up to `most` */
function numberIn(name: string, text: string | undefined, most: number): Record<string, number> {
  if (text === undefined) return {};
  if (!/^\d{1,9}$/.test(text) || Number(text) > most)
    throw new StartError(`"${text}" is no whole number up to ${most}.`);
  return { [name]: Number(text) };
}

/** @throws StartError when there is nothing to fetch */
function chosen(sources: readonly ListSource[], name: string | undefined): readonly ListSource[] {
  if (sources.length === 0)
    throw new StartError('REGISTER_SOURCES names no list: set it to what is to be fetched.');
  const found = sources.filter((s) => name === undefined || `${s.register}/${s.name}` === name);
  if (found.length > 0) return found;
  const known = sources.map((s) => `${s.register}/${s.name}`).join(', ');
  throw new StartError(`REGISTER_SOURCES names no list "${name}": it names ${known}.`);
}

function statusLine({ list, rows, asOf, state, synthetic, maxAgeDays, fault }: ListStatus): string {
  const dated = asOf === null ? 'of no date' : `as of ${asOf}`;
  const held =
    state === 'missing'
      ? 'nothing held'
      : `${countOf(rows, 'row')} ${dated}${synthetic ? ', synthetic' : ''}`;
  return `${state.padEnd(8)} ${list}: ${held}, good for ${maxAgeDays} days${fault === null ? '' : `; ${fault}`}`;
}

function refreshedLine(
  { list, ok, rows, kept, left, asOf, fault }: Refreshed,
  how: 'fetched' | 'imported' = 'fetched',
): string {
  if (!ok) return `FAILED   ${list}: ${fault}; what was held stays`;
  const parts = [
    `${how.padEnd(8)} ${list}: ${countOf(rows, 'row')} ${asOf === null ? 'of no date: they cannot say "not listed"' : `as of ${asOf}`}`,
  ];
  if (Object.keys(kept).length > 0) parts.push(`kept ${counted(kept)}`);
  if (Object.keys(left).length > 0)
    parts.push(`left out, since nobody is asked about these here: ${counted(left)}`);
  return parts.join('; ');
}

function counted(kinds: KindCounts): string {
  return Object.entries(kinds)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}
