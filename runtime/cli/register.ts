import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { type Refreshed, refreshList } from '../registers/refresh.ts';
import type { ListSource } from '../registers/settings.ts';
import { type ListStatus, registerStatus } from '../registers/status.ts';
import { StartError } from '../start-error.ts';
import { withDatabase } from './database.ts';

type Env = Readonly<Record<string, string | undefined>>;

export function registerCommand(env: Env): Command {
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
      if (all.length === 0) console.log('No list is held, and none is to be fetched.');
      for (const list of all) console.log(json === true ? JSON.stringify(list) : statusLine(list));
    });
  command
    .command('refresh [list]')
    .description('Fetch the lists of REGISTER_SOURCES now, or one of them, each whole or not at all.')
    .option('--accept-shrunk', 'also take a list that has lost more than half of its rows')
    .option('--json', 'one line of JSON for each list')
    .addHelpText(
      'after',
      `
Example:
  REGISTER_SOURCES="sanctions/ofac=ofac-sdn+https://…/SDN.XML" npm run -s handshake -- register refresh sanctions/ofac`,
    )
    .action(async (name: string | undefined, options: { json?: boolean; acceptShrunk?: boolean }) => {
      const config = readConfig(env);
      const sources = chosen(config.registers.sources, name);
      await withDatabase(config, async (db) => {
        for (const source of sources) {
          const done = await refreshList({ db, now: () => new Date() }, source, options);
          console.log(options.json === true ? JSON.stringify(done) : refreshedLine(done));
          if (!done.ok) process.exitCode = 1;
        }
      });
    });
  return command;
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

function statusLine({ list, rows, asOf, state, maxAgeDays, fault }: ListStatus): string {
  const held = asOf === null ? 'nothing held' : `${rows} rows as of ${asOf}`;
  return `${state.padEnd(8)} ${list}: ${held}, good for ${maxAgeDays} days${fault === null ? '' : `; ${fault}`}`;
}

function refreshedLine({ list, ok, rows, skipped, asOf, fault }: Refreshed): string {
  if (!ok) return `FAILED   ${list}: ${fault}; what was held stays`;
  return `fetched  ${list}: ${rows} rows as of ${asOf}${skipped > 0 ? `, ${skipped} of other kinds left out` : ''}`;
}
