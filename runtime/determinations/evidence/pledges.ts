import type { Asset } from '../../../agents/assets.ts';
import type { TokenAsset } from '../../../agents/certificates/certificates.ts';
import type { DeterminationEvidence } from '../../../agents/determinations/panel/types.ts';
import type {
  Claim,
  PledgeCommon,
  PledgeFacts,
} from '../../../agents/determinations/pledge/double-pledge.ts';
import { readAssetOwner } from '../../../chain/clients/assets.ts';
import type { ChainReader } from '../../../chain/rpc/reader.ts';
import { entriesAbout } from '../../../store/chain-sync/flows.ts';
import type { Database } from '../../../store/database.ts';
import { sameThing } from '../../../store/market/same-thing.ts';
import { caip2, chainTimeoutMs, type EvidenceDeps, faultOf, msSince, within } from '../deps.ts';
import { oneSource, runPanel } from '../panel.ts';
import { type Pinning, pinChains, pinnedNumber, requirePinned } from '../pins.ts';
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
  const found = await Promise.all([key, ...others].map((k) => claimsOn(deps.db, k)));
  // A claim that is found under two keys counts once, as the closer of the two.
  const claims = new Map<string, Claim>();
  for (const claim of found.flat()) if (claim.sameKey || !claims.has(claim.id)) claims.set(claim.id, claim);
  const token = asset.kind === 'token' ? asset : null;
  const pinning: Pinning =
    token === null || told !== null
      ? { blocks: told?.blocks ?? {}, faults: {} }
      : await pinChains(deps, [token.chainId]);
  const seats = await runPanel<PledgeFacts>(deps, {
    depth: mode.depth,
    chains: token === null ? [] : [token.chainId],
    source: oneSource("this platform's registers"),
    gather: async ({ client, of }) => {
      if (token === null) return {};
      const held = await heldBy(deps, of(token.chainId), token, pinning);
      if (told === null) return held;
      const { lot, fault } = told[client];
      return { ...held, lot: lot?.key ?? null, fault: fault ?? held.fault };
    },
  });
  const holders = [...new Set(seats.flatMap((s) => s.facts?.token?.holder ?? []))];
  const lenders = (await entriesAbout(deps.db, holders))
    .filter((e) => e.register === 'labels' && e.detail.kind === 'lender')
    .map((e) => ({ address: e.key, source: e.source }));
  return {
    id: 'double-pledge',
    rules: 1,
    adversary: 2,
    at: started.toISOString(),
    ...mode,
    common: {
      assetKey: key,
      listingRef,
      handle,
      claims: [...claims.values()],
      ...(asset.kind === 'token' ? { chain: caip2(asset.chainId) } : {}),
      liens: 2,
      ...(token === null ? {} : { lenders }),
    },
    blocks: pinning.blocks,
    seats,
    latencyMs: msSince(deps, started),
  };
}

/** Who holds the token at the pinned block, by one reader. Never throws: what could not be read says why. */
async function heldBy(
  deps: EvidenceDeps,
  reader: ChainReader | null,
  { chainId, contract, tokenId }: TokenAsset,
  { blocks, faults }: Pinning,
): Promise<Required<Pick<PledgeFacts, 'token' | 'fault'>>> {
  const chain = caip2(chainId);
  if (reader === null) return { token: null, fault: `no RPC URL is configured for ${chain}` };
  if (faults[chain] !== undefined) return { token: null, fault: faults[chain] };
  try {
    const block = pinnedNumber(blocks, chainId);
    const read = async () => {
      const holder = await readAssetOwner(reader, contract, BigInt(tokenId), block);
      return { holder, contract: holder !== null || (await reader.code(contract, block)) !== '0x' };
    };
    const held = await within(read(), chainTimeoutMs(deps), `the token's holder over ${reader.client}`);
    await requirePinned(reader, blocks);
    return { token: { ...held, holder: held.holder?.toLowerCase() ?? null }, fault: null };
  } catch (error) {
    return { token: null, fault: faultOf(error) };
  }
}

async function claimsOn(db: Database, key: string): Promise<Claim[]> {
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
      .select(['id', 'asset_key', 'listing_ref', 'wallet', 'lender', 'until', 'created_at', 'source'])
      .where(sameThing(key))
      .where('released_at', 'is', null)
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
        until: p.until?.toISOString() ?? null,
      })),
  ];
}
