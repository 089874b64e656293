import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { sessionKeys } from '../../chain/clients/session-keys.ts';
import { readDeployment } from '../../chain/deploy/deployment-file.ts';
import { ethersReader } from '../../chain/rpc/ethers/reader.ts';
import { viemReader } from '../../chain/rpc/viem/reader.ts';
import type { Database } from '../../store/database.ts';
import { createCardGateway } from '../checkout/card-gateway.ts';
import { type Config, readConfig } from '../config/config.ts';
import { openSecretsReadOnly } from '../config/secrets.ts';
import { StartError } from '../config/start-error.ts';
import { findRunning } from '../embedded/running.ts';
import { type Restored, reconcileRestored } from '../restore/reconcile.ts';
import { HOME_CHAIN } from '../services.ts';
import { withDatabase } from './database.ts';
import { withOperatorAct } from './operator-act.ts';
import { withProgress } from './progress.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface Flags {
  readonly sinceBlock?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

const MARKS = { done: 'done', due: 'DUE', 'by-itself': 'itself', 'by-hand': 'HAND' } as const;

/** `restore`: after the database went back to an earlier moment. */
export function restoreCommand(env: Env): Command {
  const restore = new Command('restore')
    .description('After the database was restored to an earlier moment.')
    .addHelpText('after', '\nExample:\n  npm run -s handshake -- restore reconcile --dry-run');
  restore
    .command('reconcile')
    .description('Hold the database to the chain and the card processor, and book what was paid since.')
    .option('--since-block <number>', 'read the chain from here on; default: from its first contract on')
    .option('--dry-run', 'say what is missing; change nothing')
    .option('--json', 'a line of JSON for each finding: { state, says }')
    .addHelpText(
      'after',
      `
Run it with the settings of the service, which runs. It books card pages that were paid after the moment, as their webhooks
did, and finds the agents that were minted for them; it lets no session key go to a second agent. It tells what the service
mends by itself, and what is left to a person: agents, deals, mandates and session keys that only the chain has. It may be
run again at any time.

Examples:
  npm run -s handshake -- restore reconcile --dry-run
  npm run -s handshake -- restore reconcile --since-block 18250000`,
    )
    .action(async (flags: Flags) => {
      const config = readConfig(env);
      const dryRun = flags.dryRun === true;
      const around = await surroundings(config, flags.sinceBlock);
      const work = (db: Database) =>
        withProgress('reading the chain and the card processor', () =>
          reconcileRestored({ ...around.services, db }, { fromBlock: around.fromBlock, dryRun }),
        );
      const detail = { sinceBlock: around.fromBlock.toString() };
      const findings = dryRun
        ? await withDatabase(config, work)
        : await withOperatorAct(config, { act: 'restore reconcile', subject: null, detail }, work);
      for (const { state, says } of findings)
        console.log(
          flags.json === true ? JSON.stringify({ state, says }) : `${MARKS[state].padEnd(6)}  ${says}`,
        );
      if (flags.json !== true && findings.length === 0)
        console.log('The database lacks nothing that is on the chain.');
    });
  return restore;
}

/** @throws StartError when no chain is known */
async function surroundings(
  config: Config,
  sinceBlock: string | undefined,
): Promise<{ services: Omit<Restored, 'db'>; fromBlock: bigint }> {
  if (sinceBlock !== undefined && !/^\d{1,18}$/.test(sinceBlock))
    throw new StartError('--since-block must be the number of a block.');
  const running = findRunning(config.dataDir)?.chains[HOME_CHAIN];
  const configured = config.rpcUrls[HOME_CHAIN];
  const [first, second = first] = configured.length > 0 ? configured : running ? [running.rpcUrl] : [];
  const deployment = await readDeployment(config.dataDir, HOME_CHAIN);
  if (first === undefined || second === undefined || deployment === null)
    throw new StartError(
      `No chain is known on ${config.dataDir}: start the service, or set RPC_URL_${HOME_CHAIN}.`,
    );
  const secrets = openSecretsReadOnly(config);
  const clock = (): Date => new Date();
  const tell = (fields: unknown, text?: string): void => console.error(text ?? '', JSON.stringify(fields));
  return {
    fromBlock: BigInt(sinceBlock ?? deployment.deployedAtBlock),
    services: {
      home: { chainId: HOME_CHAIN, deployment },
      readers: [
        viemReader({ rpcUrl: first, chainId: HOME_CHAIN }),
        ethersReader({ rpcUrl: second, chainId: HOME_CHAIN }),
      ],
      card: createCardGateway({
        secretKey: config.stripe?.secretKey ?? secrets.cardSecretKey,
        webhookSecrets: [],
        apiBase: config.stripe === null ? localProcessor(config) : config.stripe.apiBase,
        clock,
      }),
      sessionKeys: sessionKeys(secrets.sessionKeySeed),
      log: { warn: tell, error: tell },
      now: clock,
    },
  };
}

/** Where the local card processor of the service on this folder answers. @throws StartError when none was ever there */
function localProcessor({ dataDir }: Config): string {
  try {
    const { port } = JSON.parse(readFileSync(join(dataDir, 'card-processor.json'), 'utf8')) as {
      port: number;
    };
    return `http://127.0.0.1:${port}`;
  } catch (cause) {
    throw new StartError(
      `No card processor is known on ${dataDir}: start the service, or set STRIPE_SECRET_KEY.`,
      {
        cause,
      },
    );
  }
}
