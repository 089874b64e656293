import { sql } from 'kysely';
import type { Database, Trx } from '../database.ts';
import type { PaymentStatus } from './payments.ts';

/** A payment that is not finished and that nobody works on. */
export interface UnsettledPayment {
  readonly paymentId: string;
  /** CAIP-2. */
  readonly network: string;
  readonly payer: string;
  readonly nonce: string;
  readonly amount: bigint;
  readonly asset: string;
  readonly payTo: string;
  readonly validAfter: Date;
  readonly validBefore: Date;
  readonly firstSeen: Date;
  readonly status: Exclude<PaymentStatus, 'settled'>;
  /** True when its answer is kept and can be released. */
  readonly answered: boolean;
}

/** How long the request that sent a payment has to note the result itself; also the pause between two checks. */
const QUIET_S = 15;

/**
 * Takes the next payments to check, those first whose last check is longest ago: payments that were sent and whose
 * result nobody noted, and unsettled ones that have expired. Each goes to one caller, for a while.
 */
export async function takeUnsettled(db: Database, now: Date, limit: number): Promise<UnsettledPayment[]> {
  const quiet = new Date(now.getTime() - QUIET_S * 1_000);
  const { rows } = await sql<UnsettledPayment>`
    with due as (
      select payment_id from payments
      where status <> 'settled' and (lease_until is null or lease_until <= ${now})
        and coalesce(looked_at, created_at) <= ${quiet}
        and ((status = 'settling' and updated_at <= ${quiet}) or valid_before < ${now})
      order by coalesce(looked_at, created_at) limit ${limit} for update skip locked
    )
    update payments p set looked_at = ${now} from due where p.payment_id = due.payment_id
    returning p.payment_id as "paymentId", p.network, p.payer, p.nonce, p.amount, p.asset, p.pay_to as "payTo",
      p.valid_after as "validAfter", p.valid_before as "validBefore", p.created_at as "firstSeen", p.status,
      p.response is not null as answered`.execute(db);
  return rows;
}

/**
 * Deletes a payment that did not settle and never will, with its answer.
 * @returns false while somebody holds its lease
 */
export async function discardPayment(trx: Trx, paymentId: string, now: Date): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('payments')
    .where('payment_id', '=', paymentId)
    .where('status', '<>', 'settled')
    .where((e) => e.or([e('lease_until', 'is', null), e('lease_until', '<=', now)]))
    .executeTakeFirst();
  return numDeletedRows === 1n;
}
