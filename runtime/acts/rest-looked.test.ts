import { describe, expect, it } from 'vitest';
import type { LiveLimits } from '../../chain/agents.ts';
import type { AgentRow } from '../../store/agents.ts';
import type { ListingRow } from '../../store/listings.ts';
import type { BeforeOrder, Look } from '../../store/order-standing.ts';
import { isInForce, judgeLooked } from './rest-looked.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const USD = 1_000_000n;
const limits: LiveLimits = {
  ...{ perDeal: 50n * USD, day: 100n * USD, week: 100n * USD, month: 100n * USD, total: 100n * USD },
  spendable: 50n * USD,
};
const mandate = {
  version: 1,
  structured: {
    ...{ side: 'buy', currency: 'USDC', cap_per_deal: '50', cap_per_day: '100' },
    ...{ categories_allow: ['digital-products'], expires_at: '2027-03-31T23:59:59Z' },
  },
};
const listing = {
  ...{
    listing_ref: 'lst',
    handle: 'seller',
    category: 'digital-products',
    chain: 'eip155:1002',
    status: 'live',
  },
  ...{ ask: 100n * USD, floor: null, negotiable: true },
} as unknown as ListingRow;
const before: BeforeOrder = {
  ...{ listing, agentStatus: 'active', agentEpoch: 1, overdue: false, probed: [] },
  held: { amount: 0n, resting: 0, deals: 0, dealsToday: 0 },
  sold: { day: 0n, week: 0n, month: 0n, total: 0n },
  ...{ bookedBlock: 10n, mandate, best: null, secondLimit: null, seller: '0xs' },
};
const asked = { handle: 'buyer', owner: '0xo', now: NOW, probes: 20 };
const look: Look = { lot: 'lot', seen: 's', digest: 'd', before, asked };
const readied = {
  standing: { block: 10n, limits, epoch: 1 },
  ...{ behind: '0xo' as const, inForce: 1, lot: 'lot', look },
};
const order = {
  ...{
    orderId: 'o',
    side: 'buy' as const,
    category: 'digital-products' as const,
    limit: 20n * USD,
    openingBid: null,
  },
  expiresAt: new Date(NOW.getTime() + 1_000),
};

/** Whether it may rest by the look alone. */
function rests(change: Partial<typeof readied>, terms: Partial<typeof order> = {}, owner = '0xo'): boolean {
  const agent = { handle: 'buyer', epoch: 1 } as AgentRow;
  return judgeLooked({ agent, readied: { ...readied, ...change } }, { ...order, ...terms }, owner) !== null;
}

const looking = (change: Partial<BeforeOrder>) => ({ look: { ...look, before: { ...before, ...change } } });

describe('caps read beside a look', () => {
  it('count where they were read no earlier than the last block that booked a deal of the agent', () => {
    const at = (block: bigint, bookedBlock: bigint | null) =>
      isInForce({ ...readied, standing: { ...readied.standing, block } }, { mandate, bookedBlock });
    expect([at(10n, 9n), at(10n, 10n), at(0n, null)]).toEqual([true, true, true]);
    expect([at(10n, 11n), at(10n, 2n ** 63n - 1n)]).toEqual([false, false]);
  });

  it('count by the mandate alone that was in force before them', () => {
    const by = (version: number | null) =>
      isInForce(readied, { mandate: version === null ? null : { ...mandate, version }, bookedBlock: null });
    expect([by(1), by(2), by(null)]).toEqual([true, false, false]);
  });
});

describe('an order that was looked at', () => {
  it('is rested at once inside its mandate and caps', () => {
    expect(rests({})).toBe(true);
  });

  it('is left to the locks where the mandate or a cap would refuse it', () => {
    expect(rests({}, { limit: 51n * USD })).toBe(false);
    const held = { ...before.held, amount: 90n * USD };
    expect(rests(looking({ held }))).toBe(false);
    const spent = { ...readied.standing, limits: { ...limits, day: 10n * USD } };
    expect(rests({ standing: spent })).toBe(false);
    expect(rests({}, { category: 'real-world-assets' as never })).toBe(false);
  });

  it('is left to the locks where it is another’s, or anything it was judged by may be another', () => {
    expect(rests({}, {}, '0xother')).toBe(false);
    expect(rests({ standing: { ...readied.standing, epoch: 2 } })).toBe(false);
    expect(rests(looking({ bookedBlock: 11n }))).toBe(false);
    expect(rests(looking({ agentStatus: 'paused' }))).toBe(false);
    expect(rests(looking({ mandate: { ...mandate, version: 2 } }))).toBe(false);
    expect(rests(looking({ overdue: true }))).toBe(false);
  });
});
