import { sql } from 'kysely';
import type { Database, Trx } from '../database.ts';

/**
 * What failed settlements cost, by key, shared by all processes. Spent gas drains at a constant rate: the whole
 * capacity in one window. Times come from the database's clock, so that clocks of machines need not agree.
 */

/** A budget that a payment draws on. */
export interface GasBudget {
  readonly key: string;
  /** The gas that may be spent in one window; null where failures are only counted. */
  readonly capacity: number | null;
  /** How many payments may draw on it at once; unlimited when left out. */
  readonly inFlight?: number;
}

export interface Reservation {
  readonly paymentId: string;
  readonly budgets: readonly GasBudget[];
  /** The most gas that settling the payment can cost. */
  readonly gas: bigint;
  /**
   * When the reservation expires if the payment is neither settled nor failed. By then the payment can no longer be
   * used.
   */
  readonly expiresAt: Date;
  readonly windowSeconds: number;
}

/** Why a payment must wait: the exhausted budget, and for how many seconds. */
export interface Exhausted {
  readonly key: string;
  readonly retryAfter: number;
}

const spentNow = (capacity: number | null, windowSeconds: number) =>
  capacity === null
    ? sql<number>`spent`
    : sql<number>`greatest(0, spent - extract(epoch from clock_timestamp() - counted_at)::float8
        * ${capacity / windowSeconds}::float8)`;

/**
 * Takes the gas of one payment from all its budgets, or from none. Repeating the call for a payment changes nothing.
 * @returns null when the gas was taken
 */
export async function reserveGas(
  db: Database,
  { paymentId, budgets, gas, expiresAt, windowSeconds }: Reservation,
): Promise<Exhausted | null> {
  // Every caller locks in the same order, so that two cannot deadlock.
  const ordered = [...budgets].sort((a, b) => (a.key < b.key ? -1 : 1));
  return await db.transaction().execute(async (trx) => {
    await lockBudgets(
      trx,
      ordered.map((b) => b.key),
    );
    for (const budget of ordered) {
      const refused = await exhausted(trx, { ...budget, paymentId, gas: Number(gas), windowSeconds });
      if (refused) return refused;
    }
    await trx
      .insertInto('gas_reservations')
      .values(
        ordered.map(({ key }) => ({ payment_id: paymentId, key, gas: Number(gas), expires_at: expiresAt })),
      )
      .onConflict((oc) => oc.columns(['payment_id', 'key']).doNothing())
      .execute();
    return null;
  });
}

async function lockBudgets(trx: Trx, keys: readonly string[]): Promise<void> {
  await sql`insert into gas_budgets (key) select * from unnest(${keys}::text[]) as k order by k
    on conflict do nothing`.execute(trx);
  await sql`select from gas_budgets where key = any(${keys}::text[]) order by key for update`.execute(trx);
  await sql`delete from gas_reservations where key = any(${keys}::text[]) and expires_at < clock_timestamp()`.execute(
    trx,
  );
}

async function exhausted(
  trx: Trx,
  asked: GasBudget & { readonly paymentId: string; readonly gas: number; readonly windowSeconds: number },
): Promise<Exhausted | null> {
  const { key, capacity, inFlight, paymentId, gas, windowSeconds } = asked;
  const { rows } = await sql<{ blocked: number; spent: number; reserved: number; flying: number }>`
    select coalesce(extract(epoch from blocked_until - clock_timestamp())::float8, 0) as blocked,
      ${spentNow(capacity, windowSeconds)} as spent, r.reserved, r.flying
    from gas_budgets b cross join lateral (
      select coalesce(sum(gas), 0) as reserved, count(*)::int as flying from gas_reservations
      where key = b.key and payment_id <> ${paymentId}) r
    where b.key = ${key}`.execute(trx);
  const { blocked, spent, reserved, flying } = rows[0]!;
  if (blocked > 0) return { key, retryAfter: Math.ceil(blocked) };
  if (inFlight !== undefined && flying >= inFlight) return { key, retryAfter: 2 };
  if (capacity === null) return null;
  const over = spent + reserved + gas - capacity;
  if (over <= 0) return null;
  // Only spent gas is counted: most reserved gas is released soon, so it need not be waited for.
  const drained = capacity === 0 ? windowSeconds : (spent + gas - capacity) / (capacity / windowSeconds);
  return { key, retryAfter: Math.min(Math.max(2, Math.ceil(drained)), windowSeconds) };
}

/** Releases what was reserved for a payment that settled or was not tried. */
export async function releaseGas(db: Database | Trx, paymentId: string): Promise<void> {
  await db.deleteFrom('gas_reservations').where('payment_id', '=', paymentId).execute();
}

/** Until when a payer is blocked for its failures; null when it is not. */
export async function blockedUntil(db: Database, key: string): Promise<Date | null> {
  const row = await db
    .selectFrom('gas_budgets')
    .select('blocked_until')
    .where('key', '=', key)
    .executeTakeFirst();
  return row?.blocked_until ?? null;
}

/** What a payment still has reserved; null when that is nothing. */
export async function reservedBudgets(
  db: Database | Trx,
  paymentId: string,
): Promise<{ readonly keys: readonly string[]; readonly gas: bigint } | null> {
  const rows = await db
    .selectFrom('gas_reservations')
    .select(['key', 'gas'])
    .where('payment_id', '=', paymentId)
    .execute();
  const [first] = rows;
  return first ? { keys: rows.map((r) => r.key), gas: BigInt(first.gas) } : null;
}

export interface FailedSettlement {
  readonly paymentId: string;
  /** All budgets that the payment draws on or is counted in; the payer's is one of them. */
  readonly budgets: readonly GasBudget[];
  readonly gas: bigint;
  readonly windowSeconds: number;
  readonly payerKey: string;
  /** How many failures of one payer are forgiven before it is blocked. */
  readonly forgiven: number;
  /** How long a payer's first block lasts, in seconds. Each further failure doubles it, up to a day. */
  readonly blockSeconds: number;
}

/**
 * Books a settlement that the chain refused or would have refused: its gas counts as spent, and its payer is blocked
 * for longer each time.
 */
export async function bookFailedSettlement(db: Database | Trx, failed: FailedSettlement): Promise<void> {
  const { paymentId, budgets, gas, windowSeconds, payerKey, forgiven, blockSeconds } = failed;
  const keys = budgets.map((b) => b.key).sort();
  const book = async (trx: Trx) => {
    await lockBudgets(trx, keys);
    for (const { key, capacity } of budgets) {
      await sql`update gas_budgets set spent = ${spentNow(capacity, windowSeconds)} + ${Number(gas)}::float8,
          counted_at = clock_timestamp(), failures = failures + 1
        where key = ${key}`.execute(trx);
    }
    // After a day without a failure the count starts again.
    await sql`update gas_budgets set
        strikes = case when blocked_until < clock_timestamp() - interval '1 day' then 1 else strikes + 1 end
      where key = ${payerKey}`.execute(trx);
    await sql`update gas_budgets set blocked_until = clock_timestamp() + interval '1 second' *
        case when strikes <= ${forgiven} then 0
          else least(86400, ${blockSeconds}::float8 * power(2, least(strikes - ${forgiven} - 1, 20))) end
      where key = ${payerKey}`.execute(trx);
    await releaseGas(trx, paymentId);
  };
  if ('isTransaction' in db && db.isTransaction) await book(db as Trx);
  else await db.transaction().execute(book);
}

export interface BudgetState {
  readonly key: string;
  readonly capacity: number | null;
  readonly spent: number;
  readonly reserved: number;
  readonly failures: number;
  readonly inFlight: number;
}

/** The state of the named budgets, including those that nothing has been drawn from yet. */
export async function budgetStates(
  db: Database,
  budgets: readonly GasBudget[],
  windowSeconds: number,
): Promise<BudgetState[]> {
  return await Promise.all(
    budgets.map(async ({ key, capacity }) => {
      const { rows } = await sql<{ spent: number; failures: bigint; reserved: number; flying: number }>`
        select coalesce((select ${spentNow(capacity, windowSeconds)} from gas_budgets where key = ${key}), 0) as spent,
          coalesce((select failures from gas_budgets where key = ${key}), 0) as failures,
          coalesce(sum(gas), 0) as reserved, count(*)::int as flying
        from gas_reservations where key = ${key} and expires_at > clock_timestamp()`.execute(db);
      const { spent, failures, reserved, flying } = rows[0]!;
      return { key, capacity, spent, reserved, failures: Number(failures), inFlight: flying };
    }),
  );
}

/** The budgets of single codes that have too little left for another payment. */
export async function exhaustedCodes(
  db: Database,
  {
    capacity,
    gas,
    windowSeconds,
  }: { readonly capacity: number; readonly gas: number; readonly windowSeconds: number },
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select key from gas_budgets
    where (starts_with(key, 'code:') or starts_with(key, 'factory:'))
      and ${spentNow(capacity, windowSeconds)} + ${gas}::float8 > ${capacity}::float8
    order by key limit 100`.execute(db);
  return rows.map((r) => r.key);
}

/** Deletes budgets that have drained completely and block nobody. @returns how many */
export async function forgetDrainedBudgets(db: Database, windowSeconds: number): Promise<number> {
  const { rows } = await sql`delete from gas_budgets b where not starts_with(key, 'class:')
      and counted_at < clock_timestamp() - interval '1 second' * ${windowSeconds}
      and coalesce(blocked_until, 'epoch') < clock_timestamp() - interval '1 day'
      and not exists (select from gas_reservations r where r.key = b.key)
    returning key`.execute(db);
  return rows.length;
}
