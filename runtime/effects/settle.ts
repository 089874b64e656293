import { keccak } from '../../agents/canonical.ts';
import { sameAddress } from '../../agents/ids.ts';
import { readAgentOwner } from '../../chain/agents.ts';
import { ChainError } from '../../chain/chain-error.ts';
import { findSettlement, type Settled } from '../../chain/settlement.ts';
import { ultimateOwner } from '../../chain/ultimate-owner.ts';
import { markSettled } from '../../store/closings.ts';
import { sidesOf } from '../../store/deals.ts';
import { NotSettleable, settlementUnderWay, settleOnChain } from '../acts/settle-deal.ts';
import type { Services } from '../services.ts';
import { EffectError, type EffectOutcome, type EffectRunner } from './effect.ts';

/**
 * Settles a deal: asset one way, money less the fee the other, in one transaction signed by both session keys. The
 * deal id is the contract's nonce, so a second settlement of one deal is refused there. A deal is given up only when
 * nothing that was sent for it can still be mined.
 */
export function settleEffect(services: Services): EffectRunner {
  const settledAlready = async (dealId: string): Promise<EffectOutcome | null> => {
    const { readers, deployment } = services.home;
    const found = await findSettlement(readers.viem, deployment, keccak(dealId));
    return found === null ? null : settled(services, dealId, found);
  };
  const requireNoneUnderWay = async (dealId: string): Promise<void> => {
    if (!(await settlementUnderWay(services, dealId))) return;
    throw new EffectError('a settlement that was sent may still be mined', { retry: true });
  };
  return {
    kind: 'settle',
    lane: 'chain',
    maxAttempts: 1_000,
    reconcile: ({ params }) => settledAlready(String(params.dealId)),
    async run({ params, attempt }) {
      const dealId = String(params.dealId);
      if (attempt > 1) await requireNoneUnderWay(dealId);
      try {
        await requireSameOwners(services, dealId);
        const done = await settleOnChain(services, dealId);
        services.crash('after-settlement-before-record');
        return settled(services, dealId, done);
      } catch (error) {
        if (error instanceof NotSettleable)
          throw new EffectError(error.message, { retry: false, cause: error });
        if (!(error instanceof ChainError) || error.kind !== 'reverted') throw error;
        // Settled before, by an attempt whose end nobody saw; a node that is silent names no reason.
        const earlier = await settledAlready(dealId);
        if (earlier !== null) return earlier;
        await requireNoneUnderWay(dealId);
        throw new EffectError(`the chain refused the settlement: ${error.message}`, {
          retry: false,
          cause: error,
        });
      }
    },
  };
}

/**
 * A new owner has agreed to nothing: its key, by the mandate it has signed since, must not settle what the owner before
 * it had ordered. The owner is who stands behind the agent's own, through whatever accounts.
 * @throws NotSettleable, ReaderError
 */
async function requireSameOwners({ db, home }: Services, dealId: string): Promise<void> {
  const { number } = await home.readers.viem.head();
  const reader = home.readers.viem;
  for (const { handle, owner, tokenId } of await sidesOf(db, dealId)) {
    const held = await readAgentOwner(reader, home.deployment, tokenId, number);
    const behind = await ultimateOwner(reader, held, number);
    if (behind === null || !sameAddress(behind, owner))
      throw new NotSettleable(`${handle} has changed hands since it was matched`);
  }
}

function settled(services: Services, dealId: string, { tx, block }: Settled): EffectOutcome {
  return {
    event: { type: 'SETTLED', tx },
    commit: async (trx) => {
      await markSettled(trx, { dealId, tx, block, now: services.now() });
    },
  };
}
