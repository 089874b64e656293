import { Command } from 'commander';
import type { Database } from '../../store/database.ts';
import { dropParked, findParked, listParked, type Parked, redrive } from '../../store/parked.ts';
import { readConfig } from '../config.ts';
import { carried } from '../telemetry/scope.ts';
import { withDatabase } from './database.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `parked`: what was given up after its tries, and what a person decides on it. */
export function parkedCommand(env: Env): Command {
  const over = (work: (db: Database) => Promise<void>): Promise<void> => withDatabase(readConfig(env), work);
  const parked = new Command('parked')
    .description(
      'Events and effects that were given up after their tries: look at them, let them go again, drop them.',
    )
    .addHelpText(
      'after',
      `
Where the service runs is read from DATABASE_URL, or found in DATA_DIR.

Examples:
  npm run -s handshake -- parked list
  npm run -s handshake -- parked redrive event-12    after the cause is mended`,
    );
  parked
    .command('list')
    .description('Print what is parked, the oldest first, with the reason.')
    .option('--json', 'as JSON')
    .action(({ json }: { json?: boolean }) =>
      over(async (db) => {
        const list = await listParked(db);
        if (json) return console.log(JSON.stringify(list, null, 2));
        if (list.length === 0) console.log('Nothing is parked.');
        for (const p of list) console.log(`${p.id.padEnd(12)} ${p.since.toISOString()}  ${line(p)}`);
      }),
    );
  parked
    .command('show <id>')
    .description('Print one of them whole, as JSON.')
    .action((id: string) => over(async (db) => console.log(JSON.stringify(await required(db, id), null, 2))));
  parked
    .command('redrive <id>')
    .description('Let it go again: an event behind all that waits, an effect from its first try.')
    .action((id: string) =>
      over(async (db) => {
        const it = await required(db, id);
        if (!(await redrive(db, id, new Date())))
          throw new Error(
            id.startsWith('effect')
              ? `${it.actorId} was told that ${it.kind} failed and went on from there: what it decided stands. Drop it instead.`
              : `${id} is not parked any more.`,
          );
        console.log(`${id} goes again: ${line(it)}`);
      }),
    );
  parked
    .command('drop <id>')
    .description('Leave it as it is for good: nothing comes of it any more.')
    .action((id: string) =>
      over(async (db) => {
        const it = await required(db, id);
        if (!(await dropParked(db, id, new Date()))) throw new Error(`${id} is not parked any more.`);
        console.log(`${id} is dropped: ${line(it)}`);
      }),
    );
  return parked;
}

function line({ actorId, kind, name, reason }: Parked): string {
  return `${actorId}  ${kind} (${name}): ${reason ?? 'no reason was kept'}`;
}

async function required(db: Database, id: string): Promise<Parked> {
  const found = await findParked(db, id);
  if (!found) throw new Error(`Nothing is parked under ${id}: "parked list" shows what is.`);
  return { ...found, content: carried(found.content).json };
}
