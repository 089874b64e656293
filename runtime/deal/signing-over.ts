import { findSettlement, type SettlementFound } from '../../chain/indexer/find-settlement.ts';
import { findDeal } from '../../store/deal/deals.ts';
import { endSigning, keepOver } from '../../store/deal/signings.ts';
import { EffectError } from '../durable/jobs/effect.ts';
import type { Services } from '../services.ts';
import { NotSettleable, settlementTerms } from './settle-deal.ts';

/** How often a deal is looked at again while it waits for its deadline, milliseconds. */
const AGAIN_MS = { least: 1_000, most: 5_000 };

/** What the contract did under a deal's id, and nothing that was signed for it can change that. */
export type SettlementOver =
  | SettlementFound
  /** Not settled, and anyone may still settle it by what both keys signed. */
  | { readonly kind: 'open'; readonly againMs: number };

/**
 * What became of a deal that the service gives up. Whatever both keys signed for it is in the calldata of a transaction
 * that everybody has seen, and the contract takes it from anyone until its deadline, also after it refused it once: so
 * nothing counts as not settled until a block after the latest deadline has its confirmations, and both nodes say so. No
 * attempt that has begun before signs any more.
 * @throws EffectError while another attempt signs; ReaderError
 */
export async function settlementOver(services: Services, dealId: string): Promise<SettlementOver> {
  const { db, home, config } = services;
  const deal = await findDeal(db, dealId);
  if (deal === null) return { kind: 'none' };
  if (!(await endSigning(db, deal)))
    throw new EffectError('the deal is signed at this moment', { retry: true });
  const terms = await settlementTerms(services, dealId).catch((error: unknown) => {
    if (error instanceof NotSettleable && deal.signed_until === null) return null;
    throw error;
  });
  if (terms === null) return { kind: 'none' };
  const { viem, ethers } = home.readers;
  const head = await viem.head();
  // As of the head that is past the deadline: a node behind it may not have the block with the settlement.
  const found = await findSettlement(viem, home.deployment, terms, head.number);
  if (found.kind !== 'none' || deal.signed_until === null) return found;
  const left = deal.signed_until - head.timestamp;
  if (left >= 0n) return { kind: 'open', againMs: clamped(Number(left) * 1000) };
  const over = await keepOver(db, { ...deal, signing: deal.signing + 1 }, head.number);
  if (head.number < over + BigInt(config.confirmations)) return { kind: 'open', againMs: AGAIN_MS.most };
  // A deal that is given up is not booked again, and one node may lie.
  const other = await findSettlement(ethers, home.deployment, terms);
  return other.kind === 'settled' ? { kind: 'open', againMs: AGAIN_MS.most } : found;
}

/**
 * What became of a deal that is given up, once nobody can settle it any more.
 * @throws EffectError while anyone may still settle it by what both keys signed, or another attempt signs; ReaderError
 */
export async function requireSigningOver(services: Services, dealId: string): Promise<SettlementFound> {
  const over = await settlementOver(services, dealId);
  if (over.kind === 'open')
    throw new EffectError('what both keys signed may still be settled by anyone', {
      retry: true,
      waitMs: over.againMs,
    });
  return over;
}

function clamped(ms: number): number {
  return Math.min(Math.max(ms, AGAIN_MS.least), AGAIN_MS.most);
}
