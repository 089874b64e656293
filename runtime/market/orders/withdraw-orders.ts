import { withdrawOrders } from '../../../store/market/withdrawals.ts';
import type { EffectRunner } from '../../durable/jobs/effect.ts';
import type { Services } from '../../services.ts';

/** Withdraws an agent's resting orders. Running it again changes nothing. */
export function withdrawOrdersEffect(services: Services): EffectRunner {
  return {
    kind: 'withdraw-orders',
    lane: 'default',
    maxAttempts: 1_000,
    async run({ params }) {
      await withdrawOrders(services.db, String(params.handle), services.now());
      return {};
    },
  };
}
