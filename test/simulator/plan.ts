import { type Random, random } from './random.ts';

/** The actions of people and owners in one history, and its faults; the seed determines all of them in advance. */

export const FAULTS = [
  'crash',
  'freeze',
  'notifier',
  'database',
  'chain',
  'reorganise',
  'skew',
  'webhooks',
  'lag',
  'lie',
  'undercut',
] as const;
export type Fault = (typeof FAULTS)[number];

export type Action = { readonly id: number; readonly at: number } & (
  | {
      readonly do: 'checkout';
      readonly n: number;
      readonly owner: number;
      readonly cap: number;
      readonly total: number;
    }
  | { readonly do: 'pay'; readonly n: number; readonly wrong: boolean }
  | { readonly do: 'fund'; readonly n: number; readonly cents: number }
  | {
      readonly do: 'list';
      readonly n: number;
      readonly ask: number;
      readonly floor: number | null;
      readonly negotiable: boolean;
    }
  | {
      readonly do: 'buy';
      readonly n: number;
      readonly lot: number;
      readonly cents: number;
      readonly seconds: number;
    }
  | { readonly do: 'reprice'; readonly lot: number; readonly cents: number }
  | { readonly do: 'cancel'; readonly pick: number }
  | { readonly do: 'decide'; readonly pick: number; readonly decision: 'proceed' | 'stop' }
  | { readonly do: 'setting'; readonly owner: number; readonly choice: 'stop' | 'ask' }
  | {
      readonly do:
        | 'pause'
        | 'resume'
        | 'retire'
        | 'rotate'
        | 'transfer'
        | 'pause-on-chain'
        | 'withdraw-asset'
        | 'unfund';
      readonly n: number;
    }
  | { readonly do: 'mandate'; readonly n: number; readonly cap: number; readonly total: number }
  | { readonly do: 'dispute'; readonly lot: number; readonly by: number }
  | { readonly do: 'hold'; readonly pick: number; readonly minutes: number }
  | { readonly do: 'rule'; readonly pick: number; readonly ruling: 'upheld' | 'rejected' }
);

type Bare<T> = T extends unknown ? Omit<T, 'id' | 'at'> : never;

export interface Plan {
  readonly seed: string;
  readonly actions: readonly Action[];
  readonly faults: readonly Fault[];
}

export const OWNERS = 3;
export const AGENTS = 4;

export function planOf(seed: string): Plan {
  const r = random(seed).fork('plan');
  const actions: Action[] = [];
  const add = (at: number, action: Bare<Action>): void => {
    actions.push({ id: actions.length, at, ...action } as Action);
  };
  for (let owner = 0; owner < OWNERS; owner++)
    if (r.chance(0.6)) add(0, { do: 'setting', owner, choice: r.chance(0.7) ? 'ask' : 'stop' });
  // One program may spend little more than the price of one purchase, but keeps buying as long as anything is for sale,
  // so that everything in progress must be counted.
  const greedy = r.chance(0.7) ? r.below(AGENTS) : null;
  for (let n = 0; n < AGENTS; n++) {
    const opened = r.below(3_000);
    const total = n === greedy || r.chance(0.2) ? 90 + r.below(70) : 200 + r.below(500);
    const cap = Math.min(total, 80 + r.below(120));
    add(opened, { do: 'checkout', n, owner: r.below(OWNERS), cap, total });
    if (r.chance(0.95)) add(opened + 100 + r.below(4_000), { do: 'pay', n, wrong: r.chance(0.05) });
    while (r.chance(0.3)) add(opened + r.below(60_000), { do: 'pay', n, wrong: r.chance(0.1) });
    add(12_000 + r.below(5_000), { do: 'fund', n, cents: 150 + r.below(600) });
  }
  const lots = 4 + r.below(4);
  for (let lot = 0; lot < lots; lot++) add(16_000 + r.below(20_000), listing(r));
  const trades = 8 + r.below(16);
  for (let i = 0; i < trades; i++) {
    const [at, made] = [30_000 + r.below(120_000), trade(r, lots)];
    add(at, made);
    if (made.do === 'pause' && r.chance(0.6)) add(at + 2_000 + r.below(40_000), { do: 'resume', n: made.n });
  }
  ownersActs(r.fork('owners'), lots, add);
  let next = 34_000 + r.below(40_000);
  for (let i = 0; greedy !== null && i < 12; i++) {
    next += r.below(5_000);
    // An even price names the listing, like programs that saw it in the catalogue; the order is then judged by a
    // snapshot.
    const cents = 2 * (20 + r.below(35));
    add(next, { do: 'buy', n: greedy, lot: r.below(lots), cents, seconds: 2 + r.below(10) });
  }
  return { seed, actions, faults: FAULTS.filter((fault) => r.chance(fault === 'lag' ? 0.6 : 0.4)) };
}

/** What owners and the operator do while deals are under way; drawn apart, so that the trades stay what they were. */
function ownersActs(r: Random, lots: number, add: (at: number, action: Bare<Action>) => void): void {
  const many = r.below(9);
  for (let i = 0; i < many; i++) {
    const [at, n] = [28_000 + r.below(130_000), r.below(AGENTS)];
    const kind = r.below(100);
    if (kind < 30) add(at, { do: 'unfund', n });
    else if (kind < 50) add(at, { do: 'rotate', n });
    else if (kind < 75) {
      const total = 60 + r.below(600);
      add(at, { do: 'mandate', n, cap: Math.min(total, 40 + r.below(160)), total });
    } else {
      const lot = r.below(lots);
      add(at, { do: 'dispute', lot, by: r.below(OWNERS) });
      if (r.chance(0.8)) {
        const heldAt = at + r.below(20_000);
        add(heldAt, { do: 'hold', pick: r.below(4), minutes: 3 + r.below(4) });
        boughtBefore(r.fork(`held ${i}`), { lot, heldAt }, add);
      }
      if (r.chance(0.5))
        add(at + r.below(60_000), {
          do: 'rule',
          pick: r.below(4),
          ruling: r.chance(0.6) ? 'upheld' : 'rejected',
        });
    }
    if (r.chance(0.3)) add(at + r.below(30_000), { do: 'fund', n, cents: 100 + r.below(400) });
  }
}

/** Deals are under way when their lot is held: those that stop then must not bring it back for sale. */
function boughtBefore(
  r: Random,
  { lot, heldAt }: { readonly lot: number; readonly heldAt: number },
  add: (at: number, action: Bare<Action>) => void,
): void {
  for (let i = 0; i < 2; i++) {
    const at = heldAt - r.below(6_000);
    add(at, { do: 'buy', n: r.below(AGENTS), lot, cents: 70 + r.below(40), seconds: 30 });
  }
}

function listing(r: Random): Bare<Action> {
  const ask = 20 + r.below(60);
  const negotiable = r.chance(0.75);
  const floor = negotiable && r.chance(0.7) ? Math.max(1, ask - r.below(20)) : null;
  return { do: 'list', n: r.below(AGENTS), ask, floor, negotiable };
}

function trade(r: Random, lots: number): Bare<Action> {
  const n = r.below(AGENTS);
  const kind = r.below(100);
  if (kind < 58)
    return {
      do: 'buy',
      n,
      lot: r.below(lots),
      cents: 35 + r.below(80),
      seconds: 2 + r.below(r.chance(0.4) ? 20 : 600),
    };
  if (kind < 66) return { do: 'reprice', lot: r.below(lots), cents: 15 + r.below(100) };
  if (kind < 74) return { do: 'cancel', pick: r.below(30) };
  if (kind < 86) return { do: 'decide', pick: r.below(6), decision: r.chance(0.7) ? 'proceed' : 'stop' };
  if (kind < 90) return listing(r);
  return {
    do: r.pick(['pause', 'resume', 'retire', 'transfer', 'pause-on-chain', 'withdraw-asset'] as const),
    n,
  };
}
