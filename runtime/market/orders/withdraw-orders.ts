import { effectAskedAt } from '../../../store/durable/outbox.ts';
import { withdrawOrders } from '../../../store/market/withdrawals.ts';
import type { EffectRunner } from '../../durable/jobs/effect.ts';
import type { Services } from '../../services.ts';

/**
 * Withdraws an agent's resting orders. Running it again changes nothing, and running it late leaves alone what the agent
 * placed after it was resumed.
 */
export function withdrawOrdersEffect(services: Services): EffectRunner {
  return {
    kind: 'withdraw-orders',
    lane: 'default',
    maxAttempts: 1_000,
    async run({ key, params }) {
      const askedAt = await effectAskedAt(services.db, key);
      await withdrawOrders(services.db, String(params.handle), services.now(), askedAt);
      return {};
    },
  };
}
