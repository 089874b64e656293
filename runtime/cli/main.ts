import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { StartError } from '../start-error.ts';
import { demoCommand } from './demo.ts';
import { deployCommand } from './deploy.ts';
import { devCommand } from './dev.ts';
import { evaluateCommand } from './evaluate.ts';
import { mandateCommand } from './mandate.ts';
import { recordCommand } from './record.ts';
import { upCommand } from './up.ts';

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

// The one place that reads the environment.
const env = process.env;
for (const command of [
  upCommand(env),
  demoCommand(env),
  devCommand(env),
  recordCommand(env),
  deployCommand(env),
  mandateCommand(),
  evaluateCommand(),
]) {
  program.addCommand(command);
}

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
