import { open } from 'node:fs/promises';
import { Command } from 'commander';
import type { Database } from '../../../store/database.ts';
import { archivedMonths, dropArchived } from '../../../store/records/archive.ts';
import { readConfig } from '../../config/config.ts';
import { StartError } from '../../config/start-error.ts';
import { findRunning } from '../../embedded/running.ts';
import { archivedDocuments } from '../../records/archived-document.ts';
import { withDatabase } from '../database.ts';
import { withOperatorAct } from '../operator-act.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `record archive`: lists the months of the archive, writes one to a file, and takes it out. */
export function archiveCommand(env: Env): Command {
  return new Command('archive')
    .description(
      'List the months in the archive of records, or write one to a file whose records prove themselves.',
    )
    .argument('[month]', 'such as 2026-11; left out, the months are listed')
    .option('--to <file>', 'a new file: one record a line, as `record verify` reads it')
    .option('--take-out', 'then take the month out of the database: its records are served no more')
    .addHelpText(
      'after',
      `
A record moves to the archive RECORD_DAYS after it was filed, and is served from there as before. Taken out, its hash,
signature and place in its batch stay in the database, and what it says is in the file alone. A month of which records are
not in the archive yet, or come to it while it is written, is not taken out.

Examples:
  npm run -s handshake -- record archive
  npm run -s handshake -- record archive 2026-11 --to records-2026-11.jsonl --take-out
  npm run -s handshake -- record verify "records-2026-11.jsonl#rec_0123…" --rpc https://rpc.example --ledger 0x…`,
    )
    .action(async (month: string | undefined, options: { to?: string; takeOut?: true }) => {
      const config = readConfig(env);
      if (month === undefined) {
        const held = await withDatabase(config, archivedMonths);
        for (const one of held) console.log(JSON.stringify({ month: one }));
        if (held.length === 0) console.error('No month is in the archive.');
        return;
      }
      const { to } = options;
      if (to === undefined)
        throw new StartError('Give --to <file>: where the records of the month are written.');
      const home = findRunning(config.dataDir)?.chains['1002'];
      const ledger = home === undefined ? null : { chainId: 1002, contract: home.ledger };
      const write = async (db: Database) => {
        if (!(await archivedMonths(db)).includes(month))
          throw new StartError(`${month} is not in the archive.`);
        return await writeMonth(db, { month, to, ledger });
      };
      if (options.takeOut !== true) {
        const records = await withDatabase(config, write);
        return console.log(JSON.stringify({ month, records, file: to, takenOut: false }));
      }
      const act = { act: 'record archive', subject: month, detail: { file: to } };
      const records = await withOperatorAct(config, act, async (db) => {
        const written = await write(db);
        if (!(await dropArchived(db, month, written)))
          throw new StartError(
            `Records of ${month} are not in the archive yet, or came to it while it was written, so it was not taken out: write it to a new file later.`,
          );
        return written;
      });
      console.log(JSON.stringify({ month, records, file: to, takenOut: true }));
    });
}

/** Writes all records of a month, and has them on disk before it ends. @throws StartError where the file is there already */
async function writeMonth(
  db: Database,
  {
    month,
    to,
    ledger,
  }: {
    readonly month: string;
    readonly to: string;
    readonly ledger: Parameters<typeof archivedDocuments>[2];
  },
): Promise<number> {
  const file = await open(to, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new StartError(`${to} is there already: give a new file.`);
    throw error;
  });
  try {
    let written = 0;
    for await (const document of archivedDocuments(db, month, ledger)) {
      await file.write(`${JSON.stringify(document)}\n`);
      written += 1;
    }
    await file.sync();
    return written;
  } finally {
    await file.close();
  }
}
