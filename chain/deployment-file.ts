import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';
import { isAddress, zeroAddress } from 'viem';
import type { Deployment } from './deployment.ts';

const ADDRESSES = [
  'usdc',
  'agentNft',
  'registry',
  'accountImplementation',
  'policy',
  'settlement',
  'ledger',
  'certificates',
  'assets',
  'treasury',
  'operator',
] as const satisfies readonly (keyof Deployment)[];

function fileOf(dataDir: string, chainId: number): string {
  return join(dataDir, `deployment-${chainId}.json`);
}

/** What an earlier build did not deploy: a local chain's file may lack it, and the deployment adds it. */
const LATER = ['certificates'] as const;

/**
 * The deployment file of a chain, which a person may write for chains that are not local; null when there is none.
 * @param later what stands for a contract that came with a later build than the file: an error, or the zero address
 * @throws Error, one sentence naming the file and the field
 */
export async function readDeployment(
  dataDir: string,
  chainId: number,
  later: 'required' | 'zero' = 'required',
): Promise<Deployment | null> {
  const file = fileOf(dataDir, chainId);
  const db = new Low<unknown>(new JSONFile(file), null);
  try {
    await db.read();
  } catch (cause) {
    throw new Error(`${file} cannot be read as JSON: correct it, or remove it`, { cause });
  }
  if (db.data === null) return null;
  const found: Partial<Record<keyof Deployment, unknown>> = { ...db.data };
  if (later === 'zero') for (const field of LATER) found[field] ??= zeroAddress;
  const wrong = (field: string, want: string) => new Error(`${file}: "${field}" must be ${want}`);
  if (found.chainId !== chainId) throw wrong('chainId', String(chainId));
  for (const field of ADDRESSES) {
    if (!isAddress(String(found[field]), { strict: false })) throw wrong(field, '0x and 40 hex digits');
  }
  for (const field of ['usdcName', 'usdcVersion'] as const) {
    if (typeof found[field] !== 'string') throw wrong(field, "the token's EIP-712 domain says");
  }
  if (!Number.isSafeInteger(found.deployedAtBlock)) throw wrong('deployedAtBlock', 'a block number');
  return found as Deployment;
}

export async function writeDeployment(dataDir: string, deployment: Deployment): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const db = new Low<Deployment>(new JSONFile(fileOf(dataDir, deployment.chainId)), deployment);
  await db.write();
}
