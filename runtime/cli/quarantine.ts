import { Command } from 'commander';
import type { Database } from '../../store/database.ts';
import {
  dropQuarantined,
  findQuarantined,
  listQuarantine,
  retryQuarantined,
  type SetAside,
} from '../../store/durable/quarantine.ts';
import { deliverDespiteDrop } from '../../store/webhooks/webhook-deliveries.ts';
import { readConfig } from '../config/config.ts';
import { StartError } from '../config/start-error.ts';
import { withDatabase } from './database.ts';
import { withOperatorAct } from './operator-act.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `quarantine`: lists what periodic tasks set aside because it failed, and takes a person's decision on it. */
export function quarantineCommand(env: Env): Command {
  const over = (work: (db: Database) => Promise<void>): Promise<void> => withDatabase(readConfig(env), work);
  const doing = (act: string, subject: string, work: (db: Database) => Promise<void>): Promise<void> =>
    withOperatorAct(readConfig(env), { act: `quarantine ${act}`, subject }, work);
  const quarantine = new Command('quarantine')
    .description(
      'Lots, agents, lists and records that failed and are tried again by themselves: look at them.',
    )
    .addHelpText(
      'after',
      `
Where the service runs is read from DATABASE_URL, or found in DATA_DIR.

Examples:
  npm run -s handshake -- quarantine list
  npm run -s handshake -- quarantine retry 12    at once, after the cause is mended`,
    );
  quarantine
    .command('list')
    .description('Print what is set aside, the oldest first, with the reason.')
    .option('--kind <kind>', 'of one kind alone, such as lot')
    .option('--json', 'as JSON')
    .action(({ kind, json }: { kind?: string; json?: boolean }) =>
      over(async (db) => {
        const list = await listQuarantine(db, kind ?? null);
        if (json) return console.log(printed(list));
        if (list.length === 0) console.log('Nothing is set aside.');
        for (const one of list) console.log(line(one));
      }),
    );
  quarantine
    .command('show <id>')
    .description('Print one of them whole, as JSON.')
    .action((id: string) => over(async (db) => console.log(printed(await required(db, id)))));
  quarantine
    .command('retry <id>')
    .description('Have it tried again in the next round, as if it had not failed before.')
    .option('--json', 'as JSON')
    .action((id: string, { json }: { json?: boolean }) =>
      doing('retry', id, async (db) => {
        const one = await required(db, id);
        if (!(await retryQuarantined(db, one.id))) throw gone(id);
        if (json) return console.log(printed({ ...one, retried: true }));
        console.log(`${id} is tried again: ${one.kind} ${one.item}`);
      }),
    );
  quarantine
    .command('drop <id>')
    .description('Forget it: it is tried again only when something new happens to it.')
    .option('--json', 'as JSON')
    .action((id: string, { json }: { json?: boolean }) =>
      doing('drop', id, async (db) => {
        const one = await required(db, id);
        await db.transaction().execute(async (trx) => {
          if (!(await dropQuarantined(trx, one.id))) throw gone(id);
          await deliverDespiteDrop(trx, `${one.kind}:${one.item}`, new Date());
        });
        if (json) return console.log(printed({ ...one, dropped: true }));
        console.log(`${id} is dropped: ${one.kind} ${one.item}`);
      }),
    );
  return quarantine;
}

function line({ id, kind, item, reason, failures, since, nextTryAt }: SetAside): string {
  const began = since === null ? '' : `since ${since.toISOString()}, `;
  const times = `${began}failed ${failures} times, again ${nextTryAt.toISOString()}`;
  return `${id.padEnd(6)} ${kind} ${item}: ${reason} (${times})`;
}

function printed(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? v.toString() : v), 2);
}

async function required(db: Database, id: string): Promise<SetAside> {
  // Another word than these names nothing.
  const found = /^(?:job-)?\d{1,18}$/.test(id) ? await findQuarantined(db, id) : null;
  if (!found) throw gone(id);
  return found;
}

function gone(id: string): Error {
  return new StartError(`Nothing is set aside under ${id}: "quarantine list" shows what is.`);
}
