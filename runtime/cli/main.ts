import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { StartError } from '../start-error.ts';

// The one place that reads the environment.
const env = process.env;

/** Each loads what it needs when it is asked for: most need a fraction of the service. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  up: async () => (await import('./up.ts')).upCommand(env),
  worker: async () => (await import('./worker.ts')).workerCommand(env),
  agent: async () => (await import('./agent.ts')).agentCommand(env),
  parked: async () => (await import('./parked.ts')).parkedCommand(env),
  demo: async () => (await import('./demo.ts')).demoCommand(env),
  dev: async () => (await import('./dev.ts')).devCommand(env),
  record: async () => (await import('./record.ts')).recordCommand(env),
  deploy: async () => (await import('./deploy.ts')).deployCommand(env),
  mandate: async () => (await import('./mandate.ts')).mandateCommand(undefined, env),
  register: async () => (await import('./register.ts')).registerCommand(env),
  'operator-key': async () => (await import('./operator-key.ts')).operatorKeyCommand(env),
  webhooks: async () => (await import('./webhooks.ts')).webhooksCommand(env),
  evaluate: async () => (await import('./evaluate.ts')).evaluateCommand(),
};

const program = new Command('handshake')
  .description('Decides, before value moves, whether the counterparty and the deal are clean.')
  .addHelpText(
    'after',
    `
Examples:
  npm run -s handshake -- up                      start everything on this machine
  npm run -s handshake -- demo                    two owners and a stranger play the whole story
  npm run -s handshake -- dev fund 0x… --usd 100  give an address gas and test USDC
  npm run -s handshake -- deploy --help           the contracts on a chain of others
  echo "Buy travel, max 50 USDC per deal, until 31 March 2027." | npm run -s handshake -- mandate parse`,
  )
  // A subcommand's options are its own, also where its parent has one of that name.
  .enablePositionalOptions()
  .exitOverride();

const asked = COMMANDS[process.argv[2] ?? ''];
for (const load of asked ? [asked] : Object.values(COMMANDS)) program.addCommand(await load());

try {
  await program.parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else if (error instanceof ConfigError || error instanceof StartError) {
    console.error(error.message);
    if (env.LOG_LEVEL === 'debug') console.error(error);
    process.exitCode = 2;
  } else {
    console.error(error instanceof Error ? error.message : String(error));
    if (env.LOG_LEVEL === 'debug') console.error(error);
    process.exitCode = 1;
  }
}
