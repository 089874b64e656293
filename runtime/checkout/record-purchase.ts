import { insertRecord } from '../../store/records/records.ts';
import { EffectError, type EffectRunner } from '../durable/jobs/effect.ts';
import type { Services } from '../services.ts';
import { purchaseRecord } from './purchase-record.ts';

/** Files the public record of the purchase of an agent. */
export function recordPurchaseEffect(services: Services): EffectRunner {
  return {
    kind: 'record-purchase',
    lane: 'default',
    maxAttempts: 1_000,
    async run({ params }) {
      const signed = await purchaseRecord(services, String(params.checkoutId));
      if (signed === null) throw new EffectError('the minted agent is not there yet', { retry: true });
      return {
        event: { type: 'RECORDED' },
        commit: async (trx) => {
          await insertRecord(trx, signed);
        },
      };
    },
  };
}
