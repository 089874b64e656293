import { type Selectable, sql } from 'kysely';
import { parseAssetKey } from '../../agents/assets.ts';
import type { TokenAsset } from '../../agents/certificates/certificates.ts';
import { misreadKeys, mixedKeys, vagueKeys } from '../../agents/goods/aliases.ts';
import { sameAddress } from '../../agents/ids.ts';
import type { Database, Trx } from '../database.ts';
import { sameThing } from '../market/same-thing.ts';
import type { Tables } from '../tables.ts';

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

/** The tokens that are known to stand, or to have stood, for a thing, in any spelling of its serial; their asset keys. */
export async function tokenKeysOf(db: Database, assetKey: string): Promise<string[]> {
  const rows = await db
    .selectFrom('certificates')
    .select('token_key')
    .where(sameThing(assetKey))
    .orderBy('token_key')
    .execute();
  return rows.map((row) => row.token_key);
}

/** A certificate, decimal, and the key of the serial for which it stands or stood. */
export interface AlikeCertificate {
  readonly tokenId: string;
  readonly on: string;
}

/** No more than so many are told. */
export const MOST_ALIKE = 1000;

/** The known certificates of what may be the same thing under another key: in another spelling, with less said, or misread. */
export async function certificatesAlike(
  db: Database | Trx,
  { chainId, certificates }: { readonly chainId: number; readonly certificates: string },
  assetKey: string,
): Promise<AlikeCertificate[]> {
  const asset = parseAssetKey(assetKey);
  const keys = [assetKey, ...vagueKeys(asset), ...misreadKeys(asset), ...mixedKeys(asset)];
  const rows = await db
    .selectFrom('certificates')
    .select(['token_key', 'asset_key'])
    .where(
      sql<boolean>`claim_key(asset_key) = any(array(select claim_key(k) from unnest(${keys}::text[]) k))`,
    )
    .where('asset_key', '<>', assetKey)
    .orderBy('token_key')
    .limit(MOST_ALIKE)
    .execute();
  return rows.flatMap(({ token_key: tokenKey, asset_key: on }) => {
    const token = parseAssetKey(tokenKey) as TokenAsset;
    const isOwn = token.chainId === chainId && sameAddress(token.contract, certificates);
    return isOwn ? [{ tokenId: token.tokenId, on }] : [];
  });
}

/** A transfer of a certificate that its controller was given to sign; the newest of a certificate. */
export type TransferRow = Selectable<Tables['certificate_transfers']>;

/** Keeps what is to be signed in place of what was before. */
export async function proposeTransfer(db: Database, transfer: Omit<TransferRow, 'tx'>): Promise<void> {
  const row = { ...transfer, tx: null };
  await db
    .insertInto('certificate_transfers')
    .values(row)
    .onConflict((oc) => oc.column('token_id').doUpdateSet(row))
    .execute();
}

export async function findTransfer(db: Database, tokenId: string): Promise<TransferRow | null> {
  const row = await db
    .selectFrom('certificate_transfers')
    .selectAll()
    .where('token_id', '=', tokenId)
    .executeTakeFirst();
  return row ?? null;
}

/** Writes down by which transaction a proposed transfer came about. */
export async function closeTransfer(
  trx: Trx,
  transfer: Pick<TransferRow, 'token_id' | 'nonce'>,
  tx: string,
): Promise<void> {
  await trx
    .updateTable('certificate_transfers')
    .set({ tx })
    .where('token_id', '=', transfer.token_id)
    .where('nonce', '=', transfer.nonce)
    .execute();
}

/** The block up to which a log was read; null before the first time. */
export async function readCursor(db: Database | Trx, name: string): Promise<bigint | null> {
  const row = await db
    .selectFrom('chain_cursors')
    .select('block')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.block ?? null;
}

export async function moveCursor(db: Database | Trx, name: string, block: bigint): Promise<void> {
  await db
    .insertInto('chain_cursors')
    .values({ name, block })
    .onConflict((oc) => oc.column('name').doUpdateSet({ block }))
    .execute();
}
