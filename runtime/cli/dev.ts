import { Command, Option } from 'commander';
import { assetKey } from '../../agents/assets.ts';
import { badField } from '../../agents/errors.ts';
import { isEvmAddress } from '../../agents/ids.ts';
import { parseUsd } from '../../agents/money.ts';
import { readName } from '../../agents/names/name.ts';
import { fundWallet, mintDemoAsset, registerDemoName } from '../../chain/devnet/dev-wallets.ts';
import { type Config, embedded, readConfig } from '../config/config.ts';
import { openSecretsReadOnly } from '../config/secrets.ts';
import { StartError } from '../config/start-error.ts';
import { findRunning, type RunningService } from '../embedded/running.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** @throws StartError where a chain is not the service's own */
export function requireEmbeddedChains(config: Config): void {
  if (!embedded(config))
    throw new StartError('This command is for embedded chains only: unset RPC_URL_1002 and RPC_URL_84532.');
}

/** Finds the service on embedded chains that runs on this data folder. @throws StartError when there is none */
export function requireEmbedded(env: Env): {
  running: RunningService;
  operatorPrivateKey: `0x${string}`;
  operatorApiKey: string;
} {
  const config = readConfig(env);
  requireEmbeddedChains(config);
  const running = findRunning(config.dataDir);
  if (!running) throw new StartError(`No service runs on ${config.dataDir}: start one with "npm start".`);
  const { operatorPrivateKey, operatorApiKey } = openSecretsReadOnly(config);
  return { running, operatorPrivateKey, operatorApiKey };
}

/** Gives one address gas and test money on both chains. */
export async function fund(env: Env, address: string, usd: string): Promise<void> {
  const { running, operatorPrivateKey } = requireEmbedded(env);
  if (!isEvmAddress(address)) throw badField('address', 'must be 0x and 40 hex digits');
  const amount = parseUsd(usd, '--usd');
  for (const chain of Object.values(running.chains)) {
    await fundWallet({ rpcUrl: chain.rpcUrl, deployment: chain, operatorPrivateKey }, address, amount);
  }
}

/** Mints one demo asset on chain 1002. */
export async function mintAsset(
  env: Env,
  owner: string,
): Promise<{ contract: `0x${string}`; tokenId: string; key: string }> {
  const { running, operatorPrivateKey } = requireEmbedded(env);
  if (!isEvmAddress(owner)) throw badField('owner', 'must be 0x and 40 hex digits');
  const chain = running.chains['1002'];
  if (!chain) throw new StartError('The running service has no chain 1002.');
  const tokenId = await mintDemoAsset({ rpcUrl: chain.rpcUrl, deployment: chain, operatorPrivateKey }, owner);
  const contract = chain.assets;
  const key = assetKey({
    kind: 'token',
    chainId: 1002,
    contract: contract.toLowerCase() as `0x${string}`,
    tokenId: tokenId.toString(),
  });
  return { contract, tokenId: tokenId.toString(), key };
}

/** Registers a name with a demo provider on chain 1002. */
export async function registerName(
  env: Env,
  owner: string,
  name: string,
  provider: 'a' | 'b' = 'a',
): Promise<{ contract: `0x${string}`; tokenId: string }> {
  const { running, operatorPrivateKey } = requireEmbedded(env);
  if (!isEvmAddress(owner)) throw badField('owner', 'must be 0x and 40 hex digits');
  const chain = running.chains['1002'];
  if (!chain) throw new StartError('The running service has no chain 1002.');
  const { labels } = readName(name);
  const dev = { rpcUrl: chain.rpcUrl, deployment: chain, operatorPrivateKey };
  const tokenId = await registerDemoName(dev, provider, labels, owner);
  return { contract: provider === 'a' ? chain.namesA : chain.namesB, tokenId: tokenId.toString() };
}

export function devCommand(env: Env): Command {
  const dev = new Command('dev').description(
    'Wallets and things for embedded chains; refuses to run against any other.',
  );
  dev.addHelpText(
    'after',
    `
Examples:
  npm run -s handshake -- dev info                             where the chains and contracts are
  npm run -s handshake -- dev fund 0x… --usd 100               gas and test USDC for a wallet, or for an agent's account
  npm run -s handshake -- dev asset 0x…                        something to sell; to an agent's account it is deposited
  npm run -s handshake -- dev name alice.x 0x…                 a name of a demo provider, which proves whose it is`,
  );
  dev
    .command('info')
    .description('Print where the running service and its chains are, as JSON.')
    .action(() => {
      const { running } = requireEmbedded(env);
      const { pid: _pid, ...info } = running;
      console.log(JSON.stringify(info, null, 2));
    });
  dev
    .command('fund <address>')
    .description('Give an address gas and test USDC on both chains.')
    .option('--usd <amount>', 'test USDC, dollars', '100')
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s handshake -- dev fund 0x71C7656EC7ab88b098defB751B7401B5f6d8976F --usd 100',
    )
    .action(async (address: string, { usd }: { usd: string }) => {
      await fund(env, address, usd);
      console.log(JSON.stringify({ address, usd, chains: ['1002', '84532'] }));
    });
  dev
    .command('asset <owner>')
    .description('Mint one demo asset on chain 1002 and print its key.')
    .option('--json', 'as JSON: { contract, tokenId, key }')
    .action(async (owner: string, { json }: { json?: boolean }) => {
      const minted = await mintAsset(env, owner);
      console.log(json === true ? JSON.stringify(minted) : minted.key);
    });
  dev
    .command('name <name> <owner>')
    .description('Register a name with a demo provider on chain 1002 and print its token.')
    .addOption(
      new Option('--provider <provider>', 'b gives out top-level names, too')
        .choices(['a', 'b'])
        .default('a'),
    )
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s handshake -- dev name alice.x 0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    )
    .action(async (name: string, owner: string, { provider }: { provider: 'a' | 'b' }) => {
      console.log(JSON.stringify(await registerName(env, owner, name, provider)));
    });
  return dev;
}
