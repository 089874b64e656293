import type { ChainPolicy, RequiredCheck } from '../../../../agents/determinations/wallet/wallet-evidence.ts';
import { caip2, type EvidenceDeps } from '../../deps.ts';

/** What every chain requires whose operator says nothing else. */
const DEFAULT: readonly RequiredCheck[] = ['principals', 'lists', 'code', 'direct-transfers'];

/** The policy of each of these chains, as the operator configured it. */
export function chainPolicies(
  deps: Pick<EvidenceDeps, 'policies' | 'explorers'>,
  chainIds: readonly number[],
): ChainPolicy[] {
  return chainIds.map((id) => ({
    chain: caip2(id),
    required: deps.policies?.get(id) ?? DEFAULT,
    notConfigured: deps.explorers?.has(id) === true ? [] : ['what an explorer would list'],
  }));
}
