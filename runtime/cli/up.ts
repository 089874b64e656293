import { Command } from 'commander';
import { embedded, readConfig } from '../config/config.ts';
import type { Starters } from './starters.ts';
import { stopSignal } from './stop-signal.ts';
import { heedUnreadEnv } from './unread-env.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `up`: runs everything in one process until Ctrl-C. */
export function upCommand(env: Env, starters: Starters): Command {
  return new Command('up')
    .description(
      'Start the whole service on this machine: database, chains, facilitator, card processor, API, worker.',
    )
    .addHelpText(
      'after',
      `
Settings come from the environment; .env.example lists them all.

Examples:
  npm start
  PORT=5000 DATA_DIR=.data-two npm start     a second one beside the first`,
    )
    .option('--no-worker', 'serve the API alone: mailboxes and effects wait for workers elsewhere')
    .option(
      '--json',
      'one line of JSON once it is up: { baseUrl, seconds, facts }; progress on standard error',
    )
    .action(async ({ worker, json }: { worker: boolean; json?: boolean }) => {
      heedUnreadEnv(env);
      const config = readConfig(env);
      const asked = stopSignal(env);
      const began = performance.now();
      const tell = json === true ? console.error : console.log;
      const service = await starters.service(config, { say: (line) => tell(`  ${line}`), worker });
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      if (json === true) {
        const facts = Object.fromEntries(service.facts);
        console.log(JSON.stringify({ baseUrl: service.baseUrl, seconds: Number(seconds), facts }));
        await asked;
        return await service.stop();
      }
      console.log(`\nSafe Handshake is up after ${seconds} s at ${service.baseUrl}`);
      for (const [name, value] of service.facts) console.log(`  ${name.padEnd(14)} ${value}`);
      if (embedded(config)) {
        const dataDir = env.DATA_DIR ? `DATA_DIR=${env.DATA_DIR} ` : '';
        const port = env.PORT ? `PORT=${env.PORT} ` : '';
        console.log(`
Try:
  ${port}${dataDir}npm run demo
  ${dataDir}npm run -s handshake -- dev fund 0x71C7656EC7ab88b098defB751B7401B5f6d8976F --usd 100
  curl -i "${service.baseUrl}/determination?address=0x71C7656EC7ab88b098defB751B7401B5f6d8976F&chainId=1002"

Ctrl-C stops all of it.`);
      }
      await asked;
      console.log('\nStopping …');
      await service.stop();
      console.log('Stopped.');
    });
}
