import { type Asset, type AssetInput, normaliseAsset } from '../../agents/assets.ts';
import type { Category } from '../../agents/categories.ts';
import { judge } from '../../agents/determinations/panel/judge.ts';
import { hardIn, rollUpTier } from '../../agents/determinations/panel/rollup.ts';
import {
  type Depth,
  type Determination,
  type DeterminationEvidence,
  type DeterminationId,
  type Performer,
  type RecordEvidence,
  TIER_DETERMINATIONS,
  type TierRecord,
  type Verdict,
} from '../../agents/determinations/panel/types.ts';
import { AppError, badField } from '../../agents/errors.ts';
import type { Attributes } from '../../agents/market/pricing/model/attributes.ts';
import { readAttributes } from '../../agents/market/pricing/model/read-attributes.ts';
import { type Micro, parseUsd } from '../../agents/money.ts';
import { listingNamed } from '../../store/market/listings.ts';
import { askModels } from './ask-models.ts';
import { type EvidenceDeps, spentBy } from './deps.ts';
import { requireDepth } from './determine-wallet.ts';
import { lotOf } from './evidence/lots.ts';
import { findAgent } from './evidence/mandate/mandate.ts';
import { gatherPledges } from './evidence/pledges.ts';
import { gatherPrice } from './evidence/price/prices.ts';
import { withTies } from './evidence/price/sale-ties.ts';
import { gatherProvenance } from './evidence/provenance/provenance.ts';
import { gatherBook } from './evidence/shill/lot-book.ts';
import { gatherMandateEvidence, gatherUnread } from './gather.ts';
import { chainStated } from './one-deal.ts';
import { requireOneThing } from './one-thing.ts';
import { tierSubject } from './tier-subject.ts';

export interface TierProposal {
  readonly side: 'buy' | 'sell';
  readonly asset?: AssetInput;
  readonly listingRef?: string;
  readonly category: Category;
  readonly priceUsd: number | string;
  readonly counterparty?: string;
  readonly chainId?: number;
}

/** The body of a tier request. A determination runs when all of its facts are given. */
export interface TierFacts {
  readonly lotRef?: string;
  readonly seller?: string;
  readonly listingRef?: string;
  readonly asset?: AssetInput;
  readonly handle?: string;
  readonly proposal?: TierProposal;
  readonly priceUsd?: number | string;
  /** What is told of the thing, such as its make, model, year and mileage: what its price is judged by. */
  readonly attributes?: Attributes;
  readonly subject?: AssetInput;
}

interface TierRequest {
  readonly tier: 'tier2' | 'tier3';
  readonly category: Category;
  readonly facts: TierFacts;
  /** Null for an EXECUTOR, and for nobody else. */
  readonly depth: Depth | null;
  readonly performer?: Performer;
  /** The charge in dollars, as the record shows it. */
  readonly priceUsd?: number;
  /** The wallet that asks, lower case. The record does not name it. */
  readonly asker?: string;
}

export interface TierAnswer {
  readonly record: TierRecord;
  readonly evidence: RecordEvidence;
  /** The asset, the agent or the lot that was judged. */
  readonly subject: string;
  /** `determination/check` of every hard flag. */
  readonly hardFlags: readonly string[];
}

/** The facts as they are judged. They are read, normalised and checked before any payment. */
interface ReadFacts {
  readonly lot: { readonly lotRef: string; readonly seller: string } | null;
  readonly asset: Asset | null;
  readonly mandate: {
    readonly handle: string;
    readonly proposal: TierProposal;
    readonly price: Micro;
  } | null;
  readonly price: Micro | null;
  readonly subject: Asset | null;
}

/**
 * Reads the facts of a tier request without running a determination. Call it before payment.
 * @throws AppError bad-request naming the field, or no-facts when no determination has all of its facts
 */
export function readTierFacts(tier: 'tier2' | 'tier3', facts: TierFacts): ReadFacts {
  if (tier === 'tier2' && facts.subject !== undefined) {
    throw badField('subject', 'is traced in tier 3 only: leave it out, or ask for tier 3');
  }
  if (facts.attributes !== undefined) readAttributes(facts.attributes);
  const { lotRef, seller, handle, proposal } = facts;
  const read: ReadFacts = {
    lot: lotRef !== undefined && seller !== undefined ? { lotRef, seller } : null,
    asset: facts.asset === undefined ? null : normaliseAsset(facts.asset, 'asset'),
    mandate:
      handle !== undefined && proposal !== undefined
        ? { handle, proposal, price: parseUsd(proposal.priceUsd, 'proposal.priceUsd') }
        : null,
    price: facts.priceUsd === undefined ? null : parseUsd(facts.priceUsd, 'priceUsd'),
    subject: facts.subject === undefined ? null : normaliseAsset(facts.subject, 'subject'),
  };
  if (proposal?.asset !== undefined) normaliseAsset(proposal.asset, 'proposal.asset');
  if (Object.values(read).every((fact) => fact === null)) {
    throw new AppError(
      'no-facts',
      'Give lotRef with seller, asset, handle with proposal, priceUsd, or in tier 3 subject.',
    );
  }
  return read;
}

/**
 * Runs every determination whose facts are given. What cannot be read is INCONCLUSIVE in the answer, never an error.
 * @throws AppError as `readTierFacts` and `requireOneThing`; bad-request for a depth that does not fit the performer
 */
export async function determineTier(deps: EvidenceDeps, request: TierRequest): Promise<TierAnswer> {
  const { tier, category, depth } = request;
  const performer = request.performer ?? 'AGENT';
  requireDepth(performer, depth);
  const facts = readTierFacts(tier, request.facts);
  await requireOneThing(deps, request.facts);
  const { asker } = request;
  const own = asker === undefined ? deps : spentBy(deps, { kind: 'payer', name: asker });
  const gathered = await gatherAll(own, request, facts, { depth, performer });
  const named = {
    asset: facts.asset ?? facts.subject,
    handle: facts.mandate?.handle ?? null,
    lotRef: facts.lot?.lotRef ?? null,
    price: facts.price,
  };
  const determinations = gathered.map((evidence) => judge(evidence, { trace: tier === 'tier3' }));
  const applicable = TIER_DETERMINATIONS.filter((id) => tier === 'tier3' || id !== 'provenance');
  const notRun = applicable.filter((id) => !gathered.some((e) => e.id === id));
  const head = { tier, category, ...(request.priceUsd === undefined ? {} : { priceUsd: request.priceUsd }) };
  return {
    record: rollUpTier(head, determinations, notRun),
    evidence: { kind: tier, determinations: gathered },
    subject: tierSubject(named, gathered),
    hardFlags: hardFlagsOf(determinations),
  };
}

/** `determination/check` of every hard flag. */
export function hardFlagsOf(determinations: readonly Determination[]): string[] {
  return determinations.flatMap((d) => hardIn(d).map((what) => `${d.id}/${what}`));
}

const WORST: readonly Verdict[] = ['CLEAN', 'INCONCLUSIVE', 'FLAGGED'];

/** Verdicts by determination, for mandates that require some to be CLEAN. */
export function verdictsOf(
  determinations: readonly Determination[],
): Partial<Record<DeterminationId, Verdict>> {
  // What an agent holds has determinations of its own beside the agent's: the worst of each kind counts.
  const worstLast = [...determinations].sort((a, b) => WORST.indexOf(a.verdict) - WORST.indexOf(b.verdict));
  return Object.fromEntries(worstLast.map((d) => [d.id, d.verdict]));
}

type Mode = Pick<DeterminationEvidence, 'depth' | 'performer'>;

async function gatherAll(
  deps: EvidenceDeps,
  request: TierRequest,
  facts: ReadFacts,
  mode: Mode,
): Promise<DeterminationEvidence[]> {
  const now = deps.now();
  const { lot, asset, price, subject } = facts;
  const tasks: Promise<DeterminationEvidence>[] = [];
  if (lot !== null)
    tasks.push(
      gatherUnread(deps, 'shill-collusion', mode, async () => {
        const book = await gatherBook(deps, { ...lot, now });
        return { scope: 'lot' as const, ...lot, book };
      }),
    );
  if (asset !== null) {
    const { listingRef = null, handle = null, proposal } = request.facts;
    // Who buys claims nothing: that somebody else lists the thing is what a buyer asks about.
    const holder = proposal?.side === 'sell' ? handle : null;
    tasks.push(gatherPledges(deps, mode, { asset, listingRef, handle: holder }));
  }
  if (subject !== null) tasks.push(gatherProvenance(deps, mode, subject));
  if (price !== null) {
    tasks.push(
      gatherUnread(deps, 'price-intelligence', mode, async () => {
        const lot = await pricedLot(deps, request.facts, asset ?? subject);
        const { attributes } = request.facts;
        const told = attributes === undefined ? {} : { attributes };
        const asked = { category: request.category, lot, parties: [], price, now, ...told };
        return await withTies(deps, await gatherPrice(deps.db, asked));
      }),
    );
  }
  const gathered = await Promise.all(tasks.map(async (task) => askModels(deps, await task)));
  // The mandate comes last, because it may require other determinations to be CLEAN.
  const mandate =
    facts.mandate === null
      ? []
      : [await askModels(deps, await gatherTierMandate(deps, request.facts, facts.mandate, gathered, mode))];
  return [...gathered, ...mandate];
}

/** The lot whose price is judged: the asset that is named, or the one that is listed under the given reference. */
async function pricedLot(deps: EvidenceDeps, facts: TierFacts, named: Asset | null): Promise<string | null> {
  const proposed = facts.proposal?.asset;
  const asset = named ?? (proposed === undefined ? null : normaliseAsset(proposed));
  if (asset !== null) return (await lotOf(deps, asset)).key;
  const ref = facts.listingRef ?? facts.proposal?.listingRef ?? facts.lotRef;
  if (ref === undefined) return null;
  return (await listingNamed(deps.db, ref))?.asset_key ?? null;
}

async function gatherTierMandate(
  deps: EvidenceDeps,
  given: TierFacts,
  { handle, proposal, price }: NonNullable<ReadFacts['mandate']>,
  others: readonly DeterminationEvidence[],
  mode: Mode,
): Promise<DeterminationEvidence> {
  const agent = await findAgent(deps.db, handle);
  return await gatherMandateEvidence(deps, mode, {
    handle,
    agent,
    proposal: {
      side: proposal.side,
      category: proposal.category,
      price: price.toString(),
      chainId: chainStated(given) ?? agent?.chainId ?? 1002,
      counterparty: proposal.counterparty ?? null,
    },
    dealId: null,
    lot: await pricedLot(deps, { proposal }, null),
    verdicts: verdictsOf(others.map((e) => judge(e))),
  });
}
