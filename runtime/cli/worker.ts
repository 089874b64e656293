import { Command } from 'commander';
import { listProcesses } from '../../store/durable/processes.ts';
import { listWorkers, serves } from '../../store/durable/workers.ts';
import { readConfig } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import { settingsApart } from '../telemetry/settings-apart.ts';
import { withDatabase } from './database.ts';
import type { Starters } from './starters.ts';
import { stopSignal } from './stop-signal.ts';
import { heedUnreadEnv } from './unread-env.ts';
import { wholeNumber } from './whole-number.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `worker`: serves mailboxes and effects without the API, until SIGTERM. */
export function workerCommand(env: Env, starters: Starters): Command {
  const worker = new Command('worker')
    .description('Serve mailboxes and effects beside an API and other workers, on this machine or another.')
    .option(
      '--concurrency <n>',
      'how many effects of each lane at once, from 1 to 256',
      wholeNumber(1, 256),
      4,
    )
    .option('--json', 'one line of JSON once it serves: { pid, facts }')
    .addHelpText(
      'after',
      `
Settings are the API's own: DATABASE_URL, REDIS_URL where it has one, RPC_URL_1002, RPC_URL_84532, the three keys, and
the deployment files in DATA_DIR. The first SIGTERM or Ctrl-C takes nothing more and waits up to 20 s for what is in
hand; the rest is given back, for others to take at once. A second one ends the process.

Examples:
  DATABASE_URL=postgres://… REDIS_URL=redis://… npm run -s handshake -- worker --concurrency 8
  npm run -s handshake -- worker list`,
    )
    .action(async ({ concurrency, json }: { concurrency: number; json?: boolean }) => {
      heedUnreadEnv(env);
      const config = readConfig(env);
      const asked = stopSignal(env);
      const running = await starters.worker(config, { concurrency, version: VERSION });
      const tell = json === true ? console.error : console.log;
      if (json === true)
        console.log(JSON.stringify({ pid: process.pid, facts: Object.fromEntries(running.facts) }));
      tell(`The worker (process ${process.pid}) serves mailboxes and effects`);
      for (const [name, value] of running.facts) tell(`  ${name.padEnd(14)} ${value}`);
      await asked;
      tell('Stopping …');
      await running.stop();
      tell('Stopped.');
      // An effect whose lease was released may still be running here; its result is no longer wanted.
      process.exit(0);
    });
  worker
    .command('list')
    .description('Print the workers, what each has in hand, and when it was last heard of.')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const [workers, apart] = await withDatabase(
        readConfig(env),
        async (db) => [await listWorkers(db), settingsApart(await listProcesses(db))] as const,
      );
      // Beside the list, which is what programs read.
      for (const { says } of apart) console.error(`WRONG: ${says}`);
      const told = workers.map((w) => ({ ...w, leader: w.leader && serves(w) }));
      if (json) return console.log(JSON.stringify(told, null, 2));
      if (workers.length === 0) console.log('No worker was heard of.');
      for (const w of workers) {
        const isServing = serves(w);
        const heard = isServing ? 'serves' : `silent for ${Math.round(w.silent)} s`;
        // One that ended at once had no time to say that it leads no more.
        const leads = w.leader && isServing ? ', the leader' : '';
        console.log(`${w.host} ${w.pid}  ${heard}, ${w.in_hand} effects in hand${leads}`);
      }
    });
  return worker;
}
