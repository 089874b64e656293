import type { Address } from '../../../agents/ids.ts';
import { isNameLot } from '../../../agents/names/name.ts';
import { readAgentEpoch, readAgentOwner } from '../../../chain/clients/agents.ts';
import { ultimateOwnerOf } from '../../../chain/clients/ultimate-owner.ts';
import type { AgentRow } from '../../../store/agent/agents.ts';
import type { Database, Trx } from '../../../store/database.ts';
import { lastBookedBlock } from '../../../store/deal/booked-blocks.ts';
import { findListing, type ListingRow } from '../../../store/market/listings.ts';
import type { Allows, Pair, PairAgents } from '../../../store/market/matches.ts';
import { overChain } from '../../determinations/public.ts';
import { HOME_CHAIN, type Services } from '../../services.ts';
import { requireControlled } from '../listings/prove-control.ts';
import { type BalanceLook, balanceAt, isCovered, leaveUnfunded } from '../orders/buyer-funds.ts';
import { hasAllBooked } from '../orders/judge-order.ts';
import { changedTooOften, LookAgain, MOST_AGAIN } from '../orders/look-again.ts';
import { whyBurnt } from './burnt-settlements.ts';
import { capsAllow, dropUnfitBid, lookAtPair, type PairSpending } from './judge-name-pair.ts';
import { readAgents } from './judge-pair.ts';
import { mayMatch } from './screen-pair.ts';

/** What the chain said about a pair. */
interface Proof {
  readonly holds: boolean;
  /** How often each agent had been transferred at that time. */
  readonly epochs: readonly [seller: number, buyer: number];
  /** The block at which the buyer's account was read, and covered its order if the proof holds; null: nobody asked. */
  readonly fundedAt: bigint | null;
  /** What both may spend; null: the pair is none over a name, and its orders were gone through with each new mandate. */
  readonly spending: PairSpending | null;
}

/** What is unknown does not match. */
const UNPROVEN: Proof = { holds: false, epochs: [0, 0], fundedAt: null, spending: null };

/** What the database has of a pair. */
interface KnownPair extends PairAgents {
  readonly listing: ListingRow;
}

/** A match depends on a pair about which the chain was not asked yet. */
export class UnprovenPair extends LookAgain {
  readonly pair: Pair;
  readonly known: KnownPair | undefined;
  /** @param known what was read of it a moment ago */
  constructor(pair: Pair, known?: KnownPair) {
    super('Another pair was the best');
    this.pair = pair;
    this.known = known;
  }
}

/**
 * Proves what must be true at the moment of a match, whatever was read when the orders were placed: no stop on the two
 * owners over the lot is left, both mandates allow the match, neither agent was transferred, each order still has the
 * same beneficial owner, the two owners differ, the seller may still sell the asset, and the buyer's account covers its
 * order. Of a name, whose orders stand until their auction ends, also that the caps of both allow it then. The chain is
 * asked before the transaction that writes the match. Within it, only the proof is checked, with what the database has
 * learned since.
 */
export class PairProofs {
  readonly #services: Services;
  readonly #known = new Map<string, Proof>();
  #short = new Set<string>();

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * Asks the chain about a pair. A buyer's order whose account is found short becomes unfunded; a bid on a name that may
   * not buy at the end of its auction leaves.
   * @param known what was read of the pair; its agents' epochs and its lot are compared again when it matches
   * @throws AssetLeft, AppError unavailable: an unproven pair does not match
   */
  async prove(pair: Pair, known?: KnownPair): Promise<boolean> {
    const read = known ?? (await readPair(this.#services.db, pair));
    if (read === null) return this.#note(pair, UNPROVEN);
    const { seller, buyer, listing } = read;
    if ((await whyBurnt(this.#services, soldBy(pair, read))) !== null) return this.#note(pair, UNPROVEN);
    const about = { pair, seller, buyer, listing };
    const epochs = [seller.epoch, buyer.epoch] as const;
    const stands = await standsOnChain(this.#services, about);
    if (isNameLot(listing.asset_key)) return this.#note(pair, await this.#proveName(about, stands));
    if (!stands.both) return this.#note(pair, UNPROVEN);
    const order = { lot: listing.asset_key, limit: pair.buy.limit_price };
    const { block, covered } = await isCovered(this.#services, buyer, order, stands.funds);
    if (!covered) {
      this.#short.add(pair.buy.order_id);
      await leaveUnfunded(this.#services, order.lot, pair.buy);
      return false;
    }
    return this.#note(pair, { holds: true, epochs, fundedAt: block, spending: null });
  }

  /** An auction has no next best while it runs, so a bid that is short there leaves for good. */
  async #proveName(about: PairOnChain, stands: Standing): Promise<Proof> {
    const { pair, seller, buyer, listing } = about;
    const order = { lot: listing.asset_key, limit: pair.buy.limit_price };
    const [{ block, covered }, spending] = await Promise.all([
      isCovered(this.#services, buyer, order, stands.funds),
      lookAtPair(this.#services, about),
    ]);
    await dropUnfitBid(this.#services, pair, { listing, fit: stands.buyer && covered, spending });
    const holds = stands.both && covered;
    return { holds, epochs: [seller.epoch, buyer.epoch], fundedAt: block, spending };
  }

  #note(pair: Pair, proof: Proof): boolean {
    this.#known.set(keyOf(pair), proof);
    return proof.holds;
  }

  /** The buyers' orders that were found short since this was asked last: they are not on the book any more. */
  takeShort(): ReadonlySet<string> {
    const short = this.#short;
    this.#short = new Set();
    return short;
  }

  knows(pair: Pair): boolean {
    return this.#known.has(keyOf(pair));
  }

  /** The check of a pair for one transaction. It throws UnprovenPair when the chain must be asked first. */
  allows(trx: Trx, now: Date): Allows {
    return async (pair, known) => {
      const agents = known ?? (await readAgents(trx, pair));
      if (agents === null) return false;
      return (
        (await mayMatch(trx, pair, now, agents)) && (await this.#stillHolds(trx, pair, { ...agents, now }))
      );
    };
  }

  async #stillHolds(
    trx: Trx,
    pair: Pair,
    by: { readonly seller: AgentRow; readonly buyer: AgentRow; readonly now: Date },
  ): Promise<boolean> {
    const proof = this.#known.get(keyOf(pair));
    if (proof === undefined) throw new UnprovenPair(pair);
    if (!proof.holds) return false;
    if (proof.fundedAt !== null) {
      const bookedBlock = await lastBookedBlock(trx, pair.buy.handle);
      if (!hasAllBooked({ block: proof.fundedAt }, { bookedBlock })) throw new UnprovenPair(pair);
    }
    if (by.seller.epoch !== proof.epochs[0] || by.buyer.epoch !== proof.epochs[1]) return false;
    const { spending } = proof;
    if (spending === null) return true;
    try {
      return await capsAllow(trx, pair, { ...by, spending });
    } catch (error) {
      if (error instanceof LookAgain) throw new UnprovenPair(pair);
      throw error;
    }
  }
}

function soldBy({ sell, buy }: Pair, { buyer, listing }: KnownPair): Parameters<typeof whyBurnt>[1] {
  const { asset, asset_key: assetKey } = listing;
  return { asset, assetKey, seller: sell.owner, buyer: { owner: buy.owner, tokenId: buyer.token_id } };
}

async function readPair(db: Database, pair: Pair): Promise<KnownPair | null> {
  const [agents, listing] = await Promise.all([readAgents(db, pair), findListing(db, pair.sell.listing_ref)]);
  return agents === null || listing === null ? null : { ...agents, listing };
}

/** Orders do not change, so the two ids identify what is known about a pair. */
function keyOf({ sell, buy }: Pair): string {
  return `${sell.order_id} ${buy.order_id}`;
}

/** About how many pairs of one book the chain is asked at most in one attempt. */
const MOST_PAIRS = 64;

/**
 * Runs code that writes a match in transactions of its own, and asks the chain in between about each pair on which the
 * match depends.
 * @param act throws LookAgain, with its transaction rolled back, when it must be repeated
 * @throws AppError unavailable when what is written changed each time, and as {@link PairProofs.prove}
 */
export async function withProofs<T>(services: Services, act: (proofs: PairProofs) => Promise<T>): Promise<T> {
  const proofs = new PairProofs(services);
  let [again, pairs] = [0, 0];
  for (;;) {
    try {
      return await act(proofs);
    } catch (error) {
      if (error instanceof UnprovenPair && pairs++ < MOST_PAIRS) await proofs.prove(error.pair, error.known);
      else if (!(error instanceof LookAgain)) throw error;
      else if (again++ >= MOST_AGAIN) throw changedTooOften(error);
    }
  }
}

interface PairOnChain extends KnownPair {
  readonly pair: Pair;
}

/** Which of the two sides are who they were when their orders were placed. */
interface Standing {
  readonly buyer: boolean;
  /** And they are two owners. */
  readonly both: boolean;
  /** The buyer's money at the same block. */
  readonly funds: BalanceLook;
}

async function standsOnChain(
  services: Services,
  { pair, seller, buyer, listing }: PairOnChain,
): Promise<Standing> {
  return await overChain(HOME_CHAIN, async () => {
    const { number: block } = await services.home.readers.viem.head();
    const [sells, buys, funds] = await Promise.all([
      beneficialOwnerAt(services, seller, block),
      beneficialOwnerAt(services, buyer, block),
      balanceAt(services, buyer, block),
      requireControlled(services, listing, seller, block),
    ]);
    const isBuyer = buys === pair.buy.owner;
    return { buyer: isBuyer, both: isBuyer && sells === pair.sell.owner && sells !== buys, funds };
  });
}

/** Null when the agent was transferred since it was last read, or the owner cannot be determined. */
export async function beneficialOwnerAt(
  { home }: Pick<Services, 'home'>,
  agent: AgentRow,
  block: bigint,
): Promise<string | null> {
  const reader = home.readers.viem;
  const reading = readAgentOwner(reader, home.deployment, agent.token_id, block);
  const [epoch, beneficialOwner] = await Promise.all([
    readAgentEpoch(reader, home.deployment, agent.token_id, block),
    ultimateOwnerOf(reader, reading, agent.owner as Address, block),
  ]);
  return epoch === agent.epoch ? beneficialOwner : null;
}
