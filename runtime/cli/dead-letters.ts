import { Command } from 'commander';
import type { Database } from '../../store/database.ts';
import {
  type DeadLetter,
  dropDeadLetter,
  findDeadLetter,
  listDeadLetters,
} from '../../store/durable/dead-letters.ts';
import { deliverDespiteDrop } from '../../store/webhooks/webhook-deliveries.ts';
import { readConfig } from '../config/config.ts';
import { StartError } from '../config/start-error.ts';
import { redriveDeadLetter } from '../durable/jobs/redrive.ts';
import { MACHINES_BY_KIND } from '../machines.ts';
import { carried } from '../telemetry/scope.ts';
import { withDatabase } from './database.ts';
import { withOperatorAct } from './operator-act.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `dead-letters`: lists what was given up after its tries, and takes a person's decision on it. */
export function deadLettersCommand(env: Env): Command {
  const over = (work: (db: Database) => Promise<void>): Promise<void> => withDatabase(readConfig(env), work);
  const doing = (act: string, subject: string, work: (db: Database) => Promise<void>): Promise<void> =>
    withOperatorAct(readConfig(env), { act: `dead-letters ${act}`, subject }, work);
  const deadLetters = new Command('dead-letters')
    .description(
      'Events and effects that were given up after their tries: look at them, let them go again, drop them.',
    )
    .addHelpText(
      'after',
      `
Where the service runs is read from DATABASE_URL, or found in DATA_DIR.

Examples:
  npm run -s handshake -- dead-letters list
  npm run -s handshake -- dead-letters redrive event-12    after the cause is mended`,
    );
  deadLetters
    .command('list')
    .description('Print the dead letters, the oldest first, with the reason.')
    .option('--json', 'as JSON')
    .action(({ json }: { json?: boolean }) =>
      over(async (db) => {
        const list = await listDeadLetters(db);
        if (json) return console.log(JSON.stringify(list, null, 2));
        if (list.length === 0) console.log('There are no dead letters.');
        for (const p of list) console.log(`${p.id.padEnd(12)} ${p.since.toISOString()}  ${line(p)}`);
      }),
    );
  deadLetters
    .command('show <id>')
    .description('Print one of them whole, as JSON.')
    .action((id: string) => over(async (db) => console.log(JSON.stringify(await required(db, id), null, 2))));
  deadLetters
    .command('redrive <id>')
    .description('Let it go again: an event behind all that waits, an effect from its first try.')
    .option('--json', 'as JSON')
    .action((id: string, { json }: { json?: boolean }) =>
      doing('redrive', id, async (db) => {
        const it = await required(db, id);
        if (!(await redriveDeadLetter(db, MACHINES_BY_KIND, id, new Date())))
          throw new Error(
            id.startsWith('effect')
              ? `${it.actorId} was told that ${it.kind} failed and went on from there: what it decided stands. Drop it instead.`
              : `${id} is no dead letter any more.`,
          );
        if (json) return console.log(JSON.stringify({ ...it, redriven: true }));
        console.log(`${id} goes again: ${line(it)}`);
      }),
    );
  deadLetters
    .command('drop <id>')
    .description('Nothing comes of it any more; a job of the service runs again at its usual time.')
    .option('--json', 'as JSON')
    .action((id: string, { json }: { json?: boolean }) =>
      doing('drop', id, async (db) => {
        const it = await required(db, id);
        await db.transaction().execute(async (trx) => {
          const now = new Date();
          if (!(await dropDeadLetter(trx, id, now))) throw new Error(`${id} is no dead letter any more.`);
          if (it.actorId === null) await deliverDespiteDrop(trx, it.name, now);
        });
        if (json) return console.log(JSON.stringify({ ...it, dropped: true }));
        console.log(`${id} is dropped: ${line(it)}`);
      }),
    );
  return deadLetters;
}

function line({ actorId, kind, name, reason }: DeadLetter): string {
  return `${actorId ?? 'the service'}  ${kind} (${name}): ${reason ?? 'no reason was kept'}`;
}

async function required(db: Database, id: string): Promise<DeadLetter> {
  const found = await findDeadLetter(db, id);
  if (!found) throw new StartError(`No dead letter is ${id}: "dead-letters list" shows what is.`);
  return { ...found, content: carried(found.content).json };
}
