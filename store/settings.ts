import type { Database, Trx } from './database.ts';

export type OnFlagged = 'stop' | 'ask';

/** What a FLAGGED result causes for this owner (lower-case wallet). Until the owner chooses: `stop`. */
export async function onFlagged(db: Database | Trx, wallet: string): Promise<OnFlagged> {
  const row = await db
    .selectFrom('owner_settings')
    .select('on_flagged')
    .where('wallet', '=', wallet)
    .executeTakeFirst();
  return row?.on_flagged ?? 'stop';
}

export async function setOnFlagged(
  db: Database | Trx,
  wallet: string,
  choice: OnFlagged,
  now: Date,
): Promise<void> {
  await db
    .insertInto('owner_settings')
    .values({ wallet, on_flagged: choice, updated_at: now })
    .onConflict((oc) => oc.column('wallet').doUpdateSet({ on_flagged: choice, updated_at: now }))
    .execute();
}
