import type { PrincipalEdge } from './wallet-evidence.ts';
import { type Finding, listedFinding, type WalletView } from './wallet-findings.ts';

/** Up to this distance a listed address that decides alone counts like the account itself; beyond it, as a soft flag. */
export const HARD_DISTANCE = 2;

/** Whether a hit on this edge decides without a vote. */
export function isHard({ distance, alone }: PrincipalEdge): boolean {
  return alone && distance <= HARD_DISTANCE;
}

/** One finding for each edge that leads to somebody listed, or to somebody who could not be looked up. */
export function edgeFindings(view: WalletView, edges: readonly PrincipalEdge[], chain: string): Finding[] {
  return edges.flatMap((edge) => {
    const { role, source, distance, who } = edge;
    const what = `${role} (${source} on ${chain}, at distance ${distance})`;
    const found = listedFinding(view, who, what);
    if (found === null) return [];
    return [found.outcome === 'FLAG' ? { ...found, hard: isHard(edge) } : found];
  });
}
