import { sql } from 'kysely';
import { parseAssetKey } from '../../agents/assets.ts';
import { misreadKeys, vagueKeys } from '../../agents/goods/aliases.ts';

/** Matches rows about the same thing as this key, in any spelling: see `claim_key` in the schema. */
export const sameThing = (assetKey: string) => sql<boolean>`claim_key(asset_key) = claim_key(${assetKey})`;

/** The same, and rows about what may be it: a number whose kind was not said, that was called a maker's, or misread. */
export function maybeSameThing(assetKey: string) {
  const asset = parseAssetKey(assetKey);
  const vague = [...vagueKeys(asset), ...misreadKeys(asset)];
  if (vague.length === 0) return sameThing(assetKey);
  const keys = [assetKey, ...vague].map((key) => sql`claim_key(${key})`);
  return sql<boolean>`claim_key(asset_key) in (${sql.join(keys)})`;
}
