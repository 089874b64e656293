import { moneyOf } from '../../../agents/market/pricing/fees.ts';
import { type AgentRow, findAgent } from '../../../store/agent/agents.ts';
import { type MayRest, reviewOrders } from '../../../store/market/order-reviews.ts';
import { lookAtSpending, type SpendingLook } from '../../agent/public.ts';
import { EffectError, type EffectRunner } from '../../durable/jobs/effect.ts';
import type { Services } from '../../services.ts';
import { lookThenWrite } from './look-again.ts';
import { mayStand } from './may-stand.ts';

/** Withdraws the orders that an agent's new mandate does not allow, the newest first, until the rest fits. */
export function reviewOrdersEffect(services: Services): EffectRunner {
  return {
    kind: 'review-orders',
    lane: 'default',
    maxAttempts: 1_000,
    async run({ params }) {
      const agent = await findAgent(services.db, String(params.handle));
      if (!agent) throw new EffectError('there is no such agent', { retry: false });
      await reviewOrdersOf(services, agent);
      return {};
    },
  };
}

/** Withdraws the orders that an agent's mandate does not allow. What stands in a running auction stays until its end. */
export async function reviewOrdersOf(services: Services, agent: AgentRow): Promise<void> {
  await lookThenWrite(async () => {
    const now = services.now();
    const look = await lookAtSpending(services, agent);
    await reviewOrders(services.db, agent.handle, now, mayRestBy(agent, look, now));
  });
}

/**
 * Whether an agent's mandate and caps, which were read before, allow one of its orders to rest. A sale that its caps have
 * no room for now rests until they do: else whoever orders one thing of a seller could take the others off the market.
 */
export function mayRestBy(agent: AgentRow, look: SpendingLook, now: Date): MayRest {
  return async (trx, { order, listing, held }) => {
    const { side, owner } = order;
    const limit = side === 'buy' ? moneyOf(order.asset_key, order.limit_price).buyerPays : order.limit_price;
    return await mayStand(trx, agent, { side, owner, limit, listing, held, now }, look, true);
  };
}
