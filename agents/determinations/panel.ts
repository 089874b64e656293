import type { Depth, Method, Verdict } from './types.ts';

/** One determiner of a panel: a method over one reader. The adversary reads what all the others read. */
export interface SeatPlan {
  readonly seat: string;
  readonly method: Method;
  readonly client: 'viem' | 'ethers' | 'all';
}

interface PanelPlan {
  readonly seats: readonly SeatPlan[];
  readonly quorum: number;
}

const seat = (method: Method, client: 'viem' | 'ethers'): SeatPlan => ({
  seat: `${method}/${client}`,
  method,
  client,
});

const ONE: PanelPlan = { seats: [seat('rules', 'viem')], quorum: 1 };

const PANELS: Readonly<Record<Depth, PanelPlan>> = {
  '1-of-1': ONE,
  '2-of-2': { seats: [seat('rules', 'viem'), seat('statistics', 'ethers')], quorum: 2 },
  superconsensus: {
    seats: [
      seat('rules', 'viem'),
      seat('rules', 'ethers'),
      seat('statistics', 'viem'),
      seat('statistics', 'ethers'),
      { seat: 'adversarial/all', method: 'adversarial', client: 'all' },
    ],
    quorum: 4,
  },
};

/** Who sits at this depth; `null` is an EXECUTOR: the deterministic checks, once. */
export function panelFor(depth: Depth | null): PanelPlan {
  return depth === null ? ONE : PANELS[depth];
}

/**
 * What the votes come to. A hard flag needs no vote; CLEAN needs the quorum; a missing or INCONCLUSIVE vote is not
 * CLEAN; short of the quorum it is FLAGGED, or INCONCLUSIVE when no seat flagged.
 */
export function decide(votes: readonly Verdict[], quorum: number, hard: boolean): Verdict {
  if (hard) return 'FLAGGED';
  if (quorum > 0 && votes.filter((v) => v === 'CLEAN').length >= quorum) return 'CLEAN';
  return votes.includes('FLAGGED') ? 'FLAGGED' : 'INCONCLUSIVE';
}
