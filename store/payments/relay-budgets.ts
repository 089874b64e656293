import type { Database, Trx } from '../database.ts';

/** An amount taken from one budget: what a subject may spend in a day. */
export interface GasCharge {
  /** What is paid for, such as `relay`. Budgets of different purposes are separate. */
  readonly purpose: string;
  /** Whose budget it is, such as a wallet, the hash of its code, or a class of callers. */
  readonly subject: string;
  /** In the unit of the budget: gas, or gwei. */
  readonly amount: bigint;
  /** The most that may be spent at once. The whole of it comes back within a day. */
  readonly limit: bigint;
}

/** A charge that does not fit. */
export interface Exhausted {
  readonly charge: GasCharge;
  /** How long until it would fit, if nothing else is spent. */
  readonly retryAfterSeconds: number;
}

const DAY_MS = 86_400_000n;

/**
 * Takes all the charges, or none. The budgets are locked, so that processes cannot take the same gas twice.
 * @returns the first charge that does not fit; null when all were taken
 */
export async function takeGas(
  db: Database,
  charges: readonly GasCharge[],
  now: Date,
): Promise<Exhausted | null> {
  const ordered = inOrder(charges);
  return await db.transaction().execute(async (trx) => {
    const standing: { charge: GasCharge; spent: bigint }[] = [];
    for (const charge of ordered) {
      const spent = left(await held(trx, charge, now), charge.limit, now);
      const exhausted = exhaustedBy(charge, spent);
      if (exhausted !== null) return exhausted;
      standing.push({ charge, spent });
    }
    for (const { charge, spent } of standing) await write(trx, charge, spent + charge.amount, now);
    return null;
  });
}

/** Takes each of the charges that fits by itself, within a transaction: where one does not, the others count all the same. */
export async function takeEachGas(trx: Trx, charges: readonly GasCharge[], now: Date): Promise<void> {
  for (const charge of inOrder(charges)) {
    const spent = left(await held(trx, charge, now), charge.limit, now);
    if (exhaustedBy(charge, spent) === null) await write(trx, charge, spent + charge.amount, now);
  }
}

/** Every process locks in the same order, so that they cannot deadlock. */
function inOrder(charges: readonly GasCharge[]): readonly GasCharge[] {
  return [...charges].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** The first charge that would not fit, with nothing taken; in one statement, whatever their number. */
export async function wouldExhaust(
  db: Database,
  charges: readonly GasCharge[],
  now: Date,
): Promise<Exhausted | null> {
  if (charges.length === 0) return null;
  const rows = await db
    .selectFrom('relay_budgets')
    .selectAll()
    .where((eb) =>
      eb.or(
        charges.map(({ purpose, subject }) =>
          eb.and([eb('purpose', '=', purpose), eb('subject', '=', subject)]),
        ),
      ),
    )
    .execute();
  const found = new Map(rows.map((row) => [keyOf(row), row]));
  for (const charge of inOrder(charges)) {
    const row = found.get(keyOf(charge));
    const exhausted = exhaustedBy(charge, row === undefined ? 0n : left(row, charge.limit, now));
    if (exhausted !== null) return exhausted;
  }
  return null;
}

function exhaustedBy(charge: GasCharge, spent: bigint): Exhausted | null {
  const over = spent + charge.amount - charge.limit;
  if (over <= 0n) return null;
  const seconds = charge.limit > 0n ? (over * DAY_MS) / charge.limit / 1000n + 1n : DAY_MS / 1000n;
  return { charge, retryAfterSeconds: Number(seconds) };
}

/** Gives back the part of the charges that was not used. */
export async function giveBackGas(db: Database, charges: readonly GasCharge[], now: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const charge of inOrder(charges)) {
      const spent = left(await held(trx, charge, now), charge.limit, now) - charge.amount;
      await write(trx, charge, spent > 0n ? spent : 0n, now);
    }
  });
}

/**
 * How much of a budget is spent now.
 * @param limit must be the limit of its charges, which sets how fast it comes back
 */
export async function gasSpent(
  db: Database,
  { purpose, subject, limit }: Omit<GasCharge, 'amount'>,
  now: Date,
): Promise<bigint> {
  const row = await db
    .selectFrom('relay_budgets')
    .selectAll()
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row === undefined ? 0n : left(row, limit, now);
}

/** Deletes budgets that were not used for a day, since all of them has come back. */
export async function forgetRelayBudgets(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('relay_budgets').where('updated_at', '<', before).execute();
}

interface Row {
  readonly spent: bigint;
  readonly updated_at: Date;
}

const keyOf = ({ purpose, subject }: Pick<GasCharge, 'purpose' | 'subject'>): string =>
  `${purpose} ${subject}`;

function left({ spent, updated_at }: Row, limit: bigint, now: Date): bigint {
  const ms = BigInt(Math.max(0, now.getTime() - updated_at.getTime()));
  const back = (limit * ms) / DAY_MS;
  return spent > back ? spent - back : 0n;
}

async function held(trx: Trx, { purpose, subject }: GasCharge, now: Date): Promise<Row> {
  await trx
    .insertInto('relay_budgets')
    .values({ purpose, subject, spent: 0n, updated_at: now })
    .onConflict((oc) => oc.columns(['purpose', 'subject']).doNothing())
    .execute();
  return await trx
    .selectFrom('relay_budgets')
    .select(['spent', 'updated_at'])
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

async function write(trx: Trx, { purpose, subject }: GasCharge, spent: bigint, now: Date): Promise<void> {
  await trx
    .updateTable('relay_budgets')
    .set({ spent, updated_at: now })
    .where('purpose', '=', purpose)
    .where('subject', '=', subject)
    .execute();
}
