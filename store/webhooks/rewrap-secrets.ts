import type { Database } from '../database.ts';

/**
 * Replaces every webhook secret by what `again` makes of it, unless it changed meanwhile.
 * @param again null leaves a secret as it is
 * @returns how many were replaced
 */
export async function rewrapSecrets(db: Database, again: (kept: string) => string | null): Promise<number> {
  const rows = await db.selectFrom('webhook_subscriptions').select(['id', 'secret']).execute();
  let replaced = 0;
  for (const { id, secret } of rows) {
    const made = again(secret);
    if (made === null) continue;
    const { numUpdatedRows } = await db
      .updateTable('webhook_subscriptions')
      .set({ secret: made })
      .where('id', '=', id)
      .where('secret', '=', secret)
      .executeTakeFirst();
    replaced += Number(numUpdatedRows);
  }
  return replaced;
}
