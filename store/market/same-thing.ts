import { sql } from 'kysely';
import { parseAssetKey } from '../../agents/assets.ts';
import { misreadKeys, vagueKeys } from '../../agents/goods/aliases.ts';
import { isNameLot } from '../../agents/names/name.ts';

/** Matches rows about the same thing as this key, in any spelling: see `claim_key` in the schema. */
export const sameThing = (assetKey: string) => sql<boolean>`claim_key(asset_key) = claim_key(${assetKey})`;

/** The same, and rows about what may be it: a number whose kind was not said, that was called a maker's, or misread. */
export function maybeSameThing(assetKey: string) {
  const asset = parseAssetKey(assetKey);
  const vague = [...vagueKeys(asset), ...misreadKeys(asset)];
  if (vague.length === 0) return sameThing(assetKey);
  return anyOfThese([assetKey, ...vague]);
}

/** Matches rows about the same thing as one of these keys, in any spelling. */
export function anyOfThese(assetKeys: readonly string[]) {
  const keys = assetKeys.map((key) => sql`claim_key(${key})`);
  return sql<boolean>`claim_key(asset_key) in (${sql.join(keys)})`;
}

/**
 * Matches pledges of the same thing, of what may be it, and of a name those by one of its tokens: such a pledge keeps the
 * token's key while another stands under the name.
 */
export function pledgedAs(assetKey: string) {
  if (!isNameLot(assetKey)) return maybeSameThing(assetKey);
  return sql<boolean>`(claim_key(asset_key) = claim_key(${assetKey}) or asset_key = any(array(
    select c.token_key from certificates c where claim_key(c.asset_key) = claim_key(${assetKey}))))`;
}
