import { Command } from 'commander';
import { endsFailed } from '../exit-codes.ts';
import { withProgress } from '../progress.ts';
import type { Finding } from './finding.ts';
import { checkEnvFile, checkNode, checkSettings } from './settings.ts';

type Env = Readonly<Record<string, string | undefined>>;

const MARKS: Readonly<Record<Finding['state'], string>> = {
  well: 'ok   ',
  doubtful: 'DOUBT',
  wrong: 'WRONG',
  'left-out': '-    ',
};

/** `doctor`: looks at everything that a service needs, and says what is wrong and how to mend it. It changes nothing. */
export function doctorCommand(env: Env): Command {
  return new Command('doctor')
    .description('Look at everything the service needs: what is wrong, and how to mend it. Changes nothing.')
    .option('--json', 'one line of JSON for each finding: { of, state, says, remedy }')
    .addHelpText(
      'after',
      `
It looks at Node.js, settings (also misspelt names, and a .env that is not read), the port, the data folder and its keys, the disk, the database,
its version and whether it takes writes, the clock, the lists' ages, the workers, Redis, the card processor and where it sends
events, every chain and whether its two nodes are in step, the deployment files, whether the service's keys hold their roles on
chain, and whom it has paid. The exit code is 1 where something is wrong; what is doubtful does not count.

Examples:
  npm run -s handshake -- doctor
  DATABASE_URL=postgres://… RPC_URL_1002=https://… npm run -s handshake -- doctor --json`,
    )
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await withProgress('looking at the service and its parts', () => examine(env));
      for (const finding of findings) console.log(json === true ? JSON.stringify(finding) : line(finding));
      const count = (state: Finding['state']) => findings.filter((f) => f.state === state).length;
      if (json !== true)
        console.log(`\n${count('wrong')} wrong, ${count('doubtful')} doubtful, ${count('well')} well.`);
      if (count('wrong') > 0) endsFailed();
    });
}

/** Everything that was found, in the order in which it is needed. */
export async function examine(env: Env, now: () => Date = () => new Date()): Promise<Finding[]> {
  const { config, findings } = checkSettings(env);
  const first = [checkNode(), ...findings, ...checkEnvFile(env)];
  if (config === null) return first;
  const [machine, stores, card, chains, roles] = await Promise.all([
    import('./machine.ts'),
    import('./stores.ts'),
    import('./card.ts'),
    import('./chains.ts'),
    import('./roles.ts'),
  ]);
  const found = await Promise.all([
    machine.checkPort(config),
    machine.checkFolder(config),
    stores.checkDatabase(config, now),
    stores.checkRedis(config),
    card.checkCard(config),
    chains.checkChains(config, now),
    roles.checkRoles(config),
  ]);
  return [...first, ...found.flat()];
}

function line({ of, state, says, remedy }: Finding): string {
  const mend = remedy === undefined ? '' : `\n        ${' '.repeat(16)}→ ${remedy}`;
  return `${MARKS[state]}   ${of.padEnd(16)}${says}${mend}`;
}
