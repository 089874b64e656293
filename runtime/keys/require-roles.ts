import type { Deployment } from '../../chain/deploy/deployment.ts';
import { formerTreasury, type RoleHolder, requireServable } from '../../chain/deploy/rollout/serve.ts';
import { RpcSilence } from '../../chain/rpc/json-rpc.ts';
import type { Config } from '../config/config.ts';
import { type KeyRole, privateKeySetting, signerSetting } from '../config/role-keys.ts';
import type { ServiceKeys } from './open-keys.ts';

/** Which key acts for each role that the contracts ask for. Settlements ask for none: anybody may send them. */
export function roleHolders(
  config: Config,
  keys: ServiceKeys,
): Readonly<Record<'minter' | 'recorder' | 'issuer', RoleHolder>> {
  const of = (key: KeyRole): RoleHolder => ({ address: keys[key].address, setting: settingOf(config, key) });
  return { minter: of('minter'), recorder: of('recorder'), issuer: of('operator') };
}

/**
 * Refuses a start with keys that never were to have their roles on the chain of agents and records, and says which roles
 * rest, and whether payments go to a former treasury. A node that does not answer yet keeps no service from its start:
 * `/health` tells of the roles from then on.
 * @throws Error with one sentence: the setting, the address, the role and the command that mends it
 */
export async function requireRoles(
  { config, keys, say }: { config: Config; keys: ServiceKeys; say: (line: string) => void },
  rpcUrl: string,
  deployment: Deployment,
  unset?: () => string,
): Promise<void> {
  const { chainId } = deployment;
  const holders = roleHolders(config, keys);
  const doubts = async (): Promise<string[]> => {
    const resting = await requireServable(rpcUrl, deployment, holders, unset);
    const former = await formerTreasury(rpcUrl, deployment, config.payTo);
    return former === null ? resting : [...resting, `${former}: set PAY_TO to an address that is yours`];
  };
  const told = await doubts().catch((error: Error) => {
    if (!(error.cause instanceof RpcSilence)) throw error;
    return [`chain ${chainId} does not answer yet: whether the service holds its roles there is not known`];
  });
  for (const line of told) say(line);
}

/** The setting that says whose key it is. */
function settingOf({ keys }: Config, role: KeyRole): string {
  const of: KeyRole = keys[role] === null ? 'operator' : role;
  return keys[of]?.form === 'private' ? privateKeySetting(of) : signerSetting(of);
}
