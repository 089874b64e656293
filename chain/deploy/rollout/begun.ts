import { rmSync } from 'node:fs';
import type { Deployment, DeploymentRoles } from '../deployment.ts';
import { readDeploymentFile, writeDeploymentFile } from '../deployment-file.ts';
import { rolesOf } from './inspect.ts';

/**
 * The note that is kept next to the deployment file until the deployment is complete, so that a later run continues
 * with the same values.
 */
export function begunFile(file: string): string {
  return `${file.replace(/\.json$/, '')}.begun.json`;
}

/**
 * Compares the planned deployment with the one that was begun, and notes the plan when none was.
 * @returns a block before which none of the contracts can have been deployed
 * @throws Error with one sentence when a deployment with other roles, another token or another build was begun
 */
export async function begin(file: string, wanted: Deployment): Promise<number> {
  const note = begunFile(file);
  const begun = await readDeploymentFile(note, wanted.chainId);
  if (begun === null) {
    await writeDeploymentFile(note, wanted);
    return wanted.deployedAtBlock;
  }
  const difference = differenceOf(begun, wanted);
  if (difference !== null) {
    throw new Error(
      `a deployment was begun with ${difference}: give the same again to complete it, or remove ${note} to begin another beside it`,
    );
  }
  return begun.deployedAtBlock;
}

export function end(file: string): void {
  rmSync(begunFile(file), { force: true });
}

/** The first difference between two deployments, in words; null when they are the same. */
export function differenceOf(stands: Deployment, wanted: Deployment): string | null {
  const [was, is] = [rolesOf(stands), rolesOf(wanted)];
  for (const role of Object.keys(was) as (keyof DeploymentRoles)[]) {
    if (was[role].toLowerCase() !== is[role].toLowerCase()) return `${role} ${was[role]}, not ${is[role]}`;
  }
  for (const field of [
    'usdc',
    'manager',
    'agentNft',
    'settlement',
    'certificates',
    'ledger',
    'assets',
    'namesA',
    'namesB',
  ] as const) {
    if (stands[field].toLowerCase() === wanted[field].toLowerCase()) continue;
    return field === 'usdc' && stands.assets !== wanted.assets
      ? `the token ${stands.usdc}, not ${wanted.usdc}`
      : `contracts of another build (${field} ${stands[field]}, not ${wanted[field]})`;
  }
  return null;
}
