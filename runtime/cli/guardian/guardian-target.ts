import type { LocalAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import { readConfig, requireStrongSigner } from '../../config/config.ts';
import { openSecretsReadOnly } from '../../config/secrets.ts';
import { StartError } from '../../config/start-error.ts';
import { findRunning } from '../../embedded/running.ts';
import { openKey } from '../../keys/open-keys.ts';
import { HOME_CHAIN } from '../../services.ts';
import { deploymentOf, type Env, type Target, targetOf } from '../deploy/deploy-target.ts';

export interface GuardianFlags extends Target {
  readonly file?: string;
  readonly json?: boolean;
}

/** The chain that a guardian's command is about. */
export interface GuardianTarget {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly deployment: Deployment;
  /** An embedded chain of the service that runs on the data folder. */
  readonly isEmbedded: boolean;
}

/**
 * Finds the chain: the one that `--rpc` and `--chain` name, or the one on which the service with these settings has its
 * agents, or that of the service which runs on the data folder.
 * @throws StartError
 */
export async function guardianTarget(env: Env, { rpc, chain, file }: GuardianFlags): Promise<GuardianTarget> {
  const config = readConfig(env);
  const [ownUrl] = config.rpcUrls[HOME_CHAIN];
  const isNamed = rpc !== undefined || chain !== undefined;
  if (isNamed || ownUrl !== undefined) {
    const target =
      isNamed || ownUrl === undefined
        ? targetOf({ ...(rpc === undefined ? {} : { rpc }), ...(chain === undefined ? {} : { chain }) })
        : { rpcUrl: ownUrl, chainId: HOME_CHAIN };
    const { deployment } = await deploymentOf(env, target.chainId, file);
    return { ...target, deployment, isEmbedded: false };
  }
  const running = findRunning(config.dataDir)?.chains[HOME_CHAIN];
  if (running === undefined)
    throw new StartError(
      `No service runs on ${config.dataDir}, and no chain is named: give --rpc <url> and --chain <id>, or set RPC_URL_${HOME_CHAIN}.`,
    );
  return { rpcUrl: running.rpcUrl, chainId: HOME_CHAIN, deployment: running, isEmbedded: true };
}

/**
 * The guardian's key: GUARDIAN_PRIVATE_KEY, or the operator's wherever it is held.
 * @throws StartError when no key is set, ConfigError for one that is published or can be guessed
 */
export async function guardianKey(env: Env, { isEmbedded }: GuardianTarget): Promise<LocalAccount> {
  const config = readConfig(env);
  if (!isEmbedded) requireStrongSigner(config);
  if (config.guardianPrivateKey !== null) return privateKeyToAccount(config.guardianPrivateKey);
  const operator = await openKey(config, 'operator');
  if (operator !== null) return operator;
  if (isEmbedded) return privateKeyToAccount(openSecretsReadOnly(config).operatorPrivateKey);
  throw new StartError(
    "Set GUARDIAN_PRIVATE_KEY to the guardian's key, or give --calldata to see what its wallet must send.",
  );
}
