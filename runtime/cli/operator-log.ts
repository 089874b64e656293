import { Command } from 'commander';
import type { Hex } from 'viem';
import { readDeployment } from '../../chain/deploy/deployment-file.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import { logEntries } from '../../store/operators/operator-log.ts';
import { type Config, readConfig } from '../config/config.ts';
import { StartError } from '../config/start-error.ts';
import { findRunning } from '../embedded/running.ts';
import { type LedgerSource, verifyOperatorLog } from '../operators/verify-log.ts';
import { withDatabase } from './database.ts';
import { endsFailed } from './exit-codes.ts';

type Env = Readonly<Record<string, string | undefined>>;

const HOME_CHAIN = 1002;

export function operatorCommand(env: Env): Command {
  const command = new Command('operator').description('What operators did.');
  const log = command
    .command('log')
    .description('Every act of an operator, each written before it was done.');
  command.addHelpText('after', '\nExample:\n  npm run -s handshake -- operator log verify');
  log.addHelpText('after', '\nExample:\n  npm run -s handshake -- operator log verify');
  log
    .command('list')
    .description('Every entry, the oldest first: when, who, what, and the hash of the one before.')
    .addHelpText('after', '\nExample:\n  npm run -s handshake -- operator log list')
    .action(() =>
      withDatabase(readConfig(env), async (db) => {
        for await (const { body, hash } of logEntries(db))
          console.log(JSON.stringify({ ...JSON.parse(body), hash }));
      }),
    );
  log
    .command('verify')
    .description('Check that no entry was changed, taken out or put in, and what the ledger vouches for.')
    .option('--offline', 'read no chain: an end that was cut off is not noticed')
    .option('--json', 'one line of JSON: { ok, entries, anchoredUpTo, faults }')
    .addHelpText(
      'after',
      '\nExit code 1 when it does not hold.\n\nExample:\n  npm run -s handshake -- operator log verify',
    )
    .action(async (options: { offline?: true; json?: true }) => {
      const config = readConfig(env);
      const ledger = options.offline === true ? null : await ledgerOf(config);
      const checked = await withDatabase(config, (db) => verifyOperatorLog(db, ledger));
      if (!checked.ok) endsFailed();
      if (options.json === true) return console.log(JSON.stringify(checked));
      for (const fault of checked.faults) console.log(`NO   ${fault}`);
      const { entries, anchoredUpTo } = checked;
      const anchored = anchoredUpTo === null ? 'none is' : `up to ${anchoredUpTo} they are`;
      console.log(
        `${entries} entries, ${anchored} anchored: the log ${checked.ok ? 'holds' : 'does NOT hold'}.`,
      );
    });
  return command;
}

/** @throws StartError when no chain is known */
async function ledgerOf(config: Config): Promise<LedgerSource> {
  const running = findRunning(config.dataDir)?.chains[String(HOME_CHAIN)];
  const configured = config.rpcUrls[HOME_CHAIN];
  const urls = configured.length > 0 ? configured : running ? [running.rpcUrl] : [];
  const deployment = await readDeployment(config.dataDir, HOME_CHAIN);
  if (urls.length === 0 || !deployment)
    throw new StartError('No chain is known on this data folder: start the service, or give --offline.');
  const [first = '', second = first] = urls;
  return {
    readers: [
      viemReader({ rpcUrl: first, chainId: HOME_CHAIN }),
      ethersReader({ rpcUrl: second, chainId: HOME_CHAIN }),
    ],
    ledger: deployment.ledger as Hex,
    fromBlock: BigInt(deployment.deployedAtBlock),
  };
}
