import type { Depth, Method, Verdict } from './types.ts';

/** One determiner of a panel: a method over one reader. The adversary reads what all the others read. */
export interface SeatPlan {
  readonly seat: string;
  readonly method: Method;
  readonly client: 'viem' | 'ethers' | 'all';
  /** Of a seat with a language model: the method whose vote it may tighten. */
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

/** At most so many seats may be the models of one provider. */
export const MOST_MODELS = 2;

/**
 * Who sits at this depth; `null` is an EXECUTOR: the deterministic checks, once. Language models, where there are any,
 * join the second seat of a method in superconsensus, which goes on reading through its own client.
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
 * What the votes come to. A hard flag needs no vote; CLEAN needs the quorum; a missing or INCONCLUSIVE vote is not
 * CLEAN; short of the quorum it is FLAGGED, or INCONCLUSIVE when no seat flagged.
 */
export function decide(votes: readonly Verdict[], quorum: number, hard: boolean): Verdict {
  if (hard) return 'FLAGGED';
  if (quorum > 0 && votes.filter((v) => v === 'CLEAN').length >= quorum) return 'CLEAN';
  return votes.includes('FLAGGED') ? 'FLAGGED' : 'INCONCLUSIVE';
}
