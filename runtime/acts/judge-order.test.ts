import { describe, expect, it } from 'vitest';
import type { LiveLimits } from '../../chain/agents.ts';
import type { AgentRow } from '../../store/agents.ts';
import { NO_BLOCK } from '../../store/booked-blocks.ts';
import type { Trx } from '../../store/database.ts';
import type { BeforeOrder } from '../../store/order-standing.ts';
import type { Services } from '../services.ts';
import { judgeOrder } from './judge-order.ts';

const USD = 1_000_000n;
const limits: LiveLimits = {
  ...{ perDeal: 50n * USD, day: 100n * USD, week: 100n * USD, month: 100n * USD, total: 100n * USD },
  spendable: 50n * USD,
};
const mandate = {
  version: 1,
  structured: {
    ...{ side: 'both', currency: 'USDC', cap_per_deal: '50', cap_per_day: '100' },
    ...{ categories_allow: ['digital-products'], expires_at: '2027-03-31T23:59:59Z' },
  },
} as NonNullable<BeforeOrder['mandate']>;

/** An order of an agent whose last deal was booked in one block, judged by caps that were read at another. */
async function judged(side: 'buy' | 'sell', at: { block: bigint; bookedBlock: bigint | null }) {
  const { block, bookedBlock } = at;
  // Neither the chain nor the database is asked for what is known already.
  const [services, trx] = [{} as Services, {} as Trx];
  await judgeOrder(services, trx, { handle: 'ann', epoch: 1 } as AgentRow, {
    ...{ side, limit: 20n * USD, listing: { category: 'digital-products', chain: 'eip155:1002' } },
    held: { amount: 0n, resting: 0, deals: 0, dealsToday: 0 },
    now: new Date('2026-06-01T12:00:00Z'),
    known: { mandate, sold: { day: 0n, week: 0n, month: 0n, total: 0n }, bookedBlock },
    standing: { block, limits, epoch: 1 },
  });
}

describe('an order that is judged by the chain', () => {
  it('buys nothing by the word of a node that is behind what was booked', async () => {
    const behind = judged('buy', { block: 9n, bookedBlock: 10n });
    await expect(behind).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/block 9, .* in 10/),
    });
  });

  it('buys once the node has what was booked, and where no block is known of that', async () => {
    await judged('buy', { block: 10n, bookedBlock: 10n });
    await judged('buy', { block: 9n, bookedBlock: null });
    await judged('buy', { block: 9n, bookedBlock: NO_BLOCK });
  });

  it('sells all the same: what it may sell is not counted on chain', async () => {
    await judged('sell', { block: 9n, bookedBlock: 10n });
  });
});
