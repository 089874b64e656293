import type { Asset } from '../../../agents/assets.ts';
import type { TokenAsset } from '../../../agents/certificates/certificates.ts';
import type { DeterminationEvidence } from '../../../agents/determinations/panel/types.ts';
import type {
  Claim,
  PledgeCommon,
  PledgeFacts,
} from '../../../agents/determinations/pledge/double-pledge.ts';
import type { Database } from '../../../store/database.ts';
import { sameThing } from '../../../store/market/same-thing.ts';
import { type EvidenceDeps, msSince } from '../deps.ts';
import { oneSource, runPanel } from '../panel.ts';
import { keysSaid, lotSaid } from './lots.ts';

type Mode = Pick<DeterminationEvidence, 'depth' | 'performer'>;

/**
 * The active claims on an asset, under every key that may have been used for the same thing. For a certificate that is
 * unknown here, each seat reports what its own reader says it stands for, and the claims on each of these things are
 * included.
 */
export async function gatherPledges(
  deps: EvidenceDeps,
  mode: Mode,
  question: { asset: Asset; listingRef: string | null; handle: string | null },
): Promise<DeterminationEvidence<PledgeCommon, PledgeFacts>> {
  const started = deps.now();
  const { asset, listingRef, handle } = question;
  const said = await lotSaid(deps, asset);
  const { told } = said;
  const [key = '', ...others] = keysSaid(asset, said);
  const found = await Promise.all([key, ...others].map((k) => claimsOn(deps.db, k, started)));
  // A claim that is found under two keys counts once, as the closer of the two.
  const claims = new Map<string, Claim>();
  for (const claim of found.flat()) if (claim.sameKey || !claims.has(claim.id)) claims.set(claim.id, claim);
  const seats = await runPanel<PledgeFacts>(deps, {
    depth: mode.depth,
    chains: told === null ? [] : [(asset as TokenAsset).chainId],
    source: oneSource("this platform's registers"),
    gather: async ({ client }) => {
      if (told === null) return {};
      const { lot, fault } = told[client];
      return { lot: lot?.key ?? null, fault };
    },
  });
  return {
    id: 'double-pledge',
    rules: 1,
    at: started.toISOString(),
    ...mode,
    common: {
      assetKey: key,
      listingRef,
      handle,
      claims: [...claims.values()],
      ...(told === null ? {} : { chain: told.chain }),
    },
    blocks: told?.blocks ?? {},
    seats,
    latencyMs: msSince(deps, started),
  };
}

async function claimsOn(db: Database, key: string, now: Date): Promise<Claim[]> {
  const [listings, pledges] = await Promise.all([
    db
      .selectFrom('listings')
      .select(['listing_ref', 'asset_key', 'handle', 'listed_at'])
      .where(sameThing(key))
      .where('status', 'in', ['live', 'dealing'])
      .orderBy('listing_ref')
      .execute(),
    db
      .selectFrom('pledges')
      .select(['id', 'asset_key', 'listing_ref', 'wallet', 'lender', 'created_at', 'source'])
      .where(sameThing(key))
      .where('released_at', 'is', null)
      .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', now)]))
      .orderBy('id')
      .execute(),
  ]);
  return [
    ...listings.map((l) => ({
      id: l.listing_ref,
      kind: 'listing' as const,
      listingRef: l.listing_ref,
      holder: l.handle,
      lender: null,
      since: l.listed_at.toISOString(),
      sameKey: l.asset_key === key,
    })),
    // A listing's own pledge is the same claim as the listing, which is already counted above.
    ...pledges
      .filter((p) => p.source !== 'listing' || !listings.some((l) => l.listing_ref === p.listing_ref))
      .map((p) => ({
        id: p.id,
        kind: 'pledge' as const,
        listingRef: p.listing_ref,
        holder: p.wallet,
        lender: p.lender,
        since: p.created_at.toISOString(),
        sameKey: p.asset_key === key,
      })),
  ];
}
