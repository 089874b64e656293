import { sql } from 'kysely';

/** Rows about the same thing as this key, however either is spelled: see `claim_key` in the schema. */
export const sameThing = (assetKey: string) => sql<boolean>`claim_key(asset_key) = claim_key(${assetKey})`;
