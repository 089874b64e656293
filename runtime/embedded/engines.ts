import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { privateKeyToAddress } from 'viem/accounts';
import { placeCanonicalUsdc } from '../../chain/clients/canonical-usdc.ts';
import { deployContracts } from '../../chain/deploy/deploy.ts';
import type { Deployment } from '../../chain/deploy/deployment.ts';
import { readDeployment } from '../../chain/deploy/deployment-file.ts';
import { fundGas } from '../../chain/devnet/dev-wallets.ts';
import { startDevnet } from '../../chain/devnet/devnet.ts';
import { startPostgres } from '../../store/embedded.ts';
import { embeddedLogin } from '../../store/embedded-login.ts';
import type { Config } from '../config/config.ts';
import { PRIVATE_FOLDER } from '../config/private-file.ts';
import { tightenDataDir } from '../config/private-folder.ts';
import type { Secrets } from '../config/secrets.ts';
import { asStartError, StartError } from '../config/start-error.ts';
import type { ServiceKeys } from '../keys/open-keys.ts';
import { requireRoles } from '../keys/require-roles.ts';
import { findRunning } from './running.ts';

export interface ChainEngine {
  readonly chainId: number;
  /** One or two URLs; the second is for the independent reader. */
  readonly rpcUrls: readonly [string, ...string[]];
  readonly deployment: Deployment;
  /** On local chains: mines a block when the head has grown old. */
  readonly freshen: ((timestamp: bigint) => Promise<boolean>) | null;
}

export interface Engines {
  readonly databaseUrl: string;
  readonly chains: ReadonlyMap<number, ChainEngine>;
  stop(): Promise<void>;
}

const FACILITATOR_GAS = 10n ** 24n;

export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** Creates the data folder, which no other user may read. @throws StartError with one sentence when it cannot */
export function openDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: PRIVATE_FOLDER });
    accessSync(dataDir, constants.W_OK);
    tightenDataDir(dataDir);
  } catch (cause) {
    throw new StartError(`The data folder ${dataDir} cannot be written: choose another DATA_DIR.`, { cause });
  }
}

/**
 * Starts, or connects to, what the service rests on: the database, and both chains with their contracts.
 * @throws StartError with one sentence, after stopping whatever had started
 */
export async function startEngines(
  config: Config,
  secrets: Secrets,
  keys: ServiceKeys,
  say: (line: string) => void,
): Promise<Engines> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    const results = await Promise.allSettled(stops.splice(0).map((end) => end()));
    const failed = results.find((r): r is PromiseRejectedResult => r.status === 'rejected');
    if (failed) throw failed.reason;
  };
  const treasury = config.payTo ?? privateKeyToAddress(secrets.treasuryPrivateKey);

  async function database(): Promise<string> {
    if (config.databaseUrl !== null) return config.databaseUrl;
    const server = await startPostgres({ dataDir: config.dataDir, randomHex });
    stops.push(server.stop);
    const login = await embeddedLogin(server.url, join(config.dataDir, 'postgres'), randomHex);
    say('Postgres answers');
    return login;
  }

  async function chain(chainId: 1002 | 84532): Promise<ChainEngine> {
    const given = config.rpcUrls[chainId];
    if (given.length > 0)
      return await foreignChain(config, keys, chainId, given as [string, ...string[]], say);
    const devnet = await startDevnet({ chainId, dataDir: config.dataDir });
    stops.push(devnet.stop);
    const deployed = await deployContracts({
      rpcUrl: devnet.rpcUrl,
      chainId,
      operatorPrivateKey: secrets.operatorPrivateKey,
      treasury,
      dataDir: config.dataDir,
    });
    await fundGas(devnet.rpcUrl, keys.facilitator.address, FACILITATOR_GAS);
    // Standard x402 clients know one token address on Base Sepolia, so the local chain has its token there, too.
    const usdc = chainId === 84532 ? await placeCanonicalUsdc(devnet.rpcUrl, deployed.usdc) : deployed.usdc;
    const deployment = { ...deployed, usdc };
    if (chainId === 1002)
      await requireRoles({ config, keys, say }, devnet.rpcUrl, deployment, () => {
        return "unset it, for embedded chains give every role to the operator's key";
      });
    say(`chain ${chainId} answers, its contracts stand`);
    return { chainId, rpcUrls: [devnet.rpcUrl], deployment, freshen: devnet.freshen };
  }

  // Waits for all of them, so that none starts after the others were stopped.
  const [db, home, base] = await Promise.allSettled([database(), chain(1002), chain(84532)]);
  for (const part of [db, home, base]) {
    if (part.status === 'fulfilled') continue;
    await stop().catch(() => {});
    throw asStartError(part.reason);
  }
  const chains = [home, base].map((c) => (c as PromiseFulfilledResult<ChainEngine>).value);
  return {
    databaseUrl: (db as PromiseFulfilledResult<string>).value,
    chains: new Map(chains.map((c) => [c.chainId, c])),
    stop,
  };
}

async function foreignChain(
  config: Config,
  keys: ServiceKeys,
  chainId: 1002 | 84532,
  rpcUrls: [string, ...string[]],
  say: (line: string) => void,
): Promise<ChainEngine> {
  // The dollars of an embedded chain stand elsewhere than its deployment file says: the API that runs it knows where.
  const embedded = findRunning(config.dataDir)?.chains[chainId];
  const deployment =
    embedded?.rpcUrl === rpcUrls[0] ? embedded : await readDeployment(config.dataDir, chainId);
  if (!deployment) {
    throw new StartError(
      `There is no deployment file for chain ${chainId} in ${config.dataDir}: put deployment-${chainId}.json there.`,
    );
  }
  // Only the home chain mints agents and anchors records, so only its contracts are checked for that.
  if (chainId === 1002) await requireRoles({ config, keys, say }, rpcUrls[0], deployment);
  return { chainId, rpcUrls, deployment, freshen: null };
}
