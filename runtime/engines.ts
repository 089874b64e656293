import { randomBytes } from 'node:crypto';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { privateKeyToAddress } from 'viem/accounts';
import { placeCanonicalUsdc } from '../chain/canonical-usdc.ts';
import { deployContracts } from '../chain/deploy.ts';
import type { Deployment } from '../chain/deployment.ts';
import { readDeployment } from '../chain/deployment-file.ts';
import { fundGas } from '../chain/dev-wallets.ts';
import { startDevnet } from '../chain/devnet.ts';
import { RpcSilence } from '../chain/json-rpc.ts';
import { requireServable } from '../chain/rollout/serve.ts';
import { startPostgres } from '../store/embedded.ts';
import type { Config } from './config.ts';
import type { Secrets } from './secrets.ts';
import { asStartError, StartError } from './start-error.ts';

export interface ChainEngine {
  readonly chainId: number;
  /** One URL, or two: the second is the independent reader's. */
  readonly rpcUrls: readonly [string, ...string[]];
  readonly deployment: Deployment;
  /** Local chains: mines when the head has grown old. */
  readonly freshen: ((timestamp: bigint) => Promise<boolean>) | null;
}

export interface Engines {
  readonly databaseUrl: string;
  readonly chains: ReadonlyMap<number, ChainEngine>;
  stop(): Promise<void>;
}

const FACILITATOR_GAS = 10n ** 24n;

export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** Makes the data folder, or says in one sentence why it cannot. */
export function openDataDir(dataDir: string): void {
  try {
    // Postgres, run by root, serves as another user, who must be able to pass through.
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    accessSync(dataDir, constants.W_OK);
  } catch (cause) {
    throw new StartError(`The data folder ${dataDir} cannot be written: choose another DATA_DIR.`, { cause });
  }
}

/**
 * Starts, or connects to, what the service stands on: the database and both chains with their contracts.
 * @throws StartError, one sentence, after stopping whatever had started
 */
export async function startEngines(
  config: Config,
  secrets: Secrets,
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
    say('Postgres answers');
    return server.url;
  }

  async function chain(chainId: 1002 | 84532): Promise<ChainEngine> {
    const given = config.rpcUrls[chainId];
    if (given.length > 0)
      return await foreignChain(config, secrets, chainId, given as [string, ...string[]], say);
    const devnet = await startDevnet({ chainId, dataDir: config.dataDir });
    stops.push(devnet.stop);
    const deployed = await deployContracts({
      rpcUrl: devnet.rpcUrl,
      chainId,
      operatorPrivateKey: secrets.operatorPrivateKey,
      treasury,
      dataDir: config.dataDir,
    });
    await fundGas(devnet.rpcUrl, privateKeyToAddress(secrets.facilitatorPrivateKey), FACILITATOR_GAS);
    // Stock x402 clients know one token on Base Sepolia: the local chain has it where they look for it.
    const usdc = chainId === 84532 ? await placeCanonicalUsdc(devnet.rpcUrl, deployed.usdc) : deployed.usdc;
    const deployment = { ...deployed, usdc };
    say(`chain ${chainId} answers, its contracts stand`);
    return { chainId, rpcUrls: [devnet.rpcUrl], deployment, freshen: devnet.freshen };
  }

  // All are waited for, so that none starts up behind a stop.
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
  secrets: Secrets,
  chainId: 1002 | 84532,
  rpcUrls: [string, ...string[]],
  say: (line: string) => void,
): Promise<ChainEngine> {
  const deployment = await readDeployment(config.dataDir, chainId);
  if (!deployment) {
    throw new StartError(
      `There is no deployment file for chain ${chainId} in ${config.dataDir}: put deployment-${chainId}.json there.`,
    );
  }
  // Agents are minted, and records anchored, on the home chain alone.
  if (chainId === 1002) {
    const operator = privateKeyToAddress(secrets.operatorPrivateKey);
    await requireServable(rpcUrls[0], deployment, operator).catch((error: Error) => {
      if (!(error.cause instanceof RpcSilence)) throw error;
      say(`chain ${chainId} does not answer yet: whether the operator may mint there is not known`);
    });
  }
  return { chainId, rpcUrls, deployment, freshen: null };
}
