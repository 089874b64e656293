import type { Database } from '../database.ts';

/**
 * When the evidence was gathered by which a deal was settled, in milliseconds, as its actor knows it; anything else where
 * it does not.
 */
export async function determinedAt(db: Database, dealId: string): Promise<unknown> {
  const actor = await db
    .selectFrom('actors')
    .select('snapshot')
    .where('id', '=', `deal:${dealId}`)
    .executeTakeFirst();
  return (actor?.snapshot as { readonly context?: { readonly at?: unknown } } | undefined)?.context?.at;
}
