import { lockMint } from '../../store/agent/mints.ts';
import { insertRecord } from '../../store/records/records.ts';
import { EffectError, type EffectRunner } from '../durable/jobs/effect.ts';
import type { Services } from '../services.ts';
import { mintNamedIn, purchaseRecord } from './purchase-record.ts';

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
          const named = mintNamedIn(signed);
          const booked = await lockMint(trx, named.handle);
          if (booked?.tx !== named.tx || booked.tokenId !== named.tokenId)
            throw new Error('the mint has moved meanwhile');
          await insertRecord(trx, signed);
        },
      };
    },
  };
}
