import { check } from '../panel/judging.ts';
import { usable } from '../panel/lists.ts';
import type { Check } from '../panel/types.ts';
import { custodianLabel } from './money/transfers.ts';
import type {
  ChainPolicy,
  ChainReading,
  RequiredCheck,
  WalletCommon,
  WalletFacts,
} from './wallet-evidence.ts';
import type { WalletView } from './wallet-findings.ts';

/**
 * The required checks of each chain that could not run on this reading, as `chain: check`. Without a policy, as in
 * evidence of earlier releases, nothing is required beyond the checks themselves.
 */
export function unmetRequirements(common: WalletCommon, facts: WalletFacts, at: string): string[] {
  return (common.policy ?? []).flatMap(({ chain, required }) =>
    required.filter((name) => !couldRun(name, chain, common, facts, at)).map((name) => `${chain}: ${name}`),
  );
}

function couldRun(
  name: RequiredCheck,
  chain: string,
  common: WalletCommon,
  facts: WalletFacts,
  at: string,
): boolean {
  const reading = facts.chains.find((c) => c.chain === chain);
  switch (name) {
    case 'lists':
      return [common.sanctions, common.knownScam].every((register) => usable(register, at));
    case 'code':
      return reading?.code != null;
    case 'principals':
      return common.sessionKeys !== undefined && reading?.principals != null;
    case 'direct-transfers':
      return transfersRead(chain, common, reading);
  }
}

/**
 * Recent logs alone are no answer, unless the chain is no older than they are. A part of what an explorer has is none
 * either, unless the address is one through which its customers' money passes.
 */
function transfersRead(chain: string, { address, transfers }: WalletCommon, reading?: ChainReading): boolean {
  const history = transfers?.histories.find((h) => h.chain === chain);
  if (transfers === undefined || history === undefined) return false;
  if (reading?.tail == null || history.fault !== null) return false;
  if (history.partial === true && custodianLabel(transfers, address.toLowerCase()) === null) return false;
  return history.fromBlock !== null || history.cutOff === null;
}

/** One answer for all chains: whether each required check of each chain's policy could run. */
export function chainPolicyCheck({ common, facts, at }: WalletView, policy: readonly ChainPolicy[]): Check {
  const unmet = unmetRequirements(common, facts, at);
  const sources = policy.map(({ chain, required }) => ({
    name: `the policy of ${chain}`,
    asOf: at,
    limit: `requires ${required.length === 0 ? 'nothing' : required.join(', ')}`,
  }));
  return unmet.length > 0
    ? check('chain-policy', 'INCONCLUSIVE', `required and could not run: ${unmet.join(', ')}`, sources)
    : check('chain-policy', 'PASS', 'every check that its chains require could run', sources);
}
