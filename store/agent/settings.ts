import type { OnFlagged, OnInconclusive } from '../../agents/deal/effect.ts';
import type { Database, Trx } from '../database.ts';

/** What an owner chose; null where nothing was chosen. */
export interface OwnerSettings {
  readonly onFlagged: OnFlagged | null;
  readonly onInconclusive: OnInconclusive | null;
}

/** The choices of an owner (lower-case wallet). */
export async function settingsOf(db: Database | Trx, wallet: string): Promise<OwnerSettings> {
  const row = await db
    .selectFrom('owner_settings')
    .select(['on_flagged', 'on_inconclusive'])
    .where('wallet', '=', wallet)
    .executeTakeFirst();
  return settingsIn(row);
}

/** As {@link settingsOf}, of several owners in one statement. @returns each at its place */
export async function settingsOfEach(db: Database, wallets: readonly string[]): Promise<OwnerSettings[]> {
  if (wallets.length === 0) return [];
  const rows = await db
    .selectFrom('owner_settings')
    .select(['wallet', 'on_flagged', 'on_inconclusive'])
    .where('wallet', 'in', wallets)
    .execute();
  return wallets.map((wallet) => settingsIn(rows.find((row) => row.wallet === wallet)));
}

function settingsIn(row?: {
  on_flagged: OnFlagged | null;
  on_inconclusive: OnInconclusive | null;
}): OwnerSettings {
  return { onFlagged: row?.on_flagged ?? null, onInconclusive: row?.on_inconclusive ?? null };
}

/** Writes the choices that are given down; those left out stay as they are. */
export async function keepSettings(
  db: Database | Trx,
  wallet: string,
  { onFlagged, onInconclusive }: { onFlagged?: OnFlagged; onInconclusive?: OnInconclusive },
  now: Date,
): Promise<void> {
  const chosen = {
    ...(onFlagged === undefined ? {} : { on_flagged: onFlagged }),
    ...(onInconclusive === undefined ? {} : { on_inconclusive: onInconclusive }),
    updated_at: now,
  };
  await db
    .insertInto('owner_settings')
    .values({ wallet, ...chosen })
    .onConflict((oc) => oc.column('wallet').doUpdateSet(chosen))
    .execute();
}
