import type { Asset } from '../../../agents/assets.ts';
import type { Depth } from '../../../agents/determinations/panel/types.ts';
import type { Database } from '../../../store/database.ts';
import { type Random, random } from '../random.ts';
import { addressOf } from './ledger.ts';
import { type Lot, Marketplace, type Trader, usd } from './marketplace.ts';
import { countAsked, countDeal, emptyTally, type Tally } from './tally.ts';

/**
 * The honest traders: shops with customers, pairs that trade steadily with each other, or dealers who buy and resell.
 */
export interface MarketPlan {
  readonly name: string;
  readonly kind: 'shops' | 'pairs' | 'dealers';
  readonly sellers: number;
  readonly agents: number;
  readonly deals: number;
}

/** An honest buyer: how it chooses lots to bid on, and how much a thing is worth to it, as a share of its value. */
interface Buyer extends Trader {
  readonly taste: number;
  /** The probability that it bids on a lot of this seller. */
  readonly bidsOn: (seller: Trader) => number;
}

/** The values of the market's goods: one collection, of which some pieces are dearer by half. */
const BASE = 100;
const DEARER = { by: 1.5, share: 0.2 };
const NOISE = 0.06;
/** The lowest price that a seller accepts, as a share of the value. */
const FLOOR = 0.96;
/** How far prices move up or down from the first deal to the last. */
const DRIFT = 0.25;
const DAYS = 60;
const DAY = 86_400_000;
const DEPTHS: readonly Depth[] = ['2-of-2', '2-of-2', '2-of-2', '1-of-1', 'superconsensus'];
/** The address that sells dollars to everybody, and the number of its other customers. */
export const EXCHANGE = addressOf('an exchange');
const EXCHANGED = 20;
/** A stranger asks about the bidders of one lot in this many. */
const ASKED_EVERY = 8;

/** A market of honest agents. The same seed and plan give the same market. */
export class HonestMarket {
  readonly place: Marketplace;
  readonly tally: Tally = emptyTally();
  readonly sellers: Trader[] = [];
  readonly buyers: Buyer[] = [];
  readonly plan: MarketPlan;
  readonly #r: Random;
  readonly #drift: number;
  readonly #from: Date;
  /** Things that were bought and may be resold, with the seller from whom they came. */
  readonly #held: { readonly holder: Buyer; readonly from: Trader; readonly asset: Asset }[] = [];
  #lots = 0;

  constructor(db: Database, plan: MarketPlan, seed: string) {
    this.place = new Marketplace(db);
    this.plan = plan;
    this.#r = random(`${seed}/${plan.name}`);
    this.#drift = (this.#r.chance(0.5) ? 1 : -1) * DRIFT;
    this.#from = this.place.now;
  }

  /** Creates all traders, with money that an exchange paid to many. */
  async open(): Promise<void> {
    await this.place.wait(DAY);
    // The exchange has customers of its own besides these traders.
    for (let i = 0; i < EXCHANGED; i++)
      this.place.ledger.pay(EXCHANGE, addressOf(`a customer ${i} of the exchange`), 1_000_000_000n);
    const { sellers, agents, kind } = this.plan;
    for (let i = 0; i < sellers; i++)
      this.sellers.push(
        await this.#trader(`seller-${i}`, addressOf(`${this.plan.name} owner of seller ${i}`)),
      );
    for (let i = 0; i < agents - sellers; i++) {
      // Every fifth owner has two agents.
      const trader = await this.#trader(
        `buyer-${i}`,
        addressOf(`${this.plan.name} owner of buyer ${i % 6 === 5 ? i - 1 : i}`),
      );
      this.buyers.push({ ...trader, ...this.#character(i, kind) });
    }
  }

  async #trader(handle: string, owner: string): Promise<Trader> {
    const trader = await this.place.trader(handle, owner, this.#r.pick(DEPTHS));
    this.place.ledger.pay(EXCHANGE, owner, 5_000_000_000n);
    this.place.ledger.pay(owner, trader.agent.account, 4_000_000_000n);
    return trader;
  }

  /** A buyer who bids at one house only, a steady customer, or one who looks at everything that is for sale. */
  #character(i: number, kind: MarketPlan['kind']): Pick<Buyer, 'taste' | 'bidsOn'> {
    const between = (low: number, high: number): number => low + (high - low) * this.#share();
    const loyal = kind === 'shops' && i % 5 === 0;
    const home = (loyal ? this.#r.pick(this.sellers) : this.sellers[i % this.sellers.length]!).handle;
    const at = (here: number, elsewhere: number) => (seller: Trader) =>
      seller.handle === home ? here : elsewhere;
    if (kind === 'pairs')
      return { taste: between(0.97, 1.06), bidsOn: at(i < this.sellers.length ? 1 : 0.02, 0.004) };
    if (loyal)
      return { taste: this.#r.chance(0.5) ? between(0.8, 0.93) : between(0.95, 1.05), bidsOn: at(0.85, 0) };
    if (i % 5 < 3) return { taste: between(0.95, 1.08), bidsOn: at(0.5, 0.03) };
    return { taste: between(0.8, 1.06), bidsOn: at(0.6, 0.6) };
  }

  /** The present value of a thing. */
  value(): number {
    const day = (this.place.now.getTime() - this.#from.getTime()) / DAY;
    const dear = this.#r.chance(DEARER.share) ? DEARER.by : 1;
    return BASE * dear * (1 + NOISE * (2 * this.#share() - 1)) * (1 + this.#drift) ** (day / DAYS);
  }

  #share(): number {
    return this.#r.below(1_000_000) / 1_000_000;
  }

  /** Lists one thing, takes bids, and sells it if the determinations allow it. */
  async trade(): Promise<void> {
    await this.place.wait(Math.round((DAYS * DAY) / this.plan.deals) - 60_000);
    const value = this.value();
    const again = this.plan.kind === 'dealers' && this.#held.length > 5 && this.#r.chance(0.5);
    const held = again ? this.#held.splice(this.#r.below(this.#held.length), 1)[0]! : null;
    const seller =
      held?.holder ?? this.#r.pick(this.plan.kind === 'dealers' ? this.#dealers() : this.sellers);
    const floor = value * FLOOR;
    const lot = await this.place.list(seller, usd(value * 1.08), usd(floor), held?.asset);
    // One resale in twenty goes back to the first seller; in the others the best bid wins.
    const back = held !== null && this.#r.chance(0.05) ? held.from : null;
    const bidders = back === null ? this.#bidders(seller) : [];
    for (const bidder of bidders) {
      await this.place.wait(this.#r.chance(0.4) ? this.#r.below(1_500) : this.#r.below(20) * 1_000);
      if (await this.#bidAndClose(lot, bidder, value * bidder.taste)) return;
    }
    const last = back ?? this.#lastOf(bidders, seller);
    if (last !== null && (await this.#bidAndClose(lot, last, value * (0.97 + 0.1 * this.#share())))) return;
    await this.place.withdraw(lot);
  }

  #dealers(): readonly Trader[] {
    return [...this.sellers, ...this.buyers.slice(0, this.sellers.length)];
  }

  /** Chooses bidders, one agent per owner, in the order in which they arrive. */
  #bidders(seller: Trader): Buyer[] {
    const owners = new Set([seller.owner]);
    const found: Buyer[] = [];
    for (const buyer of this.#shuffled(this.buyers)) {
      if (owners.has(buyer.owner) || !this.#r.chance(buyer.bidsOn(seller))) continue;
      owners.add(buyer.owner);
      found.push(buyer);
    }
    // On most lots those who bid too little come first; on the others, anybody may come first.
    const enough = (buyer: Buyer): number => (buyer.taste < FLOOR ? 0 : 1);
    return this.#r.chance(0.3) ? found : found.sort((a, b) => enough(a) - enough(b));
  }

  #shuffled<T>(all: readonly T[]): T[] {
    return all
      .map((one) => [this.#share(), one] as const)
      .sort(([a], [b]) => a - b)
      .map(([, one]) => one);
  }

  /** The bidder who would pay the most returns and pays the seller's price; if there is none, a random buyer does. */
  #lastOf(bidders: readonly Buyer[], seller: Trader): Trader | null {
    const willing = bidders.filter((b) => b.taste > 0.9).sort((a, b) => b.taste - a.taste);
    const others = this.buyers.filter((b) => b.owner !== seller.owner && b.taste > 0.95);
    return willing[0] ?? (others.length === 0 ? null : this.#r.pick(others));
  }

  /** @returns whether there was a deal, settled or not */
  async #bidAndClose(lot: Lot, buyer: Trader, limit: number): Promise<boolean> {
    const match = await this.place.bid(buyer, lot, usd(limit));
    if (match === null) return false;
    if (this.#lots++ % ASKED_EVERY === 0) countAsked(this.tally, await this.place.ask(lot));
    const told = await this.place.close(lot, match, buyer);
    countDeal(this.tally, told);
    const holder = this.buyers.find((b) => b.handle === buyer.handle);
    if (told.settled && holder !== undefined) this.#held.push({ holder, from: lot.seller, asset: lot.asset });
    return true;
  }

  /** Bids of honest buyers on another's lot, below the seller's limit. @returns a buyer who would pay that limit */
  async compete(lot: Lot, value: number, each: number): Promise<Trader> {
    const comers = this.buyers.filter((b) => this.#r.chance(each) && b.owner !== lot.seller.owner);
    const chosen = comers.filter((b, i) => comers.findIndex((c) => c.owner === b.owner) === i);
    for (const buyer of chosen) {
      await this.place.wait(this.#r.below(20) * 1_000);
      await this.place.bid(buyer, lot, usd(value * Math.min(0.95, buyer.taste)));
    }
    return this.#r.pick(chosen.length > 0 ? chosen : this.buyers);
  }
}

/** Runs a market to its end. */
export async function runHonest(db: Database, plan: MarketPlan, seed: string): Promise<Tally> {
  const market = new HonestMarket(db, plan, seed);
  await market.open();
  while (market.tally.deals < plan.deals) await market.trade();
  return market.tally;
}

/** The markets of a run. */
export function plansOf(options: {
  readonly deals: number;
  readonly agents: number;
  readonly sellers: number | null;
}): MarketPlan[] {
  const { deals, agents } = options;
  const shops = (sellers: number): MarketPlan => ({
    name: sellers === 1 ? 'one seller' : `${sellers} sellers`,
    ...{ kind: 'shops', sellers, agents, deals },
  });
  if (options.sellers !== null) return [shops(options.sellers)];
  const ten = Math.min(10, Math.floor(agents / 4));
  return [
    ...[1, 2, 3, 10].map(shops),
    { name: 'steady pairs', kind: 'pairs', sellers: ten, agents, deals },
    { name: 'dealers', kind: 'dealers', sellers: ten, agents, deals },
  ];
}
