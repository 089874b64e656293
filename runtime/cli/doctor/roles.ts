import type { Deployment } from '../../../chain/deploy/deployment.ts';
import { readDeployment } from '../../../chain/deploy/deployment-file.ts';
import { formerTreasury, requireServable } from '../../../chain/deploy/rollout/serve.ts';
import { type Config, embedded } from '../../config/config.ts';
import { messageOf } from '../../config/start-error.ts';
import { openKeys } from '../../keys/open-keys.ts';
import { roleHolders } from '../../keys/require-roles.ts';
import { HOME_CHAIN } from '../../services.ts';
import { doubtful, type Finding, leftOut, well, wrong } from './finding.ts';

const OF = `roles ${HOME_CHAIN}`;
const PAYMENTS = 'payments';

/**
 * Whether the service's keys hold their roles on the chain of agents and records, and whom it has paid, as a start asks.
 */
export async function checkRoles(config: Config): Promise<Finding[]> {
  const [rpcUrl] = config.rpcUrls[HOME_CHAIN];
  // On embedded chains the operator's key has every role, and a start sees to it.
  if (embedded(config) || rpcUrl === undefined) return [];
  const deployment = await readDeployment(config.dataDir, HOME_CHAIN).catch(() => null);
  if (deployment === null) return [leftOut(OF, 'the contracts are not known')];
  const payee = await checkPayee(config, rpcUrl, deployment);
  return [...(await heldRoles(config, rpcUrl, deployment)), payee];
}

async function heldRoles(config: Config, rpcUrl: string, deployment: Deployment): Promise<Finding[]> {
  try {
    const keys = await openKeys(config, null);
    const resting = await requireServable(rpcUrl, deployment, roleHolders(config, keys));
    if (resting.length === 0) return [well(OF, 'each key holds its roles')];
    const remedy = 'docs/deployment.md, "Rotating a role"; the service starts without it';
    return resting.map((line) => doubtful(OF, line, remedy));
  } catch (error) {
    return [wrong(OF, messageOf(error), 'the service does not start like this')];
  }
}

/** An address that is set may be its owner's without any role; one of the file was chosen because of the role. */
async function checkPayee({ payTo }: Config, rpcUrl: string, deployment: Deployment): Promise<Finding> {
  const remedy = 'set PAY_TO to an address that is yours on both chains';
  try {
    const former = await formerTreasury(rpcUrl, deployment, payTo);
    if (former !== null) return (payTo === null ? wrong : doubtful)(PAYMENTS, former, remedy);
    const source = payTo === null ? 'the treasury of the deployment file' : 'PAY_TO';
    return well(PAYMENTS, `USDC goes to ${payTo ?? deployment.treasury} (${source}), on both chains`);
  } catch (error) {
    return leftOut(PAYMENTS, messageOf(error));
  }
}
