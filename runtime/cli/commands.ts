import { Command } from 'commander';
import { exitCodeText } from './exit-codes.ts';
import { COLUMNS } from './help.ts';
import type { Starters } from './starters.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Each command is imported only when it is called, because most need a small part of the service. */
export const commandLoaders = (
  env: Env,
  starters: Starters,
): Readonly<Record<string, () => Promise<Command>>> => ({
  up: async () => (await import('./up.ts')).upCommand(env, starters),
  doctor: async () => (await import('./doctor/doctor.ts')).doctorCommand(env),
  open: async () => (await import('./open.ts')).openCommand(env),
  demo: async () => (await import('./demo.ts')).demoCommand(env, starters),
  dev: async () => (await import('./dev.ts')).devCommand(env),
  worker: async () => (await import('./worker.ts')).workerCommand(env, starters),
  agent: async () => (await import('./agent.ts')).agentCommand(env),
  database: async () => (await import('./database-roles.ts')).databaseCommand(env),
  quarantine: async () => (await import('./quarantine.ts')).quarantineCommand(env),
  dispute: async () => (await import('./dispute.ts')).disputeCommand(env),
  'dead-letters': async () => (await import('./dead-letters.ts')).deadLettersCommand(env),
  record: async () => (await import('./record/record.ts')).recordCommand(env),
  deploy: async () => (await import('./deploy/deploy.ts')).deployCommand(env),
  guardian: async () => (await import('./guardian/guardian.ts')).guardianCommand(env),
  mandate: async () => (await import('./mandate.ts')).mandateCommand(undefined, env),
  register: async () => (await import('./register.ts')).registerCommand(env),
  'operator-key': async () => (await import('./operator-key.ts')).operatorKeyCommand(env),
  keys: async () => (await import('./keys.ts')).keysCommand(env),
  operator: async () => (await import('./operator-log.ts')).operatorCommand(env),
  restore: async () => (await import('./restore.ts')).restoreCommand(env),
  webhooks: async () => (await import('./webhooks.ts')).webhooksCommand(env),
  evaluate: async () => (await import('./evaluate.ts')).evaluateCommand(),
  judge: async () => (await import('./judge.ts')).judgeCommand(),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(env, starters),
  goods: async () => (await import('./goods.ts')).goodsCommand(),
  completion: async () => (await import('./completion.ts')).completionCommand(),
});

const EXAMPLES = `
Exit codes:
${exitCodeText()}

Every command takes --json; with it, an error is one line of JSON, too, on standard error.

Examples:
  npm run -s handshake -- up                      start everything on this machine
  npm run -s handshake -- doctor                  what is wrong here, and how to mend it
  npm run -s handshake -- demo                    two owners and a stranger play the whole story
  npm run -s handshake -- open harbour-desk       the page of an agent, a lot, a record …
  npm run -s handshake -- dev fund 0x… --usd 100  give an address gas and test USDC
  npm run -s handshake -- deploy --help           the contracts on a chain of others
  echo "Buy travel, max 50 USDC per deal, until 31 March 2027." | npm run -s handshake -- mandate parse`;

/** The program with these of its commands. */
export async function programOf(loaders: readonly (() => Promise<Command>)[]): Promise<Command> {
  const program = new Command('handshake')
    .description('Decides, before value moves, whether the counterparty and the deal are clean.')
    .option('-V, --version', 'print the version')
    .addHelpText('after', EXAMPLES)
    // Options after a subcommand belong to the subcommand, even when the parent has one of the same name.
    .enablePositionalOptions();
  for (const load of loaders) program.addCommand(acceptingJson(await load()));
  return thrownUsage(program);
}

/**
 * Has wrong usage thrown by every command under this one, and told by whoever runs the program: left to itself, a command
 * that was made apart ends the process with a code of its own.
 */
function thrownUsage(command: Command): Command {
  command
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .configureHelp({ helpWidth: COLUMNS });
  for (const child of command.commands) thrownUsage(child);
  return command;
}

/** What prints JSON whatever it is told accepts `--json`, too, so that scripts need not know which does. */
function acceptingJson(command: Command): Command {
  const isLeaf = command.commands.length === 0 || command.registeredArguments.length > 0;
  if (isLeaf && !command.options.some((o) => o.long === '--json'))
    command.option('--json', 'as JSON, as it always is');
  for (const child of command.commands) acceptingJson(child);
  return command;
}
