import { assetKey } from '../../agents/assets.ts';
import { CERTIFICATE_LIMIT } from '../../agents/certificates/certificates.ts';
import { sameAddress } from '../../agents/ids.ts';
import { moneyOf } from '../../agents/market/pricing/fees.ts';
import { toUsd } from '../../agents/money.ts';
import { isNameLot, nameOf } from '../../agents/names/name.ts';
import { wholeSecond } from '../../agents/records/record.ts';
import { type LoadedDeal, loadDeal } from '../../store/deal/deals.ts';
import { type Happening, recordsOf } from '../../store/records/record-status.ts';
import { loadRecord, type SignedRecord } from '../../store/records/records.ts';
import { recordIdOf, signRecord } from '../records/public.ts';
import type { Services } from '../services.ts';
import { determinationIds, lastRound } from './determine.ts';

/** The id of the public record of a deal's settlement. */
export function dealRecordId(dealId: string): string {
  return recordIdOf('deal-settled', dealId);
}

/**
 * Null when the deal has no settlement to report.
 * @param round which time both sides determined last, as the deal's actor knows; null: its records are asked
 */
export async function dealRecord(
  services: Services,
  deal: LoadedDeal,
  round: number | null,
): Promise<SignedRecord | null> {
  const { deal_id: dealId, tx } = deal;
  return tx === null ? null : await make(services, deal, { recordId: dealRecordId(dealId), tx, round });
}

/**
 * What the records of a deal's settlement have in common: the first, and those in its place after a reorg. Earlier builds
 * dated them at the match.
 */
export function saleOf(deal: LoadedDeal): Happening {
  const { seller: handle, asset_key: subject, matched_at: matched, settled_at: settled } = deal;
  const issuedAt = [matched, ...(settled === null ? [] : [settled])].map((at) => new Date(wholeSecond(at)));
  return { kind: 'deal-settled', handle, subject, issuedAt };
}

/** The record of a deal's settlement that was filed last; null where none was. */
async function lastFiled({ db }: Services, deal: LoadedDeal): Promise<SignedRecord | null> {
  const last = (await recordsOf(db, saleOf(deal))).at(-1);
  return last === undefined ? null : await loadRecord(db, last);
}

/**
 * The record that replaces an inscribed one whose transaction is no longer on the chain. Null when none was inscribed
 * yet: the record to come will name the right transaction.
 */
export async function correctedDealRecord(
  services: Services,
  dealId: string,
  tx: string,
): Promise<SignedRecord | null> {
  const deal = await loadDeal(services.db, dealId);
  const last = await lastFiled(services, deal);
  if (last === null) return null;
  const { recordId: supersedes, content } = last.record;
  if ((content as { readonly tx?: unknown }).tx === tx) return last;
  return await make(services, deal, {
    // A settlement may come back to a transaction that it was in before, whose record does not hold any more.
    recordId: recordIdOf('deal-settled', `${supersedes}:${tx}`),
    tx,
    round: null,
    supersedes,
  });
}

async function make(
  services: Services,
  deal: LoadedDeal,
  told: { recordId: string; tx: string; round: number | null; supersedes?: string },
): Promise<SignedRecord | null> {
  const { deal_id: dealId, buyer_account: buyer, seller_account: seller } = deal;
  // When it was booked as settled, which no later look at the chain changes.
  const issuedAt = deal.settled_at;
  if (buyer === null || seller === null || issuedAt === null) return null;
  const { recordId, tx, supersedes } = told;
  const round = told.round ?? (await lastRound(services.db, dealId));
  return await signRecord(services.signRecord, {
    recordId,
    kind: 'deal-settled',
    issuedAt,
    subject: deal.asset_key,
    parties: [deal.buyer, deal.seller],
    summary: `${deal.seller} sold ${named(deal.asset_key)} to ${deal.buyer} for ${toUsd(deal.price)} USD.`,
    content: {
      dealId,
      matchId: deal.match_id,
      lot: deal.asset_key,
      category: deal.category,
      chain: deal.chain,
      seller,
      buyer,
      priceUsd: toUsd(deal.price),
      feeUsd: toUsd(deal.fee),
      ...bothSides(deal),
      determinations: determinationIds(dealId, round),
      tx,
      ...certificateOf(services, deal),
      ...(supersedes === undefined ? {} : { supersedes }),
    },
    handle: deal.seller,
  });
}

/** For a name each side pays a fee, so the record states what the buyer paid and the seller got besides the price. */
function bothSides(deal: LoadedDeal): { buyerPaidUsd?: number; sellerGotUsd?: number } {
  if (!isNameLot(deal.asset_key)) return {};
  const { buyerPays, sellerNets } = moneyOf(deal.asset_key, deal.price);
  return { buyerPaidUsd: toUsd(buyerPays), sellerGotUsd: toUsd(sellerNets) };
}

function named(lot: string): string {
  const name = nameOf(lot);
  return name === null ? lot : `the name ${name}`;
}

/** The certificate by which a real-world lot is transferred, with what it proves. */
function certificateOf(
  { home }: Services,
  deal: LoadedDeal,
): { certificate?: { token: string; limit: string } } {
  const asset = deal.asset;
  if (asset.kind !== 'token' || !sameAddress(asset.contract, home.deployment.certificates)) return {};
  return { certificate: { token: assetKey(asset), limit: CERTIFICATE_LIMIT } };
}

/** The record that a reorg removed an inscribed settlement. Null when none was inscribed. */
export async function revokedDealRecord(services: Services, dealId: string): Promise<SignedRecord | null> {
  const deal = await loadDeal(services.db, dealId);
  const supersedes = (await lastFiled(services, deal))?.record.recordId;
  if (supersedes === undefined) return null;
  return await signRecord(services.signRecord, {
    recordId: recordIdOf('order-refused', `${dealId}:revoked`),
    kind: 'order-refused',
    issuedAt: services.now(),
    subject: deal.asset_key,
    parties: [deal.buyer, deal.seller],
    summary: `The chain took the settlement of ${deal.asset_key} between ${deal.seller} and ${deal.buyer} back, and it is not settled again.`,
    content: { dealId, matchId: deal.match_id, lot: deal.asset_key, supersedes },
    handle: deal.seller,
  });
}
