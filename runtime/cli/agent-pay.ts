import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { parseUsd } from '../../agents/money.ts';
import { sessionKeys } from '../../chain/clients/session-keys.ts';
import { readDeployment } from '../../chain/deploy/deployment-file.ts';
import { fundGas } from '../../chain/devnet/dev-wallets.ts';
import { payAsAgent } from '../agent/pay-as-agent.ts';
import { type Config, embedded, readConfig } from '../config/config.ts';
import { openSecretsReadOnly } from '../config/secrets.ts';
import { StartError } from '../config/start-error.ts';
import { findRunning } from '../embedded/running.ts';
import { HOME_CHAIN } from '../services.ts';
import { withDatabase } from './database.ts';
import { endsFailed } from './exit-codes.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `agent pay`: an agent pays for an answer over x402 from its own account, within its caps. */
export function addPayment(agent: Command, env: Env): void {
  agent
    .command('pay <handle> <url>')
    .description(
      'Let an agent pay for an answer (x402) from its own account; the chain books it against its caps.',
    )
    .option('--max-usd <amount>', 'the most it may cost', '0.05')
    .addHelpText(
      'after',
      `
Prints the answer and what was paid, as JSON. The agent's session key needs gas; on embedded chains it is given some.
A mandate that names categories pays for no answers: let the agent "Buy anything, max 5 USDC per deal, until …".

Example:
  npm run -s handshake -- agent pay answer-buyer "http://127.0.0.1:4021/determination?address=0x…&chainId=1002"`,
    )
    .action(async (handle: string, url: string, { maxUsd }: { maxUsd: string }) => {
      if (!URL.canParse(url)) throw new StartError('<url> must be a whole URL, with http:// or https://.');
      const most = parseUsd(maxUsd, '--max-usd');
      const config = readConfig(env);
      const chain = await homeChain(config);
      const purchase = await withDatabase(config, (db) =>
        payAsAgent(
          {
            db,
            sessionKeys: sessionKeys(openSecretsReadOnly(config).sessionKeySeed),
            chain,
            fetch,
            now: () => new Date(),
            newNonce: () => `0x${randomBytes(32).toString('hex')}`,
            fundGas: async (key) => {
              if (embedded(config)) await fundGas(chain.rpcUrl, key);
            },
          },
          { handle, url, most },
        ),
      );
      console.log(JSON.stringify(purchase, null, 2));
      if (purchase.status >= 400) endsFailed();
    });
}

/** The chain on which agents live, from the service that runs on this data folder. @throws StartError */
async function homeChain(config: Config) {
  const [rpcUrl] = config.rpcUrls[HOME_CHAIN];
  const running = findRunning(config.dataDir)?.chains[HOME_CHAIN];
  if (rpcUrl === undefined) {
    if (!running) throw new StartError(`No service runs on ${config.dataDir}: start one with "npm start".`);
    return { chainId: HOME_CHAIN, rpcUrl: running.rpcUrl, deployment: running };
  }
  const deployment = await readDeployment(config.dataDir, HOME_CHAIN);
  if (!deployment)
    throw new StartError(`There is no deployment-${HOME_CHAIN}.json in ${config.dataDir}: put it there.`);
  return { chainId: HOME_CHAIN, rpcUrl, deployment };
}
