import { isEvmAddress } from '../ids.ts';

/** Who ends a pledge. A lender that is no wallet cannot sign, so that the operator ends it for him. */
export type PledgeReleaser = 'pledger' | 'lender' | 'operator';

/** Whose word ends a pledge with this lender. Whoever pledged has no say once a lender is named, and no date ends it. */
export function pledgeReleaser(lender: string | null): PledgeReleaser {
  if (lender === null) return 'pledger';
  return isEvmAddress(lender) ? 'lender' : 'operator';
}
