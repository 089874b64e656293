import { type Selectable, sql } from 'kysely';
import { type Decision, type Dispute, isInTheWay, type Ruling } from '../../agents/certificates/dispute.ts';
import { Refusal } from '../../agents/errors.ts';
import type { Database, Trx } from '../database.ts';
import { sameThing } from '../market/same-thing.ts';
import type { Tables } from '../tables.ts';
import { lotKeyOf } from './certificates.ts';

type Row = Selectable<Tables['certificate_disputes']>;
type NewDispute = Pick<
  Dispute,
  'disputeId' | 'tokenId' | 'assetKey' | 'wallet' | 'grounds' | 'evidence' | 'filedAt' | 'replyUntil'
> & {
  /** The block in which the wallet, or an agent of its owner, first held the certificate; null where neither ever did. */
  readonly heldBlock?: bigint | null;
};

/** @returns false when the wallet has disputed the certificate before, and nothing was written */
export async function fileDispute(trx: Trx, dispute: NewDispute): Promise<boolean> {
  const row = await trx
    .insertInto('certificate_disputes')
    .values({
      dispute_id: dispute.disputeId,
      token_id: dispute.tokenId,
      asset_key: dispute.assetKey,
      wallet: dispute.wallet,
      grounds: dispute.grounds,
      evidence: [...dispute.evidence],
      filed_at: dispute.filedAt,
      reply_until: dispute.replyUntil,
      held_block: dispute.heldBlock ?? null,
    })
    .onConflict((oc) => oc.columns(['token_id', 'wallet']).doNothing())
    .returning('dispute_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findDispute(db: Database | Trx, disputeId: string): Promise<Dispute | null> {
  const row = await db
    .selectFrom('certificate_disputes')
    .selectAll()
    .where('dispute_id', '=', disputeId)
    .executeTakeFirst();
  return row === undefined ? null : disputeOf(row);
}

/** The dispute whose first decision this record is. */
export async function disputeDecidedBy(db: Database | Trx, recordId: string): Promise<Dispute | null> {
  const row = await db
    .selectFrom('certificate_disputes')
    .selectAll()
    .where('record_id', '=', recordId)
    .executeTakeFirst();
  return row === undefined ? null : disputeOf(row);
}

export async function disputeBy(
  db: Database | Trx,
  { tokenId, wallet }: Pick<Dispute, 'tokenId' | 'wallet'>,
): Promise<Dispute | null> {
  const row = await db
    .selectFrom('certificate_disputes')
    .selectAll()
    .where('token_id', '=', tokenId)
    .where('wallet', '=', wallet)
    .executeTakeFirst();
  return row === undefined ? null : disputeOf(row);
}

/** Anybody may dispute: so many are shown of a certificate. */
const SHOWN = 50;

export const acted = sql<boolean>`(held_at is not null or decided_at is not null)`;
/** Those on which the last word is still to be said. */
export const undecided = sql<boolean>`(second_decision is null and (decision is null or appealed_at is not null))`;
export const filedBy = (wallets: readonly string[]) => sql<boolean>`wallet = any(${[...wallets]}::text[])`;

/**
 * What is shown of a certificate's disputes: those on which the operator acted first, then those of its former holders and
 * of who owns the agents among these, then the newest.
 * @param holders lower case
 */
export async function disputesOf(
  db: Database,
  tokenId: string,
  holders: readonly string[] = [],
): Promise<Dispute[]> {
  const owners = sql`array(select owner from agents where account = any(${[...holders]}::text[]))`;
  const rows = await db
    .selectFrom('certificate_disputes')
    .selectAll()
    .where('token_id', '=', tokenId)
    .orderBy(acted, 'desc')
    .orderBy(sql`(${filedBy(holders)} or wallet = any(${owners}))`, 'desc')
    .orderBy('filed_at', 'desc')
    .limit(SHOWN)
    .execute();
  return rows.map(disputeOf);
}

/** The oldest first. @param scope `open`: those that the operator has still to decide */
export async function listDisputes(db: Database, scope: 'open' | 'all'): Promise<Dispute[]> {
  let rows = db.selectFrom('certificate_disputes').selectAll().orderBy('filed_at');
  if (scope === 'open') {
    rows = rows.where(undecided);
  }
  return (await rows.execute()).map(disputeOf);
}

/** Those of which a record is still to be filed, or a certificate to be marked void: the caller knows from when. */
export async function unconcludedDisputes(db: Database): Promise<Dispute[]> {
  const rows = await db
    .selectFrom('certificate_disputes')
    .selectAll()
    .where('decision', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('record_id', 'is', null),
        eb.and([eb('second_decision', 'is not', null), eb('second_record_id', 'is', null)]),
        eb.and([
          eb('closed_at', 'is', null),
          eb(eb.fn.coalesce('second_decision', 'decision'), '=', 'upheld'),
        ]),
      ]),
    )
    .orderBy('decided_at')
    .execute();
  return rows.map(disputeOf);
}

/** Why a thing can be neither listed, pledged nor transferred now, by the key of it or of its certificate; else null. */
export async function disputeInTheWay(
  db: Database | Trx,
  assetKey: string,
  now: Date,
): Promise<Dispute | null> {
  const rows = await db
    .selectFrom('certificate_disputes')
    .selectAll()
    .where(sameThing(await lotKeyOf(db, assetKey)))
    .where('closed_at', 'is', null)
    .where((eb) => eb.or([eb('held_until', '>', now), eb('decision', 'is not', null)]))
    .execute();
  return rows.map(disputeOf).find((dispute) => isInTheWay(dispute, now)) ?? null;
}

/** @throws Refusal disputed, naming the dispute */
export async function refuseDisputed(db: Database | Trx, assetKey: string, now: Date): Promise<void> {
  const dispute = await disputeInTheWay(db, assetKey, now);
  if (dispute === null) return;
  const { disputeId, hold, decision } = dispute;
  const how =
    decision !== null || hold === null ? 'was upheld' : `holds it until ${hold.until.toISOString()}`;
  throw new Refusal('disputed', `${dispute.assetKey}: the dispute "${disputeId}" ${how}.`, {
    extra: { disputeId },
  });
}

/** Changes a dispute by what `act` says of its present state; nobody else changes it meanwhile. */
export async function changeDispute(
  trx: Trx,
  disputeId: string,
  act: (dispute: Dispute) => Partial<Omit<Dispute, keyof NewDispute>>,
): Promise<Dispute> {
  const row = await trx
    .selectFrom('certificate_disputes')
    .selectAll()
    .where('dispute_id', '=', disputeId)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('not-found', `There is no dispute "${disputeId}".`);
  const before = disputeOf(row);
  const after = { ...before, ...act(before) };
  await trx
    .updateTable('certificate_disputes')
    .set(rowOf(after))
    .where('dispute_id', '=', disputeId)
    .execute();
  return after;
}

export function disputeOf(row: Row): Dispute {
  return {
    disputeId: row.dispute_id,
    tokenId: row.token_id,
    assetKey: row.asset_key,
    wallet: row.wallet,
    grounds: row.grounds,
    evidence: row.evidence,
    filedAt: row.filed_at,
    replyUntil: row.reply_until,
    reply: row.reply === null ? null : { text: row.reply, by: row.replied_by!, at: row.replied_at! },
    hold: row.cause === null ? null : { cause: row.cause, at: row.held_at!, until: row.held_until! },
    decision: decisionOf(row.decision, row.reason, row.decided_at, row.record_id),
    appeal:
      row.appealed_at === null
        ? null
        : { wallet: row.appealed_by!, grounds: row.appeal_grounds, at: row.appealed_at },
    second: decisionOf(row.second_decision, row.second_reason, row.second_decided_at, row.second_record_id),
    closedAt: row.closed_at,
  };
}

function decisionOf(
  ruling: string | null,
  reason: string | null,
  at: Date | null,
  recordId: string | null,
): Decision | null {
  return ruling === null ? null : { ruling: ruling as Ruling, reason: reason!, at: at!, recordId };
}

/** What changes of a dispute after it was filed. */
function rowOf({ reply, hold, decision, appeal, second, closedAt }: Dispute) {
  return {
    reply: reply?.text ?? null,
    replied_by: reply?.by ?? null,
    replied_at: reply?.at ?? null,
    cause: hold?.cause ?? null,
    held_at: hold?.at ?? null,
    held_until: hold?.until ?? null,
    decision: decision?.ruling ?? null,
    reason: decision?.reason ?? null,
    decided_at: decision?.at ?? null,
    record_id: decision?.recordId ?? null,
    appealed_by: appeal?.wallet ?? null,
    appeal_grounds: appeal?.grounds ?? null,
    appealed_at: appeal?.at ?? null,
    second_decision: second?.ruling ?? null,
    second_reason: second?.reason ?? null,
    second_decided_at: second?.at ?? null,
    second_record_id: second?.recordId ?? null,
    closed_at: closedAt,
  };
}
