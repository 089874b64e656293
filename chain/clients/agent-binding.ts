import { type Address, isAddressEqual } from 'viem';
import { agentNftAbi } from '../abi/agent-nft.ts';
import { spendPolicyAbi } from '../abi/spend-policy.ts';
import type { Deployment } from '../deploy/deployment.ts';
import type { ChainReader } from '../rpc/reader.ts';

/** What an agent is bound to in place of the deployment's own. */
export interface BoundElsewhere {
  readonly kind: 'policy' | 'settlement';
  readonly to: Address;
}

/**
 * The policy or the settlement that owners of an agent have bound it to, where it is not the deployment's at a block; null
 * where both are. @throws ReaderError
 */
export async function boundElsewhere(
  reader: ChainReader,
  { agentNft, policy, settlement }: Deployment,
  tokenId: bigint,
  block: bigint,
): Promise<BoundElsewhere | null> {
  const [policyNow, binding] = await Promise.all([
    reader.read({ address: agentNft, abi: agentNftAbi, functionName: 'policyOf', args: [tokenId], block }),
    reader.read({
      address: policy,
      abi: spendPolicyAbi,
      functionName: 'settlementOf',
      args: [tokenId],
      block,
    }),
  ]);
  const to = policyNow as Address;
  if (!isAddressEqual(to, policy)) return { kind: 'policy', to };
  const { settlement: settlementNow } = binding as { readonly settlement: Address };
  return isAddressEqual(settlementNow, settlement) ? null : { kind: 'settlement', to: settlementNow };
}
