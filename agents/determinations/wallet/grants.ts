import type { ChainReading, StandingGrant, WalletCommon, WalletFacts } from './wallet-evidence.ts';
import { type Finding, listedFinding, type WalletView, worstOf } from './wallet-findings.ts';

/**
 * Looks up everybody who may still move tokens of this address by an approval that it gave. A hit is no hard flag: who
 * signed away an approval may be a victim, but what it holds can be taken at any time.
 */
export function grantsOn(view: WalletView, chain: string): Finding {
  const reading = view.facts.chains.find((c) => c.chain === chain);
  if (reading?.grants == null)
    return {
      outcome: 'INCONCLUSIVE',
      says: `approvals on ${chain} could not be read: ${reading?.fault ?? 'no reading'}`,
    };
  const { live, fromBlock, more, own } = reading.grants;
  const found = live.map((grant) => {
    const against = listedFinding(view, grant.spender, wordsOf(grant));
    return against?.outcome === 'FLAG' ? { ...against, hard: false } : against;
  });
  const against = worstOf(found);
  if (against !== null) return against;
  if (more)
    return { outcome: 'INCONCLUSIVE', says: `it gave more approvals on ${chain} than were looked at` };
  const since = `of those ${own ? 'that it gave itself, or in a known token,' : 'given'} from block ${fromBlock} on`;
  return {
    outcome: 'PASS',
    says:
      live.length === 0
        ? `no approval stands on ${chain}, ${since}`
        : `${live.length} approvals stand on ${chain}, ${since}, and no list names a spender`,
  };
}

function wordsOf({ token, via }: StandingGrant): string {
  const how = via === 'permit2' ? ' by Permit2' : via === 'operator' ? ' (every token of it)' : '';
  return `whoever may move its ${token}${how},`;
}

/** Every spender who may still move tokens of the address, in these facts. */
export function spendersIn(facts: WalletFacts): string[] {
  return facts.chains.flatMap((c) => (c.grants?.live ?? []).map((g) => g.spender));
}

/** The same in numbers: the spenders on a list, and the chains whose approvals are not all known. */
export function grantScore(common: WalletCommon, chains: readonly ChainReading[]) {
  const asked = chains.some((c) => c.grants !== undefined);
  const listed = new Set([...common.sanctions.hits, ...common.knownScam.hits].map((h) => h.key));
  const spenders = new Set(chains.flatMap((c) => (c.grants?.live ?? []).map((g) => g.spender)));
  return {
    hits: [...spenders].filter((who) => listed.has(who)).length,
    unknown: asked
      ? common.chains.filter((chain) => chains.find((c) => c.chain === chain)?.grants?.more !== false).length
      : 0,
  };
}
