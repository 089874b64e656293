import { type Asset, type AssetInput, assetKey } from '../../../agents/assets.ts';
import type { Category } from '../../../agents/categories.ts';
import type { SerialAsset, TokenAsset } from '../../../agents/certificates/certificates.ts';
import { AppError, badField } from '../../../agents/errors.ts';
import { type Address, lowerAddress, sameAddress } from '../../../agents/ids.ts';
import { requireMinimum } from '../../../agents/market/listing-minimum.ts';
import type { Attributes } from '../../../agents/market/pricing/model/attributes.ts';
import { readListedAttributes } from '../../../agents/market/pricing/model/read-attributes.ts';
import { chargeFor } from '../../../agents/market/pricing/prices.ts';
import { type Micro, parseUsd } from '../../../agents/money.ts';
import { isNameLot } from '../../../agents/names/name.ts';
import type { SignedText } from '../../../chain/clients/asset-listings.ts';
import { heldBy } from '../../../store/agent/reservations.ts';
import { noteCertificate } from '../../../store/certificates/certificates.ts';
import { refuseDisputed } from '../../../store/certificates/disputes.ts';
import type { Trx } from '../../../store/database.ts';
import { displaceClaim } from '../../../store/market/displace-claim.ts';
import { insertListing, type ListingRow, standingListingOf } from '../../../store/market/listings.ts';
import { doublePledge, livePledge } from '../../../store/market/pledges.ts';
import { beneficialOwner, type LiveAgent, lookAtSpending, type SpendingLook } from '../../agent/public.ts';
import {
  certify,
  findCertificate,
  refuseCertifiedOtherwise,
  refuseStolen,
} from '../../certificates/public.ts';
import { type Lot, lotOf } from '../../determinations/public.ts';
import { deliver } from '../../durable/actors/mailbox.ts';
import { HOME_CHAIN, type LastCall, type Services } from '../../services.ts';
import { judgeOrder } from '../orders/judge-order.ts';
import { lookThenWrite } from '../orders/look-again.ts';
import { allowSale } from './allow-sale.ts';
import { isProof } from './proof.ts';
import { quoteOf } from './quote-agent.ts';
import { requireControl } from './require-control.ts';
import { wellFormedAsset } from './well-formed-asset.ts';

export interface ListingRequest {
  readonly asset: AssetInput;
  readonly description: string;
  readonly attributes?: Attributes;
  readonly askUsd: number | string;
  readonly negotiable: boolean;
  readonly floorUsd?: number | string;
  readonly category: Category;
  readonly gate: 'deposit' | 'owner-signed';
}

/**
 * A listing as the body of the request states it, checked before anybody is asked to sign. Amounts in micro-dollars.
 */
export interface ListingTerms {
  readonly asset: Asset;
  readonly description: string;
  readonly attributes: Attributes | null;
  readonly ask: Micro;
  readonly floor: Micro | null;
  readonly negotiable: boolean;
  readonly category: Category;
  readonly gate: 'deposit' | 'owner-signed';
  /** Names have a market of their own, with its own fees. */
  readonly market?: 'names';
}

/** A seller's order ends with its listing, at the latest after ninety days. */
export const LISTING_MS = 90 * 86_400_000;
/** A listing that nobody pays for ends after a day; until then nobody else may list the thing. */
const UNPAID_MS = 86_400_000;

const NAMES_ELSEWHERE = 'a name is listed by POST /domains/listings';

/** @throws AppError bad-request naming the field */
export function readListing(request: ListingRequest): ListingTerms {
  const ask = parseUsd(request.askUsd, 'askUsd', 2);
  if (ask === 0n) throw badField('askUsd', 'must be more than nothing');
  const floor = request.floorUsd === undefined ? null : parseUsd(request.floorUsd, 'floorUsd', 2);
  if (floor !== null && !request.negotiable) {
    throw badField('floorUsd', 'belongs to a negotiable listing: leave it out, or set negotiable');
  }
  if (floor !== null && floor > ask) throw badField('floorUsd', 'must not be above askUsd');
  const description = request.description.trim();
  if (description === '') throw badField('description', 'must say what is for sale');
  if (floor === 0n) throw badField('floorUsd', 'must be more than nothing');
  if (floor !== null) requireMinimum(ask, floor, 'floorUsd');
  if (request.asset.serialKind === 'name') throw badField('asset.serialKind', NAMES_ELSEWHERE);
  return {
    asset: wellFormedAsset(request.asset),
    description,
    attributes: request.attributes === undefined ? null : readListedAttributes(request.attributes),
    ask,
    floor,
    negotiable: request.negotiable,
    category: request.category,
    gate: request.gate,
  };
}

/** What was listed. A real-world lot is listed by the certificate that stands for it. */
export interface Listed {
  readonly listing: ListingRow;
  readonly certificate: TokenAsset | null;
}

/**
 * Lists an asset with its pledge and its own sell order, all or nothing, once control of it is proved on chain and the
 * owner's signed words are on chain. A serial first gets a certificate on its owner's signed word, because no chain
 * proves more about it.
 * @throws AppError not-listed (not controlled, on another chain, or reported stolen), double-pledge, disputed,
 *   mandate-exceeded, agent-not-active, rate-limited with `retryAfter` seconds, unavailable
 */
export async function listAsset(
  services: Services,
  live: LiveAgent,
  terms: ListingTerms & { readonly words: SignedText },
  lastCall: LastCall,
): Promise<Listed> {
  const [lot, owner] = await Promise.all([
    lotOf(services.evidence, terms.asset),
    beneficialOwner(services, live),
  ]);
  // Asked before the chain is written to, and once more by the transaction that lists.
  await refuseDisputed(services.db, lot.key, services.now());
  if (terms.market !== 'names' && (isNameLot(lot.key) || isNameToken(services, terms.asset))) {
    throw new AppError('not-listed', `${lot.key}: ${NAMES_ELSEWHERE}.`);
  }
  if (lot.serial === null) {
    const token = requireToken(terms.asset);
    const ready = { ...terms, token, lot, owner };
    await requireControl(services, live, token, terms.gate);
    // This comes first, so that nothing is listed on chain that the market would refuse.
    await rehearse(services, live, ready);
    await allowSale(services, live, { token, lot: lot.key, ask: terms.ask }, terms.words);
    const state = await quoteOf(services, token);
    return { listing: await rest(services, live, { ...ready, state }, lastCall), certificate: null };
  }
  const token = await certified(services, live, { ...terms, lot, owner });
  await requireControl(services, live, token, terms.gate);
  await allowSale(services, live, { token, lot: lot.key, ask: terms.ask }, terms.words);
  const ready = { ...terms, token, lot, owner };
  return { listing: await rest(services, live, ready, lastCall), certificate: token };
}

function isNameToken({ config, home }: Services, asset: Asset): boolean {
  const { namesA, namesB } = home.deployment;
  return (
    asset.kind === 'token' &&
    asset.chainId === HOME_CHAIN &&
    [...config.nameTokens.values(), namesA, namesB].some((names) => sameAddress(names, asset.contract))
  );
}

/** The certificate through which a serial is listed, issued now if there is none. */
async function certified(
  services: Services,
  live: LiveAgent,
  terms: Omit<Ready, 'token'>,
): Promise<TokenAsset> {
  const { db } = services;
  const serial = terms.lot.serial as SerialAsset;
  await refuseStolen(services, serial, terms.asset);
  // Whoever holds the certificate: a thing that is promised already is refused by the other promise's name.
  const isOutranked = terms.asset.kind === 'token' && isProof(services, terms.asset);
  const standing = [await standingListingOf(db, terms.lot.key), await livePledge(db, terms.lot.key)].find(
    (one) => one !== null && (one.proven || !isOutranked),
  );
  if (standing) throw doublePledge(terms.lot.key, standing);
  if (terms.asset.kind === 'token') return terms.asset;
  const { token, issued } = await findCertificate(services, serial);
  if (issued) return token;
  await refuseCertifiedOtherwise(services, serial);
  // Everything that can be refused is refused before anything is written on chain.
  await rehearse(services, live, { ...terms, token });
  const to = terms.gate === 'deposit' ? (live.agent.account as Address) : live.chain.owner;
  const { owner } = terms;
  return await certify(services, serial, {
    owner,
    agent: live.agent.token_id,
    to,
    approve: terms.gate === 'owner-signed',
  });
}

interface Ready extends ListingTerms {
  readonly lot: Lot;
  /** The agent's beneficial owner. */
  readonly owner: Address;
  /** The token that settles. */
  readonly token: TokenAsset;
  /** When an agent is for sale: the state in which it is sold. */
  readonly state?: bigint | null;
}

async function rest(
  services: Services,
  live: LiveAgent,
  terms: Ready,
  lastCall: LastCall,
): Promise<ListingRow> {
  const listing = await lookThenWrite(async () => {
    const look = await lookAtSpending(services, live.agent);
    return await services.db.transaction().execute(async (trx) => {
      const row = await writeListing(services, trx, { ...live, look }, terms);
      lastCall();
      return row;
    });
  });
  services.notifier.actor(`agent:${live.agent.handle}`);
  return listing;
}

class Rehearsed extends Error {}

/** Writes everything and rolls back, so that a listing that would be refused is refused now. */
async function rehearse(services: Services, live: LiveAgent, terms: Ready): Promise<void> {
  try {
    await lookThenWrite(async () => {
      const look = await lookAtSpending(services, live.agent);
      await services.db.transaction().execute(async (trx) => {
        await writeListing(services, trx, { ...live, look }, terms);
        throw new Rehearsed();
      });
    });
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
  }
}

async function writeListing(
  services: Services,
  trx: Trx,
  { agent, chain, look }: LiveAgent & { readonly look: SpendingLook },
  terms: Ready,
): Promise<ListingRow> {
  const now = services.now();
  const listingRef = services.newId('lst');
  const paid = chargeFor(services.config.prices, 'listing-standard') === 0n;
  if (terms.lot.serial !== null) {
    await noteCertificate(trx, { tokenKey: assetKey(terms.token), assetKey: terms.lot.key });
  }
  const proven = isProof(services, terms.token);
  if (proven && terms.lot.serial !== null) {
    const by = [terms.owner, chain.owner, agent.account].map(lowerAddress);
    await displaceClaim(trx, { assetKey: terms.lot.key, tokenKey: assetKey(terms.token), by, now });
  }
  const row = await insertListing(trx, {
    listingRef,
    handle: agent.handle,
    owner: terms.owner,
    asset: terms.token,
    category: terms.category,
    chain: `eip155:${HOME_CHAIN}`,
    description: terms.description,
    attributes: terms.attributes,
    ask: terms.ask,
    floor: terms.floor,
    negotiable: terms.negotiable,
    gate: terms.gate,
    proven,
    featured: false,
    paid,
    quotedState: terms.state?.toString() ?? null,
    orderId: services.newId('ord'),
    pledgeId: services.newId('plg'),
    expiresAt: new Date(now.getTime() + (paid ? LISTING_MS : UNPAID_MS)),
    now,
  });
  // Judged under the agent's lock after the rows are written; the agent's own new order does not count as another
  // order.
  const held = await heldBy(trx, { handle: agent.handle, owner: terms.owner }, now);
  const others = { ...held, resting: held.resting - 1 };
  const { owner } = terms;
  const order = {
    side: 'sell' as const,
    owner,
    limit: terms.floor ?? terms.ask,
    listing: row,
    held: others,
    now,
  };
  await judgeOrder(trx, agent, order, look);
  await deliver(trx, {
    actorId: `agent:${agent.handle}`,
    eventId: `listed:${listingRef}`,
    event: { type: 'LISTED', listingRef },
    now,
  });
  return row;
}

function requireToken(asset: Asset): TokenAsset {
  if (asset.kind !== 'token') throw new Error('a serial is listed by its certificate');
  if (asset.chainId === HOME_CHAIN) return asset;
  throw new AppError(
    'not-listed',
    `${assetKey(asset)} is on another chain than the agents' (eip155:${HOME_CHAIN}).`,
  );
}
