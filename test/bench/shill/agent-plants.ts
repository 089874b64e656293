import { type AgentMarket, DAY, type MarketLot } from './agent-markets.ts';
import type { Known } from './agent-oracle.ts';

/** How the thieves' money reaches those who bid for them. */
export const MONEY = [
  'from the seller',
  'over one',
  'over two',
  'dust first',
  'one purse',
  'half of it',
  'unseen',
] as const;
export type Money = (typeof MONEY)[number];

export interface Plant {
  readonly name: string;
  /** What an oracle knows of it. */
  readonly known: Known;
  /** Plants it at these sellers' lots. @returns the sellers who stand to gain */
  readonly act: (market: AgentMarket, money: Money) => readonly string[];
}

/** How a planted bidder bids. */
interface Shilling {
  readonly size: number;
  /** The share of the seller's lots on which each bids. */
  readonly zeal: number;
  /** Bids on lots of others, as a share of its bids at home. */
  readonly cover?: number;
  /** The share of its lots that it wins, and is given its money back for. */
  readonly wins?: number;
}

const thief = 'seller-0';

function shilling(name: string, how: Shilling): Plant {
  return {
    name,
    known: how,
    act: (market, money) => {
      const shills = Array.from({ length: how.size }, (_, i) => `planted-${i}`);
      fund(market, money, thief, shills);
      for (const shill of shills) bidAlong(market, shill, lotsOf(market, thief), how);
      return [thief];
    },
  };
}

export const PLANTS: readonly Plant[] = [
  ...[0.45, 0.6, 0.75, 0.9].map((zeal) => shilling(`ring of three, on ${zeal * 100} %`, { size: 3, zeal })),
  shilling('ring of three with cover bids', { size: 3, zeal: 0.7, cover: 0.8 }),
  shilling('ring of three that buys back', { size: 3, zeal: 0.7, wins: 0.25 }),
  {
    name: 'six in rotation, two a lot',
    known: { size: 6, zeal: 1 / 3 },
    act(market, money) {
      const shills = Array.from({ length: 6 }, (_, i) => `planted-${i}`);
      fund(market, money, thief, shills);
      for (const [n, lot] of lotsOf(market, thief).entries())
        for (const i of [0, 1]) bid(market, lot, shills[(2 * n + i) % 6]!);
      return [thief];
    },
  },
  {
    name: 'fresh accounts, one a lot',
    known: { size: 12, zeal: null },
    act(market, money) {
      const own = lotsOf(market, thief);
      const shills = own.flatMap((_, n) => [`planted-${n}-a`, `planted-${n}-b`]);
      fund(market, money, thief, shills);
      for (const [n, lot] of own.entries())
        for (const shill of [`planted-${n}-a`, `planted-${n}-b`]) bid(market, lot, shill);
      return [thief];
    },
  },
  shilling('a lone affiliate, on half', { size: 1, zeal: 0.5 }),
  {
    name: 'a seller in three wallets',
    known: { size: 3, zeal: 0.7, sellers: 3 },
    act(market, money) {
      const sellers = ['seller-0', 'seller-1', 'seller-2'];
      const shills = ['planted-0', 'planted-1', 'planted-2'];
      fund(market, money, thief, [...shills, 'seller-1', 'seller-2']);
      for (const shill of shills)
        for (const seller of sellers) bidAlong(market, shill, lotsOf(market, seller), { size: 3, zeal: 0.7 });
      return sellers;
    },
  },
  {
    name: 'sellers who bid for one another',
    known: { size: 2, zeal: 0.7, sellers: 3 },
    act(market, money) {
      const sellers = ['seller-0', 'seller-1', 'seller-2'];
      fund(market, money, thief, ['seller-1', 'seller-2']);
      for (const seller of sellers)
        for (const other of sellers)
          if (other !== seller) bidAlong(market, other, lotsOf(market, seller), { size: 2, zeal: 0.7 });
      return sellers;
    },
  },
];

function lotsOf({ lots }: AgentMarket, seller: string): MarketLot[] {
  return lots.filter((lot) => lot.seller === seller);
}

function bidAlong(market: AgentMarket, shill: string, lots: readonly MarketLot[], how: Shilling): void {
  const { roll } = market;
  for (const lot of lots) {
    if (roll() >= how.zeal) continue;
    bid(market, lot, shill);
    if (roll() >= (how.cover ?? 0)) continue;
    const others = market.lots.filter((l) => l.seller !== lot.seller);
    if (others.length > 0) bid(market, others[Math.floor(roll() * others.length)]!, shill);
  }
  for (const lot of lots) {
    if (!lot.bids.some((b) => b.bidder === shill) || roll() >= (how.wins ?? 0)) continue;
    lot.winner = shill;
  }
}

function bid({ roll }: AgentMarket, lot: MarketLot, bidder: string): void {
  lot.bids.push({ bidder, minute: lot.at + roll() * DAY });
  lot.bids.sort((a, b) => a.minute - b.minute);
}

/** Gives each its money: from the thief's account, over wallets, or from the exchange like anybody. */
function fund({ payments, roll }: AgentMarket, money: Money, from: string, to: readonly string[]): void {
  const usd = () => 300 + 900 * roll();
  const pay = (...way: readonly string[]): void => {
    const amount = usd();
    for (const [i, next] of way.slice(1).entries()) payments.push({ from: way[i]!, to: next, usd: amount });
  };
  if (money === 'one purse') {
    // The purse also keeps the thief's own account, as its owner would.
    payments.push({ from: 'exchange', to: 'purse', usd: 30_000 });
    payments.push({ from: 'purse', to: from, usd: 4_000 });
  }
  for (const account of to) {
    if (money === 'dust first') payments.push({ from: 'exchange', to: account, usd: 1.5 });
    if (money === 'half of it') {
      // Two fifths are its own.
      payments.push(
        { from: 'exchange', to: `wallet-of-${account}`, usd: 400 },
        { from: `wallet-of-${account}`, to: account, usd: 400 },
      );
      payments.push({ from, to: 'middle', usd: 600 }, { from: 'middle', to: account, usd: 600 });
    } else if (money === 'from the seller' || money === 'dust first') pay(from, account);
    else if (money === 'over one') pay(from, 'middle', account);
    else if (money === 'over two') pay(from, 'first', `second-of-${account}`, account);
    else if (money === 'one purse') pay('purse', account);
    else pay('exchange', `wallet-of-${account}`, account);
  }
}
