import { findSettlement } from '../../chain/indexer/find-settlement.ts';
import type { ChainReader } from '../../chain/rpc/reader.ts';
import { findDeal, type LoadedDeal, loadDeal } from '../../store/deal/deals.ts';
import { insertRecord } from '../../store/records/records.ts';
import { EffectError, type EffectRunner } from '../durable/jobs/effect.ts';
import type { Services } from '../services.ts';
import { dealRecord } from './deal-record.ts';
import { termsOf } from './settle-deal.ts';
import { tellClosed } from './tell-closed.ts';

/**
 * The public record of a settled deal, in the activity of both agents. It shows the price and never a limit. It is
 * written once the settlement is as deep in the chain as the configuration requires.
 */
export function recordDealEffect(services: Services): EffectRunner {
  return {
    kind: 'record-deal',
    lane: 'default',
    maxAttempts: 1_000,
    async run({ params }) {
      const dealId = String(params.dealId);
      const deal = await loadDeal(services.db, dealId);
      // The settlement did not stand: there is nothing to record.
      if (deal.state === 'failed') return {};
      await requireDeepEnough(services, deal);
      const signed = await dealRecord(services, deal, typeof params.round === 'number' ? params.round : null);
      if (signed === null) throw new EffectError('the deal is not settled yet', { retry: true });
      const { buyer, seller, tx } = deal;
      return {
        event: { type: 'RECORDED' },
        atOnce: true,
        wake: [`agent:${buyer}`, `agent:${seller}`],
        commit: async (trx) => {
          const now = await findDeal(trx, dealId);
          if (now?.tx !== tx) throw new Error('the settlement has moved meanwhile');
          await insertRecord(trx, signed);
          await tellClosed(trx, deal, services.now());
        },
      };
    },
  };
}

/** Both nodes must hold it: a record is signed and public, and one node may lie. */
async function requireDeepEnough(services: Services, deal: LoadedDeal): Promise<void> {
  const { confirmations } = services.config;
  if (confirmations === 0) return;
  const { readers, deployment } = services.home;
  const deepEnough = async (reader: ChainReader): Promise<void> => {
    const found = await findSettlement(reader, deployment, termsOf(services, deal));
    // Where it stands elsewhere than booked, whoever watches the chain books it anew before it is recorded.
    if (found.kind === 'settled' && (found.tx !== deal.tx || found.block !== deal.settled_block))
      throw new EffectError(`the settlement stands in ${found.tx} now, and is not booked there yet`, {
        retry: true,
      });
    const { number } = await reader.head();
    if (found.kind !== 'settled' || number - found.block < BigInt(confirmations))
      throw new EffectError(`fewer than ${confirmations} blocks lie on the settlement`, { retry: true });
  };
  await Promise.all([readers.viem, readers.ethers].map(deepEnough));
}
