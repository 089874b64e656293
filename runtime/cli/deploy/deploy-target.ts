import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Address, isAddress, parseGwei, zeroAddress } from 'viem';
import type { Deployment } from '../../../chain/deploy/deployment.ts';
import { deploymentFile, readDeploymentFile } from '../../../chain/deploy/deployment-file.ts';
import { RpcRefusal } from '../../../chain/rpc/json-rpc.ts';
import { readConfig } from '../../config/config.ts';
import { StartError } from '../../config/start-error.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** The chain that a command is about. */
export interface Target {
  readonly rpc?: string;
  readonly chain?: string;
}

export function onChain(command: Command): Command {
  return command
    .option('--rpc <url>', 'RPC URL of the chain')
    .option('--chain <id>', 'its chain id, to which the node is held');
}

export function targetOf({ rpc, chain }: Target): { rpcUrl: string; chainId: number } {
  if (!rpc || !chain) throw new StartError('Give --rpc <url> and --chain <id>.');
  if (!URL.canParse(rpc) || !/^https?:$/.test(new URL(rpc).protocol))
    throw new StartError('--rpc must be a URL that starts with http:// or https://.');
  const chainId = Number(chain);
  if (!/^[1-9]\d*$/.test(chain) || !Number.isSafeInteger(chainId))
    throw new StartError('--chain must be a chain id, a whole number.');
  return { rpcUrl: rpc, chainId };
}

/** Parses an address that will hold something for good, so a checksum, if it has one, must be right (EIP-55). */
export function addressOf(text: string, option: string): Address {
  if (!isAddress(text, { strict: true }) || text.toLowerCase() === zeroAddress)
    throw new StartError(
      `${option} must be an address that is not zero, with a right checksum if it has one.`,
    );
  return text;
}

/** Parses gwei as wei. @throws StartError */
export function feeOf(text: string): bigint {
  if (!/^\d+(?:\.\d{1,9})?$/.test(text)) throw new StartError('--max-fee must be a number of gwei.');
  return parseGwei(text);
}

/** @throws StartError when there is no deployment file */
export async function deploymentOf(
  env: Env,
  chainId: number,
  file: string | undefined,
): Promise<{ deployment: Deployment; path: string }> {
  const path = file ? resolve(file) : deploymentFile(readConfig(env).dataDir, chainId);
  const deployment = await readDeploymentFile(path, chainId);
  if (deployment === null)
    throw new StartError(`There is no deployment file ${path}: give --file, or deploy first.`);
  return { deployment, path };
}

/** Turns a node's refusal into an error with the node's name and its words. */
export async function withNode<T>(rpcUrl: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    throw new Error(`the node at ${new URL(rpcUrl).host} refused: ${error.message}`, { cause: error });
  }
}
