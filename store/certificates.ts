import type { Database, Trx } from './database.ts';

/** Keeps which serial a certificate's token stands for. Both are asset keys; a token never stands for another serial. */
export async function noteCertificate(
  db: Database | Trx,
  certificate: { readonly tokenKey: string; readonly assetKey: string },
): Promise<void> {
  await db
    .insertInto('certificates')
    .values({ token_key: certificate.tokenKey, asset_key: certificate.assetKey })
    .onConflict((oc) => oc.column('token_key').doNothing())
    .execute();
}

/** The key under which an asset is listed, pledged and matched: a certificate's is its serial's, any other's its own. */
export async function lotKeyOf(db: Database | Trx, assetKey: string): Promise<string> {
  const row = await db
    .selectFrom('certificates')
    .select('asset_key')
    .where('token_key', '=', assetKey)
    .executeTakeFirst();
  return row?.asset_key ?? assetKey;
}
