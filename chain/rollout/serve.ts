import { type Address, isAddressEqual } from 'viem';
import { agentNftAbi } from '../abi/agent-nft.ts';
import { ledgerAbi } from '../abi/ledger.ts';
import type { Deployment } from '../deployment.ts';
import { MINTER_ROLE } from './inspect.ts';
import { openNode } from './node.ts';

/**
 * Whether a service with this key can mint and anchor on a deployment. Known at the start, not at the first paid mint.
 * @throws Error, one sentence; its cause is RpcSilence where the node said nothing, so that nothing is known
 */
export async function requireServable(
  rpcUrl: string,
  deployment: Deployment,
  operator: Address,
): Promise<void> {
  const { chainId, agentNft, ledger } = deployment;
  const node = await openNode(rpcUrl, chainId);
  for (const address of [agentNft, ledger]) {
    if ((await node.code(address)) !== '0x') continue;
    throw new Error(`no contract stands at ${address} on chain ${chainId}: run "deploy status" on its file`);
  }
  if (!(await node.read(agentNft, agentNftAbi, 'hasRole', [MINTER_ROLE, operator]))) {
    throw new Error(
      `OPERATOR_PRIVATE_KEY is ${operator}'s, which may not mint agents on chain ${chainId}: grant it the minter role, or use the minter's key`,
    );
  }
  const recorder = await node.read(ledger, ledgerAbi, 'RECORDER');
  if (!isAddressEqual(recorder, operator)) {
    throw new Error(
      `OPERATOR_PRIVATE_KEY is ${operator}'s, and the ledger of chain ${chainId} takes records from ${recorder} alone`,
    );
  }
}
