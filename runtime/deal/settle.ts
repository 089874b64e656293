import { isOutdated, signedForSeconds } from '../../agents/deal/outdated.ts';
import { readable } from '../../agents/readable.ts';
import type { Settled } from '../../chain/clients/settlement.ts';
import { findSettlement, type SettlementFound } from '../../chain/indexer/find-settlement.ts';
import { ChainError } from '../../chain/rpc/chain-error.ts';
import { markSettled } from '../../store/deal/closings.ts';
import type { LoadedDeal } from '../../store/deal/deals.ts';
import { keepRefusal } from '../../store/deal/signings.ts';
import { EffectError, type EffectOutcome, type EffectRunner } from '../durable/jobs/effect.ts';
import { burntBy, whyBoundElsewhere, whyBurnt, whyNoUse } from '../market/public.ts';
import type { Services } from '../services.ts';
import {
  loadSides,
  NotSettleable,
  paymentOf,
  requireSameOwners,
  settlementTerms,
  settlementUnderWay,
  settleOnChain,
} from './settle-deal.ts';
import { requireSigningOver } from './signing-over.ts';
import { NOT_FINAL } from './verified-refusal.ts';

/**
 * Settles a deal: the asset goes one way and the money, minus the fee, the other way, in one transaction that both
 * session keys signed. The deal id is the contract's nonce, so the contract refuses to settle a deal twice. If
 * something else was settled under the id, the deal is unwound and never reported as settled. Where the determinations are
 * too old, as after an owner took hours over a decision or the chain was away, nothing is settled and they are made anew.
 * The effect gives a deal up only when nothing that was sent for it can still be mined, and when nobody can settle it any
 * more by what both keys signed. Until then its row waits.
 */
export function settleEffect(services: Services): EffectRunner {
  const find = async (dealId: string): Promise<SettlementFound> => {
    const { readers, deployment } = services.home;
    return await findSettlement(readers.viem, deployment, await settlementTerms(services, dealId));
  };
  /**
   * What the chain says of the deal. Asked in this order, a settlement that is mined meanwhile is found.
   * @throws EffectError while nothing is found and one that was sent may still be mined
   */
  const findOnceStill = async (dealId: string): Promise<SettlementFound> => {
    const underWay = await settlementUnderWay(services, dealId);
    const found = await find(dealId);
    if (found.kind !== 'settled' && underWay)
      throw new EffectError('a settlement that was sent may still be mined', { retry: true });
    return found;
  };
  /** @throws EffectError while anyone may still settle the deal, or when it was settled meanwhile */
  const requireOver = async (dealId: string): Promise<void> => {
    const over = await requireSigningOver(services, dealId);
    if (over.kind === 'settled') throw new EffectError('the deal was settled meanwhile', { retry: true });
  };
  /** Nothing is under way then, but an earlier attempt may have settled since it was asked. */
  const outdated = async (dealId: string): Promise<EffectOutcome> => {
    const found = await find(dealId);
    if (found.kind === 'settled') return settled(services, dealId, found);
    await requireOver(dealId);
    return { event: { type: 'OUTDATED' } };
  };
  /** A refusal is an outcome like any other: the machine unwinds the deal, and no operator has anything to mend. */
  const refused = async (dealId: string, reason: string): Promise<EffectOutcome> => {
    await requireOver(dealId);
    return { event: { type: 'EFFECT_FAILED', effect: 'settle', reason: readable(reason, 2000) } };
  };
  return {
    kind: 'settle',
    lane: 'chain',
    maxAttempts: 1_000,
    async reconcile({ params }) {
      const dealId = String(params.dealId);
      const found = await findOnceStill(dealId);
      return found.kind === 'settled' ? settled(services, dealId, found) : null;
    },
    async run({ params }) {
      const dealId = String(params.dealId);
      try {
        const sides = await loadSides(services, dealId);
        const { refusal } = sides.deal;
        if (refusal !== null) return await refused(dealId, refusal);
        const [head, burnt] = await Promise.all([
          requireSameOwners(services, sides),
          whyBurnt(services, soldIn(sides.deal)),
        ]);
        const { asset } = sides.deal;
        const useless =
          (await whyNoUse(services, asset)) ?? (await whyBoundElsewhere(services, asset, head.number));
        if (useless !== null) throw new NotSettleable(`${sides.deal.asset_key} ${useless}`);
        if (burnt !== null) throw new NotSettleable(burnt);
        const now = services.now();
        if (isOutdated(params.determinedAt, now)) return await outdated(dealId);
        const seconds = signedForSeconds(params.determinedAt, now);
        const done = await settleOnChain(services, sides, { seconds, head });
        services.crash('after-settlement-before-record');
        return settled(services, dealId, done);
      } catch (error) {
        if (error instanceof NotSettleable) return await refused(dealId, error.message);
        if (!(error instanceof ChainError) || error.kind !== 'reverted') throw error;
        const refusal = `the chain refused the settlement: ${error.message}`;
        // Who could make the chain refuse it once in a block could do so again and again, each time at our cost.
        if (error.block !== undefined && !NOT_FINAL.has(error.errorName)) {
          // Nor by ever new deals.
          const charges = await burntIn(services, dealId, error);
          await keepRefusal(services.db, dealId, refusal, { charges, now: services.now() });
        }
        // An earlier attempt settled it but could not record that, or the node does not answer and gives no reason.
        const found = await findOnceStill(dealId);
        if (found.kind === 'settled') return settled(services, dealId, found);
        if (found.kind === 'taken')
          return await refused(dealId, `another deal was settled under this deal's id, by ${found.tx}`);
        // The contract says that it settled, and a moment later that it did not: a node is behind, or the chain went back.
        if (error.errorName === 'DealAlreadySettled')
          throw new EffectError('the chain says that the deal is settled, and not where', { retry: true });
        if (error.errorName === 'DealExpired')
          throw new EffectError('the settlement came after its deadline: it is signed anew', { retry: true });
        return await refused(dealId, refusal);
      }
    },
    async givenUp({ params }) {
      await requireOver(String(params.dealId));
      return async () => {};
    },
  };
}

const soldIn = (deal: LoadedDeal): Parameters<typeof whyBurnt>[1] => ({
  ...{ asset: deal.asset, assetKey: deal.asset_key, seller: deal.seller_owner },
  buyer: { owner: deal.buyer_owner, tokenId: deal.buyer_token_id },
});

/** What counts against whom for a settlement of the deal that was refused in a block. */
async function burntIn(services: Services, dealId: string, { hash, block }: ChainError) {
  if (hash === undefined || block === undefined) return [];
  const sides = await loadSides(services, dealId);
  return await burntBy(services, soldIn(sides.deal), { hash, block, payment: paymentOf(services, sides) });
}

/** Books what the chain settled, and tells the deal. */
export function settled(services: Services, dealId: string, { tx, block }: Settled): EffectOutcome {
  return {
    event: { type: 'SETTLED', tx, block: block.toString() },
    // The deal shows as settled with what is booked.
    atOnce: true,
    commit: async (trx) => {
      await markSettled(trx, { dealId, tx, now: services.now() });
    },
  };
}
