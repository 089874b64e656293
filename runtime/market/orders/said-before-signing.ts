import { isByItself } from '../../../agents/agent/order-id.ts';
import { type Asset, assetKey } from '../../../agents/assets.ts';
import type { OpenDispute } from '../../../agents/certificates/open-dispute.ts';
import { type Effect, weighVerdicts } from '../../../agents/deal/effect.ts';
import { titleOf } from '../../../agents/determinations/panel/titles.ts';
import type { DeterminationId } from '../../../agents/determinations/panel/types.ts';
import type { LotNamed } from '../../../agents/market/lot-words.ts';
import {
  cancelWords,
  type DecisionNamed,
  decisionsWords,
  decisionWords,
  orderWords,
} from '../../../agents/market/trade-words.ts';
import type { AgentRow } from '../../../store/agent/agents.ts';
import { lotKeyOf } from '../../../store/certificates/certificates.ts';
import { openDisputesOf } from '../../../store/certificates/disputes-of-thing.ts';
import { findDeal, loadDeal } from '../../../store/deal/deals.ts';
import { findListing, type ListingRow, liveListingOf } from '../../../store/market/listings.ts';
import { lotNameOf, lotOfListing, newestLotOf } from '../../../store/market/lot-names.ts';
import { readLotParties } from '../../../store/market/lot-parties.ts';
import { findOrder } from '../../../store/market/orders.ts';
import type { DealState } from '../../../store/tables.ts';
import { choicesOf } from '../../deal/public.ts';
import { willNotBeJudged } from '../../determinations/public.ts';
import type { Services } from '../../services.ts';
import type { OrderTerms } from './order-terms.ts';

/**
 * The texts that an owner is given to sign, when they need data from the store. Anybody may ask for them without a
 * signature, so they contain only public data and what the asker sent.
 */

/**
 * The text for an order, with the lot that it means.
 * @param ends whether the request says when it ends
 * @param listing the order's listing, if it was read already
 */
export async function saidOfOrder(
  { db }: Pick<Services, 'db'>,
  handle: string,
  terms: OrderTerms,
  { ends, listing }: { readonly ends: boolean; readonly listing: ListingRow | null },
): Promise<string> {
  const { side, asset, listingRef, limit, openingBid, expiresAt } = terms;
  const lot =
    asset !== null
      ? await lotOfAsset(db, asset)
      : listing?.listing_ref === listingRef
        ? lotNameOf(listing as ListingRow)
        : await lotOfListing(db, listingRef as string);
  const named = listingRef ?? assetKey(asset as Asset);
  return orderWords({ side, handle, lot, named, limit, openingBid, expiresAt: ends ? expiresAt : null });
}

/** What an owner is told about a lot before anything is signed. */
export interface SaidBeforehand {
  /** Determinations that could not be judged for the lot now. */
  readonly willNotBeJudged: readonly DeterminationId[];
  /** What a deal would then do under this owner's choices; null when nothing is missing. */
  readonly yourSettingsThen: Effect | null;
  /** Open disputes of the thing; the oldest first. */
  readonly openDisputes: readonly OpenDispute[];
}

/**
 * The same for the lot of an order and the choices of its agent's owner.
 * @param owner who owns the agent on chain now
 * @param listing the order's listing, if it was read already
 */
export async function saidBeforeOrder(
  services: Services,
  { agent, owner, listing = null }: { agent: AgentRow; owner: string; listing?: ListedLot | null },
  { asset, listingRef }: Pick<OrderTerms, 'asset' | 'listingRef'>,
): Promise<SaidBeforehand> {
  const { db } = services;
  const found =
    listing ??
    (asset === null
      ? await findListing(db, listingRef as string)
      : await liveListingOf(db, await lotKeyOf(db, assetKey(asset))));
  // Nothing is listed there, and the order is refused for that reason.
  if (found === null) return { willNotBeJudged: [], yourSettingsThen: null, openDisputes: [] };
  return await saidOfLot(services, found, { agent, owner });
}

type ListedLot = Pick<ListingRow, 'asset_key' | 'asset' | 'category' | 'handle'> &
  Partial<Pick<ListingRow, 'status' | 'attributes'>>;

/** The same for whoever looks at a lot, or for the agent that would order it. */
export async function saidOfLot(
  { db, evidence }: Services,
  { asset_key: key, asset, category, handle, status, attributes }: ListedLot,
  by: { readonly agent: AgentRow; readonly owner: string } | null,
): Promise<SaidBeforehand> {
  const wallet = by?.owner.toLowerCase();
  const reading = readLotParties(
    db,
    handle,
    by === null ? null : { handle: by.agent.handle, wallet: by.owner.toLowerCase() },
  );
  const order = reading.then(({ sellerOwner, mandate }) => ({
    parties: [sellerOwner?.toLowerCase(), wallet].filter((party) => party !== undefined),
    mandate: mandate?.structured ?? null,
  }));
  // Of an asset that stands for sale, no listing is newer.
  const told = attributes !== undefined && (status === 'live' || status === 'dealing') ? { attributes } : {};
  const [missing, openDisputes] = await Promise.all([
    willNotBeJudged(evidence, { key, asset, category, ...told }, order),
    openDisputesOf(db, key),
  ]);
  const said = { willNotBeJudged: missing, openDisputes };
  if (by === null || missing.length === 0) return { ...said, yourSettingsThen: null };
  const { settings, mandate } = await reading;
  const verdicts = missing.map((id) => ({ id, verdict: 'INCONCLUSIVE' as const }));
  const { effect } = weighVerdicts(verdicts, choicesOf(by.agent, by.owner, settings, mandate));
  return { ...said, yourSettingsThen: effect };
}

async function lotOfAsset(db: Services['db'], asset: Asset): Promise<LotNamed> {
  const key = assetKey(asset);
  return { key, description: (await newestLotOf(db, key))?.description ?? null };
}

/**
 * The text for a cancellation. It leaves out the limit, which only the owner may know: the asker has signed nothing
 * yet. Anybody can reckon the id of an order that an agent placed by itself, so its text does not depend on whether
 * there is one.
 */
export async function saidOfCancel(
  { db }: Pick<Services, 'db'>,
  { orderId, handle }: { readonly orderId: string; readonly handle: string },
): Promise<string> {
  if (isByItself(orderId)) return cancelWords({ orderId, handle, found: 'untold' });
  const order = await findOrder(db, orderId);
  const lot = order?.handle === handle ? await lotOfListing(db, order.listing_ref) : null;
  const found = order === null || lot === null ? null : { side: order.side, lot };
  return cancelWords({ orderId, handle, found });
}

/**
 * The text for a decision on a deal, with what this agent's side found: the name and the verdict of each determination,
 * as its public record shows them, without the reasons.
 * @param at when it was asked what to sign: a deal that has ended since is named as it was then, so that who signed it
 *   hears that the deal has ended
 */
export async function saidOfDecision(
  services: Pick<Services, 'db'>,
  asked: Omit<DecisionNamed, 'deal'>,
  at: Date,
): Promise<string> {
  return decisionWords(await decisionNamed(services, asked, at));
}

/** The text for one decision on several deals, and the text for each of them by itself. @param at as for one */
export async function saidOfDecisions(
  services: Pick<Services, 'db'>,
  decision: 'proceed' | 'stop',
  deals: readonly Pick<DecisionNamed, 'dealId' | 'handle'>[],
  at: Date,
): Promise<{ readonly statement: string; readonly each: readonly string[] }> {
  const named = await Promise.all(deals.map((deal) => decisionNamed(services, { ...deal, decision }, at)));
  return { statement: decisionsWords(decision, named), each: named.map(decisionWords) };
}

/** In which states a deal is not named. The price of one that was stopped is public nowhere. */
const PRIVATE: ReadonlySet<DealState> = new Set(['stopped', 'failed']);
/** A deal's row says when its actor began to stop it. Until that was committed, who asked was told its name. */
const COMMITTED_WITHIN_MS = 60_000;

async function decisionNamed(
  { db }: Pick<Services, 'db'>,
  asked: Omit<DecisionNamed, 'deal'>,
  at: Date,
): Promise<DecisionNamed> {
  const row = await findDeal(db, asked.dealId);
  const since = at.getTime() - COMMITTED_WITHIN_MS;
  const named = row !== null && (!PRIVATE.has(row.state) || row.updated_at.getTime() > since);
  const deal = named ? await loadDeal(db, asked.dealId) : null;
  const role =
    deal?.buyer === asked.handle
      ? ('buyer' as const)
      : deal?.seller === asked.handle
        ? ('seller' as const)
        : null;
  if (deal === null || role === null) return { ...asked, deal: null };
  const own = deal.findings.filter(({ side, effect }) => side === role && effect !== 'proceed');
  const found = [...new Set(own.map((f) => `${titleOf(f.determination)} ${f.verdict}`))];
  const lot = { key: deal.asset_key, description: deal.description };
  // As they are now: one that was filed while the deal waits is told, too.
  const disputes = await openDisputesOf(db, deal.asset_key);
  return { ...asked, deal: { role, lot, price: deal.price, found, disputes } };
}
