import { sql } from 'kysely';
import { type Asset, parseAssetKey } from '../../../agents/assets.ts';
import type { TokenAsset } from '../../../agents/certificates/certificates.ts';
import { keysIn, type LineageToken } from '../../../agents/determinations/lineage/lineage.ts';
import { RULES_OF_NOW } from '../../../agents/determinations/panel/rules-of-now.ts';
import type { DeterminationEvidence } from '../../../agents/determinations/panel/types.ts';
import type {
  AgentContents,
  Claim,
  PledgeCommon,
  PledgeFacts,
} from '../../../agents/determinations/pledge/pledge-evidence.ts';
import { areTwoMakers, misreadKeys, vagueKeys } from '../../../agents/goods/aliases.ts';
import { readAssetOwner } from '../../../chain/clients/assets.ts';
import { lotKeyOf } from '../../../store/certificates/certificates.ts';
import { entriesAbout } from '../../../store/chain-sync/flows.ts';
import type { Database } from '../../../store/database.ts';
import { sameThing } from '../../../store/market/same-thing.ts';
import { caip2, chainTimeoutMs, type EvidenceDeps, faultOf, msSince, within } from '../deps.ts';
import { oneSource, runPanel, type SeatReaders } from '../panel.ts';
import { type Pinning, pinChains, pinnedPlace, requirePinned } from '../pins.ts';
import { contentsOf } from './agent/agent-contents.ts';
import { type ContractTable, contractTable } from './lineage/contracts.ts';
import { followLineage } from './lineage/follow-lineage.ts';
import { keysSaid, type LotSaid, lotSaid } from './lots.ts';

type Mode = Pick<DeterminationEvidence, 'depth' | 'performer'>;

/**
 * The active claims on an asset, under every key that may have been used for the same thing. For a certificate that is
 * unknown here, each seat reports what its own reader says it stands for, and the claims on each of these things are
 * included.
 */
export async function gatherPledges(
  deps: EvidenceDeps,
  mode: Mode,
  question: {
    asset: Asset;
    listingRef: string | null;
    handle: string | null;
    /** Of an agent, when each of them is judged beside it; left out: they are read here, and named. */
    contents?: AgentContents | null;
    /** Whose claims count beside the operator's, lower case; null, or left out: everybody's. */
    claimants?: readonly string[] | null;
  },
): Promise<DeterminationEvidence<PledgeCommon, PledgeFacts>> {
  const started = deps.now();
  const { asset, listingRef, handle } = question;
  const [said, contents] = await Promise.all([
    lotSaid(deps, asset),
    question.contents === undefined
      ? contentsOf(deps, asset).then((read) => read?.contents ?? null)
      : question.contents,
  ]);
  const { told } = said;
  const [key = '', ...others] = await keysSaid(deps, asset, said);
  const token = asset.kind === 'token' ? asset : null;
  const table = token === null ? null : await contractTable(deps.db, token.chainId);
  const chains = table === null ? [] : table.chains.filter((id) => deps.readers.has(id));
  const pinning = await pinningOf(deps, token, table, told);
  const seats = await runPanel<PledgeFacts>(deps, {
    depth: mode.depth,
    chains,
    source: oneSource("this platform's registers"),
    gather: async ({ client, of }) => {
      if (token === null || table === null) return {};
      const held = await heldBy(deps, of, token, pinning, table);
      if (told === null) return held;
      const { lot, fault } = told[client];
      return { ...held, lot: lot?.key ?? null, fault: fault ?? held.fault };
    },
  });
  const lineage = seats.flatMap((s) => s.facts?.lineage ?? []);
  const related = keysIn(lineage);
  const lots = await Promise.all(related.map((k) => lotKeyOf(deps.db, k)));
  const further = [...new Set([...related, ...lots])].filter((k) => k !== key && !others.includes(k));
  const named = [key, ...others].map((k) => parseAssetKey(k));
  // Whoever hides a thing writes its number down with less said about it, or with a maker's name.
  const vague = named.flatMap((one) => [...vagueKeys(one), ...misreadKeys(one)]);
  const { claimants = null } = question;
  const claimsHere = (k: string, as = named): Promise<Claim[]> =>
    claimsOn(deps.db, k, { claimants, named: as });
  const claimsUnder = async (k: string, as = named): Promise<Claim[]> =>
    (await claimsHere(k, as)).map((claim) => ({ on: k, ...claim }));
  const [here, elsewhere, alike] = await Promise.all([
    Promise.all([key, ...others].map((k) => claimsHere(k))),
    // What the lineage says is one with the token has a number of its own.
    Promise.all(further.map((k) => claimsUnder(k, []))),
    Promise.all(vague.map((k) => claimsUnder(k))),
  ]);
  // A claim that is found under two keys counts once, as the closer of the two.
  const claims = new Map<string, Claim>();
  const near = alike.flat().map((claim) => ({ ...claim, sameKey: false }));
  for (const claim of [...here.flat(), ...elsewhere.flat(), ...near])
    if ((claim.sameKey && claim.on === undefined) || !claims.has(claim.id)) claims.set(claim.id, claim);
  const holders = [...seats.map((s) => s.facts?.token?.holder), ...lineage.flatMap(couldTake)];
  const asked = [...new Set(holders.filter((address) => address != null))];
  const labelled = (await entriesAbout(deps.db, asked))
    .filter((e) => e.register === 'labels' && e.detail.kind === 'lender')
    .map((e) => ({ address: e.key, source: e.source }));
  const lenders = [...labelled, ...approvedLenders(table, lineage)];
  return {
    id: 'double-pledge',
    ...RULES_OF_NOW,
    at: started.toISOString(),
    ...mode,
    common: {
      assetKey: key,
      listingRef,
      handle,
      claims: [...claims.values()],
      ...(contents === null ? {} : { contents }),
      ...(asset.kind === 'token' ? { chain: caip2(asset.chainId) } : {}),
      liens: 3,
      ...(table === null ? {} : { lenders, contracts: table.lists }),
    },
    blocks: pinning.blocks,
    seats,
    latencyMs: msSince(deps, started),
  };
}

/** Who holds a token, and who may take it. */
function couldTake({ holder, approved }: LineageToken): (string | null)[] {
  return [holder, approved?.token ?? null];
}

/** Contracts of the table that may take the token itself: where they hold it, they answer themselves. */
function approvedLenders(
  table: ContractTable | null,
  lineage: readonly LineageToken[],
): { readonly address: string; readonly source: string }[] {
  const may = new Set(lineage.map((t) => t.approved?.token));
  const found = (table?.contracts ?? [])
    .filter((c) => c.role === 'lender')
    .flatMap(({ at, contract, list }) => [at, contract].map((address) => [address, list] as const))
    .filter(([address]) => may.has(address));
  return [...new Map(found)].map(([address, source]) => ({ address, source }));
}

/** Pins the chains of a token's lineage; a chain on which its lot was told keeps that block. */
async function pinningOf(
  deps: EvidenceDeps,
  token: TokenAsset | null,
  table: ContractTable | null,
  told: LotSaid['told'],
): Promise<Pinning> {
  if (token === null || table === null) return { blocks: {}, faults: {} };
  const known = told === null ? {} : told.blocks;
  const open = table.chains.filter((id) => told === null || id !== token.chainId);
  const { blocks, faults } = await pinChains(deps, open);
  return { blocks: { ...blocks, ...known }, faults };
}

/**
 * Who holds the token at the pinned block, and its lineage, by one seat's readers. Never throws: what could not be read
 * says why.
 */
async function heldBy(
  deps: EvidenceDeps,
  of: SeatReaders['of'],
  token: TokenAsset,
  pinning: Pinning,
  table: ContractTable,
): Promise<Pick<PledgeFacts, 'token' | 'fault' | 'lineage'>> {
  const { chainId, contract, tokenId } = token;
  const { blocks, faults } = pinning;
  const chain = caip2(chainId);
  const reader = of(chainId);
  if (reader === null) return { token: null, fault: `no RPC URL is configured for ${chain}` };
  if (faults[chain] !== undefined) return { token: null, fault: faults[chain] };
  try {
    const block = pinnedPlace(blocks, chainId);
    const read = async () => {
      const [holder, lineage] = await Promise.all([
        readAssetOwner(reader, contract, BigInt(tokenId), block),
        table.contracts.length === 0 ? undefined : followLineage({ of, pinning }, table, token),
      ]);
      const isContract = holder !== null || (await reader.code(contract, block)) !== '0x';
      return { held: { holder, contract: isContract }, lineage };
    };
    const { held, lineage } = await within(
      read(),
      chainTimeoutMs(deps),
      `the token's holder over ${reader.client}`,
    );
    // Of a lineage, logs and blocks are read by number.
    for (const id of lineage === undefined ? [] : table.chains) {
      const also = of(id);
      if (also !== null && blocks[caip2(id)] !== undefined) await requirePinned(also, blocks);
    }
    return {
      token: { ...held, holder: held.holder?.toLowerCase() ?? null },
      ...(lineage === undefined ? {} : { lineage }),
      fault: null,
    };
  } catch (error) {
    return { token: null, fault: faultOf(error) };
  }
}

interface ClaimRow {
  readonly kind: 'listing' | 'pledge';
  readonly id: string;
  readonly asset_key: string;
  readonly listing_ref: string;
  readonly holder: string;
  readonly lender: string | null;
  readonly since: Date;
  readonly until: Date | null;
  readonly source: string | null;
  /** Of a pledge its wallet, of a listing the owner of its agent; lower case. */
  readonly claimant: string;
}

/**
 * The claims on a thing, in any spelling of its key: one statement, so that it shows one moment.
 * @param asked.claimants whose claims count beside the operator's; null: everybody's
 * @param asked.named what is asked about under the number of this key; none where the key is no spelling of it
 */
async function claimsOn(
  db: Database,
  key: string,
  { claimants, named }: { readonly claimants: readonly string[] | null; readonly named: readonly Asset[] },
): Promise<Claim[]> {
  const { rows } = await sql<ClaimRow>`
    select 'listing' as kind, listing_ref as id, asset_key, listing_ref, handle as holder, null as lender,
      listed_at as since, null::timestamptz as until, null as source,
      (select a.owner from agents a where a.handle = listings.handle) as claimant
    from listings where ${sameThing(key)} and status in ('live', 'dealing')
    union all
    select 'pledge', id, asset_key, listing_ref, wallet, lender, created_at, until, source, wallet
    from pledges where ${sameThing(key)} and released_at is null
    order by 1, 2`.execute(db);
  // A token names no maker: its certificate's serial does.
  const serials = named.filter((asset) => asset.kind === 'serial');
  const isOther = (row: Asset): boolean =>
    serials.length > 0 && serials.every((asset) => areTwoMakers(asset, row));
  const listed = new Set(rows.filter((r) => r.kind === 'listing').map((r) => r.listing_ref));
  // A listing's own pledge is the same claim as the listing, which is counted already.
  return rows
    .filter((r) => r.source !== 'listing' || !listed.has(r.listing_ref))
    .filter((r) => claimants === null || r.source === 'operator' || claimants.includes(r.claimant))
    .map((r) => ({
      ...{ id: r.id, kind: r.kind, listingRef: r.listing_ref, holder: r.holder, lender: r.lender },
      ...{ since: r.since.toISOString(), sameKey: r.asset_key === key },
      ...(isOther(parseAssetKey(r.asset_key)) ? { otherMaker: true, on: r.asset_key } : {}),
      ...(r.kind === 'listing' ? {} : { until: r.until?.toISOString() ?? null }),
    }));
}
