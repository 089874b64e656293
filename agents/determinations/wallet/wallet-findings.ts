import type { View } from '../panel/judging.ts';
import { unproved, usable } from '../panel/lists.ts';
import type { Outcome, Source } from '../panel/types.ts';
import type { WalletCommon, WalletFacts } from './wallet-evidence.ts';

export type WalletView = View<WalletCommon, WalletFacts>;

/** One finding; several of them make a check. */
export interface Finding {
  readonly outcome: Outcome;
  readonly hard?: boolean;
  readonly says: string;
}

/**
 * Looks up somebody who acts in an account's name like the account itself. Null: nothing speaks against that address.
 */
export function listedFinding(view: WalletView, address: string, what: string): Finding | null {
  const { knownScam, sanctions } = view.common;
  const hit = [...sanctions.hits, ...knownScam.hits].find((h) => h.key === address);
  if (hit !== undefined) return { outcome: 'FLAG', hard: true, says: `${what} ${address} is on ${hit.list}` };
  const known = [sanctions, knownScam].every(
    (r) => r.lookedUp.includes(address) && usable(r, view.at) && unproved(r, address).length === 0,
  );
  return known
    ? null
    : { outcome: 'INCONCLUSIVE', says: `${what} ${address} could not be looked up on fresh lists` };
}

/** The first FLAG, else the first INCONCLUSIVE, else null. */
export function worstOf(findings: readonly (Finding | null)[]): Finding | null {
  const found = (outcome: Outcome) => findings.find((f) => f?.outcome === outcome);
  return found('FLAG') ?? found('INCONCLUSIVE') ?? null;
}

/** The source of what is told by the address alone. */
export function itself(at: string): Source[] {
  return [{ name: 'the address itself', asOf: at, limit: 'says nothing about who holds its key' }];
}
