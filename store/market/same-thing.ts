import { sql } from 'kysely';

/** Matches rows about the same thing as this key, in any spelling: see `claim_key` in the schema. */
export const sameThing = (assetKey: string) => sql<boolean>`claim_key(asset_key) = claim_key(${assetKey})`;
