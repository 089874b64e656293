import { Refusal } from '../../../agents/errors.ts';
import { findAgent } from '../../../store/agent/agents.ts';
import { reviewOrders } from '../../../store/market/order-reviews.ts';
import { lookAtSpending } from '../../agent/public.ts';
import { EffectError, type EffectRunner } from '../../durable/jobs/effect.ts';
import type { Services } from '../../services.ts';
import { judgeOrder } from './judge-order.ts';
import { lookThenWrite } from './look-again.ts';

const FORBIDS: ReadonlySet<string> = new Set(['mandate-exceeded', 'agent-not-active']);

/** Withdraws the orders that an agent's new mandate does not allow, the newest first, until the rest fits. */
export function reviewOrdersEffect(services: Services): EffectRunner {
  return {
    kind: 'review-orders',
    lane: 'default',
    maxAttempts: 1_000,
    async run({ params }) {
      const agent = await findAgent(services.db, String(params.handle));
      if (!agent) throw new EffectError('there is no such agent', { retry: false });
      await lookThenWrite(async () => {
        const now = services.now();
        const look = await lookAtSpending(services, agent);
        await reviewOrders(services.db, agent.handle, now, async (trx, { order, listing, held }) => {
          try {
            const { side, owner, limit_price: limit } = order;
            await judgeOrder(trx, agent, { side, owner, limit, listing, held, now }, look);
            return true;
          } catch (error) {
            if (error instanceof Refusal && FORBIDS.has(error.code)) return false;
            throw error;
          }
        });
      });
      return {};
    },
  };
}
