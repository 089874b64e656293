import { type Asset, assetKey } from '../../../agents/assets.ts';
import { withEffects } from '../../../agents/deal/effect.ts';
import type { Depth, Determination, DeterminationId } from '../../../agents/determinations/panel/types.ts';
import { mandateHash } from '../../../agents/mandate/terms/hash.ts';
import type { Mandate } from '../../../agents/mandate/terms/schema.ts';
import { moneyOf } from '../../../agents/market/pricing/fees.ts';
import { type Micro, parseUsd } from '../../../agents/money.ts';
import { followTransfers } from '../../../runtime/chain-sync/follow-transfers.ts';
import type { EvidenceDeps } from '../../../runtime/determinations/deps.ts';
import { determineDeal } from '../../../runtime/determinations/determine-deal.ts';
import { determineTier } from '../../../runtime/determinations/determine-tier.ts';
import type { Database } from '../../../store/database.ts';
import { keepFindings } from '../../../store/deal/deals.ts';
import { findListing } from '../../../store/market/listings.ts';
import type { Match } from '../../../store/market/matches.ts';
import { closeListing } from '../../../store/market/withdrawals.ts';
import { listOf } from '../../determinations/goods-stage.ts';
import { markSettled, unwindDeal } from '../../fixtures/closings.ts';
import { type MarketStage, marketStage } from '../../fixtures/market-stage.ts';
import { DEPLOYMENT } from '../chain.ts';
import { addressOf, type LedgerAgent, MarketLedger } from './ledger.ts';
import { weighed } from './owners-choice.ts';

/** An agent that trades. */
export interface Trader {
  readonly handle: string;
  /** The owner for whom its orders are placed, lower case. */
  readonly owner: string;
  readonly depth: Depth;
  readonly agent: LedgerAgent;
}

/** A thing that is for sale. */
export interface Lot {
  readonly key: string;
  readonly asset: Asset;
  readonly listingRef: string;
  readonly seller: Trader;
}

/** What both sides of a deal determined, and the outcome. */
export interface DealTold {
  readonly settled: boolean;
  readonly sides: Readonly<Record<'buyer' | 'seller', readonly Determination[]>>;
  readonly notRun: readonly DeterminationId[];
}

const CATEGORY = 'digital-products';
const DAY = 86_400_000;
const MANDATE: Mandate = {
  side: 'both',
  currency: 'USDC',
  expires_at: '2027-12-31T23:59:59Z',
  cap_per_deal: '1000000',
  categories_allow: [CATEGORY],
};

/**
 * A market on a real database. The service's own statements write orders, matches, findings and settlements, and its
 * own code gathers and judges the evidence. Only the chain is kept in memory, and the clock moves only when it is told
 * to.
 */
export class Marketplace {
  readonly #db: Database;
  readonly #stage: MarketStage;
  readonly #deps: EvidenceDeps;
  readonly ledger: MarketLedger;
  #listedOn = 0;

  constructor(db: Database) {
    this.#db = db;
    this.#stage = marketStage(db);
    this.ledger = new MarketLedger(() => this.now);
    this.#deps = {
      db,
      readers: new Map([
        [DEPLOYMENT.chainId, { viem: this.ledger.reader('viem'), ethers: this.ledger.reader('ethers') }],
      ]),
      deployments: new Map([[DEPLOYMENT.chainId, DEPLOYMENT]]),
      now: () => this.now,
    };
  }

  get now(): Date {
    return this.#stage.now();
  }

  /** Lets time pass. The lists of wallets are renewed each day. */
  async wait(ms: number): Promise<void> {
    this.#stage.tick(ms);
    const day = Math.floor(this.now.getTime() / DAY);
    if (day === this.#listedOn) return;
    this.#listedOn = day;
    for (const register of ['sanctions', 'known-scam'] as const)
      await listOf(this.#db, register, [addressOf('a listed wallet')], this.now);
  }

  /** An agent with an account, a session key and a mandate. */
  async trader(handle: string, owner: string, depth: Depth, funds?: bigint): Promise<Trader> {
    const agent = this.ledger.mint(handle, owner, mandateHash(MANDATE), funds);
    await this.#stage.agent(handle, owner);
    await this.#db
      .updateTable('agents')
      .set({
        depth,
        token_id: agent.tokenId,
        account: agent.account,
        session_key: agent.key,
        contract: DEPLOYMENT.agentNft,
      })
      .where('handle', '=', handle)
      .execute();
    await this.#db
      .insertInto('mandates')
      .values({
        handle,
        version: 1,
        text: 'as its owner signed it',
        structured: JSON.stringify(MANDATE),
        hash: agent.mandateHash,
        status: 'active',
        tx: null,
      })
      .execute();
    return { handle, owner, depth, agent };
  }

  /** @param asset a thing that was bought; absent: a new one of the collection */
  async list(seller: Trader, ask: Micro, floor: Micro, asset: Asset = this.#stage.asset()): Promise<Lot> {
    const listingRef = this.#stage.fresh('listing');
    await this.#stage.list(seller.handle, { owner: seller.owner, asset, listingRef, ask, floor });
    return { key: assetKey(asset), asset, listingRef, seller };
  }

  /** @returns the match that the order made, if it made one */
  async bid(buyer: Trader, lot: Lot, limit: Micro): Promise<Match | null> {
    // An order must rest for two seconds before the same agent may replace it.
    this.#stage.tick(2_000);
    const placed = await this.#stage.order(buyer.handle, lot.key, { owner: buyer.owner, limit });
    return placed.match;
  }

  /** Both sides determine on their deal. It settles, or it is undone and the lot withdrawn. */
  async close(lot: Lot, match: Match, buyer: Trader): Promise<DealTold> {
    const { seller } = lot;
    const { dealId, price } = match;
    const question = {
      dealId,
      buyer: buyer.handle,
      seller: seller.handle,
      asset: lot.asset,
      listingRef: lot.listingRef,
      category: CATEGORY,
      price,
      performer: 'AGENT',
    } as const;
    const asked = (side: 'buyer' | 'seller', { depth }: Trader) =>
      determineDeal(this.#deps, { ...question, side, depth });
    const [bought, sold] = [await asked('buyer', buyer), await asked('seller', seller)];
    const sides = { buyer: bought.record.determinations, seller: sold.record.determinations };
    const caused = { buyer: weighed(sides.buyer), seller: weighed(sides.seller) };
    const settled = caused.buyer.effect === 'proceed' && caused.seller.effect === 'proceed';
    const reason = 'a determination was FLAGGED';
    await this.#stage.inTrx(async (trx) => {
      await keepFindings(
        trx,
        dealId,
        ['buyer', 'seller'],
        [...withEffects(bought.findings, caused.buyer), ...withEffects(sold.findings, caused.seller)],
      );
      if (!settled)
        return await unwindDeal(trx, {
          dealId,
          reason,
          orderId: this.#stage.fresh('sell'),
          ids: this.#stage.ids(),
          allows: () => false,
          now: this.now,
          left: true,
        });
      const { fee } = moneyOf(lot.key, price);
      const accounts = { seller: seller.agent.account, buyer: buyer.agent.account };
      const done = this.ledger.settle({ dealId, ...accounts, tokenId: buyer.agent.tokenId, price, fee });
      return await markSettled(trx, { dealId, ...done, now: this.now });
    });
    return { settled, sides, notRun: bought.record.determinationsNotRun };
  }

  /** Takes an unsold lot off the market. */
  async withdraw({ listingRef }: Lot): Promise<void> {
    await this.#stage.inTrx(async (trx) => {
      const listing = await findListing(trx, listingRef);
      if (listing !== null) await closeListing(trx, listing, 'dropped', this.now);
    });
  }

  /** The answer to a stranger who asks about the bidders of a lot (tier 2). */
  async ask({ listingRef, seller }: Lot, depth: Depth = '2-of-2'): Promise<Determination> {
    await this.followMoney();
    const { record } = await determineTier(this.#deps, {
      tier: 'tier2',
      category: CATEGORY,
      facts: { lotRef: listingRef, seller: seller.handle },
      depth,
    });
    return record.determinations.find((d) => d.id === 'shill-collusion')!;
  }

  /** The service's own index of transfers, brought up to the ledger's last block. */
  async followMoney(): Promise<void> {
    const { chainId } = DEPLOYMENT;
    const readers = this.#deps.readers.get(chainId)!;
    while (await followTransfers({ db: this.#deps.db }, { chainId, deployment: DEPLOYMENT, readers })) {}
  }
}

/** Dollars to the cent, as micro-dollars. */
export function usd(dollars: number): Micro {
  return parseUsd(Math.max(0.01, dollars).toFixed(2), 'dollars');
}
