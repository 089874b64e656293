import type { OnFlagged, OnInconclusive } from '../../agents/deal/effect.ts';
import type { Database, Trx } from '../database.ts';
import { type Holder, lastBeneficialOwner } from './beneficial-owners.ts';

/** What an owner chose; null where nothing was chosen. */
export interface OwnerSettings {
  readonly onFlagged: OnFlagged | null;
  readonly onInconclusive: OnInconclusive | null;
}

/** The choices for a wallet; those made when somebody else stood behind it count as unset. */
export async function settingsOf(db: Database | Trx, holder: Holder): Promise<OwnerSettings> {
  const row = await db
    .selectFrom('owner_settings')
    .select(['on_flagged', 'on_inconclusive'])
    .where('wallet', '=', holder.wallet)
    .where('beneficial_owner', '=', holder.beneficialOwner)
    .executeTakeFirst();
  return settingsIn(row);
}

/** As {@link settingsOf}, of whoever was last seen to stand behind a wallet (lower case). */
export async function lastSettingsOf(db: Database | Trx, wallet: string): Promise<OwnerSettings> {
  return await settingsOf(db, { wallet, beneficialOwner: await lastBeneficialOwner(db, wallet) });
}

/** As {@link settingsOf}, of several wallets in one statement. @returns each at its place */
export async function settingsOfEach(db: Database, holders: readonly Holder[]): Promise<OwnerSettings[]> {
  if (holders.length === 0) return [];
  const rows = await db
    .selectFrom('owner_settings')
    .select(['wallet', 'beneficial_owner', 'on_flagged', 'on_inconclusive'])
    .where(
      'wallet',
      'in',
      holders.map(({ wallet }) => wallet),
    )
    .execute();
  return holders.map(({ wallet, beneficialOwner }) =>
    settingsIn(rows.find((row) => row.wallet === wallet && row.beneficial_owner === beneficialOwner)),
  );
}

function settingsIn(row?: {
  on_flagged: OnFlagged | null;
  on_inconclusive: OnInconclusive | null;
}): OwnerSettings {
  return { onFlagged: row?.on_flagged ?? null, onInconclusive: row?.on_inconclusive ?? null };
}

/**
 * Writes the choices that are given down; those left out stay as they are, and are unset where somebody else made them.
 */
export async function keepSettings(
  db: Database | Trx,
  { wallet, beneficialOwner }: Holder & { readonly beneficialOwner: string },
  { onFlagged, onInconclusive }: { onFlagged?: OnFlagged; onInconclusive?: OnInconclusive },
  now: Date,
): Promise<void> {
  const chosen = {
    ...(onFlagged === undefined ? {} : { on_flagged: onFlagged }),
    ...(onInconclusive === undefined ? {} : { on_inconclusive: onInconclusive }),
    updated_at: now,
  };
  await db
    .updateTable('owner_settings')
    .set({ beneficial_owner: beneficialOwner, on_flagged: null, on_inconclusive: null })
    .where('wallet', '=', wallet)
    .where('beneficial_owner', '!=', beneficialOwner)
    .execute();
  await db
    .insertInto('owner_settings')
    .values({ wallet, beneficial_owner: beneficialOwner, ...chosen })
    .onConflict((oc) => oc.column('wallet').doUpdateSet(chosen))
    .execute();
}
