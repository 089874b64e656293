import {
  type Dispute,
  decisionDue,
  holdUntil,
  type Ruling,
  readSaid,
  requireHoldOpen,
} from '../../agents/certificates/dispute.ts';
import { changeDispute } from '../../store/certificates/disputes.ts';
import { type Database, databaseTime, type Trx } from '../../store/database.ts';
import { standingListingOf } from '../../store/market/listings.ts';
import { dropLot } from '../../store/market/withdrawals.ts';

/**
 * Holds a certificate: it leaves the market, and is neither listed, pledged nor transferred until the hold ends by
 * itself. Deals under way go on.
 * @throws AppError not-found, bad-request, conflict
 */
export async function holdDispute(
  db: Database,
  disputeId: string,
  { cause, hours }: { readonly cause: string; readonly hours: number },
): Promise<Dispute> {
  const at = await databaseTime(db);
  const hold = { cause: readSaid(cause, 'cause'), at, until: holdUntil(at, hours) };
  return await db.transaction().execute(async (trx) => {
    const held = await changeDispute(trx, disputeId, (dispute) => {
      requireHoldOpen(dispute);
      return { hold };
    });
    await leaveMarket(trx, held, at);
    return held;
  });
}

/**
 * Decides a dispute, or the appeal against its first decision. The service files the record, and marks the certificate
 * of an upheld one void once nobody can appeal any more.
 * @throws AppError not-found, bad-request, conflict
 */
export async function decideDispute(
  db: Database,
  disputeId: string,
  { ruling, reason: said }: { readonly ruling: Ruling; readonly reason: string },
): Promise<Dispute> {
  const at = await databaseTime(db);
  const reason = readSaid(said, 'reason');
  return await db.transaction().execute(async (trx) => {
    const decided = await changeDispute(trx, disputeId, (dispute) => {
      const due = decisionDue(dispute, at);
      return { [due]: { ruling, reason, at, recordId: null } };
    });
    if (ruling === 'upheld') await leaveMarket(trx, decided, at);
    return decided;
  });
}

/**
 * Takes the lot off the market under its lock. A deal goes on: what was sold stays sold. A deal that is undone, however
 * late, does not list the lot again.
 */
async function leaveMarket(trx: Trx, { assetKey }: Dispute, now: Date): Promise<void> {
  const listing = await standingListingOf(trx, assetKey);
  if (listing !== null) await dropLot(trx, listing.asset_key, now);
}
