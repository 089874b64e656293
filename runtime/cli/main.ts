import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config/config.ts';
import { StartError } from '../config/start-error.ts';
import type { Starters } from './starters.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Each command is imported only when it is called, because most need a small part of the service. */
const commands = (env: Env, starters: Starters): Readonly<Record<string, () => Promise<Command>>> => ({
  up: async () => (await import('./up.ts')).upCommand(env, starters),
  worker: async () => (await import('./worker.ts')).workerCommand(env, starters),
  agent: async () => (await import('./agent.ts')).agentCommand(env),
  quarantine: async () => (await import('./quarantine.ts')).quarantineCommand(env),
  dispute: async () => (await import('./dispute.ts')).disputeCommand(env),
  'dead-letters': async () => (await import('./dead-letters.ts')).deadLettersCommand(env),
  demo: async () => (await import('./demo.ts')).demoCommand(env, starters),
  dev: async () => (await import('./dev.ts')).devCommand(env),
  record: async () => (await import('./record/record.ts')).recordCommand(env),
  deploy: async () => (await import('./deploy/deploy.ts')).deployCommand(env),
  mandate: async () => (await import('./mandate.ts')).mandateCommand(undefined, env),
  register: async () => (await import('./register.ts')).registerCommand(env),
  'operator-key': async () => (await import('./operator-key.ts')).operatorKeyCommand(env),
  webhooks: async () => (await import('./webhooks.ts')).webhooksCommand(env),
  evaluate: async () => (await import('./evaluate.ts')).evaluateCommand(),
  judge: async () => (await import('./judge.ts')).judgeCommand(),
  goods: async () => (await import('./goods.ts')).goodsCommand(),
});

/**
 * Runs the command that `argv` names and sets the exit code: 0 for success, 1 for a failure, 2 for bad usage or bad
 * configuration.
 * @param argv as `process.argv`
 */
export async function runCommandLine(argv: readonly string[], env: Env, starters: Starters): Promise<void> {
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
    // Options after a subcommand belong to the subcommand, even when the parent has one of the same name.
    .enablePositionalOptions()
    .exitOverride();

  const known = commands(env, starters);
  const asked = known[argv[2] ?? ''];
  for (const load of asked ? [asked] : Object.values(known)) program.addCommand(await load());

  try {
    await program.parseAsync([...argv]);
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
}
