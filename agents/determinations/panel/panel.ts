import type { Depth, Method, Verdict } from './types.ts';

/** One seat of a panel: a method over one reader. The adversary reads what all the others read. */
export interface SeatPlan {
  readonly seat: string;
  readonly method: Method;
  readonly client: 'viem' | 'ethers' | 'all';
  /** In a seat with a language model: the method whose vote the model may tighten. */
  readonly base?: 'rules' | 'statistics';
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

/** At most this many seats may use models of one provider. */
export const MOST_MODELS = 2;

/**
 * The panel for this depth; `null` is an EXECUTOR, which runs the deterministic checks once. In superconsensus language
 * models, if there are any, join the second seat of a method, which continues to read through its own client.
 */
export function panelFor(depth: Depth | null, models = 0): PanelPlan {
  const plan = depth === null ? ONE : PANELS[depth];
  if (depth !== 'superconsensus' || models === 0) return plan;
  const joined = ['rules', 'statistics'].slice(0, models);
  return {
    ...plan,
    seats: plan.seats.map((s) =>
      s.client === 'ethers' && joined.includes(s.method) ? withModel(s.method as 'rules' | 'statistics') : s,
    ),
  };
}

function withModel(base: 'rules' | 'statistics'): SeatPlan {
  return { seat: `${base}+llm/ethers`, method: 'llm', client: 'ethers', base };
}

/**
 * The panel's verdict. A hard flag needs no vote. CLEAN needs the quorum, and a missing or INCONCLUSIVE vote does not
 * count for it. Without the quorum the verdict is FLAGGED, or INCONCLUSIVE when no seat flagged.
 */
export function decide(votes: readonly Verdict[], quorum: number, hard: boolean): Verdict {
  if (hard) return 'FLAGGED';
  if (quorum > 0 && votes.filter((v) => v === 'CLEAN').length >= quorum) return 'CLEAN';
  return votes.includes('FLAGGED') ? 'FLAGGED' : 'INCONCLUSIVE';
}
