import type { Asset } from '../../../agents/assets.ts';
import type { Verdict } from '../../../agents/determinations/panel/types.ts';
import type { Database } from '../../../store/database.ts';
import { DEPLOYMENT } from '../chain.ts';
import { EXCHANGE, HonestMarket } from './honest.ts';
import { addressOf } from './ledger.ts';
import { type Lot, type Trader, usd } from './marketplace.ts';
import { countEach, reasonsOf } from './tally.ts';

/** The deals of one kind of thief in all its groups, and the verdicts on them. */
export interface ThiefTally {
  readonly kind: string;
  /** Whether this kind leaves evidence that honest trade does not leave; then every group must be found. */
  readonly mustTell: boolean;
  groups: number;
  /** `told`: groups with something FLAGGED. `doubted`: groups with nothing FLAGGED and something INCONCLUSIVE. */
  told: number;
  doubted: number;
  readonly deals: Record<Verdict, number>;
  readonly asked: Record<Verdict, number>;
  readonly reasons: Record<string, number>;
}

/** The tools for the act of one thief. */
interface Scene {
  readonly market: HonestMarket;
  /** Creates a trader with an owner of its own, whose first money comes from `fundedBy`. */
  trader(name: string, fundedBy?: string): Promise<Trader>;
  /** Makes one deal between two traders. @returns whether it settled, and the thing */
  deal(
    seller: Trader,
    buyer: Trader,
    terms?: { price?: number; asset?: Asset },
  ): Promise<{ settled: boolean; asset: Asset }>;
  /** A stranger asks about the bidders of a lot. */
  ask(lot: Lot): Promise<void>;
}

interface Kind {
  readonly kind: string;
  readonly mustTell: boolean;
  act(scene: Scene): Promise<void>;
}

const WASHES = 12;
const SHILLED = 12;
const ASKED_FROM = 8;
const ZEAL = 0.75;

/** Shills bid on one seller's lots below the price that honest buyers pay, and never win. */
async function shills({ market, trader, ask }: Scene, many: number, paid = true): Promise<void> {
  const seller = await trader('seller');
  const group: Trader[] = [];
  for (let i = 0; i < many; i++) group.push(await trader(`shill ${i}`, paid ? seller.owner : EXCHANGE));
  for (let n = 0; n < SHILLED; n++) {
    const value = market.value();
    const lot = await market.place.list(seller, usd(value * 1.08), usd(value * 0.96));
    for (const [i, shill] of group.entries()) {
      if ((n * 7 + i * 3) % 20 >= ZEAL * 20) continue;
      await market.place.wait(4_000);
      await market.place.bid(shill, lot, usd(value * (0.8 + 0.03 * i)));
    }
    const winner = await market.compete(lot, value, 0.08);
    await market.place.wait(5_000);
    const match = await market.place.bid(winner, lot, usd(value * 1.02));
    if (match === null) throw new Error('the winner did not reach the floor');
    if (n >= ASKED_FROM) await ask(lot);
    await market.place.close(lot, match, winner);
  }
}

/** Two traders who sell to each other, one way or both ways. */
async function washed(scene: Scene, one: Trader, other: Trader, after?: () => void): Promise<void> {
  for (let n = 0; n < WASHES; n++) {
    const [seller, buyer] = after === undefined && n % 2 === 1 ? [other, one] : [one, other];
    await scene.deal(seller, buyer);
    after?.();
  }
}

/** A collection of the thieves' own, of which only these sales are known. */
function collection(scene: Scene): () => Asset {
  const contract = addressOf(`a collection of ${scene.market.place.now.toISOString()}`);
  let sold = 0;
  return () => ({ kind: 'token', chainId: DEPLOYMENT.chainId, contract, tokenId: `${++sold}` });
}

const PUMPED = { plain: 11, wallets: 6, step: 18, price: 380 };

/**
 * Things of a small collection sell among honest traders at a hundred dollars. Then wallets with money of their own sell
 * more of them to each other, each pair once, a little dearer each time; and one of them sells the next to an honest buyer.
 * @param after what the wallets do with the proceeds before that
 */
async function pumped(scene: Scene, after: (ring: readonly Trader[]) => void): Promise<void> {
  const { market, trader, deal } = scene;
  const asset = collection(scene);
  const { place, sellers, buyers } = market;
  for (let n = 0; n < PUMPED.plain; n++) {
    const [seller, buyer] = [sellers[n % sellers.length]!, buyers[n % buyers.length]!];
    const lot = await place.list(seller, usd(100 + n), usd(100 + n), asset());
    await place.wait(3_600_000);
    const match = await place.bid(buyer, lot, usd(100 + n));
    if (match !== null) await place.close(lot, match, buyer);
  }
  const ring: Trader[] = [];
  for (let i = 0; i < PUMPED.wallets; i++) ring.push(await trader(`wallet ${i}`));
  const pairs = ring.flatMap((one, i) => ring.slice(i + 1).map((other) => [one, other] as const));
  for (const [n, [one, other]] of pairs.entries())
    await deal(one, other, { price: 120 + PUMPED.step * n, asset: asset() });
  after(ring);
  await place.followMoney();
  await deal(ring[0]!, market.buyers.at(-1)!, { price: PUMPED.price, asset: asset() });
}

export const KINDS: readonly Kind[] = [
  { kind: 'three shills who bid up and never win', mustTell: true, act: (scene) => shills(scene, 3) },
  { kind: 'one shill whom the seller pays', mustTell: true, act: (scene) => shills(scene, 1) },
  {
    kind: 'one shill with money of its own',
    mustTell: false,
    act: (scene) => shills(scene, 1, false),
  },
  {
    kind: 'wash trades, one wallet funded both',
    mustTell: true,
    async act(scene) {
      const wallet = addressOf(
        `${scene.market.tally.deals} a thief's wallet ${scene.market.place.now.toISOString()}`,
      );
      await washed(scene, await scene.trader('one', wallet), await scene.trader('other', wallet));
    },
  },
  {
    kind: 'wash trades, the money is sent back',
    mustTell: true,
    async act(scene) {
      const [one, other] = [await scene.trader('one'), await scene.trader('other')];
      await washed(scene, one, other, () =>
        scene.market.place.ledger.pay(one.agent.account, other.agent.account, 90_000_000n),
      );
    },
  },
  {
    kind: 'wash trades both ways, no transfer seen',
    mustTell: false,
    async act(scene) {
      await washed(scene, await scene.trader('one'), await scene.trader('other'));
    },
  },
  {
    kind: 'one lot goes round among three, again and again',
    mustTell: true,
    async act(scene) {
      const ring = [await scene.trader('one'), await scene.trader('two'), await scene.trader('three')];
      let asset: Asset | undefined;
      for (let n = 0; n < WASHES; n++) {
        const found = await scene.deal(
          ring[n % 3]!,
          ring[(n + 1) % 3]!,
          asset === undefined ? {} : { asset },
        );
        if (!found.settled) return;
        asset = found.asset;
      }
    },
  },
  {
    kind: 'four lots go round among three, once each',
    mustTell: true,
    async act(scene) {
      const ring = [await scene.trader('one'), await scene.trader('two'), await scene.trader('three')];
      for (let lot = 0; lot < 4; lot++) {
        let asset: Asset | undefined;
        for (let n = 0; n < 3; n++) {
          const found = await scene.deal(ring[n]!, ring[(n + 1) % 3]!, asset === undefined ? {} : { asset });
          if (!found.settled) break;
          asset = found.asset;
        }
      }
    },
  },
  {
    kind: 'one lot goes there and back',
    mustTell: true,
    async act(scene) {
      const [one, other] = [await scene.trader('one'), await scene.trader('other')];
      let asset: Asset | undefined;
      for (let n = 0; n < 6; n++) {
        const found = await scene.deal(
          n % 2 === 0 ? one : other,
          n % 2 === 0 ? other : one,
          asset === undefined ? {} : { asset },
        );
        if (!found.settled) return;
        asset = found.asset;
      }
    },
  },
  {
    kind: 'one owner behind both sides',
    mustTell: true,
    async act(scene) {
      const [one, other] = [await scene.trader('one'), await scene.trader('other')];
      one.agent.owner = other.agent.owner;
      await scene.deal(one, other);
    },
  },
  {
    kind: 'a stolen key sells at a fifth of the market',
    mustTell: true,
    async act(scene) {
      const [one, other] = [await scene.trader('one'), await scene.trader('other')];
      for (let n = 0; n < 3; n++) await scene.deal(one, other, { price: 20 });
    },
  },
  {
    kind: 'sales raise what such things cost, the proceeds are gathered',
    mustTell: true,
    act: (scene) =>
      pumped(scene, (ring) => {
        for (const { agent } of ring.slice(1))
          scene.market.place.ledger.pay(agent.account, ring[0]!.agent.account, 1_500_000_000n);
      }),
  },
  {
    kind: 'money is paid over as a price of five times the market',
    mustTell: true,
    async act(scene) {
      const [one, other] = [await scene.trader('one'), await scene.trader('other')];
      for (let n = 0; n < 3; n++) await scene.deal(one, other, { price: 600 });
    },
  },
];

/**
 * Runs honest deals first, so that market prices are known, and then every kind of thief several times among honest
 * deals.
 */
export async function runThieves(
  db: Database,
  options: { readonly deals: number; readonly agents: number; readonly groups: number },
  seed: string,
): Promise<ThiefTally[]> {
  const { deals, agents, groups } = options;
  const sellers = Math.min(10, Math.floor(agents / 4));
  const market = new HonestMarket(db, { name: 'thieves among', kind: 'shops', sellers, agents, deals }, seed);
  await market.open();
  while (market.tally.deals < deals) await market.trade();
  const tallies: ThiefTally[] = [];
  for (const { kind, mustTell, act } of KINDS) {
    const tally: ThiefTally = {
      ...{ kind, mustTell, groups, told: 0, doubted: 0, reasons: {} },
      deals: { CLEAN: 0, FLAGGED: 0, INCONCLUSIVE: 0 },
      asked: { CLEAN: 0, FLAGGED: 0, INCONCLUSIVE: 0 },
    };
    tallies.push(tally);
    for (let group = 0; group < groups; group++) {
      const before = said(tally);
      await act(sceneOf(market, tally, `${tallies.length}-${group}`));
      const after = said(tally);
      if (after.FLAGGED > before.FLAGGED) tally.told += 1;
      else if (after.INCONCLUSIVE > before.INCONCLUSIVE) tally.doubted += 1;
    }
  }
  return tallies;
}

function said({ deals, asked }: ThiefTally): { FLAGGED: number; INCONCLUSIVE: number } {
  return {
    FLAGGED: deals.FLAGGED + asked.FLAGGED,
    INCONCLUSIVE: deals.INCONCLUSIVE + asked.INCONCLUSIVE,
  };
}

function sceneOf(market: HonestMarket, tally: ThiefTally, group: string): Scene {
  const { place } = market;
  return {
    market,
    async trader(name, fundedBy = EXCHANGE) {
      const called = `thief-${group}-${name.replaceAll(' ', '-')}`;
      // Whoever has money of its own needs nobody's.
      const own = fundedBy === EXCHANGE ? undefined : 0n;
      const trader = await place.trader(called, addressOf(`owner of ${called}`), '2-of-2', own);
      place.ledger.pay(fundedBy, trader.agent.account, 2_000_000_000n);
      return trader;
    },
    async deal(seller, buyer, { price = market.value(), asset } = {}) {
      await place.wait(3_600_000);
      const lot = await place.list(seller, usd(price), usd(price), asset);
      const match = await place.bid(buyer, lot, usd(price));
      if (match === null) throw new Error('the two did not meet');
      const { settled, sides } = await place.close(lot, match, buyer);
      const all = [...sides.buyer, ...sides.seller];
      const said = (verdict: Verdict): boolean => all.some((d) => d.verdict === verdict);
      const verdict = said('FLAGGED') ? 'FLAGGED' : said('INCONCLUSIVE') ? 'INCONCLUSIVE' : 'CLEAN';
      tally.deals[verdict] += 1;
      countEach(
        tally.reasons,
        all
          .filter((d) => d.verdict !== 'CLEAN')
          .flatMap((d) => reasonsOf(d).map((reason) => `${reason} ${d.verdict}`)),
      );
      return { settled, asset: lot.asset };
    },
    async ask(lot) {
      const told = await place.ask(lot);
      tally.asked[told.verdict] += 1;
      if (told.verdict !== 'CLEAN')
        countEach(
          tally.reasons,
          reasonsOf(told).map((reason) => `${reason} ${told.verdict}`),
        );
    },
  };
}
