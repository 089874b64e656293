import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';
import { isAddress, zeroAddress } from 'viem';
import type { Deployment, DeploymentRoles } from './deployment.ts';

const ADDRESSES = [
  'usdc',
  'agentNft',
  'registry',
  'accountImplementation',
  'policy',
  'manager',
  'vault',
  'settlement',
  'ledger',
  'certificates',
  'assets',
  'namesA',
  'namesB',
  'treasury',
  'operator',
] as const satisfies readonly (keyof Deployment)[];

const ROLES = [
  'deployer',
  'admin',
  'minter',
  'recorder',
  'guardian',
  'issuer',
  'treasury',
] as const satisfies readonly (keyof DeploymentRoles)[];

export function deploymentFile(dataDir: string, chainId: number): string {
  return join(dataDir, `deployment-${chainId}.json`);
}

/** Contracts that earlier builds did not deploy. A local chain's file may lack them, and the deployment adds them. */
const LATER = ['certificates', 'manager', 'vault', 'namesA', 'namesB'] as const;

/**
 * Reads the deployment file of a chain, which a person may write for remote chains; null when there is none.
 * @param later how to read a file without the contracts of later builds: as an error, or with the zero address
 * @throws Error with one sentence that names the file and the field
 */
export async function readDeployment(
  dataDir: string,
  chainId: number,
  later: 'required' | 'zero' = 'required',
): Promise<Deployment | null> {
  return await readDeploymentFile(deploymentFile(dataDir, chainId), chainId, later);
}

/** Does what {@link readDeployment} does for a file anywhere. */
export async function readDeploymentFile(
  file: string,
  chainId: number,
  later: 'required' | 'zero' = 'required',
): Promise<Deployment | null> {
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
  if (found.roles !== undefined) {
    const roles = Object(found.roles) as Record<string, unknown>;
    for (const role of ROLES) {
      if (!isAddress(String(roles[role]), { strict: false }))
        throw wrong(`roles.${role}`, '0x and 40 hex digits');
    }
  }
  return found as Deployment;
}

export async function writeDeployment(dataDir: string, deployment: Deployment): Promise<void> {
  await writeDeploymentFile(deploymentFile(dataDir, deployment.chainId), deployment);
}

/** Writes the file completely or not at all: lowdb writes to another file and renames it. */
export async function writeDeploymentFile(file: string, deployment: Deployment): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const db = new Low<Deployment>(new JSONFile(file), deployment);
  await db.write();
}
