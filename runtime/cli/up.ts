import { Command } from 'commander';
import { embedded, readConfig } from '../config.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `up`: everything in one process, until Ctrl-C. */
export function upCommand(env: Env): Command {
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
    .action(async () => {
      const config = readConfig(env);
      const asked = stopSignal(env);
      const began = performance.now();
      // A wrong setting is said before the service is loaded.
      const { startService } = await import('../main.ts');
      const service = await startService(config, { say: (line) => console.log(`  ${line}`) });
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
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

/** One key press may come twice: from the terminal, and again from the program that started this one. */
const ONE_PRESS_MS = 2_000;
const PARENT_MS = 500;

/**
 * Resolves when the service is to stop: at the first SIGINT or SIGTERM from now on, and under npm also when npm was
 * ended, which tells its shell and not the program in it. One more signal, later than the same key press may bring it,
 * ends the process at once. Taken before anything starts: what a start has begun by then is stopped in order, and
 * nothing is left behind.
 */
export function stopSignal(env: Env): Promise<void> {
  return new Promise((resolve) => {
    let asked: number | null = null;
    const end = (): void => {
      const now = performance.now();
      if (asked !== null && now - asked > ONE_PRESS_MS) process.exit(130);
      asked ??= now;
      resolve();
    };
    process.on('SIGINT', end);
    process.on('SIGTERM', end);
    // What npm leaves in the environment of others is not about this process.
    if (!env.npm_lifecycle_script?.includes('runtime/cli/main.ts')) return;
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) resolve();
    }, PARENT_MS).unref();
  });
}
